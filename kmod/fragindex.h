/* SPDX-License-Identifier: GPL-2.0-only */
/* The fragmentation index that the kernel computes, taken as it returns it. */
#ifndef CSN_FRAGINDEX_H
#define CSN_FRAGINDEX_H

#include <linux/types.h>

#define CSN_FRAGINDEX_FUNCTION	"fragmentation_index"

int csn_fragindex_init(void);
int csn_fragindex_attach(void);
void csn_fragindex_detach(void);
void csn_fragindex_want_computed(bool want);
bool csn_fragindex_must_compute(bool probed);
u64 csn_fragindex_missed(void);
u64 csn_fragindex_computed(void);

#endif /* CSN_FRAGINDEX_H */
