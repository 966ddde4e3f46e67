// SPDX-License-Identifier: GPL-2.0-only
#include <linux/build_bug.h>
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "compat/mm.h"
#include "counters.h"

/**
 * csn_counters_alloc() - tables for all CPUs, all zero
 *
 * Also for those that are not there yet: what a CPU counts is never without a
 * place, and stays when the CPU goes.
 *
 * Context: may sleep.
 * Return: the tables, or NULL if there is no memory.
 */
struct csn_counter_table * __percpu *csn_counters_alloc(void)
{
	size_t cells = (size_t)CSN_NR_ZONE_IDS * CSN_ORDER_STRIDE * CSN_NR_COUNTERS *
		       CSN_MIGRATETYPE_STRIDE;
	struct csn_counter_table * __percpu *tables;
	struct csn_counter_table *table;
	unsigned int cpu;

	BUILD_BUG_ON(CSN_COUNTER_FAILED >= CSN_NR_COUNTERS);
	BUILD_BUG_ON(CSN_NR_MIGRATETYPES > CSN_MIGRATETYPE_STRIDE);
	tables = alloc_percpu(struct csn_counter_table *);
	if (!tables)
		return NULL;
	for_each_possible_cpu(cpu) {
		table = kvzalloc_node(struct_size(table, cell, cells), GFP_KERNEL,
				      cpu_to_node(cpu));
		if (!table) {
			csn_counters_free(tables);
			return NULL;
		}
		*per_cpu_ptr(tables, cpu) = table;
	}
	return tables;
}

/**
 * csn_counters_free() - give tables back
 * @tables: that nobody counts in any more, or NULL.
 *
 * Context: may sleep.
 */
void csn_counters_free(struct csn_counter_table * __percpu *tables)
{
	unsigned int cpu;

	if (!tables)
		return;
	for_each_possible_cpu(cpu)
		kvfree(*per_cpu_ptr(tables, cpu));
	free_percpu(tables);
}

/**
 * csn_counters_describe() - how long the tables of this machine are
 * @c: nr_* and ts are filled in.
 *
 * Context: any.
 */
void csn_counters_describe(struct csn_counters *c)
{
	c->ts = ktime_get_mono_fast_ns();
	c->nr_nodes = nr_node_ids;
	c->nr_zones = MAX_NR_ZONES;
	c->nr_orders = csn_zone_nr_orders();
	c->nr_migratetypes = CSN_NR_MIGRATETYPES;
	/* Those that failed are of no zone, and come last. */
	c->nr_cells = csn_counter_cell(c, CSN_COUNTER_FAILED, 0, 0, c->nr_orders, 0);
}

/* A table and where its numbers go. */
struct csn_counters_call {
	struct csn_counter_table *table;
	struct csn_counters *c;
	u64 *cells;
};

static void csn_counters_add_zone(const struct csn_counters_call *call,
				  enum csn_counter counter, unsigned int node,
				  unsigned int zone)
{
	u64 *cell = call->cells + csn_counter_cell(call->c, counter, node, zone, 0, 0);
	unsigned int order, mt;

	for (order = 0; order < call->c->nr_orders; order++)
		for (mt = 0; mt < CSN_NR_MIGRATETYPES; mt++)
			*cell++ += local64_read(csn_counter(call->table, counter,
							    node << ZONES_SHIFT | zone,
							    order, mt));
}

static void csn_counters_add(const struct csn_counters_call *call)
{
	unsigned int counter, node, zone;

	call->c->beyond += local64_read(&call->table->beyond);
	for (counter = 0; counter < CSN_COUNTER_FAILED; counter++)
		for (node = 0; node < call->c->nr_nodes; node++)
			for (zone = 0; zone < call->c->nr_zones; zone++)
				csn_counters_add_zone(call, counter, node, zone);
	csn_counters_add_zone(call, CSN_COUNTER_FAILED, 0, 0);
}

/**
 * csn_counters_sum() - what all CPUs counted
 * @tables: the tables.
 * @c: nr_* filled in; beyond is added to.
 * @cells: @c->nr_cells; the sums are added to what is there.
 *
 * Context: may sleep.
 */
void csn_counters_sum(struct csn_counter_table * __percpu *tables,
		      struct csn_counters *c, u64 *cells)
{
	struct csn_counters_call call = { .c = c, .cells = cells };
	unsigned int cpu;

	/* local64_t is read whole, also where a long has 32 bits. */
	for_each_possible_cpu(cpu) {
		call.table = *per_cpu_ptr(tables, cpu);
		csn_counters_add(&call);
		cond_resched();
	}
}
