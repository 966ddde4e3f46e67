/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_PLOT_SCALE_H
#define CSN_PLOT_SCALE_H

#include "plot.h"

/**
 * struct csn_plot_scale - what an axis shows and where its numbers stand
 * @low: its beginning.
 * @high: its end.
 * @zero: of a logarithmic axis: where zero is drawn, below all other numbers;
 *	@first if nothing is zero.
 * @first: the first number that is written.
 * @step: from it to the next: added, or, of a logarithmic axis, multiplied
 *	by. 0: gnuplot chooses the numbers.
 */
struct csn_plot_scale {
	double low;
	double high;
	double zero;
	double first;
	double step;
};

struct csn_plot_scale csn_plot_scale_x(const struct csn_plot_panel *panel);
struct csn_plot_scale csn_plot_scale_y(const struct csn_plot_panel *panel);
double csn_plot_base(const struct csn_plot_panel *panel, size_t series,
		     size_t point);

#endif
