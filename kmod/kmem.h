/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes events of the tracepoints of the page allocator. */
#ifndef CSN_KMEM_H
#define CSN_KMEM_H

#include <linux/gfp.h>
#include <linux/mm_types.h>

void csn_probe_page_alloc(void *data, struct page *page, unsigned int order,
			  gfp_t gfp, int migratetype);
void csn_probe_page_free(void *data, struct page *page, unsigned int order);
void csn_probe_page_extfrag(void *data, struct page *page, int order,
			    int fallback_order, int migratetype,
			    int fallback_migratetype);

#endif /* CSN_KMEM_H */
