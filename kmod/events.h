/* SPDX-License-Identifier: GPL-2.0-only */
/* Event classes by their names, as module parameters have them. */
#ifndef CSN_EVENTS_H
#define CSN_EVENTS_H

#include <linux/types.h>

int csn_events_parse(const char *parameter, const char *names, u32 *classes);
const char *csn_events_name(u32 classes);

#endif /* CSN_EVENTS_H */
