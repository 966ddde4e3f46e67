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
 *
 * Everything that takes one is inlined into a function of each class, so that
 * it is never in memory.
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
};

static __always_inline u8 csn_page_migratetype(const struct csn_page *p)
{
	return p->class == CSN_CLASS_PAGE_FREE ? csn_pageblock_migratetype(p->page) :
						 csn_migratetype(p->migratetype);
}

/* As the kernel's own trace event has it: the pageblock has become ours. */
static u8 csn_page_claimed(const struct csn_page *p)
{
	if (!CSN_CAN_READ_PAGEBLOCK)
		return CSN_CLAIMED_UNKNOWN;
	return csn_pageblock_migratetype(p->page) == csn_migratetype(p->migratetype) ?
	       CSN_CLAIMED_YES : CSN_CLAIMED_NO;
}

static __always_inline void csn_page_fill(struct csn_record_page *rec,
					  const struct csn_page *p, u64 ts)
{
	csn_put_head(&rec->head, p->type, 0, 1);
	rec->ts = ts;
	rec->pid = current->tgid;
	rec->tid = current->pid;
	csn_put_comm(rec->comm);
	rec->pfn = p->page ? page_to_pfn(p->page) : CSN_PFN_NONE;
	rec->gfp = (__force u32)p->gfp;
	rec->node = p->page ? page_to_nid(p->page) : CSN_NODE_NONE;
	rec->zone = p->page ? page_zonenum(p->page) : CSN_ZONE_NONE;
	rec->order = p->order;
	rec->migratetype = csn_page_migratetype(p);
	rec->fallback_order = 0;
	rec->fallback_migratetype = 0;
	rec->claimed = 0;
	if (p->class == CSN_CLASS_EXTFRAG) {
		rec->fallback_order = p->fallback_order;
		rec->fallback_migratetype = csn_migratetype(p->fallback_migratetype);
		rec->claimed = csn_page_claimed(p);
	}
	memset(rec->reserved, 0, sizeof(rec->reserved));
}

/*
 * Puts the event into the session's ring of this CPU, interrupts being off. The
 * first session's record is built, the others' are copies of it: 35 instructions
 * less. Returns where the first is.
 */
static __always_inline const struct csn_record_page *
csn_page_write(struct csn_session *session, const struct csn_page *p, u64 ts,
	       const struct csn_record_page *first)
{
	struct csn_ring *ring = this_cpu_ptr(session->rings);
	struct csn_record_page *rec;

	if (!csn_ring_reserve(ring, 1, ts))
		return first;
	rec = csn_ring_slot(ring, 0);
	if (first)
		*rec = *first;
	else
		csn_page_fill(rec, p, ts);
	csn_ring_commit(ring, 1);
	return first ?: rec;
}

/*
 * Whether a session may want an event of the class: by what nearly all events
 * that are left out are left out.
 */
static __always_inline bool csn_page_may_be_wanted(const struct csn_session *session,
						   const struct csn_want *want,
						   u32 class)
{
	const struct csn_filter *f = &want->filter;

	if (!(want->wanted & class))
		return false;
	if (unlikely(READ_ONCE(session->reader_tgid) == current->tgid) &&
	    !(want->config.flags & CSN_FLAG_OWN_PROCESS))
		return false;
	return !(f->match & CSN_MATCH_PID) || f->pid == current->tgid;
}

/* The rest of the filter. What takes long to find out comes last. */
static __always_inline bool csn_page_is_wanted(const struct csn_want *want,
					       const struct csn_page *p)
{
	const struct csn_filter *f = &want->filter;

	if (!(f->match & ~CSN_MATCH_PID))
		return true;
	if (!csn_filter_task(f) || !csn_filter_order(f, p->order))
		return false;
	return csn_filter_page(f, p->page ? page_to_nid(p->page) : CSN_NODE_NONE,
			       p->page ? page_zonenum(p->page) : CSN_ZONE_NONE,
			       f->match & CSN_MATCH_MIGRATETYPE ? csn_page_migratetype(p) : 0);
}

static __always_inline void csn_page_count(const struct csn_want *want,
					   const struct csn_page *p)
{
	if (unlikely(!p->page))
		csn_counters_add(want->counters, CSN_COUNTER_FAILED, 0, p->order,
				 csn_page_migratetype(p));
	else
		csn_counters_add(want->counters, p->counter, csn_page_zone_id(p->page),
				 p->order, csn_page_migratetype(p));
}

/*
 * Hands the event to @session, of which csn_page_may_be_wanted() has been asked,
 * and those after it in the list.
 */
static __always_inline void csn_page_hand_on(struct csn_session *session,
					     const struct csn_page *p)
{
	const struct csn_record_page *first = NULL;
	const struct csn_want *want;
	unsigned long irqs = 0;
	bool asked = true;
	u64 ts = 0;

	csn_for_each_running_from(session) {
		want = rcu_dereference_sched(session->want);
		if (!(asked || csn_page_may_be_wanted(session, want, p->class)))
			continue;
		asked = false;
		if (!csn_page_is_wanted(want, p))
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
		first = csn_page_write(session, p, ts, first);
	}
	if (ts)
		local_irq_restore(irqs);
}

/*
 * For the sessions that only count, or leave the event out by its process: calls
 * nothing, so that no register need be saved, which is 20 instructions. Returns
 * the first session that wants more, for csn_page_hand_on(), or NULL.
 */
static __always_inline struct csn_session *
csn_page_count_plain(const struct csn_page *p)
{
	struct csn_session *session;
	const struct csn_want *want;

	csn_for_each_running(session) {
		want = rcu_dereference_sched(session->want);
		if (!csn_page_may_be_wanted(session, want, p->class))
			continue;
		if (!(want->plain & p->class))
			return session;
		csn_page_count(want, p);
	}
	return NULL;
}

static __always_inline struct csn_page csn_page_alloc(struct page *page, unsigned int order,
						      gfp_t gfp, int migratetype)
{
	return (struct csn_page) {
		.class = CSN_CLASS_PAGE_ALLOC,
		.type = CSN_RECORD_PAGE_ALLOC,
		.counter = CSN_COUNTER_ALLOC,
		.page = page,
		.gfp = gfp,
		.order = order,
		.migratetype = migratetype,
	};
}

static noinline void csn_page_alloc_hand_on(struct csn_session *session,
					    struct page *page, unsigned int order,
					    gfp_t gfp, int migratetype)
{
	struct csn_page p = csn_page_alloc(page, order, gfp, migratetype);

	csn_page_hand_on(session, &p);
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
	struct csn_page p = csn_page_alloc(page, order, gfp, migratetype);
	struct csn_session *session;

	preempt_disable_notrace();
	session = csn_page_count_plain(&p);
	if (session)
		csn_page_alloc_hand_on(session, page, order, gfp, migratetype);
	preempt_enable_notrace();
}

static __always_inline struct csn_page csn_page_free(struct page *page, unsigned int order)
{
	return (struct csn_page) {
		.class = CSN_CLASS_PAGE_FREE,
		.type = CSN_RECORD_PAGE_FREE,
		.counter = CSN_COUNTER_FREE,
		.page = page,
		.order = order,
	};
}

static noinline void csn_page_free_hand_on(struct csn_session *session,
					   struct page *page, unsigned int order)
{
	struct csn_page p = csn_page_free(page, order);

	csn_page_hand_on(session, &p);
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
	struct csn_page p = csn_page_free(page, order);
	struct csn_session *session;

	preempt_disable_notrace();
	session = csn_page_count_plain(&p);
	if (session)
		csn_page_free_hand_on(session, page, order);
	preempt_enable_notrace();
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
	struct csn_session *session;

	preempt_disable_notrace();
	session = csn_page_count_plain(&p);
	if (session)
		csn_page_hand_on(session, &p);
	preempt_enable_notrace();
}
