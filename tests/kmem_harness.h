/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kmem_* programs begin with: a child whose page events are known. */
#ifndef KMEM_HARNESS_H
#define KMEM_HARNESS_H

#include "csn_harness.h"
#include "kmem.h"

/* The CPU that the child runs on, unless a test moves it. */
#define KMEM_CPU	0

/* Skips (exit_code set) if there is no device or no allocator. */
static inline void kmem_begin(struct __test_metadata *_metadata,
			      struct allocator *a)
{
	int err;

	memset(a, 0, sizeof(*a));
	CSN_NEEDS_DEVICE();
	CSN_NEEDS_ROOT();
	/* What is cached counts as available, but may not be had so fast. */
	machine_write("/proc/sys/vm/drop_caches", "3");
	err = allocator_begin(a, KMEM_CPU);
	if (err == -ENOENT)
		SKIP(return, "no csn_allocator.ko: build it, or set CSN_ALLOCATOR_KO");
	ASSERT_EQ(0, err);
}

/* Of the child alone. */
static inline struct csn_filter kmem_of(const struct allocator *a)
{
	return (struct csn_filter){
		.match = CSN_MATCH_PID,
		.pid = a->pid,
	};
}

static inline void kmem_do(struct __test_metadata *_metadata,
			   struct allocator *a, const char *what,
			   unsigned int order, unsigned int count)
{
	char command[64];

	snprintf(command, sizeof(command), "%s %u %u", what, order, count);
	ASSERT_EQ(0, allocator_do(a, command)) TH_LOG("%s", command);
}

/* How many blocks of an order the tests below have the child allocate. */
static inline unsigned int kmem_blocks(unsigned int order)
{
	return 13 - order;
}

/* So many of every order, and frees them. */
static inline void kmem_every_order(struct __test_metadata *_metadata,
				    struct allocator *a, unsigned int nr_orders)
{
	unsigned int order;

	for (order = 0; order < nr_orders; order++)
		kmem_do(_metadata, a, "alloc", order, kmem_blocks(order));
	ASSERT_EQ(0, allocator_do(a, "free"));
}

/* Stopped, so that what there is to be read is all. */
static inline void kmem_finish(struct __test_metadata *_metadata, int fd,
			       struct csn_log *log)
{
	ASSERT_EQ(0, csn_stop(fd));
	csn_log_init(log);
	ASSERT_EQ(0, csn_log_drain(log, fd));
	EXPECT_INTACT(log);
}

#endif /* KMEM_HARNESS_H */
