/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of page events, for one session: a table a CPU, so that counting is
 * one increment that no other CPU and no interrupt can come between.
 */
#ifndef CSN_COUNTERS_H
#define CSN_COUNTERS_H

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <asm/local64.h>
#include <linux/compactsnoop.h>

#include "zone.h"

#define CSN_NR_COUNTERS		4	/* enum csn_counter */

/* A power of two in each dimension finds a cell with fewer instructions. */
#define CSN_ORDER_STRIDE	roundup_pow_of_two(csn_zone_nr_orders())
#define CSN_MIGRATETYPE_STRIDE	8

/**
 * struct csn_counter_table - one CPU's counts
 * @beyond: frees of more than the largest order.
 * @cell: the rest, see csn_counter(); CSN_COUNTER_FAILED in the first zone's.
 *
 * Incremented on its CPU with preemption off; read anywhere.
 */
struct csn_counter_table {
	local64_t beyond;
	local64_t cell[];
};

struct csn_counter_table * __percpu *csn_counters_alloc(void);
void csn_counters_free(struct csn_counter_table * __percpu *tables);
void csn_counters_describe(struct csn_counters *c);
void csn_counters_sum(struct csn_counter_table * __percpu *tables,
		      struct csn_counters *c, u64 *cells);

/**
 * csn_counter() - a cell of a table
 * @table: the table.
 * @counter: enum csn_counter.
 * @zone: csn_zone_id().
 * @order: below csn_zone_nr_orders().
 * @migratetype: enum csn_migratetype.
 *
 * Context: any.
 * Return: the cell.
 */
static __always_inline local64_t *csn_counter(struct csn_counter_table *table,
					      enum csn_counter counter,
					      unsigned int zone, unsigned int order,
					      u8 migratetype)
{
	size_t block = (size_t)zone * CSN_ORDER_STRIDE + order;

	return &table->cell[block * CSN_NR_COUNTERS * CSN_MIGRATETYPE_STRIDE +
			    counter * CSN_MIGRATETYPE_STRIDE + migratetype];
}

#endif /* CSN_COUNTERS_H */
