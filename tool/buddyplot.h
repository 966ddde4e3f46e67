/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_BUDDYPLOT_H
#define CSN_BUDDYPLOT_H

#include "exit.h"
#include "plot.h"
#include "rows.h"

/**
 * struct csn_buddyplot - intervals on their way to a picture
 * @plot: begun.
 * @is_stacked: areas upon each other, not lines.
 * @is_log: the vertical axis is logarithmic.
 * @rows: how the intervals would be printed: names, orders, what is counted.
 *
 * Zeroed and these set, it is ready. private: the rest.
 */
struct csn_buddyplot {
	struct csn_plot plot;
	bool is_stacked;
	bool is_log;
	const struct csn_rows *rows;

	/* private: */
	struct csn_buddyplot_interval *intervals;
	size_t nr_intervals;
	struct csn_buddyplot_line *lines;
	size_t nr_lines;
};

int csn_buddyplot_add(struct csn_buddyplot *buddyplot,
		      const struct csn_interval *interval);
enum csn_exit csn_buddyplot_draw(struct csn_buddyplot *buddyplot,
				 const char *command, bool is_live);
void csn_buddyplot_end(struct csn_buddyplot *buddyplot);

#endif
