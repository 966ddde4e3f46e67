// SPDX-License-Identifier: GPL-2.0-only
/* What became of a session's events: its account, its losses, its counters. */
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "account.h"
#include "fragindex.h"
#include "session.h"

/* Runs @fn where it cannot meet the ring's producer. */
static void csn_account_on_cpu(unsigned int cpu, smp_call_func_t fn, void *arg)
{
	unsigned long irqs;

	cpus_read_lock();
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, fn, arg, true);
	} else {
		local_irq_save(irqs);
		fn(arg);
		local_irq_restore(irqs);
	}
	cpus_read_unlock();
}

struct csn_counts_call {
	const struct csn_ring *ring;
	struct csn_ring_counts counts;
};

static void csn_account_read_counts(void *arg)
{
	struct csn_counts_call *call = arg;

	csn_ring_read_counts(call->ring, &call->counts);
}

static void csn_account_add_stats(struct csn_session *session, unsigned int cpu,
				  struct csn_stats *stats)
{
	struct csn_counts_call call = { .ring = per_cpu_ptr(session->rings, cpu) };

	csn_account_on_cpu(cpu, csn_account_read_counts, &call);
	stats->produced += call.counts.produced;
	stats->delivered += call.counts.delivered;
	stats->lost_full += call.counts.lost_full;
	stats->lost_nested += call.counts.lost_nested;
	stats->lost_table += call.counts.lost_table;
	stats->lost_ring += call.counts.lost_ring;
	stats->pending += csn_ring_used(call.ring);
}

/**
 * csn_account_stats() - the account of a session
 * @session: any.
 * @stats: size and cpu set; the rest is filled in.
 *
 * Context: may sleep.
 * Return: 0, or -ENXIO if there can be no such CPU.
 */
int csn_account_stats(struct csn_session *session, struct csn_stats *stats)
{
	struct csn_stats sum = { .size = stats->size, .cpu = stats->cpu };
	unsigned int cpu;

	if (stats->cpu != CSN_CPU_ALL &&
	    (stats->cpu >= nr_cpu_ids || !cpu_possible(stats->cpu)))
		return -ENXIO;
	for_each_possible_cpu(cpu)
		if (stats->cpu == CSN_CPU_ALL || stats->cpu == cpu)
			csn_account_add_stats(session, cpu, &sum);

	sum.fragindex_missed = csn_session_fragindex_missed();
	sum.fragindex_computed = csn_fragindex_computed();
	*stats = sum;
	return 0;
}

static void csn_account_tell_ring(void *arg)
{
	csn_ring_tell(arg, ktime_get_mono_fast_ns());
}

/**
 * csn_account_tell_lost() - put losses that no event followed into the rings
 * @session: any.
 *
 * Context: may sleep.
 */
void csn_account_tell_lost(struct csn_session *session)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct csn_ring *ring = per_cpu_ptr(session->rings, cpu);

		if (csn_ring_untold(ring))
			csn_account_on_cpu(cpu, csn_account_tell_ring, ring);
	}
}

static void csn_account_hand_over_ring(void *arg)
{
	csn_ring_hand_over(arg);
}

/**
 * csn_account_hand_over() - a session that kept the newest has a reader now
 * @session: that nobody reads from yet; it may run.
 *
 * Context: may sleep.
 */
void csn_account_hand_over(struct csn_session *session)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		csn_account_on_cpu(cpu, csn_account_hand_over_ring,
				   per_cpu_ptr(session->rings, cpu));
}

/**
 * csn_account_counters() - what a session counted
 * @session: any.
 * @c: size, cells and nr_cells set; the rest is filled in.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL; -ENOSPC if @c->nr_cells are too few; -ENOMEM; -EFAULT.
 */
int csn_account_counters(struct csn_session *session, struct csn_counters *c)
{
	struct csn_counters sum = { .size = c->size, .cells = c->cells };
	struct csn_config config = {};
	int err = 0;
	u64 *cells;

	if (memchr_inv(c->reserved, 0, sizeof(c->reserved)))
		return -EINVAL;
	csn_counters_describe(&sum);
	if (c->cells && c->nr_cells < sum.nr_cells)
		return -ENOSPC;
	cells = kvcalloc(sum.nr_cells, sizeof(*cells), GFP_KERNEL);
	if (!cells)
		return -ENOMEM;

	csn_session_get_config(session, &config);
	sum.counters = config.counters;
	mutex_lock(&session->lock);
	if (session->tables)
		csn_counters_sum(session->tables, &sum, cells);
	mutex_unlock(&session->lock);

	if (c->cells && copy_to_user(u64_to_user_ptr(c->cells), cells,
				     sum.nr_cells * sizeof(*cells)))
		err = -EFAULT;
	else
		*c = sum;
	kvfree(cells);
	return err;
}
