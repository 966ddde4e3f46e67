/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that allocates and frees pages when it is told, and else sleeps: its
 * memory is locked, so that what it allocates is what it was told, and what
 * comes on top is interrupts'. Needs MODULE_ALLOCATOR loaded.
 *
 *	err = worker_start(&w);
 *	n = worker_alloc(&w, order, CSN_ALLOCATE_MOVABLE, 10);
 *	worker_free(&w);
 *	worker_end(&w);
 *
 * Functions return 0 or more, or a negative errno.
 */
#ifndef WORKER_H
#define WORKER_H

#include <sys/types.h>
#include "allocator/csn_allocator.h"

#define WORKER_COMM		"csn worker"
#define WORKER_MAX_BLOCKS	4096

/* Shared by the process and who tells it. */
struct worker_orders {
	int command;		/* 0: done */
	int err;
	struct csn_allocate a;
	__u64 pfn[WORKER_MAX_BLOCKS];
};

struct worker {
	pid_t pid;
	struct worker_orders *shared;
};

/* On CPU 0 alone, so that its events are in one ring, in order, its pages of node 0. */
int worker_start(struct worker *w);
/* How many of @count blocks it got; their page frames are in shared->pfn. */
int worker_alloc(struct worker *w, unsigned int order, unsigned int kind,
		 unsigned int count);
/* As many blocks as there are, until so many allocations have failed. */
int worker_fail(struct worker *w, unsigned int order, unsigned int failures);
/* Gives back all blocks. */
int worker_free(struct worker *w);
void worker_end(struct worker *w);

#endif /* WORKER_H */
