// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of page events: held against the numbers that the child is known to
 * have allocated, against the kernel's own trace of the same events, line by
 * line, and against the counters of the same session, cell by cell.
 */
#include "kmem_harness.h"
#include "tracefs.h"

FIXTURE(kmem_records)
{
	struct allocator allocator;
	struct csn_filter filter;
	struct tracefs tracefs;
	struct tracefs_event *event;
	struct csn_info info;
	struct csn_log log;
	long nr_events;
	int fd;
};

FIXTURE_SETUP(kmem_records)
{
	csn_log_init(&self->log);
	self->fd = -1;
	kmem_begin(_metadata, &self->allocator);
	if (_metadata->exit_code)
		return;
	if (tracefs_begin_pages(&self->tracefs, self->allocator.pid))
		SKIP(return, "tracefs cannot be had: no oracle");
	self->filter = kmem_of(&self->allocator);
	self->fd = kmem_open(KMEM_PAGE_CLASSES, KMEM_PAGE_CLASSES, 0, &self->filter);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(kmem_records)
{
	tracefs_end(&self->tracefs);
	free(self->event);
	csn_log_free(&self->log);
	if (self->fd >= 0)
		close(self->fd);
	allocator_end(&self->allocator);
}

/* The kernel prints its own numbers; up to 3 they are the ABI's. */
static bool same_alloc(const struct csn_record_page *p,
		       const struct tracefs_event *e)
{
	__u64 pfn = p->pfn == CSN_PFN_NONE ? 0 : p->pfn;

	return p->head.type == CSN_RECORD_PAGE_ALLOC &&
	       !strcmp(e->name, "mm_page_alloc") &&
	       (long)pfn == tracefs_number(e, "pfn") &&
	       p->order == tracefs_number(e, "order") &&
	       p->migratetype == tracefs_number(e, "migratetype");
}

static bool same_free(const struct csn_record_page *p,
		      const struct tracefs_event *e)
{
	return p->head.type == CSN_RECORD_PAGE_FREE &&
	       !strcmp(e->name, "mm_page_free") &&
	       (long)p->pfn == tracefs_number(e, "pfn") &&
	       p->order == tracefs_number(e, "order");
}

static bool same_extfrag(const struct csn_record_page *p,
			 const struct tracefs_event *e)
{
	return p->head.type == CSN_RECORD_PAGE_EXTFRAG &&
	       !strcmp(e->name, "mm_page_alloc_extfrag") &&
	       (long)p->pfn == tracefs_number(e, "pfn") &&
	       p->order == tracefs_number(e, "alloc_order") &&
	       p->fallback_order == tracefs_number(e, "fallback_order") &&
	       p->migratetype == tracefs_number(e, "alloc_migratetype") &&
	       p->fallback_migratetype == tracefs_number(e, "fallback_migratetype") &&
	       p->claimed == tracefs_number(e, "change_ownership");
}

/*
 * tracefs prints microseconds, and its probe runs before or after ours; an
 * emulated machine may stand still between the two.
 */
static bool same_time(const struct csn_record_page *p,
		      const struct tracefs_event *e)
{
	return llabs((long long)(p->ts - e->ts)) < 10LL * 1000 * 1000 * 1000;
}

/* One task on one CPU: both have its events in the order they happened. */
static void expect_same(struct __test_metadata *_metadata,
			FIXTURE_DATA(kmem_records) *self)
{
	long i;

	self->nr_events = tracefs_events(&self->tracefs, &self->event);
	ASSERT_LE(0, self->nr_events);
	kmem_finish(_metadata, self->fd, &self->log);
	ASSERT_EQ(self->nr_events, self->log.nr_pages);
	for (i = 0; i < self->nr_events; i++) {
		const struct csn_record_page *p = &self->log.page[i];
		const struct tracefs_event *e = &self->event[i];

		ASSERT_TRUE((same_alloc(p, e) || same_free(p, e) ||
			     same_extfrag(p, e)) && same_time(p, e))
			TH_LOG("event %ld: the kernel's trace has %s: %s; ours type %u pfn %#llx order %u migratetype %u fallback %u/%u claimed %u, %lld ns later",
			       i, e->name, e->args, p->head.type, p->pfn,
			       p->order, p->migratetype, p->fallback_order,
			       p->fallback_migratetype, p->claimed,
			       (long long)(p->ts - e->ts));
		EXPECT_EQ(self->allocator.pid, p->pid);
		EXPECT_EQ(self->allocator.pid, p->tid);
		EXPECT_EQ(KMEM_CPU, p->head.cpu);
	}
}

/* What the records add up to is what the same session has counted. */
static void expect_counted(struct __test_metadata *_metadata,
			   FIXTURE_DATA(kmem_records) *self)
{
	struct csn_counters c;
	__u64 *expected;
	__u64 *cells;
	__u32 i;

	ASSERT_EQ(0, csn_counters(self->fd, &c, &cells));
	expected = calloc(c.nr_cells, sizeof(*expected));
	ASSERT_TRUE(expected != NULL);
	kmem_count(&self->log, &c, expected);
	for (i = 0; i < c.nr_cells; i++)
		EXPECT_EQ(expected[i], cells[i]) TH_LOG("cell %u", i);
	free(expected);
	free(cells);
}

static void expect_nothing_lost(struct __test_metadata *_metadata,
				FIXTURE_DATA(kmem_records) *self)
{
	struct csn_stats stats;

	ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(0, csn_stats_lost(&stats));
	EXPECT_EQ(stats.produced, stats.delivered);
	EXPECT_EQ(stats.delivered, self->log.nr_pages);
}

TEST_F(kmem_records, known_numbers)
{
	unsigned int order;
	size_t i;

	kmem_every_order(_metadata, &self->allocator, self->info.nr_orders);
	expect_same(_metadata, self);
	expect_counted(_metadata, self);
	expect_nothing_lost(_metadata, self);
	for (order = 0; order < self->info.nr_orders; order++) {
		EXPECT_EQ(kmem_blocks(order),
			  kmem_records(&self->log, CSN_RECORD_PAGE_ALLOC, order));
		EXPECT_EQ(kmem_blocks(order),
			  kmem_records(&self->log, CSN_RECORD_PAGE_FREE, order));
	}
	for (i = 0; i < self->log.nr_pages; i++) {
		const struct csn_record_page *p = &self->log.page[i];

		if (p->head.type == CSN_RECORD_PAGE_ALLOC)
			EXPECT_NE(0, p->gfp);
	}
}

/* A process's own memory: movable pages, one by one. */
TEST_F(kmem_records, touched_pages)
{
	size_t movable = 0;
	size_t i;

	ASSERT_EQ(0, allocator_touch(&self->allocator, 500));
	expect_same(_metadata, self);
	expect_counted(_metadata, self);
	for (i = 0; i < self->log.nr_pages; i++) {
		const struct csn_record_page *p = &self->log.page[i];

		movable += p->head.type == CSN_RECORD_PAGE_ALLOC &&
			   p->migratetype == CSN_MIGRATETYPE_MOVABLE && !p->order;
	}
	EXPECT_EQ(500, movable);
}

TEST_F(kmem_records, failed)
{
	const struct csn_record_page *p = NULL;
	unsigned long blocks, failed;
	size_t i;

	ASSERT_EQ(0, allocator_do(&self->allocator, "exhaust 9"));
	ASSERT_EQ(0, allocator_state(&self->allocator, &blocks, &failed));
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	ASSERT_EQ(1, failed);
	expect_same(_metadata, self);
	expect_counted(_metadata, self);
	for (i = 0; i < self->log.nr_pages; i++) {
		if (self->log.page[i].pfn != CSN_PFN_NONE)
			continue;
		EXPECT_TRUE(p == NULL);
		p = &self->log.page[i];
	}
	ASSERT_TRUE(p != NULL);
	EXPECT_EQ(9, p->order);
	EXPECT_EQ(-1, p->node);
	EXPECT_EQ(255, p->zone);
	EXPECT_EQ(blocks + 1, kmem_records(&self->log, CSN_RECORD_PAGE_ALLOC, 9));
}

/* More unmovable pages than there are free blocks for: it takes movable ones. */
TEST_F_TIMEOUT(kmem_records, fallbacks, 120)
{
	size_t claimed = 0;
	size_t i;

	for (i = 0; i < 40; i++)
		kmem_do(_metadata, &self->allocator, "alloc", 2, 250);
	expect_same(_metadata, self);
	expect_counted(_metadata, self);
	expect_nothing_lost(_metadata, self);
	ASSERT_LT(0, kmem_records(&self->log, CSN_RECORD_PAGE_EXTFRAG, -1))
		TH_LOG("the workload did not bring the case about: no fallback");
	for (i = 0; i < self->log.nr_pages; i++)
		claimed += self->log.page[i].claimed == CSN_CLAIMED_YES;
	EXPECT_LT(0, claimed);
}

/* Whose pageblock it is to which pages go back. */
TEST_F(kmem_records, migratetype_of_frees)
{
	size_t blocks = 0;
	size_t i, j;

	/* As large as a pageblock or larger: it is the allocation's own then. */
	kmem_do(_metadata, &self->allocator, "alloc", 10, 5);
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	ASSERT_EQ(0, allocator_touch(&self->allocator, 100));
	expect_same(_metadata, self);
	for (i = 0; i < self->log.nr_pages; i++) {
		const struct csn_record_page *f = &self->log.page[i];

		if (f->head.type != CSN_RECORD_PAGE_FREE || f->order < 9)
			continue;
		for (j = 0; j < i; j++)
			blocks += self->log.page[j].head.type == CSN_RECORD_PAGE_ALLOC &&
				  self->log.page[j].pfn == f->pfn;
		EXPECT_EQ(CSN_MIGRATETYPE_UNMOVABLE, f->migratetype);
	}
	EXPECT_EQ(5, blocks);
}

/* More than a ring holds: what is lost is counted, and told in the stream. */
TEST_F(kmem_records, lost)
{
	struct csn_config config = {
		.size = sizeof(config),
		.classes = CSN_CLASS_PAGE_ALLOC,
		.ring_bytes = self->info.ring_bytes_min,
		.filter = self->filter,
	};
	struct csn_stats stats;
	struct csn_log log;
	int fd = csn_open(O_RDONLY | O_NONBLOCK);
	int i;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_set_config(fd, &config));
	ASSERT_EQ(0, csn_start(fd));
	csn_log_init(&log);
	for (i = 0; i < 3; i++) {
		kmem_do(_metadata, &self->allocator, "alloc", 0,
			2 * config.ring_bytes / 64);
		ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
		ASSERT_EQ(0, csn_log_drain(&log, fd));
	}
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(6 * config.ring_bytes / 64, stats.produced);
	EXPECT_EQ(stats.produced, stats.delivered + csn_stats_lost(&stats));
	EXPECT_EQ(stats.delivered, log.nr_pages);
	EXPECT_EQ(stats.lost_full, log.events_lost);
	EXPECT_LT(0, stats.lost_full);
	csn_log_free(&log);
	close(fd);
}

CSN_HARNESS_MAIN
