// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trace text from beginning to end, in constant memory: lines out of bytes
 * that come in any pieces, and which time is touched when events were lost.
 */
#include <assert.h>
#include <string.h>

#include "tracetext.h"

/* The kernel's number of a migratetype that is allocated from. */
static unsigned int migratetype(int number)
{
	static_assert(CSN_MIGRATETYPE_UNMOVABLE == 0 &&
		      CSN_MIGRATETYPE_MOVABLE == 1 &&
		      CSN_MIGRATETYPE_RECLAIMABLE == 2 &&
		      CSN_MIGRATETYPE_HIGHATOMIC == 3 &&
		      CSN_MIGRATETYPE_CMA == 4,
		      "numbered as in kernels since 4.4 that have CMA");
	return number >= 0 && number <= CSN_MIGRATETYPE_CMA ?
		       number : CSN_MIGRATETYPE_OTHER;
}

static int hand_out(struct csn_tracetext *text, enum csn_pages_kind kind,
		    const struct csn_traceline *line)
{
	struct csn_pages pages = {
		.ts = line->ts,
		.kind = kind,
		.failed = kind == CSN_PAGES_ALLOC && line->failed,
		.order = line->order,
		.node = CSN_NODE_NONE,
		.zone = CSN_ZONE_NONE,
		.migratetype = migratetype(line->migratetype),
		.pid = line->pid,
	};
	size_t length = line->comm_length;

	if (length > sizeof(pages.comm) - 1)
		length = sizeof(pages.comm) - 1;
	memcpy(pages.comm, line->comm, length);
	text->matched++;
	return text->on_pages(text->context, &pages);
}

static int tell_lost(struct csn_tracetext *text, __u64 first, __u64 last,
		     __u64 count)
{
	text->lost += count;
	text->lost_unknown |= !count;
	return text->on_lost(text->context, first, last, count);
}

static size_t cpu_index(int cpu)
{
	return cpu < 0 ? CSN_TRACELINE_MAX_CPU + 1 : (size_t)cpu;
}

/* Events of @cpu are missing from its last one to its next one. */
static void note_missing(struct csn_tracetext *text, int cpu, __u64 count)
{
	size_t i = cpu_index(cpu);

	if (!text->cpu[i].is_missing)
		text->nr_missing++;
	text->cpu[i].is_missing = true;
	text->cpu[i].missing += count;
}

/* The next event of a CPU is there, or the end of the text. */
static int end_missing(struct csn_tracetext *text, size_t i, __u64 ts)
{
	__u64 count = text->cpu[i].missing;

	text->nr_missing--;
	text->cpu[i].is_missing = false;
	text->cpu[i].missing = 0;
	return tell_lost(text, text->cpu[i].last, ts, count);
}

/* Any event: how far has its CPU come? */
static int take_time(struct csn_tracetext *text,
		     const struct csn_traceline *line)
{
	size_t i = cpu_index(line->cpu);
	int stop = 0;

	if (text->nr_missing && text->cpu[i].is_missing)
		stop = end_missing(text, i, line->ts);
	text->cpu[i].last = line->ts;
	text->newest = line->ts;
	return stop;
}

static int take_lost(struct csn_tracetext *text, struct csn_traceline *line)
{
	note_missing(text, line->cpu, line->lost);
	return line->has_ts ? take_time(text, line) : 0;
}

static int take_line(struct csn_tracetext *text, const char *start, size_t size)
{
	struct csn_traceline line;
	enum csn_traceline_kind kind = csn_traceline_parse(&line, start, size);
	int stop;

	text->lines++;
	switch (kind) {
	case CSN_TRACELINE_MALFORMED:
		/* Its time, if any, is not to be relied on. */
		if (!text->malformed++)
			text->first_malformed = text->lines;
		return 0;
	case CSN_TRACELINE_NOISE:
		return 0;
	case CSN_TRACELINE_LOST:
		return take_lost(text, &line);
	case CSN_TRACELINE_STARTED:
		note_missing(text, line.cpu, 0);
		return 0;
	case CSN_TRACELINE_OVERWRITTEN:
		return tell_lost(text, 0, 0, line.lost);
	case CSN_TRACELINE_OTHER:
		return take_time(text, &line);
	case CSN_TRACELINE_ALLOC:
	case CSN_TRACELINE_FREE:
	case CSN_TRACELINE_EXTFRAG:
		break;
	}
	stop = take_time(text, &line);
	if (stop)
		return stop;
	return hand_out(text, kind == CSN_TRACELINE_ALLOC ? CSN_PAGES_ALLOC :
			      kind == CSN_TRACELINE_FREE ? CSN_PAGES_FREE :
							   CSN_PAGES_FALLBACK,
			&line);
}

static void keep_part(struct csn_tracetext *text, const char *data, size_t size)
{
	size_t room = sizeof(text->part) - text->filled;

	text->has_part = true;
	if (size > room)
		size = room;
	memcpy(text->part + text->filled, data, size);
	text->filled += size;
}

static int take_part(struct csn_tracetext *text)
{
	size_t size = text->filled;

	text->filled = 0;
	text->has_part = false;
	return take_line(text, text->part, size);
}

/**
 * csn_tracetext_feed() - take in the next bytes of a text
 * @text: the text.
 * @data: the bytes; they may begin and end anywhere.
 * @size: how many.
 *
 * Return: 0, or what a callback stopped with.
 */
int csn_tracetext_feed(struct csn_tracetext *text, const void *data,
		       size_t size)
{
	const char *at = data, *end = at + size;

	while (at < end) {
		const char *newline = memchr(at, '\n', end - at);
		size_t length = (newline ?: end) - at;
		int stop;

		if (!newline) {
			keep_part(text, at, length);
			break;
		}
		if (text->has_part) {
			keep_part(text, at, length);
			stop = take_part(text);
		} else {
			stop = take_line(text, at, length);
		}
		if (stop)
			return stop;
		at = newline + 1;
	}
	return 0;
}

/**
 * csn_tracetext_end() - there is no more
 * @text: the text.
 *
 * Return: 0, or what a callback stopped with.
 */
int csn_tracetext_end(struct csn_tracetext *text)
{
	int stop = text->has_part ? take_part(text) : 0;

	for (size_t i = 0; !stop && text->nr_missing; i++)
		if (text->cpu[i].is_missing)
			stop = end_missing(text, i, text->newest);
	return stop;
}
