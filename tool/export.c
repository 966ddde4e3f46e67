// SPDX-License-Identifier: GPL-2.0-only
/* Intervals for other programs: CSV (RFC 4180) and JSON, one object a line. */
#include <string.h>
#include <time.h>

#include "names.h"
#include "rows.h"
#include "utf8.h"

#define NSEC_PER_SEC	1000000000ULL
#define DATE_MAX	32	/* longest date, NUL included */

/* Bytes that are no UTF-8 are one U+FFFD each: parsers take no other. */
static void put_string(FILE *out, const char *text, size_t max, bool is_json)
{
	const char *end = text + strnlen(text, max);

	fputc('"', out);
	while (text < end) {
		const char *start = text;
		__u32 ch = csn_utf8_next(&text, end);

		if (ch == CSN_UTF8_INVALID)
			fputs("\xef\xbf\xbd", out);
		else if (ch == '"')
			fputs(is_json ? "\\\"" : "\"\"", out);
		else if (is_json && ch == '\\')
			fputs("\\\\", out);
		else if (is_json && (ch < ' ' || ch == 0x7f))
			fprintf(out, "\\u%04x", ch);
		else
			fwrite(start, 1, text - start, out);
	}
	fputc('"', out);
}

/* A field under way: what comes before its value. */
static void begin_field(const struct csn_rows *rows, const char *name,
			bool *is_first)
{
	if (!*is_first)
		fputc(',', rows->out);
	*is_first = false;
	if (rows->format == CSN_ROWS_JSON)
		fprintf(rows->out, "\"%s\":", name);
}

static void put_nothing(const struct csn_rows *rows)
{
	if (rows->format == CSN_ROWS_JSON)
		fputs("null", rows->out);
}

static void put_text(const struct csn_rows *rows, const char *text, size_t max)
{
	put_string(rows->out, text, max, rows->format == CSN_ROWS_JSON);
}

static void put_seconds(const struct csn_rows *rows, __u64 ns)
{
	fprintf(rows->out, "%llu.%09llu", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
}

static void put_bool(const struct csn_rows *rows, bool value)
{
	if (rows->format == CSN_ROWS_JSON)
		fputs(value ? "true" : "false", rows->out);
	else
		fputc(value ? '1' : '0', rows->out);
}

/* ISO 8601, UTC. */
static void put_date(const struct csn_rows *rows, __u64 ts)
{
	__u64 wall = rows->wall + ts;
	time_t seconds = wall / NSEC_PER_SEC;
	char text[DATE_MAX];
	struct tm tm;

	if (!rows->has_wall) {
		put_nothing(rows);
		return;
	}
	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), ".%06lluZ",
		 wall % NSEC_PER_SEC / 1000);
	put_text(rows, text, sizeof(text));
}

static void put_labels(const struct csn_rows *rows, const struct csn_key *key,
		       bool *is_first)
{
	char buffer[CSN_NAMES_MAX];

	if (rows->by & CSN_BY_NODE) {
		begin_field(rows, "node", is_first);
		if (key->node == CSN_NODE_NONE)
			put_nothing(rows);
		else
			fprintf(rows->out, "%d", key->node);
	}
	if (rows->by & CSN_BY_ZONE) {
		begin_field(rows, "zone", is_first);
		if (key->zone == CSN_ZONE_NONE || !rows->zones)
			put_nothing(rows);
		else
			put_text(rows, csn_names_zone(rows->zones, key->zone, buffer),
				 sizeof(buffer));
	}
	if (rows->by & CSN_BY_MIGRATETYPE) {
		const char *name = csn_names_migratetype(key->migratetype);

		begin_field(rows, "migratetype", is_first);
		put_text(rows, name, strlen(name));
	}
	if (rows->by & CSN_BY_PID) {
		begin_field(rows, "pid", is_first);
		if (key->is_rest)
			put_nothing(rows);
		else
			fprintf(rows->out, "%u", key->pid);
	}
	if (rows->by & CSN_BY_TASK) {
		begin_field(rows, "comm", is_first);
		if (key->is_rest)
			put_nothing(rows);
		else
			put_text(rows, key->comm, sizeof(key->comm));
	}
}

/* "order0,order1,..." or "orders":[...] */
static void put_orders(const struct csn_rows *rows, const struct csn_row *row,
		       bool is_free)
{
	bool is_first = rows->format == CSN_ROWS_JSON;

	if (rows->format == CSN_ROWS_JSON)
		fputs(",\"orders\":[", rows->out);
	for (unsigned int i = 0; i < rows->nr_orders; i++) {
		fprintf(rows->out, "%s%llu", is_first ? "" : ",",
			csn_rows_count(rows, row, is_free, i));
		is_first = false;
	}
	if (rows->format == CSN_ROWS_JSON)
		fputc(']', rows->out);
}

static void put_row(const struct csn_rows *rows,
		    const struct csn_interval *interval,
		    const struct csn_row *row, bool is_free)
{
	bool is_first = true;

	if (rows->format == CSN_ROWS_JSON)
		fputc('{', rows->out);
	begin_field(rows, "time", &is_first);
	put_seconds(rows, interval->end);
	begin_field(rows, "seconds", &is_first);
	put_seconds(rows, interval->end - interval->start);
	if (rows->timestamp) {
		begin_field(rows, "date", &is_first);
		put_date(rows, interval->end);
	}
	put_labels(rows, &row->key, &is_first);
	if (rows->with_free) {
		begin_field(rows, "event", &is_first);
		put_text(rows, is_free ? "free" : "alloc", DATE_MAX);
	}
	put_orders(rows, row, is_free);
	begin_field(rows, "failed", &is_first);
	if (is_free)
		put_nothing(rows);
	else
		fprintf(rows->out, "%llu", csn_rows_failed(row));
	begin_field(rows, "fallback", &is_first);
	if (is_free)
		put_nothing(rows);
	else
		fprintf(rows->out, "%llu", row->counts.fallback);
	begin_field(rows, "lost", &is_first);
	fprintf(rows->out, "%llu", interval->lost);
	begin_field(rows, "lower_bound", &is_first);
	put_bool(rows, interval->is_lower_bound);
	fputs(rows->format == CSN_ROWS_JSON ? "}\n" : "\n", rows->out);
}

/**
 * csn_export_header() - print the names of CSV's columns
 * @rows: how.
 */
void csn_export_header(struct csn_rows *rows)
{
	FILE *out = rows->out;

	if (rows->format != CSN_ROWS_CSV)
		return;
	fputs(rows->timestamp ? "time,seconds,date" : "time,seconds", out);
	if (rows->by & CSN_BY_NODE)
		fputs(",node", out);
	if (rows->by & CSN_BY_ZONE)
		fputs(",zone", out);
	if (rows->by & CSN_BY_MIGRATETYPE)
		fputs(",migratetype", out);
	if (rows->by & CSN_BY_PID)
		fputs(",pid", out);
	if (rows->by & CSN_BY_TASK)
		fputs(",comm", out);
	if (rows->with_free)
		fputs(",event", out);
	for (unsigned int i = 0; i < rows->nr_orders; i++)
		fprintf(out, ",order%u", i);
	fputs(",failed,fallback,lost,lower_bound\n", out);
}

/**
 * csn_export_interval() - print an interval
 * @rows: how.
 * @interval: what.
 */
void csn_export_interval(struct csn_rows *rows,
			 const struct csn_interval *interval)
{
	for (size_t i = 0; i < interval->nr_rows; i++) {
		put_row(rows, interval, &interval->row[i], false);
		if (rows->with_free)
			put_row(rows, interval, &interval->row[i], true);
	}
}
