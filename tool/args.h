/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_ARGS_H
#define CSN_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What csn_args_parse() can ask its caller to do; negative: error. */
enum csn_args_action {
	CSN_ARGS_RUN		= 0,
	CSN_ARGS_HELP		= 1,
	CSN_ARGS_VERSION	= 2,
};

/**
 * struct csn_option - one option of a tool
 * @name: long name without the dashes.
 * @letter: short name, 0 if there is none.
 * @is_whole: cut short it is not taken, as that has to go on meaning another
 *	option.
 * @has_value: whether a value follows.
 * @is_operand: it is no option, but what a value without one means.
 * @set: takes the option into the tool's settings; @value is NULL if
 *	!@has_value. Returns 0 to go on, above 0 to stop with that result.
 *	Below 0 the value is bad and *@why says what would be right; it goes
 *	behind the quoted value.
 */
struct csn_option {
	const char *name;
	char letter;
	bool is_whole;
	bool has_value;
	bool is_operand;
	int (*set)(void *settings, const char *value, const char **why);
};

/**
 * struct csn_args - the command line of a tool
 * @program: its name in messages.
 * @usage: what comes before every error message.
 * @options: what it knows, in the order in which messages name them.
 * @nr_options: how many.
 * @operands: what takes the arguments that belong to no option, in their
 *	order: name and set() count.
 * @nr_operands: how many may be there.
 * @err: where errors go.
 */
struct csn_args {
	const char *program;
	const char *usage;
	const struct csn_option *options;
	size_t nr_options;
	const struct csn_option *operands;
	size_t nr_operands;
	FILE *err;
};

int csn_args_parse(const struct csn_args *args, int argc, char **argv,
		   void *settings);
int csn_args_help(void *settings, const char *value, const char **why);
int csn_args_version(void *settings, const char *value, const char **why);
int csn_args_fail(const struct csn_args *args, const char *message);

#endif
