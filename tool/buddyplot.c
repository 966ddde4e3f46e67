// SPDX-License-Identifier: GPL-2.0-only
/*
 * buddystat's picture: a line an order over time; or, if the counts are kept
 * apart by something else, a line for each of that, all orders together.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddyplot.h"
#include "grow.h"
#include "names.h"

#define NSEC_PER_SEC	1000000000.0
#define MAX_LINES	11	/* that can be told apart; the rest is one more */
#define MAX_NAME	64	/* bytes, NUL included */
#define REST		"others"

/* One panel each. */
enum kind {
	KIND_ALLOC,
	KIND_FREE,
	NR_KINDS,
};

struct csn_buddyplot_interval {
	__u64 start;		/* ns */
	__u64 end;
	bool is_lower_bound;
};

/* What a line counts in an interval; there is none for 0. */
struct value {
	size_t interval;
	__u64 count;
};

struct csn_buddyplot_line {
	enum kind kind;
	char name[MAX_NAME];
	unsigned int order;	/* if it is an order's */
	__u64 total;
	struct value *values;
	size_t nr_values;
};

static struct csn_buddyplot_line *
find_line(struct csn_buddyplot *buddyplot, enum kind kind, const char *name,
	  unsigned int order)
{
	struct csn_buddyplot_line *lines, *line;

	for (size_t i = 0; i < buddyplot->nr_lines; i++) {
		line = &buddyplot->lines[i];
		if (line->kind == kind && !strcmp(line->name, name))
			return line;
	}
	lines = csn_grow(buddyplot->lines, buddyplot->nr_lines, sizeof(*lines));
	if (!lines)
		return NULL;
	buddyplot->lines = lines;
	line = &lines[buddyplot->nr_lines++];
	memset(line, 0, sizeof(*line));
	line->kind = kind;
	line->order = order;
	snprintf(line->name, sizeof(line->name), "%s", name);
	return line;
}

static int add_value(struct csn_buddyplot *buddyplot, enum kind kind,
		     const char *name, unsigned int order, __u64 count)
{
	struct csn_buddyplot_line *line;
	struct value *values;

	line = find_line(buddyplot, kind, name, order);
	if (!line)
		return -ENOMEM;
	if (!count)
		return 0;
	values = csn_grow(line->values, line->nr_values, sizeof(*values));
	if (!values)
		return -ENOMEM;
	line->values = values;
	values[line->nr_values].interval = buddyplot->nr_intervals - 1;
	values[line->nr_values++].count = count;
	line->total = buddyplot->rows->cumulative ? count : line->total + count;
	return 0;
}

static void __attribute__((__format__(__printf__, 2, 3)))
append(char name[MAX_NAME], const char *format, ...)
{
	size_t length = strlen(name);
	va_list args;

	if (length && length < MAX_NAME - 1)
		name[length++] = ' ';
	va_start(args, format);
	vsnprintf(name + length, MAX_NAME - length, format, args);
	va_end(args);
}

static void name_row(const struct csn_rows *rows, const struct csn_key *key,
		     char name[MAX_NAME])
{
	char zone[CSN_NAMES_MAX];

	*name = '\0';
	if (rows->by & CSN_BY_NODE && key->node != CSN_NODE_NONE)
		append(name, "node %d", key->node);
	if (rows->by & CSN_BY_ZONE && key->zone != CSN_ZONE_NONE && rows->zones)
		append(name, "%s", csn_names_zone(rows->zones, key->zone, zone));
	if (rows->by & CSN_BY_MIGRATETYPE)
		append(name, "%s", csn_names_migratetype(key->migratetype));
	if (rows->by & CSN_BY_PID)
		append(name, "%u", key->pid);
	if (rows->by & CSN_BY_TASK)
		append(name, "%.*s", CSN_COMM_LEN, key->comm);
	if (!*name || key->is_rest)
		memcpy(name, REST, sizeof(REST));
}

/* A row's allocations or frees: a line an order. */
static int add_orders(struct csn_buddyplot *buddyplot, enum kind kind,
		      const struct csn_row *row)
{
	char name[MAX_NAME];

	for (unsigned int i = 0; i < CSN_PAGES_ORDERS; i++) {
		__u64 count = csn_rows_count(buddyplot->rows, row,
					     kind == KIND_FREE, i);

		if (!count && i >= buddyplot->rows->nr_orders)
			continue;
		snprintf(name, sizeof(name), "order %u", i);
		if (add_value(buddyplot, kind, name, i, count))
			return -ENOMEM;
	}
	return 0;
}

/* Likewise, all orders together: a line a row. */
static int add_sum(struct csn_buddyplot *buddyplot, enum kind kind,
		   const struct csn_row *row)
{
	char name[MAX_NAME];
	__u64 sum = 0;

	for (unsigned int i = 0; i < CSN_PAGES_ORDERS; i++)
		sum += csn_rows_count(buddyplot->rows, row, kind == KIND_FREE, i);
	if (!sum)	/* an idle interval's row is nobody's */
		return 0;
	name_row(buddyplot->rows, &row->key, name);
	return add_value(buddyplot, kind, name, 0, sum);
}

/**
 * csn_buddyplot_add() - take in an interval
 * @buddyplot: the picture.
 * @interval: the interval; what sums up all of them is left out.
 *
 * Return: 0 or -ENOMEM.
 */
int csn_buddyplot_add(struct csn_buddyplot *buddyplot,
		      const struct csn_interval *interval)
{
	const struct csn_rows *rows = buddyplot->rows;
	struct csn_buddyplot_interval *intervals;
	int error = 0;

	if (interval->is_total)
		return 0;
	intervals = csn_grow(buddyplot->intervals, buddyplot->nr_intervals,
			     sizeof(*intervals));
	if (!intervals)
		return -ENOMEM;
	buddyplot->intervals = intervals;
	intervals[buddyplot->nr_intervals++] = (struct csn_buddyplot_interval){
		.start = interval->start,
		.end = interval->end,
		.is_lower_bound = interval->is_lower_bound,
	};
	for (size_t i = 0; !error && i < interval->nr_rows; i++) {
		const struct csn_row *row = &interval->row[i];

		for (enum kind kind = KIND_ALLOC; kind < NR_KINDS; kind++) {
			if (error || (kind == KIND_FREE && !rows->with_free))
				continue;
			error = rows->by ? add_sum(buddyplot, kind, row) :
					   add_orders(buddyplot, kind, row);
		}
	}
	return error;
}

/* Orders as they come; of others the largest first, the rest last. */
static int compare_lines(const void *a, const void *b)
{
	const struct csn_buddyplot_line *x = a, *y = b;
	bool x_rest = !strcmp(x->name, REST), y_rest = !strcmp(y->name, REST);

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x_rest != y_rest)
		return x_rest - y_rest;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The same process looks the same in both panels. */
static unsigned int find_look(const struct csn_buddyplot *buddyplot,
			      const struct csn_buddyplot_line *line)
{
	unsigned int i = 0;

	while (strcmp(buddyplot->lines[i].name, line->name))
		i++;
	return i;
}

static void add_up(const struct csn_buddyplot_line *line, double *heights)
{
	for (size_t i = 0; i < line->nr_values; i++)
		heights[line->values[i].interval] += line->values[i].count;
}

/* A line's heights, which are 0 again afterwards. */
static void put_series(struct csn_buddyplot *buddyplot,
		       const struct csn_buddyplot_line *line, double *heights)
{
	static const char marks[] = "0123456789abcdef";
	struct csn_plot_panel *panel = &buddyplot->plot.panel[line->kind];
	unsigned int look = buddyplot->rows->by ? find_look(buddyplot, line) :
						  line->order;
	size_t series = csn_plot_series(panel, line->name, marks[look % 16],
					look);

	for (size_t i = 0; i < buddyplot->nr_intervals; i++) {
		const struct csn_buddyplot_interval *interval =
			&buddyplot->intervals[i];
		double seconds = (interval->end - interval->start) / NSEC_PER_SEC;

		if (!buddyplot->rows->cumulative)
			heights[i] = seconds > 0 ? heights[i] / seconds : 0;
		csn_plot_add(panel, series, interval->end / NSEC_PER_SEC,
			     heights[i], NULL);
		heights[i] = 0;
	}
}

/* The lines of one kind, which begin at @line; those too many as one. */
static void put_lines(struct csn_buddyplot *buddyplot, size_t first, size_t end,
		      double *heights)
{
	struct csn_buddyplot_line *lines = buddyplot->lines;
	bool has_rest = buddyplot->rows->by && end - first > MAX_LINES + 1;
	size_t shown = has_rest ? first + MAX_LINES : end;

	for (size_t i = first; i < shown; i++) {
		add_up(&lines[i], heights);
		put_series(buddyplot, &lines[i], heights);
	}
	if (!has_rest)
		return;
	for (size_t i = shown; i < end; i++)
		add_up(&lines[i], heights);
	memcpy(lines[shown].name, REST, sizeof(REST));
	put_series(buddyplot, &lines[shown], heights);
}

static void set_panels(struct csn_buddyplot *buddyplot)
{
	const struct csn_rows *rows = buddyplot->rows;
	struct csn_plot *plot = &buddyplot->plot;

	plot->nr_panels = rows->with_free ? NR_KINDS : 1;
	for (size_t i = 0; i < plot->nr_panels; i++) {
		struct csn_plot_panel *panel = &plot->panel[i];

		panel->style = buddyplot->is_stacked ? CSN_PLOT_STACKED :
						       CSN_PLOT_LINES;
		/* Clocks of trace text can be any. */
		panel->x.title = rows->has_wall ? "Time since boot" : "Time";
		panel->x.unit = "s";
		panel->y.title = i == KIND_FREE ? "Frees" : "Allocations";
		panel->y.unit = rows->cumulative ? "so far" : "/s";
		panel->y.log = buddyplot->is_log;
		for (size_t j = 0; j < buddyplot->nr_intervals; j++) {
			const struct csn_buddyplot_interval *interval =
				&buddyplot->intervals[j];

			if (interval->is_lower_bound)
				csn_plot_lost(panel, interval->start / NSEC_PER_SEC,
					      interval->end / NSEC_PER_SEC);
		}
	}
}

/* Returns the title, to be freed; NULL: no memory. */
static char *sum_up(const struct csn_buddyplot *buddyplot)
{
	unsigned int by = buddyplot->rows->by;
	double seconds = 0;
	__u64 total = 0;
	char *title;

	for (size_t i = 0; i < buddyplot->nr_lines; i++)
		if (buddyplot->lines[i].kind == KIND_ALLOC)
			total += buddyplot->lines[i].total;
	for (size_t i = 0; i < buddyplot->nr_intervals; i++)
		seconds += (buddyplot->intervals[i].end -
			    buddyplot->intervals[i].start) / NSEC_PER_SEC;
	if (asprintf(&title, "Page allocations by %s: %llu in %.6g s",
		     by & CSN_BY_COMM ? "thread name" :
		     by & CSN_BY_PID ? "process" :
		     by & CSN_BY_MIGRATETYPE ? "migratetype" :
		     by & CSN_BY_ZONE ? "zone" : by ? "node" : "order",
		     total, seconds) < 0)
		return NULL;
	return title;
}

/**
 * csn_buddyplot_draw() - draw what came in
 * @buddyplot: the picture.
 * @command: the command line.
 * @is_live: it is of this kernel.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_buddyplot_draw(struct csn_buddyplot *buddyplot,
				 const char *command, bool is_live)
{
	const struct csn_rows *rows = buddyplot->rows;
	double *heights = calloc(buddyplot->nr_intervals + 1, sizeof(*heights));
	char source[CSN_PLOT_SOURCE] = "", *title;
	struct csn_plot *plot = &buddyplot->plot;
	enum csn_exit status;
	size_t first, end = 0;

	if (is_live)
		csn_plot_name_kernel(source);
	else if (rows->kernel && buddyplot->nr_intervals)
		csn_plot_name_recording(source, rows->kernel, rows->wall +
					buddyplot->intervals[0].start);
	title = sum_up(buddyplot);
	if (heights && title) {
		qsort(buddyplot->lines, buddyplot->nr_lines,
		      sizeof(*buddyplot->lines), compare_lines);
		set_panels(buddyplot);
		while ((first = end) < buddyplot->nr_lines) {
			while (end < buddyplot->nr_lines &&
			       buddyplot->lines[end].kind ==
			       buddyplot->lines[first].kind)
				end++;
			put_lines(buddyplot, first, end, heights);
		}
		plot->title = title;
		plot->command = command;
		plot->source = source;
		status = csn_plot_draw(plot);
	} else {
		status = csn_exit_fail(CSN_EXIT_MEMORY, "no memory for the plot");
	}
	free(heights);
	free(title);
	return status;
}

/**
 * csn_buddyplot_end() - let go of everything
 * @buddyplot: the picture, drawn or not.
 */
void csn_buddyplot_end(struct csn_buddyplot *buddyplot)
{
	csn_plot_end(&buddyplot->plot);
	for (size_t i = 0; i < buddyplot->nr_lines; i++)
		free(buddyplot->lines[i].values);
	free(buddyplot->lines);
	free(buddyplot->intervals);
}
