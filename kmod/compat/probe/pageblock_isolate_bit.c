// SPDX-License-Identifier: GPL-2.0-only
/* 42f46ed99a44 ("mm/page_alloc: pageblock flags functions clean up") and those after it */
#include <linux/mm.h>

int csn_probe(void);
int csn_probe(void)
{
	return PB_migrate_isolate;
}
