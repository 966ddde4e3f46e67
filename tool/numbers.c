// SPDX-License-Identifier: GPL-2.0-only
/* Numbers on a command line, and what is said of those that are none. */
#include <ctype.h>
#include <stdbool.h>

#include "numbers.h"

#define PID_LIMIT	4194304			/* the kernel's own */
#define MAX_SECONDS	1000000000ULL		/* 31 years */
#define MAX_COUNT	1000000000000000ULL
#define NSEC_PER_SEC	1000000000ULL

/* Digits from *@s on, no more than @limit; *@s is moved behind them. */
static __u64 parse_digits(const char **s, __u64 limit)
{
	__u64 number = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		if (number <= limit)
			number = number * 10 + (**s - '0');
	return number;
}

/**
 * csn_numbers_pid() - read a process id
 * @value: what was given.
 * @pid: set to it.
 * @why: if there is none, set to what is wrong.
 *
 * Return: 0 or negative, as csn_option.set().
 */
int csn_numbers_pid(const char *value, __u32 *pid, const char **why)
{
	const char *s = value;
	__u64 number = parse_digits(&s, PID_LIMIT);

	if (*s || !number || number > PID_LIMIT) {
		*why = " is not a process id (1 to 4194304)";
		return -1;
	}
	*pid = number;
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

/**
 * csn_numbers_seconds() - read a time in seconds, maybe with decimals
 * @value: what was given.
 * @ns: set to it, above 0.
 * @why: if there is none, set to what is wrong.
 *
 * Return: 0 or negative, as csn_option.set().
 */
int csn_numbers_seconds(const char *value, __u64 *ns, const char **why)
{
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
	*ns = seconds * NSEC_PER_SEC + fraction;
	if (!*ns) {
		*why = " is not above 0 seconds";
		return -1;
	}
	return 0;
}

/**
 * csn_numbers_count() - read how often something is to be done
 * @value: what was given.
 * @count: set to it, above 0.
 * @why: if there is none, set to what is wrong.
 *
 * Return: 0 or negative, as csn_option.set().
 */
int csn_numbers_count(const char *value, __u64 *count, const char **why)
{
	const char *s = value;

	*count = parse_digits(&s, MAX_COUNT);
	if (*s || !*count || *count > MAX_COUNT) {
		*why = " is not a number of rows, from 1";
		return -1;
	}
	return 0;
}
