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
 * csn_filter_order() - what can be told from an order
 * @f: a checked filter.
 * @order: not bounded.
 *
 * Context: any.
 * Return: false if @f leaves the event out whatever else it is.
 */
static inline bool csn_filter_order(const struct csn_filter *f, unsigned int order)
{
	return !(f->match & CSN_MATCH_ORDER) ||
	       ((int)order >= f->order_min && (int)order <= f->order_max);
}

/**
 * csn_filter_page() - what can be told from pages
 * @f: a checked filter.
 * @node: NUMA node, or CSN_NODE_NONE.
 * @zone: number of the zone in its node, or CSN_ZONE_NONE.
 * @migratetype: enum csn_migratetype; any if @f does not ask for it.
 *
 * Context: any.
 * Return: false if @f leaves the event out whatever else it is.
 */
static inline bool csn_filter_page(const struct csn_filter *f, int node,
				   unsigned int zone, unsigned int migratetype)
{
	u32 match = f->match;

	if ((match & CSN_MATCH_ZONE) &&
	    (zone == CSN_ZONE_NONE || !(f->zones & BIT(zone))))
		return false;
	if ((match & CSN_MATCH_NODE) && (node == CSN_NODE_NONE || f->node != node))
		return false;
	return !(match & CSN_MATCH_MIGRATETYPE) || (f->migratetypes & BIT(migratetype));
}

#endif /* CSN_FILTER_H */
