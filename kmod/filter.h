/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a session wants an event: the compares, cheapest first. */
#ifndef CSN_FILTER_H
#define CSN_FILTER_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/compactsnoop.h>

/**
 * struct csn_task_filter - what can be told from the running task
 * @pid: process, initial pid namespace.
 * @tid: thread, initial pid namespace.
 * @comm: name, in words.
 * @comm_mask: which bytes of it are compared: up to and with its NUL, as what
 *	lies behind the NUL of a task's name is anything.
 *
 * Which of them is compared is told by CSN_MATCH_*.
 */
struct csn_task_filter {
	u32 pid;
	u32 tid;
	u64 comm[CSN_COMM_LEN / sizeof(u64)];
	u64 comm_mask[CSN_COMM_LEN / sizeof(u64)];
};

/**
 * csn_filter_set_task() - make a task filter
 * @t: filled in.
 * @f: a checked filter whose pid and tid are those of the initial namespace.
 *
 * Context: any.
 */
static inline void csn_filter_set_task(struct csn_task_filter *t,
				       const struct csn_filter *f)
{
	t->pid = f->pid;
	t->tid = f->tid;
	memcpy(t->comm, f->comm, sizeof(t->comm));
	memset(t->comm_mask, 0, sizeof(t->comm_mask));
	memset(t->comm_mask, 0xff, strlen(f->comm) + 1);
}

/**
 * csn_filter_task() - whether a session wants events of the running task
 * @t: see there.
 * @match: CSN_MATCH_*.
 *
 * Context: any; the task is the event's.
 * Return: false if the event is to be left out whatever else it is.
 */
static __always_inline bool csn_filter_task(const struct csn_task_filter *t, u32 match)
{
	u64 front, back;

	if ((match & CSN_MATCH_PID) && t->pid != current->tgid)
		return false;
	if ((match & CSN_MATCH_TID) && t->tid != current->pid)
		return false;
	if (!(match & CSN_MATCH_COMM))
		return true;
	memcpy(&front, current->comm, sizeof(front));
	memcpy(&back, current->comm + sizeof(front), sizeof(back));
	return !(((front ^ t->comm[0]) & t->comm_mask[0]) |
		 ((back ^ t->comm[1]) & t->comm_mask[1]));
}

/**
 * csn_filter_compaction() - whether a session wants a compaction
 * @f: a checked filter.
 * @t: its task filter.
 * @c: of the running task, all but its head filled in.
 *
 * Context: any.
 * Return: true if every compare that @f asks for holds.
 */
static inline bool csn_filter_compaction(const struct csn_filter *f,
					 const struct csn_task_filter *t,
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
	return csn_filter_task(t, match);
}

#endif /* CSN_FILTER_H */
