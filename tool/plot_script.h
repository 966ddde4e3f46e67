/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_PLOT_SCRIPT_H
#define CSN_PLOT_SCRIPT_H

#include <stdio.h>

#include "plot.h"

/* Of the svg terminal: what its elements' names begin with. */
#define CSN_PLOT_SCRIPT_NAME	"csn"

/**
 * struct csn_plot_screen - the terminal that is drawn in
 * @columns: its width, characters.
 * @lines: its height.
 * @colour: whether it takes colours.
 */
struct csn_plot_screen {
	unsigned int columns;
	unsigned int lines;
	bool colour;
};

void csn_plot_script_write(FILE *out, const struct csn_plot *plot,
			   const struct csn_plot_screen *screen);
void csn_plot_script_hovers(FILE *out, const struct csn_plot *plot);

#endif
