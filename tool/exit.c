// SPDX-License-Identifier: GPL-2.0-only
/* One line on standard error, and the status that goes with it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exit.h"

static void say(const char *format, va_list args)
{
	fprintf(stderr, "%s: ", csn_exit_program);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/**
 * csn_exit_note() - tell the user something that does not end the tool
 * @format: as printf(); no newline.
 */
void csn_exit_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

/**
 * csn_exit_fail() - say why the tool ends
 * @status: what to end with.
 * @format: as printf(); no newline.
 *
 * Return: @status.
 */
enum csn_exit csn_exit_fail(enum csn_exit status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return status;
}

/**
 * csn_exit_output() - say why the output takes no more
 * @error: errno.
 *
 * Return: what to end with.
 */
enum csn_exit csn_exit_output(int error)
{
	if (error == EPIPE)
		return CSN_EXIT_PIPE;
	return csn_exit_fail(CSN_EXIT_ERROR, "cannot write: %s", strerror(error));
}

/**
 * csn_exit_print() - print what was asked for, and nothing else
 * @text: the help, or the version.
 *
 * Return: what to end with.
 */
enum csn_exit csn_exit_print(const char *text)
{
	if (fputs(text, stdout) < 0 || fflush(stdout))
		return csn_exit_output(errno);
	return CSN_EXIT_OK;
}
