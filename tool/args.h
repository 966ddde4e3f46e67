/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_ARGS_H
#define CSN_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct csn_option - one option of a tool
 * @name: long name without the dashes.
 * @letter: short name, 0 if there is none.
 * @has_value: whether a value follows.
 * @set: takes the option into the tool's settings; @value is NULL if
 *	!@has_value. Returns 0 to go on, above 0 to stop with that result.
 *	Below 0 the value is bad and *@why says what would be right; it goes
 *	behind the quoted value.
 */
struct csn_option {
	const char *name;
	char letter;
	bool has_value;
	int (*set)(void *settings, const char *value, const char **why);
};

/**
 * struct csn_args - the command line of a tool
 * @program: its name in messages.
 * @usage: what comes before every error message.
 * @options: what it knows, in the order in which messages name them.
 * @nr_options: how many.
 * @err: where errors go.
 */
struct csn_args {
	const char *program;
	const char *usage;
	const struct csn_option *options;
	size_t nr_options;
	FILE *err;
};

int csn_args_parse(const struct csn_args *args, int argc, char **argv,
		   void *settings);

#endif
