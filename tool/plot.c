// SPDX-License-Identifier: GPL-2.0-only
/* What a plot shows, collected until it is drawn. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "grow.h"
#include "plot.h"

/* Room for one more behind @nr. */
static void *grow(struct csn_plot_panel *panel, void *list, size_t nr,
		  size_t size)
{
	list = csn_grow(list, nr, size);
	if (!list)
		panel->no_memory = true;
	return list;
}

/**
 * csn_plot_series() - add a series to a panel
 * @panel: where.
 * @name: as in the legend.
 * @mark: the character that stands for it in a terminal.
 * @look: number of its colour.
 *
 * Return: its number, for csn_plot_add(). Out of memory, csn_plot_draw() says
 * so.
 */
size_t csn_plot_series(struct csn_plot_panel *panel, const char *name,
		       char mark, unsigned int look)
{
	struct csn_plot_series *list, *series;

	list = grow(panel, panel->series, panel->nr_series, sizeof(*list));
	if (!list)
		return 0;
	panel->series = list;
	series = &list[panel->nr_series];
	memset(series, 0, sizeof(*series));
	series->mark = mark;
	series->look = look;
	series->name = strdup(name);
	if (!series->name)
		panel->no_memory = true;
	return panel->nr_series++;
}

/**
 * csn_plot_add() - add a point to a series
 * @panel: where.
 * @series: number of the series.
 * @x: what is no finite number is left out, here and in @y.
 * @y: from 0 on.
 * @note: shown with the numbers by what can show it; it is kept until
 *	csn_plot_end(). NULL: nothing.
 *
 * Out of memory, csn_plot_draw() says so.
 */
void csn_plot_add(struct csn_plot_panel *panel, size_t series, double x,
		  double y, const char *note)
{
	struct csn_plot_series *to = &panel->series[series];
	struct csn_plot_point *list, *point;

	if (panel->no_memory || !isfinite(x) || !isfinite(y))
		return;
	list = grow(panel, to->point, to->nr, sizeof(*list));
	if (!list)
		return;
	to->point = list;
	point = &list[to->nr];
	point->x = x;
	point->y = y;
	point->note = note;
	to->nr++;
}

/**
 * csn_plot_lost() - mark a time in which events were lost
 * @panel: where.
 * @from: its beginning.
 * @to: its end; not before its beginning.
 *
 * What is shown there is a lower bound. Out of memory, csn_plot_draw() says
 * so.
 */
void csn_plot_lost(struct csn_plot_panel *panel, double from, double to)
{
	struct csn_plot_span *list, *last;

	if (panel->nr_lost) {
		last = &panel->lost[panel->nr_lost - 1];
		if (from <= last->to && to >= last->from) {
			last->from = from < last->from ? from : last->from;
			last->to = to > last->to ? to : last->to;
			return;
		}
	}
	list = grow(panel, panel->lost, panel->nr_lost, sizeof(*list));
	if (!list)
		return;
	panel->lost = list;
	list[panel->nr_lost++] = (struct csn_plot_span){ from, to };
}

static void free_panel(struct csn_plot_panel *panel)
{
	for (size_t i = 0; i < panel->nr_series; i++) {
		free(panel->series[i].point);
		free(panel->series[i].name);
	}
	free(panel->series);
	free(panel->lost);
}

/**
 * csn_plot_free() - let go of what was added
 * @plot: the plot.
 */
void csn_plot_free(struct csn_plot *plot)
{
	for (size_t i = 0; i < CSN_PLOT_MAX_PANELS; i++)
		free_panel(&plot->panel[i]);
}

/**
 * csn_plot_name_kernel() - say that data are from this kernel
 * @source: where to.
 */
void csn_plot_name_kernel(char source[CSN_PLOT_SOURCE])
{
	struct utsname kernel;

	if (uname(&kernel))
		*source = '\0';
	else
		snprintf(source, CSN_PLOT_SOURCE, "%s %s %s", kernel.sysname,
			 kernel.release, kernel.machine);
}

/**
 * csn_plot_name_recording() - say of which kernel and when data were recorded
 * @source: where to.
 * @kernel: which; of zeroes, the recording does not say.
 * @wall: when, CLOCK_REALTIME, ns.
 */
void csn_plot_name_recording(char source[CSN_PLOT_SOURCE],
			     const struct csn_record_kernel *kernel, __u64 wall)
{
	time_t seconds = wall / 1000000000;
	int length = 0;
	struct tm date;

	*source = '\0';
	if (*kernel->release)
		length = snprintf(source, CSN_PLOT_SOURCE, "Linux %.*s, ",
				  CSN_RELEASE_LEN, kernel->release);
	if (gmtime_r(&seconds, &date))
		strftime(source + length, CSN_PLOT_SOURCE - length,
			 "recorded %Y-%m-%d %H:%M:%S UTC", &date);
}

/* A word as a shell takes it. */
static void put_word(FILE *out, const char *word)
{
	const char *at = word;

	while (isalnum((unsigned char)*at) || (*at && strchr("_-./:,+=%", *at)))
		at++;
	if (at > word && !*at) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

/**
 * csn_plot_command() - the command line as a shell takes it
 * @argc: as main() has it.
 * @argv: as main() has it, before csn_args_parse() had it.
 *
 * Return: the text, to be freed; NULL: no memory.
 */
char *csn_plot_command(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_word(out, csn_exit_program);
	for (int i = 1; i < argc; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
