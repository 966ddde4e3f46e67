// SPDX-License-Identifier: GPL-2.0-only
/*
 * buddystat: count page allocations by order over time: of this kernel, from
 * boot on, of a recording, or of trace text.
 */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "buddy.h"

const char *csn_exit_program = "buddystat";

/* Large for a small machine's stack: it has a queue in it. */
static struct csn_buddy buddy;
static char *command;	/* the command line */

static enum csn_exit run_live(const struct csn_buddysettings *settings)
{
	struct csn_device device;
	enum csn_exit status = csn_device_open(&device);

	if (status)
		return status;
	if (settings->record)
		status = csn_buddy_record(&buddy, &device);
	else if (settings->boot)
		status = csn_buddy_boot(&buddy, &device);
	else if (settings->by & CSN_BY_TASK)
		status = csn_buddy_trace(&buddy, &device);
	else
		status = csn_buddy_count(&buddy, &device);
	csn_device_close(&device);
	return status;
}

int main(int argc, char **argv)
{
	struct csn_buddysettings settings;
	enum csn_exit status;
	int action;

	/* Parsing moves the arguments. */
	command = csn_plot_command(argc, argv);
	if (!command)
		return csn_exit_fail(CSN_EXIT_MEMORY, "out of memory");
	action = csn_buddysettings_parse(&settings, argc, argv, stderr);
	if (!csn_command_begin(action, csn_buddysettings_help, "buddystat " CSN_VERSION "\n",
			       &status))
		return status;

	csn_buddy_init(&buddy, &settings);
	if (settings.plot) {
		status = csn_plot_begin(&buddy.buddyplot.plot, settings.plot);
		if (status)
			return status;
	}
	status = settings.input ? csn_buddy_input(&buddy) : run_live(&settings);
	/* What has come is drawn, however it ended. */
	if (settings.plot && (!status || buddy.printed)) {
		enum csn_exit drawn = csn_buddyplot_draw(&buddy.buddyplot, command,
							 !settings.input);

		status = status ? status : drawn;
	}
	csn_buddyplot_end(&buddy.buddyplot);
	csn_series_free(&buddy.series);
	free(command);
	return status;
}
