/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_NUMBERS_H
#define CSN_NUMBERS_H

#include <linux/types.h>

int csn_numbers_pid(const char *value, __u32 *pid, const char **why);
int csn_numbers_seconds(const char *value, __u64 *ns, const char **why);
int csn_numbers_count(const char *value, __u64 *count, const char **why);

#endif
