// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line, read as Python's argparse reads it, since scripts that
 * call bcc's tool rely on that. getopt_long() cannot serve: it takes "-p=1"
 * as "=1", "-p -T" as the value "-T", looks at no argument before it is its
 * turn (argparse tells an ambiguous prefix first), and words its errors in
 * its own way.
 *
 * As in argparse there are two passes: all arguments are told apart, then
 * options are taken one after the other. Both passes classify an argument by
 * the same function, so nothing has to be stored between them.
 */
#include <string.h>

#include "args.h"
#include "utf8.h"

/* What an argument looks like. */
enum kind {
	PLAIN,		/* a value, or nothing that we know */
	OPTION,		/* an option of ours */
	UNKNOWN,	/* begins like an option, but is none */
	AMBIGUOUS,	/* begins several long options */
};

/* An argument that names an option. */
struct named {
	const struct csn_option *option;
	const char *value;	/* attached to it, or NULL */
	bool is_short;
};

/* Text as Python writes it to a standard error of UTF-8. */
static void put_bytes(FILE *out, const char *s, const char *end)
{
	while (s < end) {
		const char *start = s;

		if (csn_utf8_next(&s, end) != CSN_UTF8_INVALID) {
			fwrite(start, 1, s - start, out);
			continue;
		}
		for (; start < s; start++)
			fprintf(out, "\\udc%02x", (unsigned char)*start);
	}
}

static void put_string(FILE *out, const char *s)
{
	put_bytes(out, s, s + strlen(s));
}

/* A string as Python's repr() gives it. */
static void put_quoted(FILE *out, const char *s)
{
	char quote = strchr(s, '\'') && !strchr(s, '"') ? '"' : '\'';
	const char *end = s + strlen(s);

	fputc(quote, out);
	while (s < end) {
		static const char plain[] = "\t\n\r", named[] = "tnr";
		const char *start = s, *escape = strchr(plain, *s);
		__u32 ch = csn_utf8_next(&s, end);

		if (escape)
			fprintf(out, "\\%c", named[escape - plain]);
		else if (ch < ' ' || ch == 0x7f)
			fprintf(out, "\\x%02x", ch);
		else if (ch == '\\' || ch == (unsigned char)quote)
			fprintf(out, "\\%c", ch);
		else
			put_bytes(out, start, s);
	}
	fputc(quote, out);
}

static void begin_error(const struct csn_args *args)
{
	fprintf(args->err, "%s%s: error: ", args->usage, args->program);
}

static int option_error(const struct csn_args *args,
			const struct csn_option *option, const char *before,
			const char *value, const char *after)
{
	begin_error(args);
	fputs("argument ", args->err);
	if (option->letter)
		fprintf(args->err, "-%c/", option->letter);
	fprintf(args->err, "%s%s: %s", option->is_operand ? "" : "--",
		option->name, before);
	if (value)
		put_quoted(args->err, value);
	fprintf(args->err, "%s\n", after);
	return -1;
}

static const struct csn_option *find_letter(const struct csn_args *args,
					    char letter)
{
	for (size_t i = 0; i < args->nr_options; i++)
		if (letter && args->options[i].letter == letter)
			return &args->options[i];
	return NULL;
}

/* "-5", "-0.5" and "-.5" are values: no option looks like a number. */
static bool is_negative_number(const char *s)
{
	size_t whole = strspn(s + 1, "0123456789");

	s += 1 + whole;
	if (!*s)
		return whole;
	return *s == '.' && s[1] && !s[1 + strspn(s + 1, "0123456789")];
}

/* Whether @arg, of which @length bytes are a name, can mean @option. */
static bool can_mean(const struct csn_option *option, const char *arg,
		     size_t length)
{
	return !strncmp(option->name, arg + 2, length) &&
	       (!option->is_whole || !option->name[length]);
}

static enum kind classify_other(const char *arg)
{
	return is_negative_number(arg) || strchr(arg, ' ') ? PLAIN : UNKNOWN;
}

static enum kind classify_long(const struct csn_args *args, const char *arg,
			       struct named *named)
{
	size_t length = strcspn(arg + 2, "=");
	size_t matches = 0;

	for (size_t i = 0; i < args->nr_options; i++) {
		const struct csn_option *option = &args->options[i];

		if (!can_mean(option, arg, length))
			continue;
		named->option = option;
		matches++;
		if (!option->name[length]) {
			matches = 1;
			break;
		}
	}
	if (!matches)
		return classify_other(arg);
	named->value = arg[2 + length] ? arg + 3 + length : NULL;
	named->is_short = false;
	return matches == 1 ? OPTION : AMBIGUOUS;
}

static enum kind classify(const struct csn_args *args, const char *arg,
			  struct named *named)
{
	if (arg[0] != '-' || !arg[1])
		return PLAIN;
	if (arg[1] == '-')
		return classify_long(args, arg, named);

	named->option = find_letter(args, arg[1]);
	if (!named->option)
		return classify_other(arg);
	named->is_short = true;
	named->value = !arg[2] ? NULL : arg[2] == '=' ? arg + 3 : arg + 2;
	return OPTION;
}

static int ambiguous_error(const struct csn_args *args, const char *arg)
{
	const char *separator = "";

	begin_error(args);
	fputs("ambiguous option: ", args->err);
	put_string(args->err, arg);
	fputs(" could match ", args->err);
	for (size_t i = 0; i < args->nr_options; i++) {
		const struct csn_option *option = &args->options[i];

		if (!can_mean(option, arg, strcspn(arg + 2, "=")))
			continue;
		fprintf(args->err, "%s--%s", separator, option->name);
		separator = ", ";
	}
	fputc('\n', args->err);
	return -1;
}

static int set(const struct csn_args *args, const struct csn_option *option,
	       const char *value, void *settings)
{
	const char *why;
	int result = option->set(settings, value, &why);

	return result < 0 ? option_error(args, option, "", value, why) : result;
}

/*
 * Flags that share one dash: "-TKp5". The last one may have a value. argparse
 * finds all of them before it takes the first, so errors come before actions.
 */
static int check_cluster(const struct csn_args *args, struct named named,
			 const char *next)
{
	while (named.value && !named.option->has_value) {
		const struct csn_option *more = find_letter(args, *named.value);

		if (!named.is_short || !more)
			return option_error(args, named.option,
					    "ignored explicit argument ",
					    named.value, "");
		named.option = more;
		named.value = named.value[1] ? named.value + 1 : NULL;
	}
	if (named.option->has_value && !named.value && !next)
		return option_error(args, named.option, "expected one argument",
				    NULL, "");
	return 0;
}

/*
 * Returns how many arguments were used up, negative after an error. *@stop is
 * set to what an option's set() stopped with.
 */
static int take(const struct csn_args *args, struct named named,
		const char *next, void *settings, int *stop)
{
	if (check_cluster(args, named, next))
		return -1;
	for (;;) {
		bool separate = named.option->has_value && !named.value;
		const char *value = NULL;

		if (named.option->has_value)
			value = separate ? next : named.value;
		*stop = set(args, named.option, value, settings);
		if (*stop)
			return *stop;
		if (named.option->has_value || !named.value)
			return separate ? 2 : 1;
		named.option = find_letter(args, *named.value);
		named.value = named.value[1] ? named.value + 1 : NULL;
	}
}

/**
 * csn_args_help() - set() of the option that asks for help
 * @settings: not touched.
 * @value: none.
 * @why: not set.
 *
 * Return: CSN_ARGS_HELP.
 */
int csn_args_help(void *settings, const char *value, const char **why)
{
	(void)settings;
	(void)value;
	(void)why;
	return CSN_ARGS_HELP;
}

/**
 * csn_args_version() - set() of the option that asks for the version
 * @settings: not touched.
 * @value: none.
 * @why: not set.
 *
 * Return: CSN_ARGS_VERSION.
 */
int csn_args_version(void *settings, const char *value, const char **why)
{
	(void)settings;
	(void)value;
	(void)why;
	return CSN_ARGS_VERSION;
}

/* What argparse calls unrecognized: values without an option, and the rest. */
static int unrecognized_error(const struct csn_args *args, int argc,
			      char **argv)
{
	begin_error(args);
	fputs("unrecognized arguments:", args->err);
	for (int i = 0; i < argc; i++) {
		fputc(' ', args->err);
		put_string(args->err, argv[i]);
	}
	fputc('\n', args->err);
	return -1;
}

/* Those that no operand takes stay in @argv; returns how many, or negative. */
static int take_operands(const struct csn_args *args, int nr_extras,
			 char **argv, void *settings)
{
	bool is_plain = !args->nr_operands;	/* what follows is no option */
	size_t nr_taken = 0;
	int nr_left = 0;

	for (int i = 0; i < nr_extras; i++) {
		struct named ignored;

		if (!is_plain && !strcmp(argv[i], "--")) {
			is_plain = true;
			continue;
		}
		if (nr_taken == args->nr_operands ||
		    (!is_plain && classify(args, argv[i], &ignored) != PLAIN)) {
			argv[nr_left++] = argv[i];
			continue;
		}
		if (set(args, &args->operands[nr_taken++], argv[i], settings) < 0)
			return -1;
	}
	return nr_left;
}

/**
 * csn_args_fail() - tell the user of an error in the command line as a whole
 * @args: the options and what to call the tool.
 * @message: what is wrong.
 *
 * Return: negative.
 */
int csn_args_fail(const struct csn_args *args, const char *message)
{
	begin_error(args);
	fprintf(args->err, "%s\n", message);
	return -1;
}

/**
 * csn_args_parse() - read a command line as argparse would
 * @args: the options and what to call the tool.
 * @argc: as main() has it.
 * @argv: as main() has it; what no option takes is moved to the front.
 * @settings: handed to the options' set().
 *
 * Return: 0; what an option's set() stopped with; negative after an error,
 * which has been written to @args->err.
 */
int csn_args_parse(const struct csn_args *args, int argc, char **argv,
		   void *settings)
{
	int nr_extras = 0, options_end, i;
	struct named named;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (classify(args, argv[i], &named) == AMBIGUOUS)
			return ambiguous_error(args, argv[i]);
	options_end = i;

	for (i = 1; i < options_end;) {
		const char *next = NULL;
		struct named ignored;
		int stop, used;

		if (classify(args, argv[i], &named) != OPTION) {
			argv[nr_extras++] = argv[i++];
			continue;
		}
		if (i + 1 < options_end &&
		    classify(args, argv[i + 1], &ignored) == PLAIN)
			next = argv[i + 1];
		used = take(args, named, next, settings, &stop);
		if (used < 0 || stop)
			return used;
		i += used;
	}
	while (i < argc)
		argv[nr_extras++] = argv[i++];
	nr_extras = take_operands(args, nr_extras, argv, settings);
	if (nr_extras < 0)
		return -1;
	return nr_extras ? unrecognized_error(args, nr_extras, argv) : 0;
}
