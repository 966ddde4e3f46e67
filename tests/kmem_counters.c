// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page events as counters: against what a process was told to allocate, and
 * against the records of the same events.
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include "pages.h"

#define FAILURES	3
/* Interrupts run on top of a process, and allocate and free as such. */
#define TRIES		10

FIXTURE(kmem_counters)
{
	struct worker worker;
	struct csn_info info;
	struct csn_counters c;
	__u64 *cells;
	__u64 *before;
	int fd;
};

FIXTURE_SETUP(kmem_counters)
{
	PAGES_SETUP(&self->worker);
	self->fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
	ASSERT_EQ(0, csn_counters(self->fd, &self->c, NULL, 0));
	self->cells = calloc(self->c.nr_cells, sizeof(__u64));
	self->before = calloc(self->c.nr_cells, sizeof(__u64));
	ASSERT_TRUE(self->cells && self->before);
}

FIXTURE_TEARDOWN(kmem_counters)
{
	free(self->cells);
	free(self->before);
	close(self->fd);
	PAGES_TEARDOWN(&self->worker);
}

static struct csn_config counting(pid_t pid)
{
	struct csn_config config = pages_config(0, pid);

	config.counters = PAGES_CLASSES;
	return config;
}

static void start(struct __test_metadata *_metadata, int fd,
		  const struct csn_config *config)
{
	ASSERT_EQ(0, csn_set_config(fd, config));
	ASSERT_EQ(0, csn_start(fd));
}

static void read_cells(struct __test_metadata *_metadata,
		       FIXTURE_DATA(kmem_counters) * self, int fd, __u64 *cells)
{
	struct csn_counters *c = &self->c;

	ASSERT_EQ(0, csn_counters(fd, c, cells, c->nr_cells));
}

/* Of an order, all nodes, zones and migratetypes. */
static __u64 of_order(const FIXTURE_DATA(kmem_counters) * self, const __u64 *cells,
		      unsigned int counter, unsigned int order)
{
	const struct csn_counters *c = &self->c;
	__u64 sum = 0;
	unsigned int n, z, m;

	for (n = 0; n < c->nr_nodes; n++)
		for (z = 0; z < c->nr_zones; z++)
			for (m = 0; m < c->nr_migratetypes; m++)
				sum += cells[csn_counter_cell(c, counter, n, z, order, m)];
	return sum;
}

static __u64 of_all(const FIXTURE_DATA(kmem_counters) * self, const __u64 *cells,
		    unsigned int counter)
{
	__u64 sum = 0;
	unsigned int order;

	for (order = 0; order < self->c.nr_orders; order++)
		sum += of_order(self, cells, counter, order);
	return sum;
}

TEST_F(kmem_counters, layout)
{
	struct csn_counters *c = &self->c;
	unsigned int i;

	EXPECT_EQ(sizeof(*c), c->size);
	EXPECT_EQ(0, c->counters);
	EXPECT_EQ(self->info.nr_nodes, c->nr_nodes);
	EXPECT_EQ(self->info.nr_zones, c->nr_zones);
	EXPECT_EQ(self->info.nr_orders, c->nr_orders);
	EXPECT_EQ(CSN_NR_MIGRATETYPES, c->nr_migratetypes);
	EXPECT_EQ(4 * c->nr_nodes * c->nr_zones * c->nr_orders * c->nr_migratetypes,
		  c->nr_cells);
	EXPECT_EQ(c->nr_cells - 1,
		  csn_counter_cell(c, CSN_COUNTER_FAILED, c->nr_nodes - 1,
				   c->nr_zones - 1, c->nr_orders - 1,
				   c->nr_migratetypes - 1));
	/* Nothing was counted, and it was never asked to. */
	read_cells(_metadata, self, self->fd, self->cells);
	for (i = 0; i < c->nr_cells; i++)
		EXPECT_EQ(0, self->cells[i]);
}

TEST_F(kmem_counters, bad_arguments)
{
	__u32 nr = self->c.nr_cells;
	struct csn_counters c;

	EXPECT_EQ(-ENOSPC, csn_counters(self->fd, &c, self->cells, nr - 1));
	EXPECT_EQ(0, csn_counters(self->fd, &c, self->cells, nr));
	EXPECT_EQ(-EFAULT, csn_counters(self->fd, &c, (void *)8, nr));
	memset(&c, 0, sizeof(c));
	c.size = sizeof(c);
	c.reserved[6] = 1;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	memset(&c, 0, sizeof(c));
	c.size = sizeof(c) - 8;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
}

/* What the process was told, to the block, if no interrupt came in between. */
TEST_F(kmem_counters, exactly_what_was_told)
{
	struct csn_config config = counting(self->worker.pid);
	unsigned int top = self->info.nr_orders - 1;
	__u64 others = 1;
	unsigned int i, order;

	start(_metadata, self->fd, &config);
	for (i = 0; others && i < TRIES; i++) {
		read_cells(_metadata, self, self->fd, self->before);
		others = 0;
		for (order = 0; order <= top; order++)
			ASSERT_EQ(pages_count(&self->info, order),
				  worker_alloc(&self->worker, order,
					       CSN_ALLOCATE_UNMOVABLE,
					       pages_count(&self->info, order)));
		ASSERT_EQ(0, worker_free(&self->worker));
		read_cells(_metadata, self, self->fd, self->cells);
		EXPECT_EQ(PAGES_CLASSES, self->c.counters);
		EXPECT_EQ(0, self->c.beyond);
		for (order = 0; order <= top; order++) {
			__u64 told = pages_count(&self->info, order);
			__u64 got = of_order(self, self->cells, CSN_COUNTER_ALLOC, order) -
				    of_order(self, self->before, CSN_COUNTER_ALLOC, order);
			__u64 freed = of_order(self, self->cells, CSN_COUNTER_FREE, order) -
				      of_order(self, self->before, CSN_COUNTER_FREE, order);

			ASSERT_LE(told, got) TH_LOG("order %u", order);
			ASSERT_LE(told, freed) TH_LOG("order %u", order);
			others += got - told + freed - told;
			if (got != told || freed != told)
				TH_LOG("order %u: told %llu, got %llu, freed %llu", order,
				       told, got, freed);
		}
	}
	EXPECT_EQ(0, others) TH_LOG("in each of %u tries there were others", i);
	EXPECT_EQ(0, of_all(self, self->cells, CSN_COUNTER_FAILED));
}

TEST_F(kmem_counters, at_least_so_many_of_all_processes)
{
	struct csn_config config = counting(0);
	unsigned int order;

	start(_metadata, self->fd, &config);
	read_cells(_metadata, self, self->fd, self->before);
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	read_cells(_metadata, self, self->fd, self->cells);
	for (order = 0; order < self->info.nr_orders; order++) {
		EXPECT_LE(pages_count(&self->info, order),
			  of_order(self, self->cells, CSN_COUNTER_ALLOC, order) -
			  of_order(self, self->before, CSN_COUNTER_ALLOC, order));
		EXPECT_LE(pages_count(&self->info, order),
			  of_order(self, self->cells, CSN_COUNTER_FREE, order) -
			  of_order(self, self->before, CSN_COUNTER_FREE, order));
	}
	EXPECT_LE(FAILURES, of_all(self, self->cells, CSN_COUNTER_FAILED));
}

/* The cell that a record would be counted in. */
static __u32 cell_of(const struct csn_counters *c, const struct csn_record_page *p)
{
	unsigned int counter = p->head.type == CSN_RECORD_PAGE_FREE ? CSN_COUNTER_FREE :
			       p->head.type == CSN_RECORD_PAGE_EXTFRAG ? CSN_COUNTER_EXTFRAG :
			       CSN_COUNTER_ALLOC;

	if (counter == CSN_COUNTER_ALLOC && p->pfn == CSN_PFN_NONE)
		return csn_counter_cell(c, CSN_COUNTER_FAILED, 0, 0, p->order, p->migratetype);
	return csn_counter_cell(c, counter, p->node, p->zone, p->order, p->migratetype);
}

/* One session that does both: every cell is the number of its records. */
static void expect_as_records(struct __test_metadata *_metadata,
			      FIXTURE_DATA(kmem_counters) * self,
			      const struct csn_config *config)
{
	__u64 *want = self->before;
	struct csn_log log;
	__u64 failed;
	size_t i;

	start(_metadata, self->fd, config);
	pages_fall_back(_metadata, &self->worker, &self->info);
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	ASSERT_EQ(0, csn_stop(self->fd));
	read_cells(_metadata, self, self->fd, self->cells);
	csn_log_init(&log);
	ASSERT_EQ(0, csn_log_drain(&log, self->fd));
	EXPECT_INTACT(&log);
	ASSERT_EQ(0, log.events_lost);
	ASSERT_LT(0, log.nr_pages);
	for (i = 0; i < log.nr_pages; i++)
		if (log.page[i].order < self->c.nr_orders)
			want[cell_of(&self->c, &log.page[i])]++;
	for (i = 0; i < self->c.nr_cells; i++)
		EXPECT_EQ(want[i], self->cells[i]) TH_LOG("cell %zu", i);
	failed = of_order(self, self->cells, CSN_COUNTER_FAILED, self->info.nr_orders - 1);
	EXPECT_EQ(config->filter.match & CSN_MATCH_NODE ? 0 : FAILURES, failed);
	csn_log_free(&log);
}

TEST_F(kmem_counters, as_the_records)
{
	struct csn_config config = counting(self->worker.pid);

	config.classes = PAGES_CLASSES;
	expect_as_records(_metadata, self, &config);
	EXPECT_LT(0, of_all(self, self->cells, CSN_COUNTER_EXTFRAG));
}

TEST_F(kmem_counters, as_the_records_with_a_filter)
{
	struct csn_config config = counting(self->worker.pid);

	config.classes = PAGES_CLASSES;
	config.filter.match |= CSN_MATCH_NODE | CSN_MATCH_ORDER | CSN_MATCH_MIGRATETYPE;
	config.filter.order_max = self->info.nr_orders - 1;
	config.filter.migratetypes = 1 << CSN_MIGRATETYPE_RECLAIMABLE |
				     1 << CSN_MIGRATETYPE_MOVABLE;
	expect_as_records(_metadata, self, &config);
	/* Five movable, seven reclaimable. */
	EXPECT_LE(12, of_order(self, self->cells, CSN_COUNTER_ALLOC, 0));
}

/* Nothing streams: no ring, and nothing to be read but the info group. */
TEST_F(kmem_counters, no_rings)
{
	struct csn_config config = counting(0);
	struct csn_stats stats;
	struct csn_log log;
	int fd;

	start(_metadata, self->fd, &config);
	pages_work(_metadata, &self->worker, &self->info, 0);
	csn_log_init(&log);
	ASSERT_EQ(0, csn_log_drain(&log, self->fd));
	EXPECT_INTACT(&log);
	EXPECT_EQ(1, log.nr_infos);
	EXPECT_EQ(0, log.info.classes);
	EXPECT_EQ(0, log.nr_pages);
	ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(0, stats.produced);
	EXPECT_EQ(0, csn_poll(self->fd, 0));

	fd = csn_open(O_RDWR);
	ASSERT_LE(0, fd);
	start(_metadata, fd, &config);
	EXPECT_TRUE(mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd,
			 CSN_MMAP_OFFSET(0, CSN_MMAP_HEAD)) == MAP_FAILED);
	EXPECT_EQ(ENXIO, errno);
	close(fd);

	/* With a class there are, from then on. */
	config.classes = CSN_CLASS_PAGE_ALLOC;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	pages_work(_metadata, &self->worker, &self->info, 0);
	ASSERT_EQ(0, csn_log_drain(&log, self->fd));
	EXPECT_INTACT(&log);
	EXPECT_LT(0, log.nr_pages);
	config.ring_bytes *= 2;
	EXPECT_EQ(-EBUSY, csn_set_config(self->fd, &config));
	csn_log_free(&log);
}

#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"
#define TOUCHED		512

/* A child that allocates and frees TOUCHED pages on CPU 1. */
static int touch_on_cpu1(void)
{
	size_t size = TOUCHED * getpagesize();
	pid_t child = fork();
	int status;
	char *p;

	if (!child) {
		if (machine_cpu_only(1) < 0)
			_exit(1);
		p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED || madvise(p, size, MADV_NOHUGEPAGE))
			_exit(1);
		for (size_t i = 0; i < size; i += getpagesize())
			((volatile char *)p)[i] = 1;
		_exit(munmap(p, size) ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -errno;
	return status;
}

/* What a CPU has counted is in the sum when it has gone, and when it is back. */
TEST_F(kmem_counters, cpu_that_went)
{
	struct csn_config config = counting(0);
	size_t bytes = self->c.nr_cells * sizeof(__u64);

	if (machine_write(CPU1_ONLINE, "1"))
		SKIP(return, "no CPU that can be taken offline");
	start(_metadata, self->fd, &config);
	ASSERT_EQ(0, touch_on_cpu1());
	ASSERT_EQ(0, csn_stop(self->fd));
	read_cells(_metadata, self, self->fd, self->before);
	EXPECT_LE(TOUCHED, of_order(self, self->before, CSN_COUNTER_ALLOC, 0));
	/* Some may wait in a batch for the lists of reclaim. */
	EXPECT_LE(TOUCHED / 2, of_order(self, self->before, CSN_COUNTER_FREE, 0));

	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "0"));
	read_cells(_metadata, self, self->fd, self->cells);
	EXPECT_EQ(0, machine_write(CPU1_ONLINE, "1"));
	EXPECT_EQ(0, memcmp(self->before, self->cells, bytes));
	read_cells(_metadata, self, self->fd, self->cells);
	EXPECT_EQ(0, memcmp(self->before, self->cells, bytes));
}

/* Only what was asked for, only while it runs; what was counted stays. */
TEST_F(kmem_counters, classes_and_time)
{
	struct csn_config config = counting(self->worker.pid);
	__u64 frees;

	config.counters = CSN_CLASS_PAGE_FREE;
	start(_metadata, self->fd, &config);
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	read_cells(_metadata, self, self->fd, self->cells);
	frees = of_all(self, self->cells, CSN_COUNTER_FREE);
	EXPECT_LT(0, frees);
	EXPECT_EQ(0, of_all(self, self->cells, CSN_COUNTER_ALLOC));
	EXPECT_EQ(0, of_all(self, self->cells, CSN_COUNTER_FAILED));
	EXPECT_EQ(0, of_all(self, self->cells, CSN_COUNTER_EXTFRAG));

	config.counters = CSN_CLASS_PAGE_ALLOC;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	read_cells(_metadata, self, self->fd, self->cells);
	EXPECT_EQ(frees, of_all(self, self->cells, CSN_COUNTER_FREE));
	EXPECT_LT(0, of_all(self, self->cells, CSN_COUNTER_ALLOC));
	EXPECT_EQ(FAILURES, of_all(self, self->cells, CSN_COUNTER_FAILED));

	ASSERT_EQ(0, csn_stop(self->fd));
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	read_cells(_metadata, self, self->fd, self->before);
	EXPECT_EQ(0, memcmp(self->before, self->cells, self->c.nr_cells * sizeof(__u64)));
}

CSN_HARNESS_MAIN
