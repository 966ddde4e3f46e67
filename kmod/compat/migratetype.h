/* SPDX-License-Identifier: GPL-2.0-only */
/* Migratetypes: the kernel's numbers and the ABI's, and those of pageblocks. */
#ifndef CSN_COMPAT_MIGRATETYPE_H
#define CSN_COMPAT_MIGRATETYPE_H

#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/compactsnoop.h>

/**
 * csn_migratetype() - a migratetype in the ABI's numbers
 * @migratetype: enum migratetype.
 *
 * Up to MIGRATE_HIGHATOMIC, so for all that an allocation can ask for, the
 * numbers agree. Beyond, the kernel's depend on its configuration.
 *
 * Context: any.
 * Return: enum csn_migratetype.
 */
static __always_inline u8 csn_migratetype(unsigned int migratetype)
{
	BUILD_BUG_ON(MIGRATE_UNMOVABLE != (int)CSN_MIGRATETYPE_UNMOVABLE);
	BUILD_BUG_ON(MIGRATE_MOVABLE != (int)CSN_MIGRATETYPE_MOVABLE);
	BUILD_BUG_ON(MIGRATE_RECLAIMABLE != (int)CSN_MIGRATETYPE_RECLAIMABLE);
	BUILD_BUG_ON(MIGRATE_HIGHATOMIC != (int)CSN_MIGRATETYPE_HIGHATOMIC);
	if (likely(migratetype <= MIGRATE_HIGHATOMIC))
		return migratetype;
#ifdef CONFIG_CMA
	if (migratetype == MIGRATE_CMA)
		return CSN_MIGRATETYPE_CMA;
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	if (migratetype == MIGRATE_ISOLATE)
		return CSN_MIGRATETYPE_ISOLATE;
#endif
	return CSN_MIGRATETYPE_OTHER;
}

/**
 * csn_pageblock_migratetype() - what the pageblock of a page is for
 * @page: a page of the buddy allocator, whoever has it.
 *
 * The kernel's own function is not exported. Like that one, this reads without
 * the zone's lock.
 *
 * Context: any.
 * Return: enum csn_migratetype; CSN_MIGRATETYPE_OTHER if this kernel's
 * pageblocks cannot be read.
 */
static inline u8 csn_pageblock_migratetype(const struct page *page)
{
#ifdef CSN_HAVE_PAGEBLOCK
	unsigned long pfn = page_to_pfn(page), bit, bits;
	const unsigned long *map;

#ifdef CONFIG_SPARSEMEM
	map = section_to_usemap(__pfn_to_section(pfn));
	pfn &= PAGES_PER_SECTION - 1;
#else
	map = page_zone(page)->pageblock_flags;
	pfn -= page_zone(page)->zone_start_pfn & ~((1UL << pageblock_order) - 1);
#endif
	bit = (pfn >> pageblock_order) * NR_PAGEBLOCK_BITS;
	bits = READ_ONCE(map[bit / BITS_PER_LONG]) >> (bit % BITS_PER_LONG);
#if defined(CSN_HAVE_PB_MIGRATE_ISOLATE) && defined(CONFIG_MEMORY_ISOLATION)
	if (bits & BIT(PB_migrate_isolate))
		return CSN_MIGRATETYPE_ISOLATE;
#endif
	/* The first three bits are the migratetype. */
	return csn_migratetype(bits & 7);
#else
	return CSN_MIGRATETYPE_OTHER;
#endif
}

#endif /* CSN_COMPAT_MIGRATETYPE_H */
