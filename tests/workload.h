/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory compactions on demand, one function per origin. Needs root.
 *
 *	struct workload w;
 *
 *	err = workload_begin(&w) ?: workload_fragment(&w) ?: workload_thp(&w);
 *	workload_end(&w);
 *
 * All return 0 or a negative errno: -ETIMEDOUT if the kernel's own counters
 * did not show within WORKLOAD_PATIENCE_MS that it happened. Where a function
 * says "fragmented", call workload_fragment() before; a compaction undoes it.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stddef.h>

/* How long anything here may take; an emulated machine needs seconds. */
#define WORKLOAD_PATIENCE_MS	60000

#define WORKLOAD_SETTINGS	5

/* Private to workload.c but for where it lives. */
struct workload {
	char *pages;		/* base pages, every other one missing */
	size_t size;
	char *huge;		/* address space to fault huge pages in */
	size_t huge_used;
	size_t huge_page;
	int socket[2];		/* -1, or with messages that nobody reads */
	char saved[WORKLOAD_SETTINGS][64];	/* empty: not there */
};

/* Notes the settings that the rest changes. */
int workload_begin(struct workload *w);

/*
 * Frees all memory and puts the settings back. Only system calls that a signal
 * handler may make.
 */
void workload_end(struct workload *w);

/*
 * Fills memory with base pages and drops every other one: half of it is free,
 * next to nothing of that in blocks. Again: frees what it had and starts anew.
 */
int workload_fragment(struct workload *w);

/*
 * Direct compaction, asynchronous: THP faults, or hugetlb pages where there is
 * no THP, until it had to compact. Fragmented. This task is the one that
 * compacts.
 */
int workload_thp(struct workload *w);

/*
 * Direct compaction, asynchronous, then synchronous where that fails: more
 * hugetlb pages than there is memory for. Fragmented. This task compacts.
 */
int workload_hugepages(struct workload *w);

/* A manual compaction of all zones, by this task. */
int workload_compact(struct workload *w);

/*
 * kcompactd, for an order: THP faults that may not compact themselves, or
 * messages in a socket where there is no THP, wake kswapd, which wakes it.
 * Fragmented.
 */
int workload_kcompactd(struct workload *w);

/* kcompactd, on its own account: compaction_proactiveness at 100. Fragmented. */
int workload_proactive(struct workload *w);

/*
 * A manual compaction by this task, right after it was told in an allocation
 * that compaction is suitable (COMPACT_CONTINUE) and no compaction followed.
 * Fragmented. -EOPNOTSUPP: no THP.
 */
int workload_stale_note(struct workload *w);

#endif /* WORKLOAD_H */
