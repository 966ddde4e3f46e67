// SPDX-License-Identifier: GPL-2.0-only
/* A file that holds what the device gave, and what can be wrong with it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"

/**
 * csn_recording_name() - what messages call a recording
 * @path: as given; "-" is standard input.
 *
 * Return: the name.
 */
const char *csn_recording_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/**
 * csn_recording_open() - open a recording
 * @path: as given; "-" is standard input.
 * @fd: set to the open file.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_recording_open(const char *path, int *fd)
{
	if (!strcmp(path, "-")) {
		*fd = STDIN_FILENO;
		return CSN_EXIT_OK;
	}
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return csn_exit_fail(errno == EACCES ? CSN_EXIT_PERMISSION :
						       CSN_EXIT_ERROR,
				     "cannot open %s: %s", path, strerror(errno));
	return CSN_EXIT_OK;
}

/**
 * csn_recording_explain() - say what is wrong with a recording
 * @path: as given.
 * @reader: who read it.
 * @error: what the reader said.
 *
 * Return: what to end with.
 */
enum csn_exit csn_recording_explain(const char *path,
				    const struct csn_reader *reader,
				    enum csn_reader_error error)
{
	const char *name = csn_recording_name(path);

	switch (error) {
	case CSN_READER_NO_MEMORY:
		return csn_exit_fail(CSN_EXIT_MEMORY, "out of memory");
	case CSN_READER_EMPTY:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "%s is empty: not a recording of " CSN_DEVICE_NAME,
				     name);
	case CSN_READER_BYTE_ORDER:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "%s was recorded on a machine of the other byte order: print it on one of that order",
				     name);
	case CSN_READER_NEWER:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "%s has ABI version %u at byte %llu, this tool knows %u: update the tool",
				     name, reader->part[0].info.abi_version,
				     reader->offset, CSN_ABI_VERSION);
	case CSN_READER_DAMAGED:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "%s is damaged at byte %llu: what comes before is shown",
				     name, reader->offset);
	case CSN_READER_TRUNCATED:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "%s is cut off within the event at byte %llu: what comes before is shown",
				     name, reader->offset);
	case CSN_READER_ALIEN:
	case CSN_READER_STOPPED:
		break;
	}
	return csn_exit_fail(CSN_EXIT_ERROR,
			     "%s is not a recording of " CSN_DEVICE_NAME, name);
}

/**
 * csn_recording_explain_end() - say why a stream ended, if that is bad news
 * @stream: the stream.
 * @end: what it ended with.
 * @path: what was read, as given.
 * @reader: who read it.
 * @output_error: errno of what was written, if the reader was stopped.
 *
 * Return: what to end with.
 */
enum csn_exit csn_recording_explain_end(const struct csn_stream *stream,
					enum csn_stream_end end,
					const char *path,
					const struct csn_reader *reader,
					int output_error)
{
	switch (end) {
	case CSN_STREAM_OVER:
	case CSN_STREAM_TIME:
	case CSN_STREAM_INTERRUPTED:
		break;
	case CSN_STREAM_NO_OUTPUT:
		return CSN_EXIT_PIPE;
	case CSN_STREAM_FAILED:
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot read %s: %s",
				     csn_recording_name(path), strerror(errno));
	case CSN_STREAM_BAD:
		if (stream->error != CSN_READER_STOPPED)
			return csn_recording_explain(path, reader, stream->error);
		if (output_error)
			return csn_exit_output(output_error);
		break;
	}
	return CSN_EXIT_OK;
}
