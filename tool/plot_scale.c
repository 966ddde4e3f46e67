// SPDX-License-Identifier: GPL-2.0-only
/*
 * The axes of a plot. gnuplot could find them by itself, but gives up on a
 * single point or none, on zeroes with a logarithmic axis, and writes 2.5k
 * and 2k both as "2k".
 */
#include "plot_scale.h"

#define MAX_NUMBERS	8	/* on a logarithmic axis */

/* Some five to ten numbers at round distances. */
static struct csn_plot_scale scale_linear(double high)
{
	struct csn_plot_scale scale = { .step = 1 };

	if (high <= 0)
		high = 1;
	while (scale.step * 10 <= high)
		scale.step *= 10;
	while (scale.step > high)
		scale.step /= 10;
	if (scale.step * 2 > high)
		scale.step /= 5;
	else if (scale.step * 5 > high)
		scale.step /= 2;
	while (scale.high < high)
		scale.high += scale.step;
	return scale;
}

/* @low is the smallest number above 0. */
static struct csn_plot_scale scale_log(double low, double high, bool has_zero)
{
	struct csn_plot_scale scale = { .first = 1, .step = 10 };
	int decades = 0;

	if (high <= 0) {
		low = 1;
		high = 1;
	}
	while (scale.first > low)
		scale.first /= 10;
	while (scale.first * 10 <= low)
		scale.first *= 10;
	for (double at = scale.first; at < high; at *= 10)
		if (++decades % MAX_NUMBERS == 0)
			scale.step *= 10;
	scale.zero = has_zero ? scale.first / 2 : scale.first;
	scale.low = scale.zero;
	scale.high = high * 1.3;
	return scale;
}

/**
 * csn_plot_base() - where a point's height is measured from
 * @panel: the panel.
 * @series: number of the series.
 * @point: number of the point.
 *
 * Return: what the series before it have there, if the panel is stacked.
 */
double csn_plot_base(const struct csn_plot_panel *panel, size_t series,
		     size_t point)
{
	double base = 0;

	if (panel->style != CSN_PLOT_STACKED)
		return 0;
	while (series--)
		if (point < panel->series[series].nr)
			base += panel->series[series].point[point].y;
	return base;
}

/**
 * csn_plot_scale_y() - the vertical axis of a panel
 * @panel: the panel.
 *
 * Return: the axis.
 */
struct csn_plot_scale csn_plot_scale_y(const struct csn_plot_panel *panel)
{
	double low = 0, high = 0;
	bool has_zero = false;

	for (size_t i = 0; i < panel->nr_series; i++) {
		for (size_t j = 0; j < panel->series[i].nr; j++) {
			double y = panel->series[i].point[j].y;
			double top = csn_plot_base(panel, i, j) + y;

			if (y <= 0)
				has_zero = true;
			else if (!low || y < low)
				low = y;
			if (top > high)
				high = top;
		}
	}
	return panel->y.log ? scale_log(low, high, has_zero) :
			      scale_linear(high);
}

/* From @low to @high at least; empty while @low is above @high. */
static void widen(struct csn_plot_span *all, double from, double to)
{
	bool is_empty = all->from > all->to;

	if (is_empty || from < all->from)
		all->from = from;
	if (is_empty || to > all->to)
		all->to = to;
}

/**
 * csn_plot_scale_x() - the horizontal axis of a panel
 * @panel: the panel.
 *
 * Return: the axis.
 */
struct csn_plot_scale csn_plot_scale_x(const struct csn_plot_panel *panel)
{
	struct csn_plot_span all = { .from = 1, .to = 0 };
	struct csn_plot_scale scale;
	double pad = 0;

	for (size_t i = 0; i < panel->nr_series; i++)
		for (size_t j = 0; j < panel->series[i].nr; j++)
			widen(&all, panel->series[i].point[j].x,
			      panel->series[i].point[j].x);
	for (size_t i = 0; i < panel->nr_lost; i++)
		widen(&all, panel->lost[i].from, panel->lost[i].to);
	if (all.from > all.to)
		widen(&all, panel->x.log ? 1 : 0, panel->x.log ? 10 : 1);

	if (panel->x.log) {
		if (all.from == all.to)
			widen(&all, all.from / 2, all.to * 2);
		scale = scale_log(all.from, all.to, false);
		scale.low = all.from;
		scale.high = all.to;
		return scale;
	}
	if (all.from == all.to)
		pad = 1;
	else if (panel->style == CSN_PLOT_POINTS)
		pad = (all.to - all.from) / 100;
	return (struct csn_plot_scale){
		.low = all.from - pad,
		.high = all.to + pad,
	};
}
