/* SPDX-License-Identifier: GPL-2.0-only */
/* What a session counts: a table per CPU, laid out as csn_counter_cell() says. */
#ifndef CSN_COUNTERS_H
#define CSN_COUNTERS_H

#include <linux/log2.h>
#include <linux/mm.h>
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

/*
 * Cells of a table, by zone id, counter, order and migratetype. All are rounded
 * up to powers of two: the index is shifts and ors then, 14 instructions less
 * than multiplying.
 */
#define CSN_NR_COUNTERS			(CSN_COUNTER_FAILED + 1)
#define CSN_CELL_MIGRATETYPE_BITS	order_base_2(CSN_NR_MIGRATETYPES)
#define CSN_CELL_ORDER_BITS		order_base_2(csn_zone_nr_orders())
#define CSN_CELL_COUNTER_BITS		order_base_2(CSN_NR_COUNTERS)
#define CSN_CELLS_OF_ZONE	(1U << (CSN_CELL_COUNTER_BITS + CSN_CELL_ORDER_BITS + \
					CSN_CELL_MIGRATETYPE_BITS))

struct csn_counter_table __percpu *csn_counters_alloc(void);
void csn_counters_free(struct csn_counter_table __percpu *tables);
int csn_counters_read(struct csn_counter_table __percpu *tables,
		      struct csn_counters *out);

/**
 * csn_zone_id() - a number for a zone of a node
 * @node: 0 to nr_node_ids - 1.
 * @zone: 0 to MAX_NR_ZONES - 1.
 *
 * Context: any.
 * Return: below nr_node_ids << ZONES_SHIFT.
 */
static __always_inline unsigned int csn_zone_id(unsigned int node, unsigned int zone)
{
	return node << ZONES_SHIFT | zone;
}

/**
 * csn_page_zone_id() - that of a page
 * @page: any.
 *
 * Context: any.
 * Return: as csn_zone_id().
 */
static __always_inline unsigned int csn_page_zone_id(const struct page *page)
{
#ifdef NODE_NOT_IN_PAGE_FLAGS
	return csn_zone_id(page_to_nid(page), page_zonenum(page));
#else
	/* As the flags have it: six instructions less. */
	return page_zone_id((struct page *)page);
#endif
}

/**
 * csn_counters_cell() - where a number is in a table
 * @counter: enum csn_counter.
 * @zone_id: of csn_zone_id().
 * @order: 0 to csn_zone_nr_orders() - 1.
 * @migratetype: enum csn_migratetype.
 *
 * Context: any.
 * Return: the index.
 */
static __always_inline unsigned int
csn_counters_cell(enum csn_counter counter, unsigned int zone_id,
		  unsigned int order, unsigned int migratetype)
{
	unsigned int cell = zone_id << CSN_CELL_COUNTER_BITS | counter;

	cell = cell << CSN_CELL_ORDER_BITS | order;
	return cell << CSN_CELL_MIGRATETYPE_BITS | migratetype;
}

/**
 * csn_counters_add() - count an event
 * @tables: of the session.
 * @counter: enum csn_counter.
 * @zone_id: of csn_zone_id(); 0 for an allocation that failed.
 * @order: any; one that the buddy allocator does not have counts apart.
 * @migratetype: enum csn_migratetype.
 *
 * Context: any, preemption off.
 */
static __always_inline void
csn_counters_add(struct csn_counter_table __percpu *tables,
		 enum csn_counter counter, unsigned int zone_id,
		 unsigned int order, unsigned int migratetype)
{
	local64_t *cells = this_cpu_read(tables->cells);

	if (unlikely(order >= csn_zone_nr_orders()))
		local64_inc(&cells[-1]);
	else
		local64_inc(&cells[csn_counters_cell(counter, zone_id, order,
						     migratetype)]);
}

#endif /* CSN_COUNTERS_H */
