/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's enum migratetype in the numbers of the ABI, and that of a pageblock. */
#ifndef CSN_COMPAT_MIGRATETYPE_H
#define CSN_COMPAT_MIGRATETYPE_H

#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/compactsnoop.h>

/**
 * csn_migratetype() - translate by name
 * @mt: enum migratetype.
 *
 * Context: any.
 * Return: enum csn_migratetype.
 */
static inline u8 csn_migratetype(unsigned int mt)
{
	switch (mt) {
	case MIGRATE_UNMOVABLE:
		return CSN_MIGRATETYPE_UNMOVABLE;
	case MIGRATE_MOVABLE:
		return CSN_MIGRATETYPE_MOVABLE;
	case MIGRATE_RECLAIMABLE:
		return CSN_MIGRATETYPE_RECLAIMABLE;
	case MIGRATE_HIGHATOMIC:
		return CSN_MIGRATETYPE_HIGHATOMIC;
#ifdef CONFIG_CMA
	case MIGRATE_CMA:
		return CSN_MIGRATETYPE_CMA;
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	case MIGRATE_ISOLATE:
		return CSN_MIGRATETYPE_ISOLATE;
#endif
	default:
		return CSN_MIGRATETYPE_OTHER;
	}
}

/*
 * The kernel's own function for it is not exported, so the bits are read here.
 * Where the size of a pageblock is found out at boot (powerpc's huge pages), it
 * is not exported either.
 */
#if defined(CSN_HAVE_PAGEBLOCK_BITS) && !defined(CONFIG_HUGETLB_PAGE_SIZE_VARIABLE)
#define CSN_CAN_READ_PAGEBLOCK	1

/* The three lowest bits of a pageblock's are its migratetype. */
#define CSN_PAGEBLOCK_MIGRATETYPE	7

/**
 * csn_pageblock_migratetype() - what the pageblock of a page is for
 * @page: of the buddy allocator's memory.
 *
 * Context: any; takes no lock, so it may just be changing.
 * Return: enum csn_migratetype.
 */
static inline u8 csn_pageblock_migratetype(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	const unsigned long *map;
	unsigned long bit, bits;

#ifdef CONFIG_SPARSEMEM
	map = section_to_usemap(__pfn_to_section(pfn));
	pfn &= PAGES_PER_SECTION - 1;
#else
	map = page_zone(page)->pageblock_flags;
	pfn -= round_down(page_zone(page)->zone_start_pfn, pageblock_nr_pages);
#endif
	bit = (pfn >> pageblock_order) * NR_PAGEBLOCK_BITS;
	bits = READ_ONCE(map[bit / BITS_PER_LONG]) >> bit % BITS_PER_LONG;
#if defined(CSN_HAVE_PAGEBLOCK_ISOLATE_BIT) && defined(CONFIG_MEMORY_ISOLATION)
	if (bits & BIT(PB_migrate_isolate))
		return CSN_MIGRATETYPE_ISOLATE;
#endif
	return csn_migratetype(bits & CSN_PAGEBLOCK_MIGRATETYPE);
}

#else
#define CSN_CAN_READ_PAGEBLOCK	0

static inline u8 csn_pageblock_migratetype(const struct page *page)
{
	return CSN_MIGRATETYPE_OTHER;
}

#endif /* CSN_HAVE_PAGEBLOCK_BITS */

#endif /* CSN_COMPAT_MIGRATETYPE_H */
