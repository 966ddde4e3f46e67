/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_PROGRESS_H
#define CSN_PROGRESS_H

#include <linux/types.h>

void csn_progress_show(__u64 done, __u64 size);
void csn_progress_clear(void);

#endif
