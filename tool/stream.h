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
 * struct csn_stream - records on their way from a file to a reader
 * @fd: the device (non-blocking) or a recording.
 * @deadline: when to stop, as csn_wait_now() tells the time, or
 *	CSN_WAIT_FOREVER.
 * @reader: who gets them.
 * @error: what the reader found.
 */
struct csn_stream {
	int fd;
	__u64 deadline;
	struct csn_reader *reader;
	enum csn_reader_error error;
};

enum csn_stream_end csn_stream_run(struct csn_stream *stream);
enum csn_stream_end csn_stream_drain(struct csn_stream *stream);

#endif
