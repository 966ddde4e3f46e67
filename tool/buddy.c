// SPDX-License-Identifier: GPL-2.0-only
/* What buddystat does with events, wherever they come from. */
#include <errno.h>
#include <string.h>

#include "buddy.h"
#include "progress.h"
#include "recording.h"

static int on_interval(void *context, const struct csn_interval *interval)
{
	struct csn_buddy *buddy = context;

	csn_progress_clear();
	buddy->error = -(buddy->settings->plot ?
			 csn_buddyplot_add(&buddy->buddyplot, interval) :
			 csn_rows_print(&buddy->rows, interval));
	if (buddy->error)
		return CSN_READER_STOPPED;
	if (interval->is_total)
		return 0;
	buddy->printed++;
	buddy->is_done = buddy->printed == buddy->settings->count;
	return buddy->is_done ? CSN_READER_STOPPED : 0;
}

/**
 * csn_buddy_init() - get ready to count
 * @buddy: zeroed.
 * @settings: what is wanted.
 */
void csn_buddy_init(struct csn_buddy *buddy,
		    const struct csn_buddysettings *settings)
{
	buddy->settings = settings;
	buddy->series.step = settings->interval;
	buddy->series.cumulative = settings->cumulative;
	buddy->series.tally.by = settings->by;
	buddy->series.on_interval = on_interval;
	buddy->series.context = buddy;
	buddy->rows.out = stdout;
	buddy->rows.format = settings->format;
	buddy->rows.timestamp = settings->timestamp;
	buddy->rows.one_header = settings->one_header;
	buddy->rows.with_free = settings->free;
	buddy->rows.cumulative = settings->cumulative;
	buddy->rows.by = settings->by;
	buddy->buddyplot.is_stacked = settings->stacked;
	buddy->buddyplot.is_log = settings->log;
	buddy->buddyplot.rows = &buddy->rows;
	if (settings->plot) {
		buddy->series.all_tasks = true;
		buddy->rows.has_header = true;	/* it gets none */
	}
}

static bool is_wanted(const struct csn_buddysettings *settings,
		      const struct csn_pages *pages)
{
	if (pages->kind == CSN_PAGES_FREE && !settings->free)
		return false;
	if (settings->pid && pages->pid != settings->pid)
		return false;
	return !settings->has_comm ||
	       !memcmp(pages->comm, settings->comm, sizeof(pages->comm));
}

/* Of what stops us, no one in between hands on why. */
static int remember(struct csn_buddy *buddy, int stop)
{
	if (stop == -ENOMEM)
		buddy->error = ENOMEM;
	return stop;
}

/**
 * csn_buddy_add() - count an event, if it is one that is wanted
 * @buddy: who counts.
 * @pages: the event.
 *
 * Return: 0, or nonzero: stop.
 */
int csn_buddy_add(struct csn_buddy *buddy, const struct csn_pages *pages)
{
	struct csn_series *series = &buddy->series;

	if (!is_wanted(buddy->settings, pages)) {
		/* Others' events tell the time, too. */
		if (pages->kind == CSN_PAGES_ALLOC && !series->cumulative)
			csn_series_begin(series, pages->ts);
		return remember(buddy, csn_series_advance(series, pages->ts));
	}
	buddy->has_wanted = true;
	if (pages->order >= CSN_PAGES_ORDERS) {
		buddy->beyond++;
		return 0;
	}
	return remember(buddy, csn_series_add(series, pages));
}

/**
 * csn_buddy_lost() - take in that events are missing
 * @buddy: who counts.
 * @first: as csn_series_lost().
 * @last: likewise.
 * @count: likewise.
 *
 * Return: 0, or nonzero: stop.
 */
int csn_buddy_lost(struct csn_buddy *buddy, __u64 first, __u64 last,
		   __u64 count)
{
	return remember(buddy, csn_series_lost(&buddy->series, first, last, count));
}

/**
 * csn_buddy_group() - count the event of a recording or of the device
 * @buddy: who counts.
 * @group: its records.
 *
 * Return: 0, or nonzero: stop.
 */
int csn_buddy_group(struct csn_buddy *buddy, const struct csn_group *group)
{
	const union csn_record *record = &group->record[0];
	const struct csn_record_page *page = &record->page;
	struct csn_pages pages = { .ts = group->ts };

	switch (record->head.type) {
	case CSN_RECORD_LOST:
		return csn_buddy_lost(buddy, record->lost.first_ts,
				      record->lost.last_ts, record->lost.count);
	case CSN_RECORD_PAGE_ALLOC:
		pages.kind = CSN_PAGES_ALLOC;
		pages.failed = page->pfn == CSN_PFN_NONE;
		break;
	case CSN_RECORD_PAGE_FREE:
		pages.kind = CSN_PAGES_FREE;
		break;
	case CSN_RECORD_PAGE_EXTFRAG:
		pages.kind = CSN_PAGES_FALLBACK;
		break;
	default:
		return 0;
	}
	pages.order = page->order;
	pages.node = page->node;
	pages.zone = page->zone;
	pages.migratetype = page->migratetype;
	pages.pid = page->pid;
	memcpy(pages.comm, page->comm, sizeof(pages.comm));
	return csn_buddy_add(buddy, &pages);
}

/**
 * csn_buddy_info() - take in what a stream of records says about itself
 * @buddy: who counts.
 * @reader: who read it; keeps the names of the zones and of the kernel.
 */
void csn_buddy_info(struct csn_buddy *buddy, const struct csn_reader *reader)
{
	buddy->rows.zones = &reader->zones;
	buddy->rows.kernel = &reader->kernel;
	buddy->rows.nr_orders = reader->info.nr_orders;
	buddy->rows.has_wall = true;
	buddy->rows.wall = reader->info.wall - reader->info.ts;
	csn_series_begin(&buddy->series, reader->info.ts);
}

static void note(const struct csn_buddy *buddy)
{
	const struct csn_buddysettings *settings = buddy->settings;
	const struct csn_series *series = &buddy->series;

	/* Live, it may just have done nothing. */
	if ((settings->pid || settings->has_comm) && settings->input &&
	    !buddy->is_done && !buddy->has_wanted)
		csn_exit_note("%s has no event of the %s asked for",
			      csn_recording_name(settings->input),
			      settings->has_comm ? "thread name" : "process");
	if (series->total_is_lower_bound)
		csn_exit_note("events are missing: %s%llu are known to be lost; what is marked %s is a lower bound",
			      series->total_lost ? "" : "it is not known how many, ",
			      series->total_lost,
			      buddy->settings->format ? "lower_bound" : "+");
	if (series->late_losses)
		csn_exit_note("some rows were printed before it was known that events are missing in them: lower bounds, too");
	if (series->late)
		csn_exit_note("%llu events came after later ones: counted in the row that they came in",
			      series->late);
	if (series->skipped)
		csn_exit_note("the time jumps: %llu rows without an event are left out",
			      series->skipped);
	if (buddy->beyond)
		csn_exit_note("%llu frees of gigantic pages are in no column",
			      buddy->beyond);
}

/**
 * csn_buddy_finish() - print what is left, and what is to be said at the end
 * @buddy: who counted.
 * @end: when the last interval ended, ns; 0: at its full length.
 * @total: print the totals, too, if in a table.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_finish(struct csn_buddy *buddy, __u64 end, bool total)
{
	int stop = buddy->is_done || buddy->error;

	csn_progress_clear();
	if (!stop)
		stop = remember(buddy, csn_series_close(&buddy->series, end));
	if (!stop && total && buddy->settings->format == CSN_ROWS_TABLE)
		remember(buddy, csn_series_total(&buddy->series));
	note(buddy);
	if (buddy->error == ENOMEM)
		return csn_exit_fail(CSN_EXIT_MEMORY, "out of memory");
	return buddy->error ? csn_exit_output(buddy->error) : CSN_EXIT_OK;
}
