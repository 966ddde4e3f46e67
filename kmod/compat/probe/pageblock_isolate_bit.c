// SPDX-License-Identifier: GPL-2.0-only
/* In 7.2 isolation is a bit beside the migratetype, in 6.12 a migratetype. */
#include <linux/mm.h>

int csn_probe(void);
int csn_probe(void)
{
	return PB_migrate_isolate;
}
