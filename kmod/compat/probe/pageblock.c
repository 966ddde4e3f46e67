// SPDX-License-Identifier: GPL-2.0-only
/*
 * Since Linux 5.9 the bits of a pageblock lie as csn_pageblock_migratetype()
 * reads them. Where its order is a variable, modules do not have it.
 */
#include <linux/build_bug.h>
#include <linux/mmzone.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 9, 0)
#error "the bits lie the other way round"
#endif

static_assert(pageblock_order > 0);
static_assert(NR_PAGEBLOCK_BITS >= 4);

#ifdef CONFIG_SPARSEMEM
unsigned long *csn_probe(unsigned long pfn);
unsigned long *csn_probe(unsigned long pfn)
{
	return section_to_usemap(__pfn_to_section(pfn));
}
#endif
