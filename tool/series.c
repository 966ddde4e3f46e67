// SPDX-License-Identifier: GPL-2.0-only
/* Counts over time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"

static __u64 nr_allocations(const struct csn_counts *counts)
{
	__u64 sum = 0;

	for (size_t i = 0; i < CSN_PAGES_ORDERS; i++)
		sum += counts->alloc[i] + counts->failed[i];
	return sum;
}

static __u64 nr_events(const struct csn_counts *counts)
{
	__u64 sum = nr_allocations(counts) + counts->fallback;

	for (size_t i = 0; i < CSN_PAGES_ORDERS; i++)
		sum += counts->free[i];
	return sum;
}

static int compare_keys(const void *a, const void *b)
{
	const struct csn_key *x = &((const struct csn_row *)a)->key;
	const struct csn_key *y = &((const struct csn_row *)b)->key;

	if (x->is_rest != y->is_rest)
		return x->is_rest - y->is_rest;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->zone != y->zone)
		return x->zone < y->zone ? -1 : 1;
	if (x->migratetype != y->migratetype)
		return x->migratetype < y->migratetype ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return memcmp(x->comm, y->comm, sizeof(x->comm));
}

/* The most allocations first; among equals an order that stays. */
static int compare_counts(const void *a, const void *b)
{
	const struct csn_row *x = a, *y = b;
	__u64 more = nr_allocations(&x->counts), less = nr_allocations(&y->counts);

	if (x->key.is_rest != y->key.is_rest)
		return x->key.is_rest - y->key.is_rest;
	if (more != less)
		return more > less ? -1 : 1;
	more = nr_events(&x->counts);
	less = nr_events(&y->counts);
	if (more != less)
		return more > less ? -1 : 1;
	return compare_keys(a, b);
}

/* Keep the first rows, add the others up in one. */
static void keep_top(struct csn_interval *interval)
{
	struct csn_row *rest = &interval->row[CSN_SERIES_TOP];

	if (interval->nr_rows <= CSN_SERIES_TOP + 1)
		return;
	for (size_t i = CSN_SERIES_TOP + 1; i < interval->nr_rows; i++)
		csn_counts_add(&rest->counts, &interval->row[i].counts);
	memset(&rest->key, 0, sizeof(rest->key));
	rest->key.node = CSN_NODE_NONE;
	rest->key.zone = CSN_ZONE_NONE;
	rest->key.is_rest = true;
	interval->nr_rows = CSN_SERIES_TOP + 1;
}

/* The counts as rows; NULL: no memory. */
static struct csn_interval *snapshot(const struct csn_series *series, bool total)
{
	const struct csn_tally *tally = &series->tally;
	size_t room = tally->nr_cells + 1;
	struct csn_interval *interval =
		calloc(1, sizeof(*interval) + room * sizeof(interval->row[0]));
	struct csn_interval *fitting;

	if (!interval)
		return NULL;
	for (size_t i = 0; i < tally->nr_cells; i++) {
		const struct csn_cell *cell = &tally->cells[i];
		struct csn_row *row = &interval->row[interval->nr_rows];

		row->key = cell->key;
		row->counts = total ? cell->total : cell->counts;
		/* A process that did nothing is none of the top ones. */
		if (!(tally->by & CSN_BY_TASK) || nr_events(&row->counts))
			interval->nr_rows++;
	}
	qsort(interval->row, interval->nr_rows, sizeof(interval->row[0]),
	      tally->by & CSN_BY_TASK ? compare_counts : compare_keys);
	if (tally->by & CSN_BY_TASK && !series->all_tasks)
		keep_top(interval);
	if (!interval->nr_rows) {
		memset(interval->row, 0, sizeof(interval->row[0]));
		interval->row[0].key.node = CSN_NODE_NONE;
		interval->row[0].key.zone = CSN_ZONE_NONE;
		interval->nr_rows = 1;
	}
	fitting = realloc(interval, sizeof(*interval) +
				    interval->nr_rows * sizeof(interval->row[0]));
	return fitting ?: interval;
}

static int release_oldest(struct csn_series *series)
{
	struct csn_interval *interval = series->held[series->first_held];
	int stop;

	series->first_held = (series->first_held + 1) % CSN_SERIES_MAX_HELD;
	series->nr_held--;
	series->handed_out = interval->end;
	stop = series->on_interval(series->context, interval);
	free(interval);
	return stop;
}

static int hand_out(struct csn_series *series, struct csn_interval *interval)
{
	size_t last;
	int stop;

	if (!series->max_held) {
		series->handed_out = interval->end;
		stop = series->on_interval(series->context, interval);
		free(interval);
		return stop;
	}
	stop = series->nr_held == series->max_held ? release_oldest(series) : 0;
	last = (series->first_held + series->nr_held++) % CSN_SERIES_MAX_HELD;
	series->held[last] = interval;
	return stop;
}

/* Whether what was lost last touches an interval from @start on. */
static bool is_lossy(const struct csn_series *series, __u64 start)
{
	return start <= series->lossy_until &&
	       start + series->step > series->lossy_from;
}

/* End the interval at @end; the next one starts at @next. */
static int close_interval(struct csn_series *series, __u64 end, __u64 next)
{
	struct csn_interval *interval = snapshot(series, false);

	if (!interval)
		return -ENOMEM;
	interval->start = series->start;
	interval->end = end;
	interval->is_lower_bound = series->is_lower_bound;
	interval->lost = series->lost;
	series->start = next;
	if (!series->cumulative) {
		csn_tally_clear(&series->tally);
		series->is_lower_bound = is_lossy(series, next);
		series->lost = 0;
	}
	return hand_out(series, interval);
}

/**
 * csn_series_begin() - have the first interval start, if none has yet
 * @series: the series.
 * @ts: when, ns.
 */
void csn_series_begin(struct csn_series *series, __u64 ts)
{
	if (series->has_start)
		return;
	series->has_start = true;
	series->start = ts;
	series->first_start = ts;
}

/* Far too many to hand them all out: a clock that jumped. */
static void skip_idle(struct csn_series *series, __u64 now)
{
	__u64 behind = (now - series->start) / series->step;

	if (behind <= CSN_SERIES_MAX_IDLE)
		return;
	series->skipped += behind;
	series->start += behind * series->step;
}

/**
 * csn_series_advance() - hand out the intervals that are over
 * @series: the series.
 * @now: nothing older will come, ns.
 *
 * Of cumulative counts, only events end an interval.
 *
 * Return: 0, -ENOMEM, or what on_interval() stopped with.
 */
int csn_series_advance(struct csn_series *series, __u64 now)
{
	bool first = true;

	if (!series->has_start || series->cumulative)
		return 0;
	while (now >= series->start && now - series->start >= series->step) {
		__u64 end = series->start + series->step;
		int stop = close_interval(series, end, end);

		if (stop)
			return stop;
		if (first)
			skip_idle(series, now);
		first = false;
	}
	return 0;
}

/*
 * Seconds as the program that this agrees with had them, so that it is the
 * same event that ends an interval: a decimal read into a double. Up to 2^53
 * the quotient is rounded as that decimal would be.
 */
static double seconds(__u64 ns)
{
	return ns % 1000 ? (double)ns / 1e9 : (double)(ns / 1000) / 1e6;
}

static bool ends_quantum(const struct csn_series *series, __u64 ts)
{
	return seconds(series->start) + seconds(series->step) < seconds(ts);
}

/**
 * csn_series_add() - count an event
 * @series: the series; begins with the first event if it has not yet.
 * @pages: the event.
 *
 * Return: 0, -ENOMEM, or what on_interval() stopped with.
 */
int csn_series_add(struct csn_series *series, const struct csn_pages *pages)
{
	int stop = 0;

	csn_series_begin(series, pages->ts);
	if (!series->cumulative) {
		if (pages->ts - series->start >= series->step)
			stop = csn_series_advance(series, pages->ts);
		series->late += pages->ts < series->start;
	} else if (ends_quantum(series, pages->ts)) {
		stop = close_interval(series, series->start + series->step,
				      pages->ts);
	}
	return stop ?: csn_tally_add(&series->tally, pages);
}

/* Events are missing in what is held and in what goes on. */
static void mark(struct csn_series *series, __u64 first, __u64 last)
{
	for (size_t i = 0; i < series->nr_held; i++) {
		size_t at = (series->first_held + i) % CSN_SERIES_MAX_HELD;
		struct csn_interval *interval = series->held[at];

		/* Cumulative counts stay too low from then on. */
		if (interval->end > first &&
		    (series->cumulative || interval->start <= last))
			interval->is_lower_bound = true;
	}
	if (series->has_start && first < series->handed_out)
		series->late_losses = true;
	series->lossy_from = first;
	series->lossy_until = last;
	if (!series->has_start || series->cumulative ||
	    is_lossy(series, series->start))
		series->is_lower_bound = true;
	series->total_is_lower_bound = true;
}

/**
 * csn_series_lost() - say that events are missing
 * @series: the series.
 * @first: when the first of them was, or could have been, ns.
 * @last: the last of them likewise.
 * @count: how many, 0 if not known; counted in the interval of @last.
 *
 * Return: 0, -ENOMEM, or what on_interval() stopped with.
 */
int csn_series_lost(struct csn_series *series, __u64 first, __u64 last,
		    __u64 count)
{
	int stop;

	mark(series, first, last);
	stop = csn_series_advance(series, last);
	series->lost += count;
	series->total_lost += count;
	return stop;
}

/**
 * csn_series_close() - end the interval that goes on, and hand out all
 * @series: the series.
 * @end: when it ends, ns; 0: at its full length.
 *
 * Return: 0, -ENOMEM, or what on_interval() stopped with.
 */
int csn_series_close(struct csn_series *series, __u64 end)
{
	int stop = 0;

	if (series->has_start && end != series->start) {
		end = end ?: series->start + series->step;
		stop = close_interval(series, end, end);
	}
	while (!stop && series->nr_held)
		stop = release_oldest(series);
	return stop;
}

/**
 * csn_series_total() - hand out the counts of all intervals together
 * @series: the series; all intervals have been handed out.
 *
 * Return: 0, -ENOMEM, or what on_interval() stopped with.
 */
int csn_series_total(struct csn_series *series)
{
	struct csn_interval *interval;
	int stop;

	csn_tally_clear(&series->tally);
	interval = snapshot(series, true);
	if (!interval)
		return -ENOMEM;
	interval->is_total = true;
	interval->start = series->first_start;
	interval->end = series->start;
	interval->is_lower_bound = series->total_is_lower_bound;
	interval->lost = series->total_lost;
	stop = series->on_interval(series->context, interval);
	free(interval);
	return stop;
}

/**
 * csn_series_free() - let go of everything
 * @series: the series.
 */
void csn_series_free(struct csn_series *series)
{
	for (; series->nr_held; series->nr_held--) {
		free(series->held[series->first_held]);
		series->first_held = (series->first_held + 1) % CSN_SERIES_MAX_HELD;
	}
	csn_tally_free(&series->tally);
}
