// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "counters.h"

#define CSN_NR_COUNTERS		(CSN_COUNTER_FAILED + 1)

/* Cells of the ABI. */
static unsigned int csn_counters_nr_cells(void)
{
	return CSN_NR_COUNTERS * nr_node_ids * MAX_NR_ZONES *
	       csn_zone_nr_orders() * CSN_NR_MIGRATETYPES;
}

/**
 * csn_counters_alloc() - tables for all CPUs, those to come too
 *
 * Context: may sleep.
 * Return: zeroed tables, or NULL if there is no memory.
 */
struct csn_counter_table __percpu *csn_counters_alloc(void)
{
	/* One before the first: frees of an order beyond the table. */
	size_t size = (1 + csn_counters_nr_cells()) * sizeof(local64_t);
	struct csn_counter_table __percpu *tables = alloc_percpu(struct csn_counter_table);
	unsigned int cpu;
	local64_t *cells;

	if (!tables)
		return NULL;
	for_each_possible_cpu(cpu) {
		cells = kvzalloc_node(size, GFP_KERNEL, cpu_to_node(cpu));
		if (!cells) {
			csn_counters_free(tables);
			return NULL;
		}
		per_cpu_ptr(tables, cpu)->cells = cells + 1;
	}
	return tables;
}

/**
 * csn_counters_free() - give tables back
 * @tables: that nobody counts in or reads any more; may be NULL.
 *
 * Context: may sleep.
 */
void csn_counters_free(struct csn_counter_table __percpu *tables)
{
	unsigned int cpu;

	if (!tables)
		return;
	for_each_possible_cpu(cpu) {
		local64_t *cells = per_cpu_ptr(tables, cpu)->cells;

		if (cells)
			kvfree(cells - 1);
	}
	free_percpu(tables);
}

/* Sums up @nr cells into @sums, and what is beyond them. */
static void csn_counters_sum(struct csn_counter_table __percpu *tables,
			     u64 *sums, unsigned int nr, u64 *beyond)
{
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		local64_t *cells = per_cpu_ptr(tables, cpu)->cells;

		*beyond += local64_read(&cells[-1]);
		for (i = 0; i < nr; i++)
			sums[i] += local64_read(&cells[i]);
		cond_resched();
	}
}

/**
 * csn_counters_read() - the sum of all CPUs
 * @tables: NULL: nothing was ever counted.
 * @out: cells and nr_cells as user space set them; all but size and counters
 *	is filled in, and the array that it points to.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if reserved is not zero; -ENOSPC if the array is too
 * short; -EFAULT; -ENOMEM.
 */
int csn_counters_read(struct csn_counter_table __percpu *tables,
		      struct csn_counters *out)
{
	unsigned int nr = csn_counters_nr_cells();
	u64 __user *to = u64_to_user_ptr(out->cells);
	u64 *sums = NULL;
	int err = 0;

	if (memchr_inv(out->reserved, 0, sizeof(out->reserved)))
		return -EINVAL;
	/* Beyond what a 32-bit kernel can address. */
	if ((u64)(uintptr_t)to != out->cells)
		return -EFAULT;
	if (to && out->nr_cells < nr)
		return -ENOSPC;
	if (to) {
		sums = kvcalloc(nr, sizeof(*sums), GFP_KERNEL);
		if (!sums)
			return -ENOMEM;
	}
	out->ts = ktime_get_mono_fast_ns();
	out->nr_cells = nr;
	out->nr_nodes = nr_node_ids;
	out->nr_zones = MAX_NR_ZONES;
	out->nr_orders = csn_zone_nr_orders();
	out->nr_migratetypes = CSN_NR_MIGRATETYPES;
	out->beyond = 0;
	if (tables)
		csn_counters_sum(tables, sums, sums ? nr : 0, &out->beyond);
	if (sums && copy_to_user(to, sums, nr * sizeof(*sums)))
		err = -EFAULT;
	kvfree(sums);
	return err;
}
