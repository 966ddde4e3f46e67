/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_STREAM_H
#define CSN_STREAM_H

#include "reader.h"

/**
 * enum csn_stream_end - why a stream is read no further
 * @CSN_STREAM_OVER: it is at its end.
 * @CSN_STREAM_TIME: the deadline came.
 * @CSN_STREAM_INTERRUPTED: the user interrupted.
 * @CSN_STREAM_NO_OUTPUT: nobody reads standard output any more.
 * @CSN_STREAM_FAILED: reading failed; errno says why.
 * @CSN_STREAM_BAD: csn_stream.error says why.
 */
enum csn_stream_end {
	CSN_STREAM_OVER,
	CSN_STREAM_TIME,
	CSN_STREAM_INTERRUPTED,
	CSN_STREAM_NO_OUTPUT,
	CSN_STREAM_FAILED,
	CSN_STREAM_BAD,
};

/**
 * struct csn_sink - who gets the bytes of a stream
 * @feed: takes the next ones; they may begin and end anywhere.
 * @release: there is nothing more to read at the moment.
 * @flush: nothing has come for CSN_READER_SLACK, or nothing will come.
 * @end: the stream is at its end.
 * @holds: whether a flush would hand something out.
 *
 * What is not 0 ends the stream: CSN_READER_STOPPED, or what is wrong with it.
 */
struct csn_sink {
	enum csn_reader_error (*feed)(void *to, const void *data, size_t size);
	enum csn_reader_error (*release)(void *to);
	enum csn_reader_error (*flush)(void *to);
	enum csn_reader_error (*end)(void *to);
	bool (*holds)(const void *to);
};

/* The sink that is a struct csn_reader. */
extern const struct csn_sink csn_stream_reader_sink;

/**
 * struct csn_stream - bytes on their way from a file
 * @fd: the device (non-blocking) or a recording.
 * @deadline: when to stop, as csn_wait_now() tells the time, or
 *	CSN_WAIT_FOREVER.
 * @sink: who gets them.
 * @to: handed to the sink.
 * @error: what it found.
 */
struct csn_stream {
	int fd;
	__u64 deadline;
	const struct csn_sink *sink;
	void *to;
	enum csn_reader_error error;
};

enum csn_stream_end csn_stream_run(struct csn_stream *stream);
enum csn_stream_end csn_stream_drain(struct csn_stream *stream);

#endif
