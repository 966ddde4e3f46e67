// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of compactsnoop. Those of bcc's tool read as argparse prints
 * them for it, in a terminal of 80 columns; tests/format holds the two
 * against each other.
 */
#include <string.h>

#include "args.h"
#include "numbers.h"
#include "settings.h"

#define USAGE \
"usage: compactsnoop [-h] [-T] [-p PID] [-d DURATION] [-K] [-e] [-i FILE]\n" \
"                    [--plot FILE] [--version]\n"

const char csn_settings_help[] = USAGE
"\n"
"Trace compact zone\n"
"\n"
"options:\n"
"  -h, --help            show this help message and exit\n"
"  -T, --timestamp       include timestamp on output\n"
"  -p PID, --pid PID     trace this PID only\n"
"  -d DURATION, --duration DURATION\n"
"                        total duration of trace in seconds\n"
"  -K, --kernel-stack    output kernel stack trace\n"
"  -e, --extended_fields\n"
"                        show system memory state\n"
"\n"
"recordings:\n"
"  cat /dev/compactsnoop > FILE records; the options above apply to it\n"
"\n"
"  -i FILE, --input FILE\n"
"                        print a recording; - is standard input\n"
"\n"
"plots:\n"
"  latency over time and its distribution, in place of the rows; with gnuplot\n"
"\n"
"  --plot FILE           draw to a .svg, .png, .pdf or .html; - is the terminal\n"
"\n"
"about:\n"
"  --version             show the version and exit\n"
"\n"
"examples:\n"
"    ./compactsnoop          # trace all compact stall\n"
"    ./compactsnoop -T       # include timestamps\n"
"    ./compactsnoop -d 10    # trace for 10 seconds only\n"
"    ./compactsnoop -K       # output kernel stack trace\n"
"    ./compactsnoop -e       # show extended fields\n";

static int set_timestamp(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)value;
	(void)why;
	settings->timestamp = true;
	return 0;
}

static int set_stack(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)value;
	(void)why;
	settings->stack = true;
	return 0;
}

static int set_extended(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)value;
	(void)why;
	settings->extended = true;
	return 0;
}

static int set_pid(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	return csn_numbers_pid(value, &settings->pid, why);
}

static int set_duration(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	return csn_numbers_seconds(value, &settings->duration, why);
}

static int set_input(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)why;
	settings->input = value;
	return 0;
}

static int set_plot(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)why;
	settings->plot = value;
	return 0;
}

static const struct csn_option options[] = {
	{ .name = "help", .letter = 'h', .set = csn_args_help },
	{ .name = "timestamp", .letter = 'T', .set = set_timestamp },
	{ .name = "pid", .letter = 'p', .has_value = true, .set = set_pid },
	{ .name = "duration", .letter = 'd', .has_value = true, .set = set_duration },
	{ .name = "kernel-stack", .letter = 'K', .set = set_stack },
	{ .name = "extended_fields", .letter = 'e', .set = set_extended },
	{ .name = "input", .letter = 'i', .has_value = true, .set = set_input },
	/* bcc's takes --p for --pid. */
	{ .name = "plot", .is_whole = true, .has_value = true, .set = set_plot },
	{ .name = "version", .set = csn_args_version },
};

/**
 * csn_settings_parse() - read compactsnoop's command line
 * @settings: filled in.
 * @argc: as main() has it.
 * @argv: as main() has it; may be reordered.
 * @err: where usage errors go.
 *
 * Return: enum csn_args_action, or negative after a usage error.
 */
int csn_settings_parse(struct csn_settings *settings, int argc, char **argv,
		       FILE *err)
{
	const struct csn_args args = {
		.program = "compactsnoop",
		.usage = USAGE,
		.options = options,
		.nr_options = sizeof(options) / sizeof(*options),
		.err = err,
	};
	int action;

	memset(settings, 0, sizeof(*settings));
	action = csn_args_parse(&args, argc, argv, settings);
	if (!action && settings->plot &&
	    (settings->timestamp || settings->stack || settings->extended))
		return csn_args_fail(&args, "argument --plot: not allowed with -T, -K and -e, which are about rows");
	return action;
}
