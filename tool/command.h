/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_COMMAND_H
#define CSN_COMMAND_H

#include <stdbool.h>

#include "exit.h"

bool csn_command_begin(int action, const char *help, const char *version,
		       enum csn_exit *status);

#endif
