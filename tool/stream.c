// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes from a file to who takes them apart: the device, a recording, or a
 * pipe in which another machine's device comes.
 */
#include <errno.h>
#include <unistd.h>

#include "stream.h"
#include "wait.h"

/*
 * Reads in a row before events are handed out. A source that never runs dry
 * must not keep them for ever.
 */
#define MAX_READS	16

/* The longest read: a quarter of the rings that bcc's tool has by default. */
static char buffer[64 * 1024];

static enum csn_reader_error feed_reader(void *to, const void *data, size_t size)
{
	return csn_reader_feed(to, data, size);
}

static enum csn_reader_error release_reader(void *to)
{
	return csn_reader_release(to);
}

static enum csn_reader_error flush_reader(void *to)
{
	return csn_reader_flush(to);
}

static enum csn_reader_error end_reader(void *to)
{
	return csn_reader_end(to);
}

static bool reader_holds(const void *to)
{
	const struct csn_reader *reader = to;

	return reader->nr_held;
}

const struct csn_sink csn_stream_reader_sink = {
	.feed = feed_reader,
	.release = release_reader,
	.flush = flush_reader,
	.end = end_reader,
	.holds = reader_holds,
};

static enum csn_stream_end judge(struct csn_stream *stream,
				 enum csn_reader_error error)
{
	stream->error = error;
	return CSN_STREAM_BAD;
}

/* *@over: there is an end, and it has come. */
static enum csn_stream_end read_once(struct csn_stream *stream, bool *over)
{
	ssize_t size = read(stream->fd, buffer, sizeof(buffer));
	enum csn_reader_error error;

	if (size < 0)
		return errno == EAGAIN || errno == EINTR ? CSN_STREAM_OVER :
							   CSN_STREAM_FAILED;
	*over = !size;
	error = stream->sink->feed(stream->to, buffer, size);
	return error ? judge(stream, error) : CSN_STREAM_OVER;
}

/* All that is there now, then the events whose turn has come. */
static enum csn_stream_end read_available(struct csn_stream *stream, bool *over)
{
	enum csn_stream_end end = CSN_STREAM_OVER;
	enum csn_reader_error error;
	int reads = 0;

	do {
		end = read_once(stream, over);
	} while (!end && !*over && ++reads < MAX_READS &&
		 csn_wait_readable(stream->fd, 0) == CSN_WAIT_READY);
	if (end)
		return end;
	error = stream->sink->release(stream->to);
	return error ? judge(stream, error) : CSN_STREAM_OVER;
}

/* What was read before the end, however it came. */
static enum csn_stream_end finish(struct csn_stream *stream,
				  enum csn_stream_end end)
{
	enum csn_reader_error error;
	int saved = errno;

	if (end == CSN_STREAM_NO_OUTPUT ||
	    (end == CSN_STREAM_BAD && stream->error == CSN_READER_STOPPED))
		return end;
	error = stream->sink->flush(stream->to);
	errno = saved;
	if (error)
		return judge(stream, error);
	if (end == CSN_STREAM_OVER) {
		error = stream->sink->end(stream->to);
		if (error)
			return judge(stream, error);
	}
	return end;
}

static enum csn_stream_end run(struct csn_stream *stream)
{
	enum csn_stream_end end;
	bool over = false;

	while (!over) {
		__u64 now = csn_wait_now(), until = stream->deadline;

		if (now >= stream->deadline)
			return CSN_STREAM_TIME;
		if (stream->sink->holds(stream->to) && now + CSN_READER_SLACK < until)
			until = now + CSN_READER_SLACK;

		switch (csn_wait_readable(stream->fd, until)) {
		case CSN_WAIT_READY:
			end = read_available(stream, &over);
			if (end)
				return end;
			break;
		case CSN_WAIT_TIMEOUT:
			/* The deadline, or silence: nothing older will come. */
			if (until == stream->deadline)
				return CSN_STREAM_TIME;
			stream->error = stream->sink->flush(stream->to);
			if (stream->error)
				return CSN_STREAM_BAD;
			break;
		case CSN_WAIT_INTERRUPTED:
			if (csn_wait_interrupted())
				return CSN_STREAM_INTERRUPTED;
			break;
		case CSN_WAIT_NO_OUTPUT:
			return CSN_STREAM_NO_OUTPUT;
		case CSN_WAIT_ERROR:
			return CSN_STREAM_FAILED;
		}
	}
	return CSN_STREAM_OVER;
}

/**
 * csn_stream_run() - read until the end, the deadline or an interrupt
 * @stream: the stream.
 *
 * At an end of the stream itself, everything has been handed out. At the
 * deadline or an interrupt events may still be held.
 *
 * Return: why it ended.
 */
enum csn_stream_end csn_stream_run(struct csn_stream *stream)
{
	enum csn_stream_end end = run(stream);

	if (end == CSN_STREAM_TIME || end == CSN_STREAM_INTERRUPTED)
		return end;
	return finish(stream, end);
}

/**
 * csn_stream_drain() - hand out what is left after the device was stopped
 * @stream: the stream; it has an end now.
 *
 * Return: why it ended.
 */
enum csn_stream_end csn_stream_drain(struct csn_stream *stream)
{
	enum csn_stream_end end = CSN_STREAM_OVER;
	bool over = false;

	while (!end && !over)
		end = read_once(stream, &over);
	return finish(stream, end);
}
