// SPDX-License-Identifier: GPL-2.0-only
/*
 * buddystat's -i: a recording of the device or trace text, told apart by how
 * it begins.
 */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buddy.h"
#include "progress.h"
#include "recording.h"
#include "tracetext.h"
#include "wait.h"

/* Up to here a file shows what it is. */
#define HEAD_SIZE	(offsetof(struct csn_record_info, magic) + sizeof(__u32))

/* Orders in CSV of trace text, which does not tell the kernel's largest. */
#define TEXT_ORDERS_CSV	CSN_PAGES_ORDERS
#define TEXT_ORDERS	11

enum kind {
	KIND_UNKNOWN,
	KIND_RECORDS,
	KIND_TEXT,
};

/* What the bytes of the file go through. */
static struct input {
	struct csn_buddy *buddy;
	const char *path;
	__u64 size;		/* of the file, 0 if it has none */
	__u64 done;		/* bytes read */
	enum kind kind;
	char head[HEAD_SIZE];
	size_t filled;		/* bytes in it */
	enum csn_exit refused;	/* the user has been told why it cannot be */
	struct csn_reader reader;
	struct csn_tracetext text;
	bool has_frees;		/* the text */
} input;

static int refuse(enum csn_exit status)
{
	input.refused = status;
	return CSN_READER_STOPPED;
}

static int on_info(struct csn_reader *reader)
{
	__u32 classes = reader->info.classes;

	if (!(classes & CSN_CLASS_PAGE_ALLOC))
		return refuse(csn_exit_fail(CSN_EXIT_ERROR,
					    "%s holds no page allocations: make one with buddystat record",
					    csn_recording_name(input.path)));
	if (input.buddy->settings->free && !(classes & CSN_CLASS_PAGE_FREE))
		csn_exit_note("the recording has no frees: they show as 0");
	csn_buddy_info(input.buddy, reader);
	return 0;
}

static int on_event(struct csn_reader *reader, const struct csn_group *group)
{
	return csn_buddy_group(reader->context, group);
}

static int on_pages(void *context, const struct csn_pages *pages)
{
	input.has_frees |= pages->kind == CSN_PAGES_FREE;
	return csn_buddy_add(context, pages);
}

static int on_lost(void *context, __u64 first, __u64 last, __u64 count)
{
	return csn_buddy_lost(context, first, last, count);
}

/* Files that programs of which we read the text write otherwise. */
static int refuse_binary(const char *head)
{
	static const struct {
		const char *magic;
		const char *what;
		const char *command;
	} binaries[] = {
		{ "\x17\x08\x44tracing", "trace-cmd's trace.dat", "trace-cmd report -i" },
		{ "PERFILE2", "a perf.data", "perf script -i" },
		{ "\x1f\x8b", "compressed", "zcat" },
		{ "\3757zXZ", "compressed", "xzcat" },
		{ "\x28\xb5\x2f\xfd", "compressed", "zstdcat" },
	};

	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (!memcmp(head, binaries[i].magic, strlen(binaries[i].magic)))
			return refuse(csn_exit_fail(CSN_EXIT_ERROR,
						    "%s is %s: %s FILE | buddystat -i -",
						    csn_recording_name(input.path),
						    binaries[i].what,
						    binaries[i].command));
	return 0;
}

static bool is_recording(void)
{
	__u32 magic;

	if (input.filled < HEAD_SIZE)
		return false;
	memcpy(&magic, input.head + HEAD_SIZE - sizeof(magic), sizeof(magic));
	return magic == CSN_INFO_MAGIC ||
	       magic == __builtin_bswap32(CSN_INFO_MAGIC);
}

/* The head is there, or the file is shorter. */
static int decide(void)
{
	static const char no_nodes[] =
		"trace text tells no nodes and zones: do without --node and --zone";
	const struct csn_buddysettings *settings = input.buddy->settings;

	if (is_recording()) {
		input.kind = KIND_RECORDS;
		return csn_reader_feed(&input.reader, input.head, input.filled);
	}
	input.kind = KIND_TEXT;
	if (input.filled == HEAD_SIZE && refuse_binary(input.head))
		return CSN_READER_STOPPED;
	if (settings->by & (CSN_BY_NODE | CSN_BY_ZONE))
		return refuse(csn_exit_fail(CSN_EXIT_USAGE, "%s", no_nodes));
	input.buddy->rows.nr_orders = settings->format == CSN_ROWS_CSV ?
					      TEXT_ORDERS_CSV : TEXT_ORDERS;
	return csn_tracetext_feed(&input.text, input.head, input.filled);
}

static enum csn_reader_error feed(void *to, const void *data, size_t size)
{
	const char *from = data;

	(void)to;
	input.done += size;
	csn_progress_show(input.done, input.size);
	if (input.kind == KIND_UNKNOWN) {
		size_t part = HEAD_SIZE - input.filled;
		int error;

		if (part > size)
			part = size;
		memcpy(input.head + input.filled, from, part);
		input.filled += part;
		if (input.filled < HEAD_SIZE)
			return 0;
		error = decide();
		if (error)
			return error;
		from += part;
		size -= part;
	}
	if (input.kind == KIND_RECORDS)
		return csn_reader_feed(&input.reader, from, size);
	return csn_tracetext_feed(&input.text, from, size) ? CSN_READER_STOPPED : 0;
}

static enum csn_reader_error release(void *to)
{
	(void)to;
	return csn_reader_release(&input.reader);
}

static enum csn_reader_error flush(void *to)
{
	(void)to;
	return csn_reader_flush(&input.reader);
}

static enum csn_reader_error end(void *to)
{
	(void)to;
	if (input.kind == KIND_RECORDS || !input.done)
		return csn_reader_end(&input.reader);
	if (input.kind == KIND_UNKNOWN && decide())
		return CSN_READER_STOPPED;
	return csn_tracetext_end(&input.text) ? CSN_READER_STOPPED : 0;
}

static bool holds(const void *to)
{
	(void)to;
	return input.reader.nr_held;
}

static const struct csn_sink sink = {
	.feed = feed,
	.release = release,
	.flush = flush,
	.end = end,
	.holds = holds,
};

/* What there is to say of a text, once it has been read. */
static enum csn_exit judge_text(bool is_whole)
{
	const struct csn_tracetext *text = &input.text;
	const char *name = csn_recording_name(input.path);

	if (is_whole && !text->matched)
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "no mm_page_alloc event in the %llu lines of %s: neither a recording nor trace text with times in seconds",
				     text->lines, name);
	if (is_whole && input.buddy->settings->free && !input.has_frees)
		csn_exit_note("no mm_page_free event in %s: frees show as 0", name);
	if (text->malformed)
		csn_exit_note("%llu lines of %s were skipped as they make no sense, the first is line %llu",
			      text->malformed, name, text->first_malformed);
	return CSN_EXIT_OK;
}

/**
 * csn_buddy_input() - print the rows of a file
 * @buddy: who counts.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_input(struct csn_buddy *buddy)
{
	struct csn_stream stream = {
		.deadline = CSN_WAIT_FOREVER,
		.sink = &sink,
	};
	enum csn_stream_end over;
	enum csn_exit status, finished;
	struct stat about;

	input.buddy = buddy;
	input.path = buddy->settings->input;
	input.reader.on_info = on_info;
	input.reader.on_event = on_event;
	input.reader.context = buddy;
	input.text.on_pages = on_pages;
	input.text.on_lost = on_lost;
	input.text.context = buddy;
	status = csn_recording_open(input.path, &stream.fd);
	if (status)
		return status;
	/* Who waits for a pipe's rows wants them as they come. */
	if (!fstat(stream.fd, &about) && S_ISREG(about.st_mode)) {
		input.size = about.st_size;
		buddy->series.max_held = CSN_SERIES_MAX_HELD;
	}

	over = csn_stream_run(&stream);
	if (over == CSN_STREAM_INTERRUPTED && flush(NULL))
		over = CSN_STREAM_BAD;
	csn_progress_clear();
	status = input.refused;
	if (!status)
		status = csn_recording_explain_end(&stream, over, input.path,
						   &input.reader, 0);
	if (input.kind == KIND_TEXT && !status)
		status = judge_text(over == CSN_STREAM_OVER);
	finished = status == CSN_EXIT_PIPE || !buddy->series.has_start ? status :
		   csn_buddy_finish(buddy, 0, true);
	csn_reader_free(&input.reader);
	if (stream.fd != STDIN_FILENO)
		close(stream.fd);
	return status ?: finished;
}
