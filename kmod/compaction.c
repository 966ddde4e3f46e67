// SPDX-License-Identifier: GPL-2.0-only
/*
 * A compaction as its task runs it:
 *
 *	suitable	maybe: leaves a note
 *	begin		starts the clock
 *	finished	the first one after begin names zone and order
 *	end		the event
 *
 * Tracepoint probes can be preempted and migrated (they run under SRCU since
 * Linux 7.0), so each turns preemption off itself.
 */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "compaction.h"
#include "compat/compact_result.h"
#include "filter.h"
#include "fragindex.h"
#include "inflight.h"
#include "record.h"
#include "session.h"
#include "stack.h"
#include "zone.h"

/* One event on its way to the sessions. */
struct csn_compaction {
	struct csn_record_compaction rec;
	struct csn_zone_view view;
	unsigned int nr_frames;
	const unsigned long *frames;
};

/* Preemption is off from a stack's capture to its last use. */
static DEFINE_PER_CPU(unsigned long [CSN_STACK_MAX], csn_frames);

static bool csn_is_kcompactd(void)
{
	/* PF_KTHREAD, because anyone may call a thread kcompactd. */
	return (current->flags & PF_KTHREAD) &&
	       !strncmp(current->comm, "kcompactd", 9);
}

/*
 * Direct compaction is the allocator's own and runs under PF_MEMALLOC, which
 * neither kcompactd nor a writer of compact_memory sets; so this tells them
 * apart even where an allocation compacts from within kcompactd.
 */
static enum csn_origin csn_compaction_origin(int order)
{
	if (order < 0)
		return csn_is_kcompactd() ? CSN_ORIGIN_PROACTIVE : CSN_ORIGIN_MANUAL;
	if (csn_is_kcompactd() && !(current->flags & PF_MEMALLOC))
		return CSN_ORIGIN_KCOMPACTD;
	return CSN_ORIGIN_DIRECT;
}

static void csn_compaction_suitable(struct zone *zone, int order, int ret)
{
	struct csn_zone_view view = {
		.probed = CSN_FRAGINDEX_NONE,
		.computed = CSN_FRAGINDEX_NONE,
		.have = CSN_ZONE_STATE_SUITABLE,
	};
	bool probed = csn_note_take_fragindex(zone, order, &view.probed);

	if (ret != COMPACT_CONTINUE) {
		csn_note_drop();
		return;
	}
	csn_zone_read_watermarks(zone, &view.marks);
	if (probed)
		view.have |= CSN_ZONE_STATE_PROBED;
	/* Up to this order the kernel does not look at the index. */
	if (order > PAGE_ALLOC_COSTLY_ORDER &&
	    csn_fragindex_must_compute(probed)) {
		view.computed = csn_zone_compute_fragindex(zone, order);
		view.have |= CSN_ZONE_STATE_COMPUTED;
	}
	csn_note_put(zone, order, &view);
}

/**
 * csn_probe_suitable() - probe of mm_compaction_suitable
 * @data: unused.
 * @zone: that was judged.
 * @order: for an allocation of this order.
 * @ret: enum compact_result.
 *
 * Context: any but NMI; what happens in interrupts says nothing of the task.
 */
void csn_probe_suitable(void *data, struct zone *zone, int order, int ret)
{
	if (!in_task())
		return;
	preempt_disable_notrace();
	csn_compaction_suitable(zone, order, ret);
	preempt_enable_notrace();
}

/* A compaction that cannot be followed is lost to all who might have wanted it. */
static void csn_compaction_lose(u64 ts)
{
	const struct csn_want *want;
	struct csn_session *session;
	unsigned long irqs;

	csn_for_each_running(session) {
		want = rcu_dereference_sched(session->want);
		if (!(want->config.classes & CSN_CLASS_COMPACTION) ||
		    !csn_filter_task(&want->filter))
			continue;
		local_irq_save(irqs);
		csn_ring_lose_table(this_cpu_ptr(session->rings), ts);
		local_irq_restore(irqs);
	}
}

static void csn_compaction_begin(const void *cc, bool sync)
{
	u64 now = ktime_get_mono_fast_ns();
	struct csn_pass *pass;

	preempt_disable_notrace();
	pass = csn_pass_begin(cc);
	if (likely(pass)) {
		pass->begin = now;
		pass->sync = sync;
	} else {
		csn_compaction_lose(now);
	}
	preempt_enable_notrace();
}

/**
 * csn_probe_begin() - probe of mm_compaction_begin
 * @data: unused.
 * @cc: key of the pass; never dereferenced.
 * @zone_start: unused; pfn.
 * @zone_end: unused; pfn.
 * @sync: whether the pass may wait.
 *
 * Context: task.
 */
void csn_probe_begin(void *data, struct compact_control *cc,
		     unsigned long zone_start, unsigned long zone_end, bool sync)
{
	csn_compaction_begin(cc, sync);
}

/**
 * csn_probe_begin_pfn() - csn_probe_begin() for kernels whose event has no cc
 * @data: unused.
 * @zone_start: unused; pfn.
 * @migrate_pfn: unused; pfn.
 * @free_pfn: unused; pfn.
 * @zone_end: unused; pfn.
 * @sync: whether the pass may wait.
 *
 * Context: task.
 */
void csn_probe_begin_pfn(void *data, unsigned long zone_start,
			 unsigned long migrate_pfn, unsigned long free_pfn,
			 unsigned long zone_end, bool sync)
{
	csn_compaction_begin(NULL, sync);
}

/**
 * csn_probe_finished() - probe of mm_compaction_finished
 * @data: unused.
 * @zone: that is being compacted.
 * @order: for an allocation of this order; -1: the whole zone.
 * @ret: unused; enum compact_result.
 *
 * Context: task. Fires once a pageblock or so; all but the first are to be
 * cheap.
 */
void csn_probe_finished(void *data, struct zone *zone, int order, int ret)
{
	struct csn_pass *pass;

	preempt_disable_notrace();
	pass = csn_pass_find(NULL);
	if (!pass || pass->zone)
		goto out;

	pass->zone = zone;
	pass->order = order;
	if (!csn_note_take(zone, order, &pass->view)) {
		pass->view = (struct csn_zone_view) {
			.probed = CSN_FRAGINDEX_NONE,
			.computed = CSN_FRAGINDEX_NONE,
		};
		csn_zone_read_watermarks(zone, &pass->view.marks);
	}
out:
	preempt_enable_notrace();
}

static void csn_put_zone_state(struct csn_record_zone_state *rec, u8 part,
			       u8 parts, const struct csn_zone_view *view,
			       u32 flags)
{
	u32 have = view->have;

	csn_put_head(&rec->head, CSN_RECORD_ZONE_STATE, part, parts);
	if (!(flags & CSN_FLAG_FRAGINDEX_COMPUTE) && (have & CSN_ZONE_STATE_PROBED))
		have &= ~CSN_ZONE_STATE_COMPUTED;
	else
		have &= ~CSN_ZONE_STATE_PROBED;

	rec->fragindex = have & CSN_ZONE_STATE_PROBED ? view->probed : view->computed;
	rec->flags = have;
	rec->min = view->marks.min;
	rec->low = view->marks.low;
	rec->high = view->marks.high;
	rec->free = view->marks.free;
	memset(rec->reserved, 0, sizeof(rec->reserved));
}

static void csn_put_stack(struct csn_record_stack *rec, u8 part, u8 parts,
			  const unsigned long *frames, unsigned int nr, u64 key)
{
	unsigned int i;

	csn_put_head(&rec->head, CSN_RECORD_STACK, part, parts);
	for (i = 0; i < CSN_STACK_PER_RECORD; i++)
		rec->handle[i] = i < nr ? csn_stack_handle(frames[i], key) : 0;
}

/* Puts the event into the session's ring of this CPU. */
static void csn_compaction_write(struct csn_session *session, u32 flags,
				 struct csn_compaction *c)
{
	bool zone_state = flags & CSN_FLAG_ZONE_STATE;
	unsigned int frames = flags & CSN_FLAG_STACK ? c->nr_frames : 0;
	u8 parts = 1 + zone_state + DIV_ROUND_UP(frames, CSN_STACK_PER_RECORD);
	struct csn_ring *ring;
	unsigned long irqs;
	unsigned int i;
	u8 part = 1;

	/* Against the ring's other writers on this CPU: probes in interrupts. */
	local_irq_save(irqs);
	ring = this_cpu_ptr(session->rings);
	if (!csn_ring_reserve(ring, parts, c->rec.ts))
		goto out;

	csn_put_head(&c->rec.head, CSN_RECORD_COMPACTION, 0, parts);
	memcpy(csn_ring_slot(ring, 0), &c->rec, sizeof(c->rec));
	if (zone_state) {
		csn_put_zone_state(csn_ring_slot(ring, part), part, parts,
				   &c->view, flags);
		part++;
	}
	for (i = 0; i < frames; i += CSN_STACK_PER_RECORD, part++)
		csn_put_stack(csn_ring_slot(ring, part), part, parts,
			      c->frames + i, frames - i, session->key);
	csn_ring_commit(ring, parts);
out:
	local_irq_restore(irqs);
}

/* Hands the event to every session that wants it. */
static void csn_compaction_emit(struct csn_compaction *c)
{
	const struct csn_want *want;
	struct csn_session *session;

	csn_for_each_running(session) {
		want = rcu_dereference_sched(session->want);
		if (!(want->config.classes & CSN_CLASS_COMPACTION) ||
		    !csn_filter_compaction(&want->filter, &c->rec))
			continue;
		if ((want->config.flags & CSN_FLAG_STACK) && !c->frames) {
			c->frames = *this_cpu_ptr(&csn_frames);
			c->nr_frames = csn_stack_save(*this_cpu_ptr(&csn_frames),
						      CSN_STACK_MAX);
		}
		csn_compaction_write(session, want->config.flags, c);
	}
}

static void csn_compaction_end(const void *cc, int status)
{
	u64 now = ktime_get_mono_fast_ns();
	struct csn_compaction c = {};
	struct csn_pass *pass;

	preempt_disable_notrace();
	pass = csn_pass_find(cc);
	if (!pass)	/* It began before anyone watched. */
		goto out;

	/* Probes are attached end first, so a begin that was seen has a zone. */
	if (pass->zone) {
		c.rec.ts = now;
		c.rec.pid = current->tgid;
		c.rec.tid = current->pid;
		csn_put_comm(c.rec.comm);
		/* The fast clock may step back a little across CPUs. */
		c.rec.delta = now > pass->begin ? now - pass->begin : 0;
		c.rec.node = zone_to_nid(pass->zone);
		c.rec.zone = zone_idx(pass->zone);
		c.rec.order = pass->order;
		c.rec.sync = pass->sync;
		c.rec.status = csn_compact_result_status(status);
		c.rec.origin = csn_compaction_origin(pass->order);
		c.view = pass->view;
	}
	csn_pass_end(pass);
	if (c.rec.ts)
		csn_compaction_emit(&c);
out:
	preempt_enable_notrace();
}

/**
 * csn_probe_end() - probe of mm_compaction_end
 * @data: unused.
 * @cc: as in csn_probe_begin().
 * @zone_start: unused; pfn.
 * @zone_end: unused; pfn.
 * @sync: unused.
 * @status: enum compact_result.
 *
 * Context: task.
 */
void csn_probe_end(void *data, struct compact_control *cc,
		   unsigned long zone_start, unsigned long zone_end, bool sync,
		   int status)
{
	csn_compaction_end(cc, status);
}

/**
 * csn_probe_end_pfn() - csn_probe_end() for kernels whose event has no cc
 * @data: unused.
 * @zone_start: unused; pfn.
 * @migrate_pfn: unused; pfn.
 * @free_pfn: unused; pfn.
 * @zone_end: unused; pfn.
 * @sync: unused.
 * @status: enum compact_result.
 *
 * Context: task.
 */
void csn_probe_end_pfn(void *data, unsigned long zone_start,
		       unsigned long migrate_pfn, unsigned long free_pfn,
		       unsigned long zone_end, bool sync, int status)
{
	csn_compaction_end(NULL, status);
}
