/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_SERIES_H
#define CSN_SERIES_H

#include "tally.h"

#define CSN_SERIES_TOP		10	/* processes that an interval shows */
#define CSN_SERIES_MAX_HELD	600	/* intervals that can wait */
#define CSN_SERIES_MAX_IDLE	1000000	/* intervals without an event in a row */

/**
 * struct csn_row - one row of an interval
 * @key: what is counted in it.
 * @counts: the counts.
 */
struct csn_row {
	struct csn_key key;
	struct csn_counts counts;
};

/**
 * struct csn_interval - what was counted in a stretch of time
 * @start: ns by the clock of the source.
 * @end: likewise.
 * @is_total: it is all of the time, and comes after all others.
 * @is_lower_bound: events are missing that would have been counted.
 * @lost: how many are known to be missing; of any kind, maybe not of ours.
 * @nr_rows: at least 1.
 * @row: by node, zone and migratetype; or the processes with the most
 *	allocations first, and one row for the rest of them.
 */
struct csn_interval {
	__u64 start;
	__u64 end;
	bool is_total;
	bool is_lower_bound;
	__u64 lost;
	size_t nr_rows;
	struct csn_row row[];
};

/**
 * struct csn_series - counts events interval by interval
 * @step: length of an interval, ns.
 * @cumulative: count on from interval to interval, as the program in DESIGN 7
 *	did: one ends with the first event that comes more than @step after
 *	its start, and the next one starts with that event.
 * @max_held: intervals to hold back, in case it turns out that events are
 *	missing in them; at most CSN_SERIES_MAX_HELD.
 * @all_tasks: hand out every process, not only those with the most
 *	allocations.
 * @on_interval: called for each interval, oldest first. Nonzero: stop.
 * @context: handed to it.
 * @tally: the counts of the interval that goes on.
 * @start: when that one started, ns.
 * @has_start: it is there.
 * @late: events that came when their interval was over, counted in the next.
 * @late_losses: events turned out to be missing in intervals handed out.
 * @skipped: idle intervals that were left out, being far too many.
 *
 * Zeroed, and @step to @context and @tally.by set, it is ready. private: the
 * rest.
 */
struct csn_series {
	__u64 step;
	bool cumulative;
	size_t max_held;
	bool all_tasks;
	int (*on_interval)(void *context, const struct csn_interval *interval);
	void *context;

	struct csn_tally tally;
	__u64 start;
	bool has_start;
	__u64 late;
	bool late_losses;
	__u64 skipped;

	/* private: */
	bool is_lower_bound;	/* of the interval that goes on */
	__u64 lost;
	__u64 lossy_from;	/* what was lost last */
	__u64 lossy_until;
	bool total_is_lower_bound;
	__u64 total_lost;
	__u64 first_start;
	__u64 handed_out;	/* end of the latest interval that was */
	struct csn_interval *held[CSN_SERIES_MAX_HELD];	/* a queue */
	size_t first_held;
	size_t nr_held;
};

void csn_series_begin(struct csn_series *series, __u64 ts);
int csn_series_add(struct csn_series *series, const struct csn_pages *pages);
int csn_series_lost(struct csn_series *series, __u64 first, __u64 last,
		    __u64 count);
int csn_series_advance(struct csn_series *series, __u64 now);
int csn_series_close(struct csn_series *series, __u64 end);
int csn_series_total(struct csn_series *series);
void csn_series_free(struct csn_series *series);

#endif
