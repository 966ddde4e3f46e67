/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a session wants an event: the compares, cheapest first. */
#ifndef CSN_FILTER_H
#define CSN_FILTER_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/compactsnoop.h>

/**
 * csn_filter_task() - what can be told from the running task
 * @f: a checked filter whose pid and tid are those of the initial namespace.
 *
 * Context: any; the task is the event's.
 * Return: false if @f leaves the event out whatever else it is.
 */
static inline bool csn_filter_task(const struct csn_filter *f)
{
	if ((f->match & CSN_MATCH_PID) && f->pid != current->tgid)
		return false;
	if ((f->match & CSN_MATCH_TID) && f->tid != current->pid)
		return false;
	return !(f->match & CSN_MATCH_COMM) ||
	       !strncmp(f->comm, current->comm, CSN_COMM_LEN);
}

/**
 * csn_filter_compaction() - whether a session wants a compaction
 * @f: as for csn_filter_task().
 * @c: of the running task, all but its head filled in.
 *
 * Context: any.
 * Return: true if every compare that @f asks for holds.
 */
static inline bool csn_filter_compaction(const struct csn_filter *f,
					 const struct csn_record_compaction *c)
{
	u32 match = f->match;

	if (likely(!match))
		return true;
	if ((match & CSN_MATCH_ORDER) &&
	    (c->order < f->order_min || c->order > f->order_max))
		return false;
	if ((match & CSN_MATCH_SYNC) && !(f->syncs & BIT(c->sync)))
		return false;
	if ((match & CSN_MATCH_ORIGIN) && !(f->origins & BIT(c->origin)))
		return false;
	if ((match & CSN_MATCH_STATUS) && !(f->statuses & BIT(c->status)))
		return false;
	if ((match & CSN_MATCH_ZONE) && !(f->zones & BIT(c->zone)))
		return false;
	if ((match & CSN_MATCH_NODE) && f->node != c->node)
		return false;
	if ((match & CSN_MATCH_LATENCY) && c->delta < f->min_latency)
		return false;
	return csn_filter_task(f);
}

/**
 * struct csn_page_place - what can be told of a block of pages
 * @node: NUMA node, or CSN_NODE_NONE.
 * @zone: number of the zone in its node, or CSN_ZONE_NONE.
 * @order: not bounded.
 * @migratetype: enum csn_migratetype.
 */
struct csn_page_place {
	s32 node;
	u8 zone;
	u8 order;
	u8 migratetype;
};

/**
 * csn_filter_page() - whether a session wants an event of pages
 * @f: as for csn_filter_task(), which has let the event through.
 * @at: the pages.
 *
 * Context: any.
 * Return: true if every compare that @f asks for holds.
 */
static inline bool csn_filter_page(const struct csn_filter *f,
				   const struct csn_page_place *at)
{
	u32 match = f->match;

	if ((match & CSN_MATCH_ORDER) &&
	    (at->order < f->order_min || at->order > f->order_max))
		return false;
	if ((match & CSN_MATCH_MIGRATETYPE) && !(f->migratetypes & BIT(at->migratetype)))
		return false;
	if ((match & CSN_MATCH_ZONE) &&
	    (at->zone == CSN_ZONE_NONE || !(f->zones & BIT(at->zone))))
		return false;
	return !(match & CSN_MATCH_NODE) ||
	       (at->node != CSN_NODE_NONE && f->node == at->node);
}

#endif /* CSN_FILTER_H */
