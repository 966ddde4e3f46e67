// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.17 that a pageblock is isolated is a bit of its own. */
#include <linux/mmzone.h>

int csn_probe(void);
int csn_probe(void)
{
	return PB_migrate_isolate;
}
