// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of compactsnoop. Those of bcc's tool read as argparse prints
 * them for it, in a terminal of 80 columns; tests/format holds the two
 * against each other.
 */
#include <ctype.h>
#include <string.h>

#include "args.h"
#include "settings.h"

#define PID_LIMIT	4194304			/* the kernel's own */
#define MAX_SECONDS	1000000000ULL		/* 31 years */
#define NSEC_PER_SEC	1000000000ULL

#define USAGE \
"usage: compactsnoop [-h] [-T] [-p PID] [-d DURATION] [-K] [-e] [-i FILE]\n" \
"                    [--version]\n"

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
"about:\n"
"  --version             show the version and exit\n"
"\n"
"examples:\n"
"    ./compactsnoop          # trace all compact stall\n"
"    ./compactsnoop -T       # include timestamps\n"
"    ./compactsnoop -d 10    # trace for 10 seconds only\n"
"    ./compactsnoop -K       # output kernel stack trace\n"
"    ./compactsnoop -e       # show extended fields\n";

static int set_help(void *settings, const char *value, const char **why)
{
	(void)settings;
	(void)value;
	(void)why;
	return CSN_SETTINGS_HELP;
}

static int set_version(void *settings, const char *value, const char **why)
{
	(void)settings;
	(void)value;
	(void)why;
	return CSN_SETTINGS_VERSION;
}

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

/* Digits from *@s on, no more than @limit; *@s is moved behind them. */
static __u64 parse_digits(const char **s, __u64 limit)
{
	__u64 number = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		if (number <= limit)
			number = number * 10 + (**s - '0');
	return number;
}

static int set_pid(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;
	const char *s = value;
	__u64 pid = parse_digits(&s, PID_LIMIT);

	if (*s || !pid || pid > PID_LIMIT) {
		*why = " is not a process id (1 to 4194304)";
		return -1;
	}
	settings->pid = pid;
	return 0;
}

/* Nanoseconds behind a decimal point; finer digits are left out. */
static __u64 parse_fraction(const char **s)
{
	__u64 ns = 0, unit = NSEC_PER_SEC / 10;

	for (; **s >= '0' && **s <= '9'; ++*s, unit /= 10)
		ns += (**s - '0') * unit;
	return ns;
}

static int set_duration(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;
	const char *s = value;
	bool digits = isdigit((unsigned char)*s);
	__u64 seconds = parse_digits(&s, MAX_SECONDS), fraction = 0;

	if (*s == '.') {
		s++;
		digits |= isdigit((unsigned char)*s);
		fraction = parse_fraction(&s);
	}
	if (*s || !digits) {
		*why = " is not a number of seconds, such as 0.5";
		return -1;
	}
	if (seconds > MAX_SECONDS || (seconds == MAX_SECONDS && fraction)) {
		*why = " is above 1000000000 seconds";
		return -1;
	}
	settings->duration = seconds * NSEC_PER_SEC + fraction;
	if (!settings->duration) {
		*why = " is not above 0 seconds";
		return -1;
	}
	return 0;
}

static int set_input(void *to, const char *value, const char **why)
{
	struct csn_settings *settings = to;

	(void)why;
	settings->input = value;
	return 0;
}

static const struct csn_option options[] = {
	{ .name = "help", .letter = 'h', .set = set_help },
	{ .name = "timestamp", .letter = 'T', .set = set_timestamp },
	{ .name = "pid", .letter = 'p', .has_value = true, .set = set_pid },
	{ .name = "duration", .letter = 'd', .has_value = true, .set = set_duration },
	{ .name = "kernel-stack", .letter = 'K', .set = set_stack },
	{ .name = "extended_fields", .letter = 'e', .set = set_extended },
	{ .name = "input", .letter = 'i', .has_value = true, .set = set_input },
	{ .name = "version", .set = set_version },
};

/**
 * csn_settings_parse() - read compactsnoop's command line
 * @settings: filled in.
 * @argc: as main() has it.
 * @argv: as main() has it; may be reordered.
 * @err: where usage errors go.
 *
 * Return: enum csn_settings_action, or negative after a usage error.
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

	memset(settings, 0, sizeof(*settings));
	return csn_args_parse(&args, argc, argv, settings);
}
