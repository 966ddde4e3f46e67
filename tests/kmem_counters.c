// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: known numbers of allocations and frees of each order, counted
 * with and without a filter, while CPUs come and go; and each way of asking
 * for them wrongly.
 */
#include <sys/mman.h>
#include "kmem_harness.h"

#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"

FIXTURE(kmem_counters)
{
	struct allocator allocator;
	struct csn_filter filter;
	struct csn_info info;
	struct csn_counters c;
	__u64 *cells;
	int fd;
};

FIXTURE_SETUP(kmem_counters)
{
	self->fd = -1;
	kmem_begin(_metadata, &self->allocator);
	if (_metadata->exit_code)
		return;
	self->filter = kmem_of(&self->allocator);
	self->fd = kmem_open(0, KMEM_PAGE_CLASSES, 0, &self->filter);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(kmem_counters)
{
	free(self->cells);
	if (self->fd >= 0)
		close(self->fd);
	allocator_end(&self->allocator);
}

#define COUNTERS(fd) do { \
	free(self->cells); \
	ASSERT_EQ(0, csn_counters(fd, &self->c, &self->cells)); \
} while (0)

#define SUM(counter, order) \
	kmem_sum(&self->c, self->cells, CSN_COUNTER_##counter, order)

TEST_F(kmem_counters, known_numbers)
{
	__u64 since = csn_now();
	unsigned int order;
	int all;

	all = kmem_open(0, KMEM_PAGE_CLASSES, 0, NULL);
	ASSERT_LE(0, all);
	COUNTERS(self->fd);
	EXPECT_EQ(0, SUM(ALLOC, -1));
	EXPECT_EQ(0, SUM(FREE, -1));
	kmem_every_order(_metadata, &self->allocator, self->info.nr_orders);
	COUNTERS(self->fd);
	for (order = 0; order < self->info.nr_orders; order++) {
		EXPECT_EQ(kmem_blocks(order), SUM(ALLOC, order))
			TH_LOG("allocations of order %u", order);
		EXPECT_EQ(kmem_blocks(order), SUM(FREE, order))
			TH_LOG("frees of order %u", order);
	}
	EXPECT_EQ(0, SUM(FAILED, -1));
	EXPECT_EQ(0, self->c.beyond);
	EXPECT_EQ(0xe, self->c.counters);
	EXPECT_LE(since, self->c.ts);
	EXPECT_GE(csn_now(), self->c.ts);

	COUNTERS(all);
	for (order = 0; order < self->info.nr_orders; order++) {
		EXPECT_LE(kmem_blocks(order), SUM(ALLOC, order));
		EXPECT_LE(kmem_blocks(order), SUM(FREE, order));
	}
	close(all);
}

/* The kernel's pages that cannot be moved, and a process's own, that can. */
TEST_F(kmem_counters, migratetypes)
{
	__u64 unmovable = 0;
	__u64 movable = 0;
	int zone;

	kmem_do(_metadata, &self->allocator, "alloc", 0, 50);
	ASSERT_EQ(0, allocator_touch(&self->allocator, 70));
	COUNTERS(self->fd);
	for (zone = 0; zone < self->c.nr_zones; zone++) {
		unmovable += self->cells[csn_counter_cell(&self->c, CSN_COUNTER_ALLOC, 0, zone,
							  0, CSN_MIGRATETYPE_UNMOVABLE)];
		movable += self->cells[csn_counter_cell(&self->c, CSN_COUNTER_ALLOC, 0, zone,
							0, CSN_MIGRATETYPE_MOVABLE)];
	}
	/* A page table may be needed for the pages that are touched. */
	EXPECT_LE(50, unmovable);
	EXPECT_GE(60, unmovable);
	EXPECT_EQ(70, movable);
}

/* Only those of the classes that are to be counted; all of it stays. */
TEST_F(kmem_counters, classes)
{
	struct csn_config config;

	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.counters = CSN_CLASS_PAGE_FREE;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	kmem_do(_metadata, &self->allocator, "alloc", 2, 9);
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	COUNTERS(self->fd);
	EXPECT_EQ(CSN_CLASS_PAGE_FREE, self->c.counters);
	EXPECT_EQ(0, SUM(ALLOC, -1));
	EXPECT_EQ(9, SUM(FREE, 2));
	config.counters = CSN_CLASS_PAGE_ALLOC;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	kmem_do(_metadata, &self->allocator, "alloc", 2, 7);
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	ASSERT_EQ(0, csn_stop(self->fd));
	kmem_do(_metadata, &self->allocator, "alloc", 2, 100);
	ASSERT_EQ(0, csn_start(self->fd));
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	COUNTERS(self->fd);
	EXPECT_EQ(7, SUM(ALLOC, 2));
	EXPECT_EQ(9, SUM(FREE, 2));
}

/* An allocation that fails is counted apart, and belongs to no zone. */
TEST_F(kmem_counters, failed)
{
	unsigned int order = self->info.nr_orders - 1;
	struct csn_filter in_zones = self->filter;
	unsigned long blocks, failed;
	char command[64];
	int zones;

	in_zones.match |= CSN_MATCH_ZONE;
	in_zones.zones = (1U << self->info.nr_zones) - 1;
	zones = kmem_open(0, KMEM_PAGE_CLASSES, 0, &in_zones);
	ASSERT_LE(0, zones);
	snprintf(command, sizeof(command), "exhaust %u", order);
	ASSERT_EQ(0, allocator_do(&self->allocator, command));
	ASSERT_EQ(0, allocator_state(&self->allocator, &blocks, &failed));
	ASSERT_EQ(0, allocator_do(&self->allocator, "free"));
	ASSERT_EQ(1, failed);
	COUNTERS(self->fd);
	EXPECT_EQ(blocks, SUM(ALLOC, order));
	EXPECT_EQ(blocks, SUM(FREE, order));
	EXPECT_EQ(1, SUM(FAILED, order));
	EXPECT_EQ(1, SUM(FAILED, -1));
	COUNTERS(zones);
	EXPECT_EQ(blocks, SUM(ALLOC, order));
	EXPECT_EQ(0, SUM(FAILED, -1));
	close(zones);
}

/* Nothing comes as a record, and there is no ring that could hold one. */
TEST_F(kmem_counters, nothing_streams)
{
	struct csn_stats stats;
	struct csn_log log;

	csn_log_init(&log);
	kmem_do(_metadata, &self->allocator, "alloc", 0, 100);
	ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(0, stats.produced);
	ASSERT_EQ(0, csn_log_drain(&log, self->fd));
	EXPECT_INTACT(&log);
	EXPECT_EQ(3, log.nr_records);
	EXPECT_EQ(1, log.nr_infos);
	csn_log_free(&log);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED,
				   self->fd, CSN_MMAP_OFFSET(0, CSN_MMAP_HEAD)));
}

/* Rings are made when they are wanted, while it runs. */
TEST_F(kmem_counters, then_streams)
{
	struct csn_config config;
	struct csn_log log;

	kmem_do(_metadata, &self->allocator, "alloc", 1, 5);
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.classes = CSN_CLASS_PAGE_ALLOC;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	kmem_do(_metadata, &self->allocator, "alloc", 1, 11);
	COUNTERS(self->fd);
	EXPECT_EQ(16, SUM(ALLOC, 1));
	kmem_finish(_metadata, self->fd, &log);
	EXPECT_EQ(11, kmem_records(&log, CSN_RECORD_PAGE_ALLOC, 1));
	EXPECT_EQ(11, log.nr_pages);
	csn_log_free(&log);
}

/* What a CPU has counted is there when the CPU is not. */
TEST_F_TIMEOUT(kmem_counters, cpu_comes_and_goes, 60)
{
	if (machine_write(CPU1_ONLINE, "0"))
		SKIP(return, "no CPU that can be taken offline");
	/* A session that has never seen it online. */
	close(self->fd);
	self->fd = kmem_open(0, CSN_CLASS_PAGE_ALLOC, 0, &self->filter);
	ASSERT_LE(0, self->fd);
	kmem_do(_metadata, &self->allocator, "alloc", 3, 1);
	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, allocator_move(&self->allocator, 1));
	kmem_do(_metadata, &self->allocator, "alloc", 3, 20);
	ASSERT_EQ(0, allocator_move(&self->allocator, 0));
	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "0"));
	COUNTERS(self->fd);
	EXPECT_EQ(21, SUM(ALLOC, 3));
	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, allocator_move(&self->allocator, 1));
	kmem_do(_metadata, &self->allocator, "alloc", 3, 300);
	COUNTERS(self->fd);
	EXPECT_EQ(321, SUM(ALLOC, 3));
}

TEST_F(kmem_counters, asked_wrongly)
{
	size_t page = getpagesize();
	struct csn_counters c = { .size = sizeof(c) };
	struct { struct csn_counters c; __u64 more; } longer = { .c.size = sizeof(longer) };
	__u64 *cells;
	__u32 nr;

	ASSERT_EQ(0, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	nr = c.nr_cells;
	EXPECT_EQ((3 * c.nr_nodes * c.nr_zones + 1) * c.nr_orders * 7, nr);
	EXPECT_EQ(self->info.nr_nodes, c.nr_nodes);
	EXPECT_EQ(self->info.nr_zones, c.nr_zones);
	EXPECT_EQ(self->info.nr_orders, c.nr_orders);
	EXPECT_EQ(7, c.nr_migratetypes);

	cells = mmap(NULL, nr * 8 + 2 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, cells);
	memset(cells, 0x5a, (nr + 1) * 8);
	c.cells = (unsigned long)cells;
	c.nr_cells = nr - 1;
	EXPECT_EQ(-ENOSPC, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	EXPECT_EQ(0x5a5a5a5a5a5a5a5a, cells[0]);
	c.nr_cells = nr + 1;
	EXPECT_EQ(0, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	EXPECT_EQ(nr, c.nr_cells);
	EXPECT_EQ(0, cells[0]);
	EXPECT_EQ(0x5a5a5a5a5a5a5a5a, cells[nr]);
	munmap(cells, nr * 8 + 2 * page);
	EXPECT_EQ(-EFAULT, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	EXPECT_EQ(-EFAULT, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, NULL));

	c.cells = 0;
	c.reserved[3] = 1;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	c.reserved[3] = 0;
	c.size = sizeof(c) - 1;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &c));
	EXPECT_EQ(0, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &longer));
	EXPECT_EQ(sizeof(longer), longer.c.size);
	longer.more = 1;
	EXPECT_EQ(-E2BIG, csn_ioctl(self->fd, CSN_IOC_GET_COUNTERS, &longer));
}

/* A session that counts nothing has nothing but zeroes. */
TEST_F(kmem_counters, none)
{
	int fd = csn_open(O_RDONLY);

	ASSERT_LE(0, fd);
	COUNTERS(fd);
	EXPECT_EQ(0, self->c.counters);
	EXPECT_EQ(0, SUM(ALLOC, -1) + SUM(FREE, -1) + SUM(EXTFRAG, -1) + SUM(FAILED, -1));
	close(fd);
}

CSN_HARNESS_MAIN
