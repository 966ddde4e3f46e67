/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_TALLY_H
#define CSN_TALLY_H

#include <stddef.h>

#include "pages.h"

/* What a tally keeps apart: bits. */
#define CSN_BY_NODE		(1U << 0)
#define CSN_BY_ZONE		(1U << 1)
#define CSN_BY_MIGRATETYPE	(1U << 2)
#define CSN_BY_PID		(1U << 3)
#define CSN_BY_COMM		(1U << 4)
#define CSN_BY_TASK		(CSN_BY_PID | CSN_BY_COMM)

#define CSN_TALLY_MAX_CELLS	65536	/* the rest shares one cell */

/**
 * struct csn_key - what events that are counted together have in common
 * @node: CSN_NODE_NONE if not known or not kept apart.
 * @zone: CSN_ZONE_NONE likewise.
 * @migratetype: enum csn_migratetype; 0 if not kept apart.
 * @pid: 0 if not kept apart.
 * @comm: NUL-padded; of CSN_BY_PID: the process's latest thread name.
 * @is_rest: everything that has no counts of its own.
 */
struct csn_key {
	int node;
	unsigned int zone;
	unsigned int migratetype;
	__u32 pid;
	char comm[CSN_COMM_LEN];
	bool is_rest;
};

/**
 * struct csn_cell - counts of what is alike
 * @key: what it is that is alike.
 * @counts: since the last csn_tally_clear().
 * @total: before it.
 */
struct csn_cell {
	struct csn_key key;
	struct csn_counts counts;
	struct csn_counts total;
};

/**
 * struct csn_tally - counts events, as far apart as is asked for
 * @by: CSN_BY_*.
 * @cells: what was met, in the order in which it came.
 * @nr_cells: how many.
 *
 * Zeroed and @by set, it is ready. private: the rest.
 */
struct csn_tally {
	unsigned int by;
	struct csn_cell *cells;
	size_t nr_cells;

	/* private: */
	size_t room;		/* in cells */
	__u32 *slots;		/* hash table: index into cells + 1, 0: empty */
	size_t nr_slots;	/* a power of two, above nr_cells */
};

struct csn_cell *csn_tally_cell(struct csn_tally *tally,
				const struct csn_pages *pages);
int csn_tally_add(struct csn_tally *tally, const struct csn_pages *pages);
void csn_tally_clear(struct csn_tally *tally);
void csn_tally_free(struct csn_tally *tally);

void csn_counts_add(struct csn_counts *to, const struct csn_counts *from);

#endif
