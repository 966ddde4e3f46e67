/* SPDX-License-Identifier: GPL-2.0-only */
/* What of memory management differs between kernels. */
#ifndef CSN_COMPAT_MM_H
#define CSN_COMPAT_MM_H

#include <linux/mm.h>
#include <linux/nodemask.h>

/**
 * csn_vm_flags_clear() - clear flags of a mapping that is being made
 * @vma: in .mmap.
 * @flags: VM_*.
 *
 * Since bc292ab00f6c ("mm: introduce vma->vm_flags wrapper functions") the
 * member cannot be written.
 */
static inline void csn_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef CSN_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

#define CSN_NR_ZONE_IDS		((unsigned int)nr_node_ids << ZONES_SHIFT)

/**
 * csn_zone_id() - number of a page's zone among those of all nodes
 * @page: any page.
 *
 * Context: any.
 * Return: below CSN_NR_ZONE_IDS: node << ZONES_SHIFT | zone.
 */
static __always_inline unsigned int csn_zone_id(struct page *page)
{
#ifdef NODE_NOT_IN_PAGE_FLAGS
	return page_to_nid(page) << ZONES_SHIFT | page_zonenum(page);
#else
	/* Node and zone lie side by side in the page's flags. */
	return page_zone_id(page);
#endif
}

#endif /* CSN_COMPAT_MM_H */
