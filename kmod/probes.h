/* SPDX-License-Identifier: GPL-2.0-only */
/* The hooks into the kernel: which there are, which are attached. */
#ifndef CSN_PROBES_H
#define CSN_PROBES_H

#include <linux/bits.h>
#include <linux/types.h>

/* What sessions need of the probes. */
#define CSN_NEED_COMPACTION	BIT(0)
#define CSN_NEED_ZONE_STATE	BIT(1)
#define CSN_NEED_FRAGINDEX	BIT(2)
#define CSN_NEED_PAGE_ALLOC	BIT(3)
#define CSN_NEED_PAGE_FREE	BIT(4)
#define CSN_NEED_EXTFRAG	BIT(5)

int csn_probes_init(const char *without);
bool csn_probes_without(const char *name);
u32 csn_probes_features(void);
u32 csn_probes_classes(void);
u32 csn_probes_needs(u32 classes);
u32 csn_probes_flags(void);
int csn_probes_attach(u32 needs);
void csn_probes_trim(u32 needs);

#endif /* CSN_PROBES_H */
