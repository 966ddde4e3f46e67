/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_PAGES_H
#define CSN_PAGES_H

#include <stdbool.h>
#include <linux/compactsnoop.h>

#define CSN_PAGES_ORDERS	16	/* orders that are counted: more than any kernel has */

/**
 * enum csn_pages_kind - what happened to a block of pages
 * @CSN_PAGES_ALLOC: it was allocated, or could not be.
 * @CSN_PAGES_FREE: it was given back.
 * @CSN_PAGES_FALLBACK: it was taken from another migratetype's free blocks.
 */
enum csn_pages_kind {
	CSN_PAGES_ALLOC,
	CSN_PAGES_FREE,
	CSN_PAGES_FALLBACK,
};

/**
 * struct csn_pages - one event of the page allocator, whoever told it
 * @ts: when, ns by the clock of its source.
 * @kind: what.
 * @failed: of ALLOC: there was no page.
 * @order: of the block; of FREE it can be above what is allocated.
 * @node: NUMA node, CSN_NODE_NONE if not known.
 * @zone: number of the zone, CSN_ZONE_NONE if not known.
 * @migratetype: enum csn_migratetype.
 * @pid: process; of trace text that does not say it, the thread.
 * @comm: name of the thread, NUL-padded.
 */
struct csn_pages {
	__u64 ts;
	enum csn_pages_kind kind;
	bool failed;
	unsigned int order;
	int node;
	unsigned int zone;
	unsigned int migratetype;
	__u32 pid;
	char comm[CSN_COMM_LEN];
};

/**
 * struct csn_counts - how many events there were
 * @alloc: allocations that got their pages, by order.
 * @failed: allocations that did not, by order.
 * @free: frees, by order.
 * @fallback: allocations out of another migratetype's blocks.
 */
struct csn_counts {
	__u64 alloc[CSN_PAGES_ORDERS];
	__u64 failed[CSN_PAGES_ORDERS];
	__u64 free[CSN_PAGES_ORDERS];
	__u64 fallback;
};

#endif
