// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of page events, in the kernel: sessions with every kind of filter
 * see the same events as one that has the child's id alone, and what each got
 * and counted is what user space lets through of those.
 */
#include "kmem_harness.h"

/*
 * A filter, and whether the events below are sure to have some that match and
 * some that do not, so that no comparison is of nothing with nothing.
 */
struct filter_case {
	const char *name;
	bool some_match;
	bool some_do_not;
	struct csn_filter filter;
	struct csn_log log;
	int fd;
};

FIXTURE(kmem_filter)
{
	struct allocator allocator;
	struct csn_filter filter;
	struct csn_info info;
	struct csn_log all;
	int fd;
};

FIXTURE_SETUP(kmem_filter)
{
	csn_log_init(&self->all);
	self->fd = -1;
	kmem_begin(_metadata, &self->allocator);
	if (_metadata->exit_code)
		return;
	self->filter = kmem_of(&self->allocator);
	self->fd = kmem_open(KMEM_PAGE_CLASSES, 0, 0, &self->filter);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(kmem_filter)
{
	csn_log_free(&self->all);
	if (self->fd >= 0)
		close(self->fd);
	allocator_end(&self->allocator);
}

/* All that the case's session got, and nothing else, and counted so much. */
static void expect_filtered(struct __test_metadata *_metadata,
			    const struct csn_log *all, struct filter_case *f)
{
	struct csn_counters c;
	size_t skipped = 0;
	__u64 *expected;
	__u64 *cells;
	size_t i, n = 0;
	__u32 cell;

	kmem_finish(_metadata, f->fd, &f->log);
	for (i = 0; i < all->nr_pages; i++) {
		const struct csn_record_page *p = &all->page[i];

		if (!kmem_passes(&f->filter, p)) {
			skipped++;
			continue;
		}
		ASSERT_LT(n, f->log.nr_pages)
			TH_LOG("%s: does not have pfn %#llx", f->name, p->pfn);
		/* But for the time, which is each session's or the first one's. */
		EXPECT_EQ(p->pfn, f->log.page[n].pfn);
		EXPECT_EQ(0, memcmp(&p->pid, &f->log.page[n].pid,
				    64 - offsetof(struct csn_record_page, pid)))
			TH_LOG("%s: event %zu", f->name, n);
		n++;
	}
	EXPECT_EQ(n, f->log.nr_pages) TH_LOG("%s: events too many", f->name);
	if (f->some_match)
		EXPECT_LT(0, n) TH_LOG("%s: the workload has none that match", f->name);
	if (f->some_do_not)
		EXPECT_LT(0, skipped) TH_LOG("%s: the workload has only those", f->name);

	ASSERT_EQ(0, csn_counters(f->fd, &c, &cells));
	expected = calloc(c.nr_cells, sizeof(*expected));
	ASSERT_TRUE(expected != NULL);
	kmem_count(&f->log, &c, expected);
	for (cell = 0; cell < c.nr_cells; cell++)
		EXPECT_EQ(expected[cell], cells[cell])
			TH_LOG("%s: cell %u", f->name, cell);
	free(expected);
	free(cells);
	csn_log_free(&f->log);
	close(f->fd);
}

#define CASE(what, match_, do_not, ...) \
	{ .name = what, .some_match = match_, .some_do_not = do_not, \
	  .filter = { __VA_ARGS__ } }

TEST_F_TIMEOUT(kmem_filter, every_kind, 120)
{
	__u32 pid = self->allocator.pid;
	__u32 zones = (1U << self->info.nr_zones) - 1;
	struct filter_case cases[] = {
		CASE("pid", true, false, .match = CSN_MATCH_PID, .pid = pid),
		CASE("another pid", false, true, .match = CSN_MATCH_PID, .pid = 1),
		CASE("tid", true, false, .match = CSN_MATCH_TID, .tid = pid),
		CASE("another tid", false, true, .match = CSN_MATCH_TID, .tid = 1),
		CASE("comm", true, false, .match = CSN_MATCH_PID | CSN_MATCH_COMM,
		     .pid = pid, .comm = "kmem_filter"),
		CASE("comm, longer", false, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_COMM,
		     .pid = pid, .comm = "kmem_filters"),
		CASE("comm, cut off", false, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_COMM,
		     .pid = pid, .comm = "kmem_filte"),
		CASE("order 0", true, true, .match = CSN_MATCH_PID | CSN_MATCH_ORDER,
		     .pid = pid),
		CASE("orders 3 to 5", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ORDER, .pid = pid,
		     .order_min = 3, .order_max = 5),
		CASE("order -1", false, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ORDER, .pid = pid,
		     .order_min = -1, .order_max = -1),
		CASE("orders -1 to 2", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ORDER, .pid = pid,
		     .order_min = -1, .order_max = 2),
		CASE("node", true, false, .match = CSN_MATCH_PID | CSN_MATCH_NODE,
		     .pid = pid),
		CASE("every zone", true, true, .match = CSN_MATCH_PID | CSN_MATCH_ZONE,
		     .pid = pid, .zones = zones),
		CASE("the last zone", false, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ZONE,
		     .pid = pid, .zones = 1U << (self->info.nr_zones - 1)),
		CASE("unmovable", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_MIGRATETYPE,
		     .pid = pid, .migratetypes = 1 << CSN_MIGRATETYPE_UNMOVABLE),
		CASE("movable", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_MIGRATETYPE,
		     .pid = pid, .migratetypes = 1 << CSN_MIGRATETYPE_MOVABLE),
		CASE("everything at once", true, true, .match = 0x7ff,
		     .pid = pid, .tid = pid, .comm = "kmem_filter",
		     .zones = zones, .statuses = 1, .origins = 1, .syncs = 1,
		     .order_max = 4, .migratetypes = 3, .min_latency = ~0ULL),
	};
	unsigned long blocks, failed;
	size_t i;

	/* At most 16 sessions are open, and one is. */
	for (i = 0; i < ARRAY_SIZE(cases); i += 8) {
		size_t end = i + 8 < ARRAY_SIZE(cases) ? i + 8 : ARRAY_SIZE(cases);
		size_t k;

		if (i) {
			csn_log_free(&self->all);
			close(self->fd);
			self->fd = kmem_open(KMEM_PAGE_CLASSES, 0, 0, &self->filter);
			ASSERT_LE(0, self->fd);
		}
		for (k = i; k < end; k++) {
			cases[k].fd = kmem_open(KMEM_PAGE_CLASSES, KMEM_PAGE_CLASSES,
						0, &cases[k].filter);
			ASSERT_LE(0, cases[k].fd) TH_LOG("%s", cases[k].name);
		}
		kmem_every_order(_metadata, &self->allocator, self->info.nr_orders);
		ASSERT_EQ(0, allocator_touch(&self->allocator, 200));
		ASSERT_EQ(0, allocator_do(&self->allocator, "exhaust 10"));
		ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
		ASSERT_EQ(0, allocator_state(&self->allocator, &blocks, &failed));
		ASSERT_LT(0, failed);
		kmem_finish(_metadata, self->fd, &self->all);
		ASSERT_LT(200, self->all.nr_pages);
		for (k = i; k < end; k++)
			expect_filtered(_metadata, &self->all, &cases[k]);
	}
}

/* A new filter counts from the return of the ioctl on. */
TEST_F(kmem_filter, changed_while_running)
{
	struct csn_config config;
	size_t i;

	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.filter.match |= CSN_MATCH_ORDER;
	for (i = 0; i < 20; i++) {
		config.filter.order_min = i % 4;
		config.filter.order_max = i % 4;
		ASSERT_EQ(0, csn_set_config(self->fd, &config));
		kmem_do(_metadata, &self->allocator, "alloc", 0, 3);
		kmem_do(_metadata, &self->allocator, "alloc", 1, 5);
		kmem_do(_metadata, &self->allocator, "alloc", 2, 7);
		kmem_do(_metadata, &self->allocator, "alloc", 3, 9);
	}
	kmem_finish(_metadata, self->fd, &self->all);
	EXPECT_EQ(15, kmem_records(&self->all, CSN_RECORD_PAGE_ALLOC, 0));
	EXPECT_EQ(25, kmem_records(&self->all, CSN_RECORD_PAGE_ALLOC, 1));
	EXPECT_EQ(35, kmem_records(&self->all, CSN_RECORD_PAGE_ALLOC, 2));
	EXPECT_EQ(45, kmem_records(&self->all, CSN_RECORD_PAGE_ALLOC, 3));
}

CSN_HARNESS_MAIN
