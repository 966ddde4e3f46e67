// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws what standard input says, by the tools' own tool/plot*.c:
 * draw FILE STYLE AXES TITLE COMMAND SOURCE
 *
 * STYLE is lines, stacked or points; AXES has an x for a logarithmic
 * horizontal axis, a y for a vertical one. Lines of input, separated by tabs:
 *	series NAME MARK
 *	point SERIES X Y [NOTE]
 *	lost FROM TO
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

const char *csn_exit_program = "draw";

static char *field(char **line)
{
	return strsep(line, "\t\n");
}

static void read_line(struct csn_plot_panel *panel, char *line)
{
	const char *command = field(&line);
	const char *first = field(&line), *second = field(&line);
	const char *third = field(&line), *note;

	if (!strcmp(command, "series")) {
		csn_plot_series(panel, first, *second, panel->nr_series);
	} else if (!strcmp(command, "point")) {
		note = field(&line);
		csn_plot_add(panel, atoi(first), atof(second), atof(third),
			     note && *note ? strdup(note) : NULL);
	} else if (!strcmp(command, "lost")) {
		csn_plot_lost(panel, atof(first), atof(second));
	}
}

int main(int argc, char **argv)
{
	static const char * const styles[] = { "lines", "stacked", "points" };
	struct csn_plot plot = { .nr_panels = 1 };
	struct csn_plot_panel *panel = &plot.panel[0];
	enum csn_exit status;
	char *line = NULL;
	size_t room = 0;

	if (argc != 7)
		return CSN_EXIT_USAGE;
	while (strcmp(styles[panel->style], argv[2]))
		panel->style++;
	panel->x = (struct csn_plot_axis){ "Time", "s", strchr(argv[3], 'x') };
	panel->y = (struct csn_plot_axis){ "Pages", "", strchr(argv[3], 'y') };
	plot.title = argv[4];
	plot.command = argv[5];
	plot.source = argv[6];

	status = csn_plot_begin(&plot, argv[1]);
	if (!status) {
		while (getline(&line, &room, stdin) >= 0)
			read_line(panel, line);
		status = csn_plot_draw(&plot);
	}
	csn_plot_end(&plot);
	free(line);
	return status;
}
