/* SPDX-License-Identifier: GPL-2.0-only */
/* What a session counts: a table per CPU, laid out as csn_counter_cell() says. */
#ifndef CSN_COUNTERS_H
#define CSN_COUNTERS_H

#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <asm/local64.h>
#include <linux/compactsnoop.h>

#include "zone.h"

/*
 * Tables are pointers, since they can be larger than what alloc_percpu() gives.
 * A cell is a local64_t: an increment is exact whatever interrupts it, NMIs
 * included, costs one instruction on x86, and can be read whole from another
 * CPU, also by a 32-bit kernel.
 */
struct csn_counter_table {
	local64_t *cells;
};

struct csn_counter_table __percpu *csn_counters_alloc(void);
void csn_counters_free(struct csn_counter_table __percpu *tables);
int csn_counters_read(struct csn_counter_table __percpu *tables,
		      struct csn_counters *out);

/**
 * csn_counters_add() - count an event
 * @tables: of the session.
 * @counter: enum csn_counter.
 * @node: of the pages; 0 for an allocation that failed.
 * @zone: as for @node.
 * @order: any; one that the buddy allocator does not have counts apart.
 * @migratetype: enum csn_migratetype.
 *
 * Context: any, preemption off.
 */
static __always_inline void
csn_counters_add(struct csn_counter_table __percpu *tables,
		 enum csn_counter counter, unsigned int node, unsigned int zone,
		 unsigned int order, unsigned int migratetype)
{
	const unsigned int nr_orders = csn_zone_nr_orders();
	local64_t *cells = this_cpu_read(tables->cells);
	unsigned int cell;

	if (unlikely(order >= nr_orders)) {
		local64_inc(&cells[-1]);
		return;
	}
	cell = (counter * nr_node_ids + node) * MAX_NR_ZONES + zone;
	local64_inc(&cells[(cell * nr_orders + order) * CSN_NR_MIGRATETYPES + migratetype]);
}

#endif /* CSN_COUNTERS_H */
