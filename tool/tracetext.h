/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_TRACETEXT_H
#define CSN_TRACETEXT_H

#include "pages.h"
#include "traceline.h"

/* Of a longer line the rest is not looked at: no event's is so long. */
#define CSN_TRACETEXT_LINE_MAX	4096

/**
 * struct csn_tracetext - turns trace text into events of the page allocator
 * @on_pages: called for each event, in the order of the text.
 * @on_lost: called when events are missing that would have come from @first
 *	to @last (ns); @count: how many, 0 if not known.
 * @context: handed to both. What is not 0 from either stops the reading.
 * @lines: lines read.
 * @matched: events handed out.
 * @malformed: lines that could not be read.
 * @first_malformed: number of the first of them, from 1.
 * @lost: events that are missing, as far as the text says how many.
 * @lost_unknown: events are missing, and the text does not say how many.
 *
 * Zeroed and the first three set, it is ready. private: the rest.
 */
struct csn_tracetext {
	int (*on_pages)(void *context, const struct csn_pages *pages);
	int (*on_lost)(void *context, __u64 first, __u64 last, __u64 count);
	void *context;

	__u64 lines;
	__u64 matched;
	__u64 malformed;
	__u64 first_malformed;
	__u64 lost;
	bool lost_unknown;

	/* private: */
	char part[CSN_TRACETEXT_LINE_MAX];	/* start of a line that goes on */
	size_t filled;
	bool has_part;
	__u64 newest;		/* time of any event */
	unsigned int nr_missing;	/* of cpu[] */
	struct {
		__u64 last;	/* time of its last event, 0 if none */
		__u64 missing;	/* events lost since, if known */
		bool is_missing;
	} cpu[CSN_TRACELINE_MAX_CPU + 2];	/* the last one: not known */
};

int csn_tracetext_feed(struct csn_tracetext *text, const void *data,
		       size_t size);
int csn_tracetext_end(struct csn_tracetext *text);

#endif
