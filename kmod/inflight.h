/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is remembered of a task between two tracepoints.
 *
 * A note is what the kernel saw when it found a zone suitable; a compaction
 * may follow or not, so notes are replaced when their table is full. A pass
 * is a compaction that has begun; it is never evicted.
 *
 * Both tables are of fixed size and bounded search. Only a task itself looks
 * for or changes what is kept under its name, in task context with
 * preemption off.
 */
#ifndef CSN_INFLIGHT_H
#define CSN_INFLIGHT_H

#include <linux/types.h>

#include "zone.h"

/**
 * struct csn_zone_view - a zone as an event's zone state record tells it
 * @marks: watermarks and free pages.
 * @probed: fragmentation index that the kernel computed, else
 *	CSN_FRAGINDEX_NONE.
 * @computed: the same as computed by us, else CSN_FRAGINDEX_NONE.
 * @have: CSN_ZONE_STATE_*: which of these mean something.
 */
struct csn_zone_view {
	struct csn_watermarks marks;
	int probed;
	int computed;
	u32 have;
};

/**
 * struct csn_pass - a compaction under way
 * @zone: NULL until its first mm_compaction_finished.
 * @cc: the kernel's compact_control as an opaque key, NULL where it shows none.
 * @begin: CLOCK_MONOTONIC ns.
 * @depth: passes of the same task that had begun before and not ended.
 * @order: -1 or the order that is wanted; with @zone.
 * @sync: of mm_compaction_begin.
 * @view: with @zone, if zone states are wanted.
 *
 * Belongs to the task that began it; no lock.
 */
struct csn_pass {
	struct zone *zone;
	const void *cc;
	u64 begin;
	unsigned int depth;
	int order;
	bool sync;
	struct csn_zone_view view;
};

int csn_inflight_init(unsigned int nr);
void csn_inflight_exit(void);
void csn_inflight_forget_passes(void);
void csn_inflight_forget_notes(void);

struct csn_pass *csn_pass_begin(const void *cc);
struct csn_pass *csn_pass_find(const void *cc);
void csn_pass_end(struct csn_pass *pass);

void csn_note_fragindex(struct zone *zone, int order, int value);
bool csn_note_take_fragindex(struct zone *zone, int order, int *value);
void csn_note_put(struct zone *zone, int order,
		  const struct csn_zone_view *view);
void csn_note_drop(void);
bool csn_note_take(struct zone *zone, int order,
		   struct csn_zone_view *view);

#endif /* CSN_INFLIGHT_H */
