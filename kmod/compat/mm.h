/* SPDX-License-Identifier: GPL-2.0-only */
/* Changing a mapping's flags. */
#ifndef CSN_COMPAT_MM_H
#define CSN_COMPAT_MM_H

#include <linux/mm.h>

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

#endif /* CSN_COMPAT_MM_H */
