// SPDX-License-Identifier: GPL-2.0-only
/* 4.9: ("mm, compaction: rename COMPACT_PARTIAL to COMPACT_SUCCESS") */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/compaction.h>

int csn_probe(void);
int csn_probe(void)
{
	return COMPACT_SUCCESS;
}
