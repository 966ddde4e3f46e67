// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages allocated, freed, and taken from another migratetype's free blocks.
 *
 * Of the kernel's two tracepoints for frees, mm_page_free and
 * mm_page_free_batched, only the first is listened to: free_pages_prepare(),
 * through which every page goes on its way back, announces it, and a batch
 * (free_unref_folios() in 6.12) announces some of those pages a second time when
 * it puts them on a CPU's list. So one event a block is both tracepoints' truth.
 *
 * The probes run wherever pages are allocated and freed: in any context, in 7.2
 * NMIs included, under locks of the scheduler and the allocator. They take no
 * lock, allocate nothing, and turn preemption off themselves, as tracepoints run
 * under SRCU since 7.0.
 */
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "compat/migratetype.h"
#include "filter.h"
#include "kmem.h"
#include "record.h"
#include "session.h"

/**
 * struct csn_page - an event on its way to the sessions
 * @class: CSN_CLASS_*.
 * @type: enum csn_record_type.
 * @counter: enum csn_counter, of all but a failed allocation.
 * @page: NULL: an allocation that failed.
 * @gfp: of an allocation.
 * @order: not bounded: gigantic pages can be freed.
 * @migratetype: the kernel's, of an allocation or a fallback.
 * @fallback_order: of a fallback.
 * @fallback_migratetype: the kernel's, of a fallback.
 * @at: what takes some work to find out; valid once @is_placed.
 * @is_placed: @at is.
 */
struct csn_page {
	u32 class;
	u16 type;
	enum csn_counter counter;
	struct page *page;
	gfp_t gfp;
	unsigned int order;
	unsigned int migratetype;
	unsigned int fallback_order;
	unsigned int fallback_migratetype;
	struct csn_page_place at;
	bool is_placed;
};

static __always_inline void csn_page_find_place(struct csn_page *p)
{
	if (p->is_placed)
		return;
	p->is_placed = true;
	p->at.order = p->order;
	p->at.node = p->page ? page_to_nid(p->page) : CSN_NODE_NONE;
	p->at.zone = p->page ? page_zonenum(p->page) : CSN_ZONE_NONE;
	p->at.migratetype = p->class == CSN_CLASS_PAGE_FREE ?
			    csn_pageblock_migratetype(p->page) :
			    csn_migratetype(p->migratetype);
}

/* As the kernel's own trace event has it: the pageblock has become ours. */
static u8 csn_page_claimed(const struct csn_page *p)
{
	if (!CSN_CAN_READ_PAGEBLOCK)
		return CSN_CLAIMED_UNKNOWN;
	return csn_pageblock_migratetype(p->page) == p->at.migratetype ?
	       CSN_CLAIMED_YES : CSN_CLAIMED_NO;
}

/* Puts the event into the session's ring of this CPU. Interrupts are off. */
static __always_inline void csn_page_write(struct csn_session *session,
					   const struct csn_page *p, u64 ts)
{
	struct csn_ring *ring = this_cpu_ptr(session->rings);
	struct csn_record_page *rec;

	if (!csn_ring_reserve(ring, 1, ts))
		return;
	rec = csn_ring_slot(ring, 0);
	csn_put_head(&rec->head, p->type, 0, 1);
	rec->ts = ts;
	rec->pid = current->tgid;
	rec->tid = current->pid;
	csn_put_comm(rec->comm);
	rec->pfn = p->page ? page_to_pfn(p->page) : CSN_PFN_NONE;
	rec->gfp = (__force u32)p->gfp;
	rec->node = p->at.node;
	rec->zone = p->at.zone;
	rec->order = p->order;
	rec->migratetype = p->at.migratetype;
	if (p->class == CSN_CLASS_EXTFRAG) {
		rec->fallback_order = p->fallback_order;
		rec->fallback_migratetype = csn_migratetype(p->fallback_migratetype);
		rec->claimed = csn_page_claimed(p);
	} else {
		rec->fallback_order = 0;
		rec->fallback_migratetype = 0;
		rec->claimed = 0;
	}
	memset(rec->reserved, 0, sizeof(rec->reserved));
	csn_ring_commit(ring);
}

/*
 * Whether a session wants the event; fills in p->at if it does. What most
 * often leaves an event out comes first, what takes long to find out last.
 */
static __always_inline bool csn_page_is_wanted(const struct csn_session *session,
					       const struct csn_want *want,
					       struct csn_page *p)
{
	const struct csn_filter *f = &want->filter;

	if (unlikely(READ_ONCE(session->reader_tgid) == current->tgid) &&
	    !(want->config.flags & CSN_FLAG_OWN_PROCESS))
		return false;
	if (f->match && !csn_filter_task(f))
		return false;
	csn_page_find_place(p);
	return !f->match || csn_filter_page(f, &p->at);
}

static __always_inline void csn_page_count(const struct csn_want *want,
					   const struct csn_page *p)
{
	if (unlikely(!p->page))
		csn_counters_add(want->counters, CSN_COUNTER_FAILED, 0, 0, p->order,
				 p->at.migratetype);
	else
		csn_counters_add(want->counters, p->counter, p->at.node, p->at.zone,
				 p->order, p->at.migratetype);
}

/* Hands the event to every session that wants it. */
static __always_inline void csn_page_emit(struct csn_page *p)
{
	const struct csn_want *want;
	struct csn_session *session;
	unsigned long irqs = 0;
	u64 ts = 0;

	preempt_disable_notrace();
	csn_for_each_running(session) {
		want = rcu_dereference_sched(session->want);
		if (!((want->config.classes | want->config.counters) & p->class) ||
		    !csn_page_is_wanted(session, want, p))
			continue;
		if (want->config.counters & p->class)
			csn_page_count(want, p);
		if (!(want->config.classes & p->class))
			continue;
		/*
		 * Against the ring's other writers on this CPU, from the first
		 * record to the last session: so each ring is in order of time.
		 */
		if (!ts) {
			local_irq_save(irqs);
			ts = ktime_get_mono_fast_ns();
		}
		csn_page_write(session, p, ts);
	}
	if (ts)
		local_irq_restore(irqs);
	preempt_enable_notrace();
}

/**
 * csn_probe_page_alloc() - probe of mm_page_alloc
 * @data: unused.
 * @page: NULL: it failed.
 * @order: of the allocation.
 * @gfp: as they were at its end.
 * @migratetype: that was asked for.
 *
 * Context: any.
 */
void csn_probe_page_alloc(void *data, struct page *page, unsigned int order,
			  gfp_t gfp, int migratetype)
{
	struct csn_page p = {
		.class = CSN_CLASS_PAGE_ALLOC,
		.type = CSN_RECORD_PAGE_ALLOC,
		.counter = CSN_COUNTER_ALLOC,
		.page = page,
		.gfp = gfp,
		.order = order,
		.migratetype = migratetype,
	};

	csn_page_emit(&p);
}

/**
 * csn_probe_page_free() - probe of mm_page_free
 * @data: unused.
 * @page: the first of the block.
 * @order: of the block.
 *
 * Context: any.
 */
void csn_probe_page_free(void *data, struct page *page, unsigned int order)
{
	struct csn_page p = {
		.class = CSN_CLASS_PAGE_FREE,
		.type = CSN_RECORD_PAGE_FREE,
		.counter = CSN_COUNTER_FREE,
		.page = page,
		.order = order,
	};

	csn_page_emit(&p);
}

/**
 * csn_probe_page_extfrag() - probe of mm_page_alloc_extfrag
 * @data: unused.
 * @page: the first of what was taken.
 * @order: that was asked for.
 * @fallback_order: of the free block that it was taken of.
 * @migratetype: that was asked for.
 * @fallback_migratetype: that the block was free for.
 *
 * Context: any; the zone's lock may be held.
 */
void csn_probe_page_extfrag(void *data, struct page *page, int order,
			    int fallback_order, int migratetype,
			    int fallback_migratetype)
{
	struct csn_page p = {
		.class = CSN_CLASS_EXTFRAG,
		.type = CSN_RECORD_PAGE_EXTFRAG,
		.counter = CSN_COUNTER_EXTFRAG,
		.page = page,
		.order = order,
		.migratetype = migratetype,
		.fallback_order = fallback_order,
		.fallback_migratetype = fallback_migratetype,
	};

	csn_page_emit(&p);
}
