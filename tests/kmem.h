/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page events for the tests: a process that allocates known numbers of pages
 * and nothing besides, sessions for page events, and their numbers.
 *
 * Functions return 0 or a value, or a negative errno; none prints or exits.
 */
#ifndef KMEM_H
#define KMEM_H

#include <sys/types.h>
#include "csn.h"

#define KMEM_PAGE_CLASSES	(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE | \
				 CSN_CLASS_EXTFRAG)

/*
 * A child of this process that does as it is told. Telling it is no reason
 * for it to allocate: the command lies in memory that both have, the two wait
 * for each other with eventfds.
 */
struct allocator {
	pid_t pid;
	int go;
	int done;
	struct allocator_order *order;
};

/*
 * Loads csn_allocator.ko if need be ($CSN_ALLOCATOR_KO, or beside the
 * program); starts the child on @cpu. -ENOENT: there is no such module.
 */
int allocator_begin(struct allocator *a, int cpu);
/* A command of csn_allocator.ko ("alloc 3 10"); as its write() ends. */
int allocator_do(struct allocator *a, const char *command);
/* Touches so many new pages of its own, which are movable, and unmaps them. */
int allocator_touch(struct allocator *a, unsigned int pages);
/* Moves the child to another CPU. */
int allocator_move(struct allocator *a, int cpu);
/* What csn_allocator.ko says of the child: blocks held, allocations failed. */
int allocator_state(struct allocator *a, unsigned long *blocks,
		    unsigned long *failed);
void allocator_end(struct allocator *a);

/* A session, non-blocking, started; @filter may be NULL. */
int kmem_open(__u32 classes, __u32 counters, __u32 flags,
	      const struct csn_filter *filter);

/* All cells of @counter for an order, or for all orders if it is -1. */
__u64 kmem_sum(const struct csn_counters *c, const __u64 *cells,
	       enum csn_counter counter, int order);
/* The numbers that the counters of a session with this log should have. */
void kmem_count(const struct csn_log *log, const struct csn_counters *c,
		__u64 *cells);
/* Records of a type and, if @order is not -1, of an order. */
size_t kmem_records(const struct csn_log *log, int type, int order);
/* Does @page pass @filter? In user space, from the ABI's words alone. */
bool kmem_passes(const struct csn_filter *filter,
		 const struct csn_record_page *page);

#endif /* KMEM_H */
