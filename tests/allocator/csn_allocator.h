/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/* The test module that allocates pages as it is told: /dev/csn_allocator. */
#ifndef CSN_ALLOCATOR_H
#define CSN_ALLOCATOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CSN_ALLOCATOR_NAME	"csn_allocator"

/* enum csn_migratetype has the same numbers. */
#define CSN_ALLOCATE_UNMOVABLE		0
#define CSN_ALLOCATE_MOVABLE		1
#define CSN_ALLOCATE_RECLAIMABLE	2
#define CSN_ALLOCATE_OR_FAIL		3	/* unmovable; no reclaim, no warning */

/**
 * struct csn_allocate - blocks for the calling process, kept until all are freed
 * @order: of each.
 * @kind: CSN_ALLOCATE_*.
 * @count: at most so many.
 * @failures: end after so many allocations that failed; 0: with the first.
 * @pfns: address of an array of @count __u64, filled with the page frames.
 * @allocated: out.
 * @failed: out.
 */
struct csn_allocate {
	__u32 order;
	__u32 kind;
	__u32 count;
	__u32 failures;
	__u64 pfns;
	__u32 allocated;
	__u32 failed;
};

#define CSN_ALLOCATOR_ALLOC	_IOWR('c', 0, struct csn_allocate)
#define CSN_ALLOCATOR_FREE	_IO('c', 1)	/* all blocks, of all orders */

#endif /* CSN_ALLOCATOR_H */
