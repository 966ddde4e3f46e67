/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of page events share: the worker that makes them, sessions
 * that watch it, and what user space makes of a filter.
 */
#ifndef PAGES_H
#define PAGES_H

#include "csn_harness.h"
#include "module.h"
#include "worker.h"

#define PAGES_CLASSES	(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE | CSN_CLASS_EXTFRAG)
#define PAGES_RING	(1U << 20)

/* For FIXTURE_SETUP: the device, and a worker. Skips where they cannot be had. */
#define PAGES_SETUP(w) do { \
	int _err; \
	CSN_NEEDS_DEVICE(); \
	CSN_NEEDS_ROOT(); \
	/* A test that ended early may have left it. */ \
	module_unload_allocator(); \
	_err = module_load_allocator(); \
	if (_err == -EPERM || _err == -EKEYREJECTED) \
		SKIP(return, "this kernel takes no unsigned module"); \
	ASSERT_EQ(0, _err) TH_LOG(MODULE_ALLOCATOR ".ko: %s", strerror(-_err)); \
	/* Free blocks of every order. */ \
	machine_write("/proc/sys/vm/drop_caches", "3"); \
	machine_compact(); \
	_err = worker_start(w); \
	ASSERT_EQ(0, _err) TH_LOG("worker: %s", strerror(-_err)); \
} while (0)

#define PAGES_TEARDOWN(w) do { \
	worker_end(w); \
	module_unload_allocator(); \
} while (0)

static inline struct csn_config pages_config(__u32 classes, pid_t pid)
{
	return (struct csn_config){
		.size = sizeof(struct csn_config),
		.classes = classes,
		.ring_bytes = PAGES_RING,
		.filter = {
			.match = pid ? CSN_MATCH_PID : 0,
			.pid = pid,
		},
	};
}

/* Fewer of the larger: so that each order has a number of its own. */
static inline unsigned int pages_count(const struct csn_info *info, unsigned int order)
{
	return info->nr_orders + 2 - order;
}

/* Blocks of every order, then of every kind, and failures; all given back. */
static inline void pages_work(struct __test_metadata *_metadata, struct worker *w,
			      const struct csn_info *info, unsigned int failures)
{
	unsigned int top = info->nr_orders - 1;
	unsigned int order;

	for (order = 0; order <= top; order++)
		ASSERT_EQ(pages_count(info, order),
			  worker_alloc(w, order, CSN_ALLOCATE_UNMOVABLE,
				       pages_count(info, order)))
			TH_LOG("order %u", order);
	ASSERT_EQ(0, worker_free(w));
	ASSERT_EQ(5, worker_alloc(w, 0, CSN_ALLOCATE_MOVABLE, 5));
	ASSERT_EQ(7, worker_alloc(w, 0, CSN_ALLOCATE_RECLAIMABLE, 7));
	ASSERT_EQ(3, worker_alloc(w, top, CSN_ALLOCATE_RECLAIMABLE, 3));
	if (failures)
		ASSERT_LE(0, worker_fail(w, top, failures));
	ASSERT_EQ(0, worker_free(w));
}

/*
 * Takes blocks of the largest order until one had to be another migratetype's.
 * What is given back stays what it has become, so that it takes more each time.
 */
static inline void pages_fall_back(struct __test_metadata *_metadata, struct worker *w,
				   const struct csn_info *info)
{
	struct csn_config config = pages_config(0, w->pid);
	struct csn_counters c;
	__u64 seen = 0;
	__u64 *cells;
	unsigned int i;
	int fd;

	config.counters = CSN_CLASS_EXTFRAG;
	fd = csn_open_config(&config);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_counters(fd, &c, NULL, 0));
	cells = calloc(c.nr_cells, sizeof(*cells));
	ASSERT_TRUE(cells != NULL);
	while (!seen) {
		ASSERT_EQ(1, worker_alloc(w, info->nr_orders - 1,
					  CSN_ALLOCATE_RECLAIMABLE, 1));
		ASSERT_EQ(0, csn_counters(fd, &c, cells, c.nr_cells));
		for (i = 0; i < c.nr_cells; i++)
			seen += cells[i];
	}
	ASSERT_EQ(0, worker_free(w));
	free(cells);
	close(fd);
}

/* Does @p pass @f? In user space, from the ABI's words alone. */
static inline bool pages_pass(const struct csn_filter *f,
			      const struct csn_record_page *p)
{
	if ((f->match & CSN_MATCH_PID) && p->pid != f->pid)
		return false;
	if ((f->match & CSN_MATCH_TID) && p->tid != f->tid)
		return false;
	if ((f->match & CSN_MATCH_COMM) && memcmp(p->comm, f->comm, CSN_COMM_LEN))
		return false;
	if ((f->match & CSN_MATCH_NODE) && (p->node < 0 || p->node != (int)f->node))
		return false;
	if ((f->match & CSN_MATCH_ZONE) &&
	    (p->zone == CSN_ZONE_NONE || !(f->zones >> p->zone & 1)))
		return false;
	if ((f->match & CSN_MATCH_ORDER) &&
	    (p->order < f->order_min || p->order > f->order_max))
		return false;
	return !(f->match & CSN_MATCH_MIGRATETYPE) || (f->migratetypes >> p->migratetype & 1);
}

#endif /* PAGES_H */
