// SPDX-License-Identifier: GPL-2.0-only
/* Rows as bcc's compactsnoop prints them. */
#include <errno.h>

#include "names.h"
#include "text.h"

#define COMM_WIDTH	14	/* characters */

static void print_time(struct csn_text *text, __u64 ts)
{
	__u64 us = ts / 1000;

	if (!text->first_us)
		text->first_us = us;
	/* An event can have been overtaken by the first one. */
	fprintf(text->out, "%-14.9f ",
		(double)(__s64)(us - text->first_us) / 1000000);
}

static void print_zone_state(FILE *out, const struct csn_group *group)
{
	const union csn_record *record =
		csn_group_find(group, CSN_RECORD_ZONE_STATE, NULL);
	const struct csn_record_zone_state *zone;

	/* The recording session did not want it at that time. */
	if (!record) {
		fprintf(out, "%-8s %-8s %-8s %-8s %-8s ", "-", "-", "-", "-", "-");
		return;
	}
	zone = &record->zone_state;
	fprintf(out, "%-8.3f %-8llu %-8llu %-8llu %-8llu ",
		(double)zone->fragindex / 1000, zone->min, zone->low,
		zone->high, zone->free);
}

static void print_stack(struct csn_text *text, const struct csn_group *group)
{
	const union csn_record *record = NULL;

	while ((record = csn_group_find(group, CSN_RECORD_STACK, record))) {
		for (int i = 0; i < CSN_STACK_PER_RECORD; i++) {
			__u64 handle = record->stack.handle[i];

			if (!handle)
				break;
			fprintf(text->out, "\t%s\n",
				csn_symbols_find(text->symbols, handle));
		}
	}
	fputc('\n', text->out);
}

static int flush(FILE *out)
{
	return fflush(out) || ferror(out) ? -errno : 0;
}

/**
 * csn_text_header() - print the names of the columns
 * @text: the columns.
 *
 * Return: 0, or -errno if the output takes no more.
 */
int csn_text_header(const struct csn_text *text)
{
	if (text->timestamp)
		fprintf(text->out, "%-14s ", "TIME(s)");
	fprintf(text->out, "%-14s %-6s %-4s %-12s %-5s %-7s ",
		"COMM", "PID", "NODE", "ZONE", "ORDER", "MODE");
	if (text->extended)
		fprintf(text->out, "%-8s %-8s %-8s %-8s %-8s ",
			"FRAGIDX", "MIN", "LOW", "HIGH", "FREE");
	fprintf(text->out, "%9s %16s\n", "LAT(ms)", "STATUS");
	return flush(text->out);
}

/**
 * csn_text_compaction() - print one compaction
 * @text: the columns.
 * @group: its records.
 * @zones: names of the zones.
 *
 * Return: 0, or -errno if the output takes no more.
 */
int csn_text_compaction(struct csn_text *text, const struct csn_group *group,
			const struct csn_record_zone_names *zones)
{
	const struct csn_record_compaction *event = &group->record[0].compaction;
	char zone[CSN_NAMES_MAX], status[CSN_NAMES_MAX];

	if (text->timestamp)
		print_time(text, event->ts);
	/* As bcc's: what is wide on a terminal is one character, too. */
	csn_names_print_comm(text->out, event->comm, COMM_WIDTH, NULL);
	fprintf(text->out, " %-6u %-4d %-12s %-5d %-7s ", event->pid, event->node,
		csn_names_zone(zones, event->zone, zone), event->order,
		event->sync ? "SYNC" : "ASYNC");
	if (text->extended)
		print_zone_state(text->out, group);
	fprintf(text->out, "%9.3f %16s\n", (double)event->delta / 1000000,
		csn_names_status(event->status, status));
	if (text->symbols)
		print_stack(text, group);
	return flush(text->out);
}
