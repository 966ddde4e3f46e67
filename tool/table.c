// SPDX-License-Identifier: GPL-2.0-only
/* Intervals as a table, in the manner of vmstat. */
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "rows.h"
#include "utf8.h"

#define NSEC_PER_SEC	1000000000ULL
#define DEFAULT_HEIGHT	24	/* lines of a terminal that does not say */
#define TEXT_MAX	32	/* what is printed in a column, NUL included */
#define COLUMNS		80	/* that a row is to fit in, without asking the terminal */
#define NR_USUAL_ORDERS	11
#define FREES		"  frees"	/* in place of the labels of the row above */
#define MARK_WIDTH	2	/* of " +" */

#define HEADER_LINES	2
#define NR_WIDTHS	5	/* the last is that of all orders above, too */

/* Columns, the blank between them included. */
#define TIME_WIDTH	9
#define SECONDS_WIDTH	11
#define EVENT_WIDTH	6
#define NODE_WIDTH	5
#define ZONE_PREFIX	"ZONE_"
#define ZONE_WIDTH	8	/* without the prefix */
#define TYPE_WIDTH	12
#define PID_WIDTH	8
#define COMM_WIDTH	16
#define FAILED_WIDTH	7
#define FALLBACK_WIDTH	9
#define SHORT_FAILED_WIDTH	5
#define SHORT_FALLBACK_WIDTH	6

/*
 * A line under way. A number too wide for its column moves those behind it,
 * until one with room to spare brings the line back.
 */
struct line {
	FILE *out;
	unsigned int at;	/* column */
	unsigned int target;	/* where it would be if all had fitted */
};

static unsigned int time_width(const struct csn_rows *rows)
{
	return rows->has_wall ? TIME_WIDTH : SECONDS_WIDTH;
}

/* Where an interval has many rows, their time has a line of its own. */
static bool has_time_column(const struct csn_rows *rows)
{
	return rows->timestamp && !rows->by;
}

/* Where rows have labels, one of frees is known by the lack of them. */
static bool has_event_column(const struct csn_rows *rows)
{
	return rows->with_free && !rows->by;
}

static unsigned int labels_width(const struct csn_rows *rows)
{
	return (has_time_column(rows) ? time_width(rows) : 0) +
	       (rows->by & CSN_BY_NODE ? NODE_WIDTH : 0) +
	       (rows->by & CSN_BY_ZONE ? ZONE_WIDTH : 0) +
	       (rows->by & CSN_BY_MIGRATETYPE ? TYPE_WIDTH : 0) +
	       (rows->by & CSN_BY_PID ? PID_WIDTH : 0) +
	       (rows->by & CSN_BY_TASK ? COMM_WIDTH : 0) +
	       (has_event_column(rows) ? EVENT_WIDTH : 0);
}

/* Low orders are common, high ones rare. */
static unsigned int sum_widths(const unsigned char *widths, unsigned int nr)
{
	unsigned int width = 0;

	for (unsigned int i = 0; i < nr; i++)
		width += widths[i < NR_WIDTHS ? i : NR_WIDTHS - 1];
	return width;
}

static const unsigned char wide[NR_WIDTHS] = { 7, 6, 5, 5, 4 };
static const unsigned char narrow[NR_WIDTHS] = { 7, 5, 4, 4, 3 };

/* Long labels take the room of numbers: so all of it fits in COLUMNS. */
static bool is_narrow(const struct csn_rows *rows)
{
	return labels_width(rows) + sum_widths(wide, NR_USUAL_ORDERS) + FAILED_WIDTH +
	       FALLBACK_WIDTH + MARK_WIDTH > COLUMNS;
}

static const unsigned char *order_widths(const struct csn_rows *rows)
{
	return is_narrow(rows) ? narrow : wide;
}

static unsigned int order_width(const struct csn_rows *rows, unsigned int order)
{
	return order_widths(rows)[order < NR_WIDTHS ? order : NR_WIDTHS - 1];
}

static unsigned int failed_width(const struct csn_rows *rows)
{
	return is_narrow(rows) ? SHORT_FAILED_WIDTH : FAILED_WIDTH;
}

static unsigned int fallback_width(const struct csn_rows *rows)
{
	return is_narrow(rows) ? SHORT_FALLBACK_WIDTH : FALLBACK_WIDTH;
}

static void pad_to(struct line *line, unsigned int column)
{
	if (line->at && line->at >= column)
		column = line->at + 1;
	fprintf(line->out, "%*s", column - line->at, "");
	line->at = column;
}

static void put_right(struct line *line, unsigned int width, const char *text)
{
	unsigned int length = strlen(text);

	line->target += width;
	pad_to(line, line->target > length ? line->target - length : 0);
	fputs(text, line->out);
	line->at += length;
}

static void put_left(struct line *line, unsigned int width, const char *text)
{
	pad_to(line, line->target);
	line->target += width;
	fputs(text, line->out);
	line->at += strlen(text);
}

static void put_number(struct line *line, unsigned int width, __u64 number)
{
	char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%llu", number);
	put_right(line, width, text);
}

static void put_comm(struct line *line, const char *comm)
{
	pad_to(line, line->target);
	line->target += COMM_WIDTH;
	csn_names_print_comm(line->out, comm, COMM_WIDTH - 1, csn_utf8_width);
	line->at = line->target - 1;
}

static void end_line(struct csn_rows *rows)
{
	fputc('\n', rows->out);
	rows->since_header++;
}

/* All zones are ZONE_something; one that is not known is a number. */
static const char *short_zone(const char *name)
{
	return strncmp(name, ZONE_PREFIX, strlen(ZONE_PREFIX)) ? name :
	       name + strlen(ZONE_PREFIX);
}

/* The columns before the numbers; NULL: their names. */
static void put_labels(struct line *line, const struct csn_rows *rows,
		       const struct csn_key *key, const char *event)
{
	char text[CSN_NAMES_MAX];

	if (rows->by & CSN_BY_NODE) {
		snprintf(text, sizeof(text), "%d", key ? key->node : 0);
		put_left(line, NODE_WIDTH, !key ? "node" :
			 key->node == CSN_NODE_NONE ? "-" : text);
	}
	if (rows->by & CSN_BY_ZONE)
		put_left(line, ZONE_WIDTH, !key ? "zone" :
			 key->zone == CSN_ZONE_NONE || !rows->zones ? "-" :
			 short_zone(csn_names_zone(rows->zones, key->zone, text)));
	if (rows->by & CSN_BY_MIGRATETYPE)
		put_left(line, TYPE_WIDTH, !key ? "migratetype" : key->is_rest ?
			 "-" : csn_names_migratetype(key->migratetype));
	if (rows->by & CSN_BY_PID) {
		snprintf(text, sizeof(text), "%u", key ? key->pid : 0);
		put_left(line, PID_WIDTH, !key ? "pid" : key->is_rest ? "-" : text);
	}
	if (rows->by & CSN_BY_TASK)
		put_comm(line, !key ? "comm" : key->is_rest ? "(others)" : key->comm);
	if (has_event_column(rows))
		put_left(line, EVENT_WIDTH, event);
}

static void put_time(struct line *line, const struct csn_rows *rows,
		     const struct csn_interval *interval)
{
	char text[TEXT_MAX];

	if (interval->is_total) {
		snprintf(text, sizeof(text), "total");
	} else if (rows->has_wall) {
		time_t seconds = (rows->wall + interval->end) / NSEC_PER_SEC;
		struct tm tm;

		localtime_r(&seconds, &tm);
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	} else {
		snprintf(text, sizeof(text), "%llu.%06llu",
			 interval->end / NSEC_PER_SEC,
			 interval->end % NSEC_PER_SEC / 1000);
	}
	put_left(line, time_width(rows), text);
}

/* "------- allocations by order -------" over the columns of the orders. */
static void print_group(struct csn_rows *rows)
{
	const char *name = rows->with_free ? " blocks by order " :
					     " allocations by order ";
	unsigned int width = sum_widths(order_widths(rows), rows->nr_orders) - 1;
	unsigned int length = strlen(name);
	unsigned int left = width > length ? (width - length) / 2 : 0;

	fprintf(rows->out, "%*s", labels_width(rows) + 1, "");
	for (unsigned int i = 0; i < left; i++)
		fputc('-', rows->out);
	fputs(name, rows->out);
	for (unsigned int i = left + length; i < width; i++)
		fputc('-', rows->out);
	end_line(rows);
}

/**
 * csn_table_header() - print the names of the columns
 * @rows: how.
 */
void csn_table_header(struct csn_rows *rows)
{
	struct line line = { .out = rows->out };

	rows->since_header = 0;
	print_group(rows);
	if (has_time_column(rows))
		put_left(&line, time_width(rows),
			 rows->has_wall ? "time" : "time(s)");
	put_labels(&line, rows, NULL, "event");
	for (unsigned int i = 0; i < rows->nr_orders; i++)
		put_number(&line, order_width(rows, i), i);
	put_right(&line, failed_width(rows),
		  is_narrow(rows) ? "fail" : "failed");
	put_right(&line, fallback_width(rows),
		  is_narrow(rows) ? "fallb" : "fallback");
	end_line(rows);
}

static void print_row(struct csn_rows *rows, const struct csn_interval *interval,
		      const struct csn_row *row, bool is_free)
{
	struct line line = { .out = rows->out };

	if (has_time_column(rows))
		put_time(&line, rows, interval);
	if (is_free && rows->by)
		put_left(&line, labels_width(rows), FREES);
	else
		put_labels(&line, rows, &row->key, is_free ? "free" : "alloc");
	for (unsigned int i = 0; i < rows->nr_orders; i++)
		put_number(&line, order_width(rows, i),
			   csn_rows_count(rows, row, is_free, i));
	if (is_free) {
		put_right(&line, failed_width(rows), "-");
		put_right(&line, fallback_width(rows), "-");
	} else {
		put_number(&line, failed_width(rows), csn_rows_failed(row));
		put_number(&line, fallback_width(rows), row->counts.fallback);
	}
	if (interval->is_lower_bound)
		fputs(" +", rows->out);
	end_line(rows);
}

/* As vmstat: a header whenever the last one leaves the terminal. */
static bool wants_header(const struct csn_rows *rows, size_t nr_lines)
{
	struct winsize window;
	unsigned int height = DEFAULT_HEIGHT;

	if (rows->one_header || !rows->since_header)
		return false;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) && window.ws_row)
		height = window.ws_row;
	return rows->since_header + nr_lines >= height;
}

/* What tells one list of rows from the next: its time, or nothing. */
static void print_list_head(struct csn_rows *rows,
			    const struct csn_interval *interval)
{
	struct line line = { .out = rows->out };

	if (rows->timestamp)
		put_time(&line, rows, interval);
	else if (rows->since_header <= HEADER_LINES)
		return;
	end_line(rows);
}

/**
 * csn_table_interval() - print an interval
 * @rows: how.
 * @interval: what.
 */
void csn_table_interval(struct csn_rows *rows,
			const struct csn_interval *interval)
{
	__u64 length = interval->end - interval->start;

	if (interval->is_total) {
		fprintf(rows->out, "total of %llu.%03llu s:", length / NSEC_PER_SEC,
			length % NSEC_PER_SEC / 1000000);
		end_line(rows);
	} else {
		bool is_list = rows->by;

		if (wants_header(rows, (interval->nr_rows << rows->with_free) + is_list))
			csn_table_header(rows);
		if (is_list)
			print_list_head(rows, interval);
	}
	for (size_t i = 0; i < interval->nr_rows; i++) {
		print_row(rows, interval, &interval->row[i], false);
		if (rows->with_free)
			print_row(rows, interval, &interval->row[i], true);
	}
}
