/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_UTF8_H
#define CSN_UTF8_H

#include <linux/types.h>

#define CSN_UTF8_INVALID	(~0U)

__u32 csn_utf8_next(const char **pos, const char *end);
unsigned int csn_utf8_width(__u32 ch);

#endif
