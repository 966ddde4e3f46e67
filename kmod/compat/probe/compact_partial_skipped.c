// SPDX-License-Identifier: GPL-2.0-only
/* 4.7: ("mm, compaction: distinguish between full and partial COMPACT_COMPLETE") */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/compaction.h>

int csn_probe(void);
int csn_probe(void)
{
	return COMPACT_PARTIAL_SKIPPED;
}
