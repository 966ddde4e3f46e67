/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_PLOT_H
#define CSN_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/compactsnoop.h>
#include <linux/types.h>

#include "exit.h"

#define CSN_PLOT_MAX_PANELS	2
#define CSN_PLOT_SOURCE		256	/* bytes of what data are from */

/* What is written, by the suffix of the file; a terminal for "-". */
enum csn_plot_format {
	CSN_PLOT_SVG,
	CSN_PLOT_PNG,
	CSN_PLOT_PDF,
	CSN_PLOT_HTML,
	CSN_PLOT_TERMINAL,
};

/**
 * enum csn_plot_style - how a panel shows its series
 * @CSN_PLOT_LINES: a line each.
 * @CSN_PLOT_STACKED: areas, each upon those before it. The series have their
 *	points at the same x.
 * @CSN_PLOT_POINTS: points that nothing connects.
 */
enum csn_plot_style {
	CSN_PLOT_LINES,
	CSN_PLOT_STACKED,
	CSN_PLOT_POINTS,
};

/**
 * struct csn_plot_axis - what an axis counts
 * @title: what it is, without the unit.
 * @unit: "s", "ms"; "" if the title says it all.
 * @log: logarithmic. Zero has a place of its own, below the smallest number.
 */
struct csn_plot_axis {
	const char *title;
	const char *unit;
	bool log;
};

struct csn_plot_point {
	double x;
	double y;
	const char *note;	/* NULL: none */
};

struct csn_plot_span {
	double from;
	double to;
};

/**
 * struct csn_plot_series - one entry of the legend and what it stands for
 * @name: any text; on the heap.
 * @mark: the character that stands for it in a terminal.
 * @look: number of its colour; the same number looks the same in every plot.
 * @point: by rising x, but for CSN_PLOT_POINTS.
 * @nr: how many.
 */
struct csn_plot_series {
	char *name;
	char mark;
	unsigned int look;
	struct csn_plot_point *point;
	size_t nr;
};

/**
 * struct csn_plot_panel - one pair of axes
 * @style: how it shows its series.
 * @x: the horizontal axis; log takes numbers above 0 only.
 * @y: the vertical axis, from 0 on.
 *
 * Zeroed and these set, it is ready. private: the rest.
 */
struct csn_plot_panel {
	enum csn_plot_style style;
	struct csn_plot_axis x;
	struct csn_plot_axis y;

	/* private: */
	struct csn_plot_series *series;
	size_t nr_series;
	struct csn_plot_span *lost;
	size_t nr_lost;
	bool no_memory;
};

/**
 * struct csn_plot - a picture
 * @title: what it shows.
 * @command: the command line, see csn_plot_command().
 * @source: what the data are from; "": not known.
 * @panel: one below the other.
 * @nr_panels: 1 to CSN_PLOT_MAX_PANELS.
 *
 * Zeroed, it is ready for csn_plot_begin(); these can be set until
 * csn_plot_draw(). Texts may hold any byte. private: the rest.
 */
struct csn_plot {
	const char *title;
	const char *command;
	const char *source;
	struct csn_plot_panel panel[CSN_PLOT_MAX_PANELS];
	unsigned int nr_panels;

	/* private: */
	const char *path;
	enum csn_plot_format format;
	int fd;			/* the picture's file */
	bool created;		/* by us: it goes if there is no picture */
};

enum csn_exit csn_plot_begin(struct csn_plot *plot, const char *path);
size_t csn_plot_series(struct csn_plot_panel *panel, const char *name,
		       char mark, unsigned int look);
void csn_plot_add(struct csn_plot_panel *panel, size_t series, double x,
		  double y, const char *note);
void csn_plot_lost(struct csn_plot_panel *panel, double from, double to);
enum csn_exit csn_plot_draw(struct csn_plot *plot);
void csn_plot_end(struct csn_plot *plot);
void csn_plot_free(struct csn_plot *plot);

void csn_plot_name_kernel(char source[CSN_PLOT_SOURCE]);
void csn_plot_name_recording(char source[CSN_PLOT_SOURCE],
			     const struct csn_record_kernel *kernel, __u64 wall);
char *csn_plot_command(int argc, char **argv);

#endif
