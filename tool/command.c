// SPDX-License-Identifier: GPL-2.0-only
/* What every command does before its own work. */
#include <fcntl.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "wait.h"

/**
 * csn_command_begin() - get ready, and answer what is asked of the command
 * @action: what came of parsing its arguments; negative: an error, told.
 * @help: the text of --help.
 * @version: that of --version.
 * @status: set to what to end with, if this was all.
 *
 * Return: whether there is work to do.
 */
bool csn_command_begin(int action, const char *help, const char *version,
		       enum csn_exit *status)
{
	*status = CSN_EXIT_USAGE;
	if (action < 0)
		return false;
	/* Else the device could become what the rows are written to. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
		*status = csn_exit_fail(CSN_EXIT_ERROR, "standard output is closed");
		return false;
	}
	csn_wait_catch_signals();
	if (action != CSN_ARGS_HELP && action != CSN_ARGS_VERSION)
		return true;
	*status = csn_exit_print(action == CSN_ARGS_HELP ? help : version);
	return false;
}
