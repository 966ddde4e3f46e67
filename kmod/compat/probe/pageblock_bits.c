// SPDX-License-Identifier: GPL-2.0-only
/* 6.1 to 7.2 have them; an enumerator or a macro, so that #ifdef cannot ask. */
#include <linux/mm.h>

unsigned long csn_probe(struct page *page);
unsigned long csn_probe(struct page *page)
{
#ifdef CONFIG_SPARSEMEM
	return *section_to_usemap(__pfn_to_section(page_to_pfn(page))) >> NR_PAGEBLOCK_BITS;
#else
	return *page_zone(page)->pageblock_flags >> NR_PAGEBLOCK_BITS;
#endif
}
