// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long compactions took, as a picture: each one over time, and how many
 * took how long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "latency.h"
#include "names.h"

#define NSEC_PER_MSEC	1000000.0
#define NSEC_PER_SEC	1000000000.0
#define NR_STATUSES	256	/* that a record can hold */
#define NR_BINS		64	/* powers of two that a delta can hold, ns */
#define MAX_NOTE	72	/* bytes, NUL included */

struct csn_latency_event {
	double seconds;		/* since the first */
	__u64 delta;		/* ns */
	__u8 status;
	char note[MAX_NOTE];	/* whose it was, and where */
};

/* Colours say whether it was worth the time; marks are for terminals. */
static const struct {
	unsigned int look;
	char mark;
} statuses[CSN_NR_STATUSES] = {
	[CSN_STATUS_NOT_SUITABLE_ZONE]	= { 7, 'n' },
	[CSN_STATUS_SKIPPED]		= { 8, 'k' },
	[CSN_STATUS_DEFERRED]		= { 9, 'd' },
	[CSN_STATUS_NO_SUITABLE_PAGE]	= { 10, 'o' },
	[CSN_STATUS_CONTINUE]		= { 4, 't' },
	[CSN_STATUS_COMPLETE]		= { 2, 'c' },
	[CSN_STATUS_PARTIAL_SKIPPED]	= { 3, 'p' },
	[CSN_STATUS_CONTENDED]		= { 6, 'x' },
	[CSN_STATUS_SUCCESS]		= { 1, 's' },
};

static size_t add_series(struct csn_plot_panel *panel, unsigned int status)
{
	char buffer[CSN_NAMES_MAX];
	const char *name = csn_names_status(status, buffer);

	if (status >= CSN_NR_STATUSES)
		return csn_plot_series(panel, name, '?', 0);
	return csn_plot_series(panel, name, statuses[status].mark,
			       statuses[status].look);
}

/* Seconds since the first thing shown; what it overtook comes before 0. */
static double seconds(struct csn_latency *latency, __u64 ts)
{
	if (!latency->has_start) {
		latency->has_start = true;
		latency->start = ts;
	}
	return (double)(__s64)(ts - latency->start) / NSEC_PER_SEC;
}

/**
 * csn_latency_add() - take in a compaction
 * @latency: the picture.
 * @group: its records.
 * @zones: names of the zones.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_latency_add(struct csn_latency *latency,
			      const struct csn_group *group,
			      const struct csn_record_zone_names *zones)
{
	const struct csn_record_compaction *record = &group->record[0].compaction;
	struct csn_latency_event *event;
	char zone[CSN_NAMES_MAX];

	event = csn_grow(latency->events, latency->nr_events, sizeof(*event));
	if (!event)
		return csn_exit_fail(CSN_EXIT_MEMORY,
				     "no memory for more compactions: plot fewer with -d or -p");
	latency->events = event;
	event = &latency->events[latency->nr_events++];
	event->seconds = seconds(latency, record->ts);
	event->delta = record->delta;
	event->status = record->status;
	snprintf(event->note, sizeof(event->note), "%.*s %u, %s, order %d, %s",
		 CSN_COMM_LEN, record->comm, record->pid,
		 csn_names_zone(zones, record->zone, zone), record->order,
		 record->sync ? "SYNC" : "ASYNC");
	return CSN_EXIT_OK;
}

/**
 * csn_latency_lost() - take in that events were lost
 * @latency: the picture.
 * @lost: the record that says so.
 */
void csn_latency_lost(struct csn_latency *latency,
		      const struct csn_record_lost *lost)
{
	csn_plot_lost(&latency->plot.panel[0],
		      seconds(latency, lost->first_ts),
		      seconds(latency, lost->last_ts));
}

static void add_points(struct csn_latency *latency, unsigned int status)
{
	struct csn_plot_panel *panel = &latency->plot.panel[0];
	size_t series = add_series(panel, status);

	for (size_t i = 0; i < latency->nr_events; i++) {
		const struct csn_latency_event *event = &latency->events[i];

		if (event->status == status)
			csn_plot_add(panel, series, event->seconds,
				     event->delta / NSEC_PER_MSEC, event->note);
	}
}

static unsigned int bin_of(__u64 delta)
{
	unsigned int bin = 0;

	while (delta >>= 1)
		bin++;
	return bin;
}

/* As steps, each from a power of two to the next. */
static void add_distribution(struct csn_latency *latency, unsigned int status,
			     unsigned int first, unsigned int last)
{
	struct csn_plot_panel *panel = &latency->plot.panel[1];
	size_t series = add_series(panel, status);
	__u64 count[NR_BINS] = { 0 };

	for (size_t i = 0; i < latency->nr_events; i++)
		if (latency->events[i].status == status)
			count[bin_of(latency->events[i].delta)]++;
	for (unsigned int bin = first; bin <= last; bin++) {
		double from = (1ULL << bin) / NSEC_PER_MSEC;

		csn_plot_add(panel, series, from, count[bin], "from here");
		csn_plot_add(panel, series, 2 * from, count[bin], "up to here");
	}
}

static int compare(const void *a, const void *b)
{
	__u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	return x < y ? -1 : x > y;
}

/* Returns the title, to be freed; NULL: no memory. */
static char *sum_up(const struct csn_latency *latency)
{
	size_t nr = latency->nr_events;
	char *title = NULL;
	__u64 *sorted;

	if (!nr)
		return strdup("No compactions");
	sorted = reallocarray(NULL, nr, sizeof(*sorted));
	if (!sorted)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		sorted[i] = latency->events[i].delta;
	qsort(sorted, nr, sizeof(*sorted), compare);
	if (asprintf(&title,
		     "%zu compactions: half within %.3f ms, 99 %% within %.3f, longest %.3f ms",
		     nr, sorted[(nr - 1) / 2] / NSEC_PER_MSEC,
		     sorted[(nr * 99 + 99) / 100 - 1] / NSEC_PER_MSEC,
		     sorted[nr - 1] / NSEC_PER_MSEC) < 0)
		title = NULL;
	free(sorted);
	return title;
}

/**
 * csn_latency_draw() - draw what came in
 * @latency: the picture.
 * @command: the command line.
 * @source: what the compactions are from.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_latency_draw(struct csn_latency *latency,
			       const char *command, const char *source)
{
	const struct csn_plot_axis duration = { "Latency", "ms", true };
	struct csn_plot *plot = &latency->plot;
	unsigned int first = NR_BINS, last = 0;
	bool is_seen[NR_STATUSES] = { false };
	enum csn_exit status;
	char *title;

	for (size_t i = 0; i < latency->nr_events; i++) {
		unsigned int bin = bin_of(latency->events[i].delta);

		is_seen[latency->events[i].status] = true;
		first = bin < first ? bin : first;
		last = bin > last ? bin : last;
	}
	plot->nr_panels = 2;
	plot->panel[0].style = CSN_PLOT_POINTS;
	plot->panel[0].x = (struct csn_plot_axis){ "Time since the first compaction", "s", false };
	plot->panel[0].y = duration;
	plot->panel[1].style = CSN_PLOT_STACKED;
	plot->panel[1].x = duration;
	plot->panel[1].y = (struct csn_plot_axis){ "Compactions", "", false };
	for (unsigned int i = 0; i < NR_STATUSES; i++) {
		if (!is_seen[i])
			continue;
		add_points(latency, i);
		add_distribution(latency, i, first, last);
	}

	title = sum_up(latency);
	if (!title)
		return csn_exit_fail(CSN_EXIT_MEMORY, "no memory for the plot");
	plot->title = title;
	plot->command = command;
	plot->source = source;
	status = csn_plot_draw(plot);
	free(title);
	return status;
}

/**
 * csn_latency_end() - let go of everything
 * @latency: the picture, drawn or not.
 */
void csn_latency_end(struct csn_latency *latency)
{
	csn_plot_end(&latency->plot);
	free(latency->events);
}
