// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page events. Their probes run in any context, NMI included, under any lock
 * and some hundred thousand times a second: they take no lock, allocate
 * nothing, call nothing until an event has passed a filter and is to be
 * written, and what can be done once for all sessions is.
 *
 * What they read is freed only after all probes that were running have ended
 * (csn_probes_synchronize()), so they need no RCU read lock of their own.
 */
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "compat/migratetype.h"
#include "compat/mm.h"
#include "compat/preempt.h"
#include "compat/task.h"
#include "kmem.h"

/* Those who want events of a class. Changed under the sessions' lock; RCU. */
static struct hlist_head csn_page_wants[CSN_NR_PAGE_LISTS];

/**
 * struct csn_page_event - the arguments of a page event's tracepoint
 * @list: its class.
 * @page: first page; NULL for an allocation that failed.
 * @order: of the block.
 * @gfp: of an allocation, else 0.
 * @migratetype: that was asked for; unused for a free.
 * @fallback_order: of a fallback.
 * @fallback_migratetype: of a fallback.
 *
 * Never in memory: the functions that take it are inlined, so that with
 * constants in it they shrink to what the event needs.
 */
struct csn_page_event {
	enum csn_page_list list;
	struct page *page;
	unsigned int order;
	gfp_t gfp;
	int migratetype;
	int fallback_order;
	int fallback_migratetype;
};

#define CSN_MATCH_PAGES	(CSN_MATCH_PID | CSN_MATCH_TID | CSN_MATCH_COMM | \
			 CSN_MATCH_NODE | CSN_MATCH_ZONE | CSN_MATCH_ORDER | \
			 CSN_MATCH_MIGRATETYPE)

static __always_inline u32 csn_page_class(enum csn_page_list list)
{
	return list == CSN_PAGE_LIST_ALLOC ? CSN_CLASS_PAGE_ALLOC :
	       list == CSN_PAGE_LIST_FREE ? CSN_CLASS_PAGE_FREE : CSN_CLASS_EXTFRAG;
}

/**
 * csn_page_want_init() - what a configuration means for page events
 * @w: zeroed; filled in but for own, tables and rings.
 * @config: checked.
 * @task: its task filter.
 *
 * Context: any.
 */
void csn_page_want_init(struct csn_page_want *w, const struct csn_config *config,
			const struct csn_task_filter *task)
{
	const struct csn_filter *f = &config->filter;

	w->match = f->match & CSN_MATCH_PAGES;
	w->stream = config->classes & CSN_CLASS_PAGES;
	w->count = config->counters;
	w->zones = f->zones;
	w->migratetypes = f->migratetypes;
	w->nid = f->node;
	/* Order -1 is that of some compactions, no page's. */
	if (f->order_max >= 0)
		w->orders = GENMASK(f->order_max, max_t(int, f->order_min, 0));
	w->task = *task;
}

/**
 * csn_page_want_publish() - let the probes see another want of a session
 * @old: what they saw until now; NULL: the session did not run.
 * @w: what they are to see; NULL: it runs no longer.
 *
 * Context: the sessions' lock held. @old may be in use until
 * csn_probes_synchronize() returns.
 */
void csn_page_want_publish(struct csn_page_want *old, struct csn_page_want *w)
{
	unsigned int i;

	for (i = 0; i < CSN_NR_PAGE_LISTS; i++) {
		bool was = old && !hlist_unhashed(&old->node[i]);

		if (w && ((w->stream | w->count) & csn_page_class(i))) {
			if (was)
				hlist_replace_rcu(&old->node[i], &w->node[i]);
			else
				hlist_add_head_rcu(&w->node[i], &csn_page_wants[i]);
		} else if (was) {
			hlist_del_init_rcu(&old->node[i]);
		}
	}
}

static __always_inline u8 csn_page_migratetype(const struct csn_page_event *e)
{
	return e->list == CSN_PAGE_LIST_FREE ? csn_pageblock_migratetype(e->page) :
					       csn_migratetype(e->migratetype);
}

/* The compares of a filter, which most sessions do not have. */
static __always_inline bool csn_page_matches(const struct csn_page_want *w, u32 match,
					     const struct csn_page_event *e)
{
	if (!csn_filter_task(&w->task, match))
		return false;
	/* A process alone is what is asked for most. */
	if (!(match & ~CSN_MATCH_PID))
		return true;
	if ((match & CSN_MATCH_ORDER) && (e->order > 31 || !(w->orders & BIT(e->order))))
		return false;
	if (match & (CSN_MATCH_ZONE | CSN_MATCH_NODE)) {
		if (!e->page)
			return false;
		if ((match & CSN_MATCH_ZONE) && !(w->zones & BIT(page_zonenum(e->page))))
			return false;
		if ((match & CSN_MATCH_NODE) && w->nid != page_to_nid(e->page))
			return false;
	}
	return !(match & CSN_MATCH_MIGRATETYPE) ||
	       (w->migratetypes & BIT(csn_page_migratetype(e)));
}

static __always_inline void csn_page_count(const struct csn_page_want *w,
					   const struct csn_page_event *e)
{
	struct csn_counter_table *table = this_cpu_read(*w->tables);
	enum csn_counter counter = CSN_COUNTER_ALLOC;
	unsigned int zone = 0;

	/* An allocation's order has been an index into free_area before. */
	if (e->list == CSN_PAGE_LIST_FREE) {
		counter = CSN_COUNTER_FREE;
		if (unlikely(e->order >= csn_zone_nr_orders())) {
			local64_inc(&table->beyond);
			return;
		}
	} else if (e->list == CSN_PAGE_LIST_EXTFRAG) {
		counter = CSN_COUNTER_EXTFRAG;
	} else if (!e->page) {
		counter = CSN_COUNTER_FAILED;
	}
	if (e->page)
		zone = csn_zone_id(e->page);
	local64_inc(csn_counter(table, counter, zone, e->order, csn_page_migratetype(e)));
}

/*
 * From @node on, counts an event for the sessions that want that.
 * Returns the first one that wants a record of it, or NULL.
 */
static __always_inline const struct csn_page_want *
csn_page_walk(const struct hlist_node *node, const struct csn_page_event *e)
{
	u32 class = csn_page_class(e->list);
	const struct csn_page_want *w;

	for (; node; node = rcu_dereference_raw_check(hlist_next_rcu(node))) {
		w = hlist_entry(node, struct csn_page_want, node[e->list]);
		if (READ_ONCE(w->own) == current->tgid)
			continue;
		if (w->match && !csn_page_matches(w, w->match, e))
			continue;
		if (w->count & class)
			csn_page_count(w, e);
		if (w->stream & class)
			return w;
	}
	return NULL;
}

static __always_inline const struct hlist_node *csn_page_first(enum csn_page_list list)
{
	return rcu_dereference_raw_check(hlist_first_rcu(&csn_page_wants[list]));
}

static __always_inline u16 csn_page_type(enum csn_page_list list)
{
	return list == CSN_PAGE_LIST_ALLOC ? CSN_RECORD_PAGE_ALLOC :
	       list == CSN_PAGE_LIST_FREE ? CSN_RECORD_PAGE_FREE :
					    CSN_RECORD_PAGE_EXTFRAG;
}

static u8 csn_page_claimed(const struct csn_page_event *e)
{
	u8 now = csn_pageblock_migratetype(e->page);

	if (now == CSN_MIGRATETYPE_OTHER)
		return CSN_CLAIMED_UNKNOWN;
	return now == csn_page_migratetype(e) ? CSN_CLAIMED_YES : CSN_CLAIMED_NO;
}

/* All but the time. */
static __always_inline void csn_page_fill(struct csn_record_page *rec,
					  const struct csn_page_event *e)
{
	rec->head.type = csn_page_type(e->list);
	rec->head.part = 0;
	rec->head.parts = 1;
	rec->head.cpu = raw_smp_processor_id();
	rec->pid = current->tgid;
	rec->tid = current->pid;
	csn_copy_comm(rec->comm);
	rec->gfp = (__force u32)e->gfp;
	if (e->page) {
		rec->pfn = page_to_pfn(e->page);
		rec->node = page_to_nid(e->page);
		rec->zone = page_zonenum(e->page);
	} else {
		rec->pfn = CSN_PFN_NONE;
		rec->node = CSN_NODE_NONE;
		rec->zone = CSN_ZONE_NONE;
	}
	rec->order = e->order;
	rec->migratetype = csn_page_migratetype(e);
	rec->fallback_order = 0;
	rec->fallback_migratetype = 0;
	rec->claimed = 0;
	rec->reserved[0] = 0;
	rec->reserved[1] = 0;
	if (e->list == CSN_PAGE_LIST_EXTFRAG) {
		rec->fallback_order = e->fallback_order;
		rec->fallback_migratetype = csn_migratetype(e->fallback_migratetype);
		rec->claimed = csn_page_claimed(e);
	}
}

/* A slot of this CPU's ring, or NULL if the event is lost. */
static __always_inline struct csn_record_page *csn_page_reserve(struct csn_ring *ring)
{
	if (unlikely(!csn_ring_enter(ring)))
		return NULL;
	if (unlikely(!csn_ring_has_room(ring, 1)) &&
	    !csn_ring_make_room(ring, 1, ktime_get_mono_fast_ns()))
		return NULL;
	return csn_ring_slot(ring, 0);
}

/*
 * Writes an event to the sessions from @node on that want it. @made is the
 * record as the one before has it, not published yet so that nothing can
 * overwrite it, or NULL.
 */
static noinline void csn_page_write_more(const struct hlist_node *node,
					 const struct csn_record_page *made,
					 const struct csn_page_event e)
{
	struct csn_record_page mine;
	const struct csn_page_want *w;

	while ((w = csn_page_walk(node, &e))) {
		struct csn_ring *ring = this_cpu_ptr(w->rings);
		struct csn_record_page *rec = csn_page_reserve(ring);

		node = rcu_dereference_raw_check(hlist_next_rcu(&w->node[e.list]));
		if (!rec)
			continue;
		if (!made) {
			csn_page_fill(&mine, &e);
			mine.ts = ktime_get_mono_fast_ns();
			made = &mine;
		}
		memcpy(rec, made, sizeof(*rec));
		csn_ring_commit(ring, 1);
	}
}

/*
 * Writes an event for @w, which wants it, and for those after it that do. The
 * record is made in place and copied from there.
 */
static __always_inline void csn_page_write(const struct csn_page_want *w,
					   const struct csn_page_event *e)
{
	const struct hlist_node *next;
	struct csn_record_page *rec;
	struct csn_ring *ring;
	unsigned long irqs;

	/* Against the rings' other writers on this CPU: probes in interrupts. */
	local_irq_save(irqs);
	ring = this_cpu_ptr(w->rings);
	next = rcu_dereference_raw_check(hlist_next_rcu(&w->node[e->list]));
	rec = csn_page_reserve(ring);
	if (likely(rec)) {
		csn_page_fill(rec, e);
		/* Last, as a call; this clock can be read in an NMI. */
		rec->ts = ktime_get_mono_fast_ns();
	}
	if (unlikely(next))
		csn_page_write_more(next, rec, *e);
	if (likely(rec))
		csn_ring_commit(ring, 1);
	local_irq_restore(irqs);
}

/*
 * Not inlined, and with plain arguments: so the probe of an event that is only
 * counted, or filtered out, has next to no register to save.
 */
static noinline void csn_page_write_alloc(const struct csn_page_want *w,
					  struct page *page, unsigned int order,
					  gfp_t gfp, int migratetype)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_ALLOC,
		.page = page,
		.order = order,
		.gfp = gfp,
		.migratetype = migratetype,
	};

	csn_page_write(w, &e);
}

static noinline void csn_page_alloc_failed(unsigned int order, gfp_t gfp, int migratetype)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_ALLOC,
		.order = order,
		.gfp = gfp,
		.migratetype = migratetype,
	};
	const struct csn_page_want *w;

	w = csn_page_walk(csn_page_first(e.list), &e);
	if (w)
		csn_page_write(w, &e);
}

/**
 * csn_probe_page_alloc() - probe of mm_page_alloc
 * @data: unused.
 * @page: first page, NULL if the allocation failed.
 * @order: that was asked for.
 * @gfp: with which it was asked for.
 * @migratetype: enum migratetype.
 *
 * Context: any, NMI included.
 */
void csn_probe_page_alloc(void *data, struct page *page, unsigned int order,
			  gfp_t gfp, int migratetype)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_ALLOC,
		.page = page,
		.order = order,
		.gfp = gfp,
		.migratetype = migratetype,
	};
	const struct csn_page_want *w;

	csn_probe_preempt_disable();
	if (likely(page)) {
		w = csn_page_walk(csn_page_first(e.list), &e);
		if (w)
			csn_page_write_alloc(w, page, order, gfp, migratetype);
	} else {
		csn_page_alloc_failed(order, gfp, migratetype);
	}
	csn_probe_preempt_enable();
}

static noinline void csn_page_write_free(const struct csn_page_want *w,
					 struct page *page, unsigned int order)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_FREE,
		.page = page,
		.order = order,
	};

	csn_page_write(w, &e);
}

/**
 * csn_probe_page_free() - probe of mm_page_free
 * @data: unused.
 * @page: first page.
 * @order: of the block given back; more than the largest for gigantic pages.
 *
 * Context: any, NMI included.
 */
void csn_probe_page_free(void *data, struct page *page, unsigned int order)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_FREE,
		.page = page,
		.order = order,
	};
	const struct csn_page_want *w;

	csn_probe_preempt_disable();
	w = csn_page_walk(csn_page_first(e.list), &e);
	if (w)
		csn_page_write_free(w, page, order);
	csn_probe_preempt_enable();
}

/**
 * csn_probe_page_alloc_extfrag() - probe of mm_page_alloc_extfrag
 * @data: unused.
 * @page: first page of the block that was taken.
 * @order: that was asked for.
 * @fallback_order: of the block.
 * @migratetype: enum migratetype that was asked for.
 * @fallback_migratetype: enum migratetype that the block was free for.
 *
 * Context: any, NMI included; under the zone's lock. Seldom.
 */
void csn_probe_page_alloc_extfrag(void *data, struct page *page, int order,
				  int fallback_order, int migratetype,
				  int fallback_migratetype)
{
	const struct csn_page_event e = {
		.list = CSN_PAGE_LIST_EXTFRAG,
		.page = page,
		.order = order,
		.migratetype = migratetype,
		.fallback_order = fallback_order,
		.fallback_migratetype = fallback_migratetype,
	};
	const struct csn_page_want *w;

	csn_probe_preempt_disable();
	w = csn_page_walk(csn_page_first(e.list), &e);
	if (w)
		csn_page_write(w, &e);
	csn_probe_preempt_enable();
}
