/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's enum migratetype in the numbers of the ABI, and that of a pageblock. */
#ifndef CSN_COMPAT_MIGRATETYPE_H
#define CSN_COMPAT_MIGRATETYPE_H

#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/compactsnoop.h>

#define CSN_MIGRATETYPES_MASK	7

static const u8 csn_migratetypes[CSN_MIGRATETYPES_MASK + 1] = {
	[MIGRATE_UNMOVABLE] = CSN_MIGRATETYPE_UNMOVABLE,
	[MIGRATE_MOVABLE] = CSN_MIGRATETYPE_MOVABLE,
	[MIGRATE_RECLAIMABLE] = CSN_MIGRATETYPE_RECLAIMABLE,
	[MIGRATE_HIGHATOMIC] = CSN_MIGRATETYPE_HIGHATOMIC,
#ifdef CONFIG_CMA
	[MIGRATE_CMA] = CSN_MIGRATETYPE_CMA,
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	[MIGRATE_ISOLATE] = CSN_MIGRATETYPE_ISOLATE,
#endif
	[MIGRATE_TYPES ... CSN_MIGRATETYPES_MASK] = CSN_MIGRATETYPE_OTHER,
};

/* A kernel that has more is to be provided for above. */
static_assert(4 + IS_ENABLED(CONFIG_CMA) + IS_ENABLED(CONFIG_MEMORY_ISOLATION) ==
	      MIGRATE_TYPES);

/**
 * csn_migratetype() - translate by name
 * @mt: enum migratetype.
 *
 * By a table: two instructions where a switch takes five.
 *
 * Context: any.
 * Return: enum csn_migratetype.
 */
static inline u8 csn_migratetype(unsigned int mt)
{
	return csn_migratetypes[mt & CSN_MIGRATETYPES_MASK];
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
