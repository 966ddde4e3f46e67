// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an event in trace text begins: in the kernel's trace and trace_pipe
 * files, in trace-cmd report or in perf script, of any age, with any option.
 *
 *	    web worker 3-20417 [002] d.s1.  812.004512: mm_page_alloc: order=3
 *	|---- task -----|-pid (tgid) [cpu] flags  time: event: key=value...
 *
 * Columns move between versions and with options, and a task may be named
 * like any part of such a line ("a [001] 1-2"). A name has 15 bytes at most,
 * so the pid is the last place near the start of the line from where on the
 * rest reads as above. What comes behind the event's name is the kernel's.
 */
#include "traceprefix.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000
#define COMM_MAX	15	/* bytes of a task's name */
/* perf has a blank between, and pads the pid to five places. */
#define PERF_PID_MAX	(COMM_MAX + 1 + 5)
/*
 * How far the pid can be if the task has a longer name (perf knows kernel
 * threads by up to 63 bytes), or a file name precedes it (trace-cmd report of
 * several).
 */
#define PREFIX_MAX	160

/* "812.004512:", or with more or fewer decimals. */
static bool take_seconds(struct cursor *cursor, __u64 *ts)
{
	__u64 seconds = 0, ns = 0, unit = NSEC_PER_SEC;

	if (!take_decimal(cursor, &seconds) ||
	    seconds >= ~0ULL / NSEC_PER_SEC || !take_char(cursor, '.'))
		return false;
	while (cursor->at < cursor->end && is_digit(*cursor->at)) {
		unit /= 10;
		if (!unit)
			return false;
		ns += unit * (*cursor->at++ - '0');
	}
	*ts = seconds * NSEC_PER_SEC + ns;
	return unit < NSEC_PER_SEC && take_char(cursor, ':');
}

/* "  1234us+: ", the kernel's latency format: since the trace began. */
static bool take_latency(struct cursor *cursor, __u64 *ts)
{
	__u64 us;

	if (!take_decimal(cursor, &us) || us >= ~0ULL / NSEC_PER_USEC ||
	    !TAKE(cursor, "us"))
		return false;
	*ts = us * NSEC_PER_USEC;
	/* How long it was to the next event. */
	if (cursor->at < cursor->end && *cursor->at != ':')
		cursor->at++;
	return take_char(cursor, ':');
}

/* The same with the option verbose: "[00000cb7f0af2a] 12.345ms (+0.001ms): " */
static bool take_verbose_latency(struct cursor *cursor, __u64 *ts)
{
	__u64 ignored, ms, us;

	if (!take_char(cursor, '[') || !take_hex(cursor, &ignored) ||
	    !TAKE(cursor, "] ") || !take_decimal(cursor, &ms) ||
	    !take_char(cursor, '.') || !take_decimal(cursor, &us) ||
	    !TAKE(cursor, "ms (+"))
		return false;
	*ts = (ms * 1000 + us) * NSEC_PER_USEC;
	skip_to(cursor, ')');
	return TAKE(cursor, "):");
}

static bool take_time(struct cursor *cursor, __u64 *ts)
{
	struct cursor start = *cursor;

	if (take_seconds(cursor, ts))
		return true;
	*cursor = start;
	if (take_latency(cursor, ts))
		return true;
	*cursor = start;
	return take_verbose_latency(cursor, ts);
}

/* "(20400)" or "(-------)": the process, known or not. */
static bool take_tgid(struct cursor *cursor, struct csn_traceline *line)
{
	__u64 tgid;

	if (!take_char(cursor, '('))
		return true;
	skip_blanks(cursor);
	if (at_digit(cursor)) {
		if (!take_decimal(cursor, &tgid))
			return false;
		line->pid = tgid;
	} else {
		while (take_char(cursor, '-'))
			;
	}
	return take_char(cursor, ')');
}

static bool take_cpu(struct cursor *cursor, struct csn_traceline *line)
{
	__u64 cpu;

	if (!take_char(cursor, '['))
		return true;
	if (!take_decimal(cursor, &cpu) || cpu > CSN_TRACELINE_MAX_CPU)
		return false;
	line->cpu = cpu;
	return take_char(cursor, ']');
}

/*
 * "d.s1.", or with the CPU in front of it, as the latency format has it
 * ("2d.s1."). Digits alone are none: they would be perf's pid behind a task
 * whose name ends as if a pid were in it.
 */
static bool take_flags(struct cursor *cursor, struct csn_traceline *line)
{
	const char *start = cursor->at;
	__u64 cpu;

	if (at_digit(cursor)) {
		if (line->cpu >= 0 || !take_decimal(cursor, &cpu) ||
		    cpu > CSN_TRACELINE_MAX_CPU || at_boundary(cursor))
			return false;
		line->cpu = cpu;
	}
	while (!at_boundary(cursor)) {
		char c = *cursor->at++;

		if (c != '.' && c != '#' && !is_digit(c) &&
		    ((c | 0x20) < 'a' || (c | 0x20) > 'z'))
			return false;
	}
	return cursor->at > start && cursor->at - start <= 16;
}

/* From behind the "-" on, up to what follows the time. */
static bool take_prefix(struct cursor *cursor, struct csn_traceline *line)
{
	struct cursor start;
	__u64 pid;

	line->cpu = -1;
	if (!take_decimal(cursor, &pid) || pid > ~0U || !at_boundary(cursor))
		return false;
	line->pid = pid;
	skip_blanks(cursor);
	if (!take_tgid(cursor, line))
		return false;
	skip_blanks(cursor);
	if (!take_cpu(cursor, line))
		return false;
	skip_blanks(cursor);
	start = *cursor;
	if (take_time(cursor, &line->ts))
		return true;
	*cursor = start;
	if (!take_flags(cursor, line))
		return false;
	skip_blanks(cursor);
	return take_time(cursor, &line->ts);
}

/* The kernel's latency format with verbose: "bash   132   1 0 00000001 [..." */
static bool take_verbose_prefix(struct cursor *cursor,
				struct csn_traceline *line)
{
	__u64 cpu, hex;

	skip_blanks(cursor);
	if (!take_decimal(cursor, &cpu) || cpu > CSN_TRACELINE_MAX_CPU || !at_boundary(cursor))
		return false;
	line->cpu = cpu;
	for (int i = 0; i < 3; i++) {
		skip_blanks(cursor);
		if (!take_hex(cursor, &hex) || !at_boundary(cursor))
			return false;
	}
	skip_blanks(cursor);
	return take_verbose_latency(cursor, &line->ts);
}

/* perf: "20417 [002]   812.004512: ", or "20400/20417", without a CPU too. */
static bool take_perf_prefix(struct cursor *cursor, struct csn_traceline *line)
{
	struct cursor start;
	__u64 pid, tid;

	line->cpu = -1;
	if (!take_decimal(cursor, &pid) || pid > ~0U)
		return false;
	line->pid = pid;
	if (take_char(cursor, '/') && !take_decimal(cursor, &tid))
		return false;
	if (!at_boundary(cursor))
		return false;
	start = *cursor;
	if (take_verbose_prefix(cursor, line))
		return true;
	*cursor = start;
	line->cpu = -1;
	skip_blanks(cursor);
	if (!take_cpu(cursor, line))
		return false;
	skip_blanks(cursor);
	return take_seconds(cursor, &line->ts);
}

typedef bool (*take_function)(struct cursor *cursor, struct csn_traceline *line);

/* Whether the task ends right before @at. */
static bool is_pid_at(const struct cursor *line, const char *at,
		      take_function take, struct csn_traceline *parsed,
		      struct cursor *rest)
{
	rest->at = at + 1;
	rest->end = line->end;
	return at_digit(rest) && take(rest, parsed);
}

/* How many places there are to look at, no more than @limit. */
static size_t nr_places(const struct cursor *line, size_t limit)
{
	size_t size = line->end - line->at;

	return size < limit ? size : limit;
}

/*
 * The last place where a task can end that is named as the kernel allows, NULL
 * if there is none. With @is_padded there is a blank before the line: a task
 * named by blanks alone ends with it.
 */
static const char *find_last(const struct cursor *line, bool is_padded,
			     struct csn_traceline *parsed, struct cursor *rest)
{
	struct csn_traceline other;
	const char *at, *found = NULL;
	struct cursor behind;

	for (at = line->at + nr_places(line, COMM_MAX + 1); at-- > line->at;)
		if (*at == '-' && is_pid_at(line, at, take_prefix, parsed, rest)) {
			found = at;
			break;
		}
	/* perf's, unless the kernel's comes later. */
	for (at = line->at + nr_places(line, PERF_PID_MAX + 1);
	     at-- > (found ?: line->at - is_padded);)
		if (*at == ' ' && is_pid_at(line, at, take_perf_prefix, &other, &behind)) {
			*parsed = other;
			*rest = behind;
			return at;
		}
	return found;
}

/* The first place where a task with a longer name can end. */
static const char *find_first(const struct cursor *line,
			      struct csn_traceline *parsed, struct cursor *rest)
{
	const char *end = line->at + nr_places(line, PREFIX_MAX);

	for (const char *at = line->at; at < end; at++)
		if ((*at == '-' && is_pid_at(line, at, take_prefix, parsed, rest)) ||
		    (*at == ' ' && is_pid_at(line, at, take_perf_prefix, parsed, rest)))
			return at;
	return NULL;
}

/**
 * csn_traceprefix_take() - take everything before an event's name
 * @cursor: the line; moved up to what follows the time.
 * @line: the task, its pid, CPU and time are filled in.
 *
 * Return: whether there is an event.
 */
bool csn_traceprefix_take(struct cursor *cursor, struct csn_traceline *line)
{
	const char *start = cursor->at, *at;
	struct cursor rest;

	skip_blanks(cursor);
	at = find_last(cursor, cursor->at > start, line, &rest) ?:
	     find_first(cursor, line, &rest);
	if (!at)
		return false;
	while (*at == ' ' && at > cursor->at && is_blank(at[-1]))
		at--;
	line->comm = cursor->at;
	line->comm_length = at > cursor->at ? at - cursor->at : 0;
	*cursor = rest;
	return true;
}
