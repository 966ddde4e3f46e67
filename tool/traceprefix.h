/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_TRACEPREFIX_H
#define CSN_TRACEPREFIX_H

#include "cursor.h"
#include "traceline.h"

bool csn_traceprefix_take(struct cursor *cursor, struct csn_traceline *line);

#endif
