/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_TRACELINE_H
#define CSN_TRACELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "pages.h"

#define CSN_TRACELINE_MAX_CPU	65535	/* no kernel has so many */

/**
 * enum csn_traceline_kind - what a line of trace text is
 * @CSN_TRACELINE_MALFORMED: nothing that is known.
 * @CSN_TRACELINE_NOISE: known to be no event: a comment, a stack frame.
 * @CSN_TRACELINE_OTHER: an event, but none of these:
 * @CSN_TRACELINE_ALLOC: mm_page_alloc.
 * @CSN_TRACELINE_FREE: mm_page_free.
 * @CSN_TRACELINE_EXTFRAG: mm_page_alloc_extfrag.
 * @CSN_TRACELINE_LOST: events of a CPU were lost before its next one.
 * @CSN_TRACELINE_STARTED: the trace of a CPU begins later than others'.
 * @CSN_TRACELINE_OVERWRITTEN: events were lost before the trace begins.
 */
enum csn_traceline_kind {
	CSN_TRACELINE_MALFORMED,
	CSN_TRACELINE_NOISE,
	CSN_TRACELINE_OTHER,
	CSN_TRACELINE_ALLOC,
	CSN_TRACELINE_FREE,
	CSN_TRACELINE_EXTFRAG,
	CSN_TRACELINE_LOST,
	CSN_TRACELINE_STARTED,
	CSN_TRACELINE_OVERWRITTEN,
};

/**
 * struct csn_traceline - a line of trace text, taken apart
 * @ts: of an event, ns by the clock of the trace.
 * @has_ts: of a loss: whether it has a time of its own.
 * @cpu: -1 if the line does not say.
 * @pid: the process if the line says it, else the thread.
 * @comm: name of the thread, within the line.
 * @comm_length: bytes.
 * @order: of ALLOC, FREE and EXTFRAG: below CSN_PAGES_ORDERS; of FREE up to 63.
 * @migratetype: number in the kernel that was traced, -1 if the line does
 *	not say.
 * @failed: of ALLOC: it got no page.
 * @lost: of LOST and OVERWRITTEN: how many events, 0 if the line does not say.
 */
struct csn_traceline {
	__u64 ts;
	bool has_ts;
	int cpu;
	__u32 pid;
	const char *comm;
	size_t comm_length;
	unsigned int order;
	int migratetype;
	bool failed;
	__u64 lost;
};

enum csn_traceline_kind csn_traceline_parse(struct csn_traceline *line,
					    const char *text, size_t size);

#endif
