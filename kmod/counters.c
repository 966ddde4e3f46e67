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

/* Cells of the ABI, which are packed. */
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
	size_t size = (1 + (nr_node_ids << ZONES_SHIFT) * CSN_CELLS_OF_ZONE) *
		      sizeof(local64_t);
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

/* Adds one CPU's cells of a counter and zone to those of the ABI; returns behind them. */
static u64 *csn_counters_add_zone(const local64_t *cells, enum csn_counter counter,
				  unsigned int zone_id, u64 *sums)
{
	unsigned int order, mt;

	for (order = 0; order < csn_zone_nr_orders(); order++)
		for (mt = 0; mt < CSN_NR_MIGRATETYPES; mt++)
			*sums++ += local64_read(&cells[csn_counters_cell(counter, zone_id,
									 order, mt)]);
	return sums;
}

/* Adds one CPU's cells to those of the ABI. */
static void csn_counters_add_cpu(const local64_t *cells, u64 *sums)
{
	unsigned int counter, node, zone;

	for (counter = 0; counter < CSN_NR_COUNTERS; counter++)
		for (node = 0; node < nr_node_ids; node++)
			for (zone = 0; zone < MAX_NR_ZONES; zone++)
				sums = csn_counters_add_zone(cells, counter,
							     csn_zone_id(node, zone), sums);
}

/* Adds up all CPUs'; @sums may be NULL. */
static void csn_counters_sum(struct csn_counter_table __percpu *tables,
			     u64 *sums, u64 *beyond)
{
	const local64_t *cells;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		cells = per_cpu_ptr(tables, cpu)->cells;
		*beyond += local64_read(&cells[-1]);
		if (sums)
			csn_counters_add_cpu(cells, sums);
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
		csn_counters_sum(tables, sums, &out->beyond);
	if (sums && copy_to_user(to, sums, nr * sizeof(*sums)))
		err = -EFAULT;
	kvfree(sums);
	return err;
}
