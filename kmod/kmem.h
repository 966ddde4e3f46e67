/* SPDX-License-Identifier: GPL-2.0-only */
/* Page events: allocations, frees and fallbacks, as records and as counts. */
#ifndef CSN_KMEM_H
#define CSN_KMEM_H

#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/compactsnoop.h>

#include "counters.h"
#include "filter.h"
#include "ring.h"

struct page;

#define CSN_CLASS_PAGES	(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE | CSN_CLASS_EXTFRAG)

/* A list for each class, so that one load tells whether anybody wants it. */
enum csn_page_list {
	CSN_PAGE_LIST_ALLOC,
	CSN_PAGE_LIST_FREE,
	CSN_PAGE_LIST_EXTFRAG,
	CSN_NR_PAGE_LISTS,
};

#define CSN_NOBODY	(-1)	/* csn_page_want.own: no process has this id */

/**
 * struct csn_page_want - what a session wants with page events
 * @node: in the lists of those who want a class. The sessions' lock; RCU.
 * @own: process (tgid, initial pid namespace) that is left out, or CSN_NOBODY.
 *	The session's lock; read without it. All else never changes.
 * @match: which compares there are: CSN_MATCH_* of those that page events have.
 * @stream: CSN_CLASS_* that are written as records.
 * @count: CSN_CLASS_* that are counted.
 * @tables: where to count, if @count.
 * @rings: of the session, for @stream.
 * @zones: bit z: zone number z.
 * @migratetypes: bit m: enum csn_migratetype m.
 * @nid: NUMA node.
 * @orders: bit o: order o.
 * @task: see there.
 *
 * The first cache line is all that an event reads of a session without a
 * filter that only counts; the second has the filter.
 */
struct csn_page_want {
	struct hlist_node node[CSN_NR_PAGE_LISTS];
	pid_t own;
	u16 match;
	u8 stream;
	u8 count;
	struct csn_counter_table * __percpu *tables;
	struct csn_ring __percpu *rings;
	u8 zones;
	u8 migratetypes;
	u16 nid;
	u32 orders;
	struct csn_task_filter task;
};

void csn_page_want_init(struct csn_page_want *w, const struct csn_config *config,
			const struct csn_task_filter *task);
void csn_page_want_publish(struct csn_page_want *old, struct csn_page_want *w);

void csn_probe_page_alloc(void *data, struct page *page, unsigned int order,
			  gfp_t gfp, int migratetype);
void csn_probe_page_free(void *data, struct page *page, unsigned int order);
void csn_probe_page_alloc_extfrag(void *data, struct page *page, int order,
				  int fallback_order, int migratetype,
				  int fallback_migratetype);

#endif /* CSN_KMEM_H */
