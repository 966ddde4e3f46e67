// SPDX-License-Identifier: GPL-2.0-only
/* The options of buddystat, in the shape of compactsnoop's. */
#include <string.h>

#include "args.h"
#include "buddysettings.h"
#include "numbers.h"
#include "tally.h"

#define NSEC_PER_SEC	1000000000ULL

#define USAGE \
"usage: buddystat [-h] [-T] [-n] [-p PID] [--comm NAME] [--by {comm,pid}]\n" \
"                 [--free] [--migratetype] [--zone] [--node] [--cumulative]\n" \
"                 [--csv] [--json] [--plot FILE] [--stacked] [--log]\n" \
"                 [-i FILE] [--boot] [--version] [interval] [count]\n" \
"       buddystat [-p PID] [--comm NAME] [--free] record FILE\n"

const char csn_buddysettings_help[] = USAGE
"\n"
"Count page allocations by order, interval by interval\n"
"\n"
"positional arguments:\n"
"  interval              seconds a row, 1 if not given\n"
"  count                 end after so many rows\n"
"  record FILE           keep each event in FILE instead, for -i; - is standard\n"
"                        output\n"
"\n"
"options:\n"
"  -h, --help            show this help message and exit\n"
"  --version             show the version and exit\n"
"\n"
"what is counted:\n"
"  -p PID, --pid PID     allocations of this process only\n"
"  --comm NAME           allocations of threads of this name only\n"
"  --by {comm,pid}       a row each for the 10 names or processes that allocate\n"
"                        the most in the interval\n"
"  --free                a row of frees, too\n"
"  --migratetype         a row each for unmovable, movable, ...\n"
"  --zone                a row a zone\n"
"  --node                a row a NUMA node\n"
"  --cumulative          count on from row to row\n"
"\n"
"how it is shown:\n"
"  -T, --timestamp       include timestamp on output\n"
"  -n, --one-header      show the header once only\n"
"  --csv                 as comma-separated values\n"
"  --json                as JSON, one object a line\n"
"  --plot FILE           as a picture, a line an order over time: a .svg, .png,\n"
"                        .pdf or .html; - is the terminal; with gnuplot\n"
"  --stacked             of a picture: areas, one upon the other\n"
"  --log                 of a picture: counts on a logarithmic axis\n"
"\n"
"where it comes from, if not from this kernel now:\n"
"  -i FILE, --input FILE\n"
"                        a recording, or the text of ftrace's trace or\n"
"                        trace_pipe, of trace-cmd report or of perf script;\n"
"                        - is standard input\n"
"  --boot                what was captured from boot on; with an interval go on\n"
"                        with what happens now\n"
"\n"
"examples:\n"
"    ./buddystat             # a row a second\n"
"    ./buddystat 5 12        # a minute in rows of 5 seconds\n"
"    ./buddystat --by comm   # who allocates\n"
"    ./buddystat --boot      # from boot on\n"
"    ./buddystat --plot pages.html 1 60\n"
"    trace-cmd report | ./buddystat -i -\n";

#define FLAG(name, field, value)					\
static int set_##name(void *to, const char *ignored, const char **why)	\
{									\
	struct csn_buddysettings *settings = to;			\
									\
	(void)ignored;							\
	(void)why;							\
	(field) |= (value);						\
	return 0;							\
}

FLAG(timestamp, settings->timestamp, true)
FLAG(one_header, settings->one_header, true)
FLAG(free, settings->free, true)
FLAG(migratetype, settings->by, CSN_BY_MIGRATETYPE)
FLAG(zone, settings->by, CSN_BY_ZONE)
FLAG(node, settings->by, CSN_BY_NODE)
FLAG(cumulative, settings->cumulative, true)
FLAG(csv, settings->format, CSN_ROWS_CSV)
FLAG(json, settings->format, CSN_ROWS_JSON)
FLAG(stacked, settings->stacked, true)
FLAG(log, settings->log, true)
FLAG(boot, settings->boot, true)

static int set_pid(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	return csn_numbers_pid(value, &settings->pid, why);
}

static int set_comm(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;
	size_t length = strlen(value);

	if (length >= sizeof(settings->comm)) {
		*why = " is longer than the 15 bytes that a thread's name has";
		return -1;
	}
	memset(settings->comm, 0, sizeof(settings->comm));
	memcpy(settings->comm, value, length);
	settings->has_comm = true;
	return 0;
}

static int set_by(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	settings->by &= ~CSN_BY_TASK;
	if (!strcmp(value, "comm")) {
		settings->by |= CSN_BY_COMM;
	} else if (!strcmp(value, "pid")) {
		settings->by |= CSN_BY_PID;
	} else {
		*why = " is neither comm nor pid";
		return -1;
	}
	return 0;
}

static int set_input(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	(void)why;
	settings->input = value;
	return 0;
}

static int set_plot(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	(void)why;
	settings->plot = value;
	return 0;
}

/* The first operand; what the second one is depends on it. */
static int set_interval(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	if (!strcmp(value, "record")) {
		settings->record = "";
		return 0;
	}
	settings->has_interval = true;
	return csn_numbers_seconds(value, &settings->interval, why);
}

static int set_count(void *to, const char *value, const char **why)
{
	struct csn_buddysettings *settings = to;

	if (!settings->record)
		return csn_numbers_count(value, &settings->count, why);
	settings->record = value;
	return 0;
}

static const struct csn_option options[] = {
	{ .name = "help", .letter = 'h', .set = csn_args_help },
	{ .name = "version", .set = csn_args_version },
	{ .name = "pid", .letter = 'p', .has_value = true, .set = set_pid },
	{ .name = "comm", .has_value = true, .set = set_comm },
	{ .name = "by", .has_value = true, .set = set_by },
	{ .name = "free", .set = set_free },
	{ .name = "migratetype", .set = set_migratetype },
	{ .name = "zone", .set = set_zone },
	{ .name = "node", .set = set_node },
	{ .name = "cumulative", .set = set_cumulative },
	{ .name = "timestamp", .letter = 'T', .set = set_timestamp },
	{ .name = "one-header", .letter = 'n', .set = set_one_header },
	{ .name = "csv", .set = set_csv },
	{ .name = "json", .set = set_json },
	{ .name = "plot", .has_value = true, .set = set_plot },
	{ .name = "stacked", .set = set_stacked },
	{ .name = "log", .set = set_log },
	{ .name = "input", .letter = 'i', .has_value = true, .set = set_input },
	{ .name = "boot", .set = set_boot },
};

static const struct csn_option operands[] = {
	{ .name = "interval", .is_operand = true, .set = set_interval },
	{ .name = "count", .is_operand = true, .set = set_count },
};

/* What each option by itself cannot see; NULL: nothing is wrong. */
static const char *check(const struct csn_buddysettings *settings)
{
	if (settings->format == (CSN_ROWS_CSV | CSN_ROWS_JSON))
		return "argument --json: not allowed with argument --csv";
	if ((settings->stacked || settings->log) && !settings->plot)
		return "arguments --stacked and --log: only with argument --plot";
	if (settings->stacked && settings->log)
		return "argument --log: not allowed with argument --stacked: areas show sums";
	if (settings->plot && (settings->format || settings->timestamp ||
			       settings->one_header))
		return "argument --plot: not allowed with -T, -n, --csv and --json: no rows";
	if (settings->boot && settings->input)
		return "argument --boot: not allowed with argument -i/--input";
	if (!settings->record)
		return NULL;
	if (!*settings->record)
		return "the following arguments are required: FILE";
	if (settings->input || settings->boot || settings->by ||
	    settings->cumulative || settings->format || settings->timestamp ||
	    settings->one_header || settings->plot)
		return "record takes -p, --comm and --free only: the others apply to -i FILE";
	return NULL;
}

/**
 * csn_buddysettings_parse() - read buddystat's command line
 * @settings: filled in.
 * @argc: as main() has it.
 * @argv: as main() has it; may be reordered.
 * @err: where usage errors go.
 *
 * Return: enum csn_args_action, or negative after a usage error.
 */
int csn_buddysettings_parse(struct csn_buddysettings *settings, int argc,
			    char **argv, FILE *err)
{
	const struct csn_args args = {
		.program = "buddystat",
		.usage = USAGE,
		.options = options,
		.nr_options = sizeof(options) / sizeof(*options),
		.operands = operands,
		.nr_operands = sizeof(operands) / sizeof(*operands),
		.err = err,
	};
	const char *wrong;
	int action;

	memset(settings, 0, sizeof(*settings));
	settings->interval = NSEC_PER_SEC;
	action = csn_args_parse(&args, argc, argv, settings);
	if (action)
		return action;
	wrong = check(settings);
	return wrong ? csn_args_fail(&args, wrong) : 0;
}
