// SPDX-License-Identifier: GPL-2.0-only
/* bc292ab00f6c ("mm: introduce vma->vm_flags wrapper functions") */
#include <linux/mm.h>

void csn_probe(struct vm_area_struct *vma);
void csn_probe(struct vm_area_struct *vma)
{
	vm_flags_clear(vma, VM_MAYWRITE);
}
