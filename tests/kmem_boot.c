// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capture from boot: begun while the module loads, handed to the first
 * who asks, with nothing lost between; the oldest or the newest kept.
 */
#include <sys/mman.h>
#include "kmem_harness.h"
#include "module.h"
#include "tracefs.h"

FIXTURE(kmem_boot)
{
	struct allocator allocator;
	struct tracefs tracefs;
	struct tracefs_event *event;
	struct csn_log log;
	int boot;
	int fd;
};

FIXTURE_SETUP(kmem_boot)
{
	csn_log_init(&self->log);
	self->boot = -1;
	self->fd = -1;
	CSN_NEEDS_ROOT();
	if (!module_path())
		SKIP(return, "no compactsnoop.ko: set COMPACTSNOOP_KO");
	kmem_begin(_metadata, &self->allocator);
}

static void reload(struct __test_metadata *_metadata, const char *parameters)
{
	if (module_loaded())
		ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load(parameters)) TH_LOG("%s", parameters);
}

FIXTURE_TEARDOWN(kmem_boot)
{
	tracefs_end(&self->tracefs);
	free(self->event);
	csn_log_free(&self->log);
	if (self->boot >= 0)
		close(self->boot);
	if (self->fd >= 0)
		close(self->fd);
	allocator_end(&self->allocator);
	if (module_path())
		reload(_metadata, "");
}

/* As a reader does. */
#define TAKE() do { \
	self->fd = csn_open(O_RDWR | O_NONBLOCK); \
	ASSERT_LE(0, self->fd); \
	self->boot = csn_take_boot(self->fd); \
	ASSERT_LE(0, self->boot); \
} while (0)

static size_t records_of(const struct csn_log *log, pid_t pid)
{
	size_t n = 0;
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		n += (pid_t)log->page[i].pid == pid;
	return n;
}

static void expect_account(struct __test_metadata *_metadata, int fd,
			   const struct csn_log *log)
{
	struct csn_stats stats;

	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(stats.produced, stats.delivered + csn_stats_lost(&stats));
	EXPECT_EQ(stats.delivered, log->nr_pages + log->nr_events);
	EXPECT_EQ(csn_stats_lost(&stats), log->events_lost);
}

static __u8 boot_state(struct __test_metadata *_metadata, int fd)
{
	struct csn_info info;

	EXPECT_EQ(0, csn_info(fd, &info));
	return info.boot;
}

TEST_F(kmem_boot, first_comes_first)
{
	struct csn_config config;
	int again;

	reload(_metadata, "boot_events=page_alloc,compaction boot_ring_kb=1024");
	self->fd = csn_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(CSN_BOOT_WAITING, boot_state(_metadata, self->fd));
	self->boot = csn_take_boot(self->fd);
	ASSERT_LE(0, self->boot);
	EXPECT_EQ(CSN_BOOT_TAKEN, boot_state(_metadata, self->fd));
	EXPECT_EQ(-EBUSY, csn_take_boot(self->fd));
	EXPECT_EQ(-EBUSY, csn_take_boot(self->boot));
	again = csn_open(O_RDONLY);
	ASSERT_LE(0, again);
	EXPECT_EQ(-EBUSY, csn_take_boot(again));
	close(again);

	EXPECT_EQ(FD_CLOEXEC, fcntl(self->boot, F_GETFD));
	EXPECT_EQ(O_RDONLY, fcntl(self->boot, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
	ASSERT_EQ(0, csn_get_config(self->boot, &config));
	EXPECT_EQ(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_COMPACTION, config.classes);
	EXPECT_EQ(1 << 20, config.ring_bytes);
	EXPECT_EQ(CSN_FLAG_ZONE_STATE, config.flags);
	/* It is over when its reader closes it, and does not come again. */
	close(self->boot);
	self->boot = -1;
	EXPECT_EQ(CSN_BOOT_TAKEN, boot_state(_metadata, self->fd));
	EXPECT_EQ(-EBUSY, csn_take_boot(self->fd));
}

TEST_F(kmem_boot, none)
{
	reload(_metadata, "boot_keep=newest boot_ring_kb=64");
	self->fd = csn_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(CSN_BOOT_NONE, boot_state(_metadata, self->fd));
	EXPECT_EQ(-ENOENT, csn_take_boot(self->fd));
}

/* With the file of someone who could open it, but no right of one's own. */
TEST_F(kmem_boot, no_right)
{
	pid_t child;
	int status;

	reload(_metadata, "boot_events=page_alloc");
	self->fd = csn_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		_exit(setuid(65534) || csn_take_boot(self->fd) != -EPERM);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(CSN_BOOT_WAITING, boot_state(_metadata, self->fd));
}

/* It does not count among those that can be open at once. */
TEST_F(kmem_boot, one_session)
{
	reload(_metadata, "boot_events=page_alloc max_sessions=1");
	TAKE();
	close(self->fd);
	self->fd = csn_open(O_RDONLY);
	EXPECT_LE(0, self->fd);
	EXPECT_EQ(-EBUSY, csn_open(O_RDONLY));
}

/* Whoever has not taken it does not keep the module; who has, does. */
TEST_F(kmem_boot, unload)
{
	int i;

	for (i = 0; i < 5; i++) {
		reload(_metadata, "boot_events=page_alloc,page_free,extfrag,compaction boot_keep=newest");
		kmem_do(_metadata, &self->allocator, "alloc", 0, 100);
		ASSERT_EQ(0, module_unload());
	}
	reload(_metadata, "boot_events=page_alloc");
	TAKE();
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(-EAGAIN, module_unload());
	EXPECT_EQ(1, module_users());
}

/*
 * The kernel's own trace runs since before: from the first record on, each
 * CPU's are the same, and what was traced before it was before the start.
 */
TEST_F_TIMEOUT(kmem_boot, from_the_first_allocation, 120)
{
	const struct csn_record_page *first = NULL;
	size_t between = 0;
	size_t ours = 0;
	long theirs = 0;
	__u64 until;
	long nr, i;

	if (module_loaded())
		ASSERT_EQ(0, module_unload());
	if (tracefs_begin_pages(&self->tracefs, 0))
		SKIP(return, "tracefs cannot be had: no oracle");
	ASSERT_EQ(0, module_load("boot_events=page_alloc boot_ring_kb=4096"));
	kmem_do(_metadata, &self->allocator, "alloc", 0, 1000);
	until = csn_now();
	TAKE();
	nr = tracefs_events(&self->tracefs, &self->event);
	ASSERT_LT(0, nr);
	kmem_finish(_metadata, self->boot, &self->log);
	EXPECT_EQ(0, self->log.events_lost);
	expect_account(_metadata, self->boot, &self->log);

	ASSERT_LT(1000, self->log.nr_pages);
	first = &self->log.page[0];
	EXPECT_LE(self->log.info.ts, first->ts);
	for (i = 0; i < (long)self->log.nr_pages; i++)
		ours += self->log.page[i].ts < until;
	for (i = 0; i < nr; i++) {
		const struct tracefs_event *e = &self->event[i];

		if (strcmp(e->name, "mm_page_alloc") || e->ts >= until)
			continue;
		/* The time of both is a few microseconds apart. */
		if (e->ts + 100000 < first->ts)
			between += e->ts > self->log.info.ts + 100000;
		else
			theirs++;
	}
	EXPECT_EQ(0, between)
		TH_LOG("allocations after the start and before the first record");
	/* Some microseconds at both ends are in one or in the other. */
	EXPECT_GT(10, llabs((long long)ours - theirs))
		TH_LOG("%zu of ours, %ld of the kernel's", ours, theirs);
	EXPECT_EQ(1000, records_of(&self->log, self->allocator.pid));
}

/* The oldest: what comes when the ring is full is lost, and counted. */
TEST_F(kmem_boot, keeps_the_oldest)
{
	size_t small = 0;
	size_t i;

	reload(_metadata, "boot_events=page_alloc boot_ring_kb=4 boot_keep=oldest");
	kmem_do(_metadata, &self->allocator, "alloc", 0, 64);
	kmem_do(_metadata, &self->allocator, "alloc", 1, 500);
	TAKE();
	kmem_finish(_metadata, self->boot, &self->log);
	expect_account(_metadata, self->boot, &self->log);
	EXPECT_LE(500, self->log.events_lost);
	for (i = 0; i < self->log.nr_pages; i++) {
		const struct csn_record_page *p = &self->log.page[i];

		/* Not one of the later ones, but what came while it was read. */
		if ((pid_t)p->pid == self->allocator.pid)
			EXPECT_EQ(0, p->order);
		small += !p->order;
	}
	EXPECT_LT(0, small);
}

/* The newest: a ring full of those that came last, the rest counted as lost. */
TEST_F(kmem_boot, keeps_the_newest)
{
	const struct csn_record_page *p = NULL;
	__u64 last_lost = 0;
	size_t i;

	reload(_metadata, "boot_events=page_alloc boot_ring_kb=4 boot_keep=newest");
	kmem_do(_metadata, &self->allocator, "alloc", 0, 5000);
	kmem_do(_metadata, &self->allocator, "alloc", 2, 30);
	TAKE();
	kmem_finish(_metadata, self->boot, &self->log);
	expect_account(_metadata, self->boot, &self->log);
	EXPECT_LE(5000 - 34, self->log.events_lost);
	/* The last of the child's allocations, all of them, in their order. */
	EXPECT_EQ(30, kmem_records(&self->log, CSN_RECORD_PAGE_ALLOC, 2));
	for (i = 0; i < self->log.nr_lost; i++)
		if (self->log.lost[i].head.cpu == KMEM_CPU)
			last_lost = self->log.lost[i].last_ts;
	EXPECT_NE(0, last_lost);
	for (i = 0; i < self->log.nr_pages; i++) {
		if (self->log.page[i].head.cpu != KMEM_CPU)
			continue;
		/* What was lost is older than what is there, which is in order. */
		EXPECT_LE(p ? p->ts : last_lost, self->log.page[i].ts);
		p = &self->log.page[i];
	}
}

/* A compaction is a group of records; none is torn by what overwrites it. */
TEST_F_TIMEOUT(kmem_boot, newest_groups, 60)
{
	int i;

	reload(_metadata, "boot_events=compaction boot_ring_kb=4 boot_keep=newest");
	ASSERT_EQ(0, machine_this_cpu_only());
	for (i = 0; i < 40; i++)
		ASSERT_EQ(0, machine_compact());
	TAKE();
	kmem_finish(_metadata, self->boot, &self->log);
	expect_account(_metadata, self->boot, &self->log);
	EXPECT_LT(0, self->log.events_lost);
	EXPECT_LE(31, self->log.nr_events);
	for (i = 0; i < (int)self->log.nr_events; i++)
		EXPECT_TRUE(self->log.event[i].has_zone);
}

/* Events go on while it is taken and read: of a known number none is missing. */
static void taken_under_load(struct __test_metadata *_metadata,
			     FIXTURE_DATA(kmem_boot) *self, const char *keep)
{
	char parameters[96];
	pid_t child;
	int status;
	int i;

	snprintf(parameters, sizeof(parameters),
		 "boot_events=page_alloc boot_ring_kb=4096 boot_keep=%s", keep);
	reload(_metadata, parameters);
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		for (i = 0; i < 200; i++)
			if (allocator_do(&self->allocator, "alloc 0 50") ||
			    allocator_do(&self->allocator, "free"))
				_exit(1);
		_exit(0);
	}
	TAKE();
	while (!waitpid(child, &status, WNOHANG))
		ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, csn_stop(self->boot));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
	EXPECT_INTACT(&self->log);
	expect_account(_metadata, self->boot, &self->log);
	EXPECT_EQ(0, self->log.events_lost);
	EXPECT_EQ(200 * 50, records_of(&self->log, self->allocator.pid));
}

TEST_F_TIMEOUT(kmem_boot, oldest_taken_under_load, 120)
{
	taken_under_load(_metadata, self, "oldest");
}

TEST_F_TIMEOUT(kmem_boot, newest_taken_under_load, 120)
{
	taken_under_load(_metadata, self, "newest");
}

/* Its rings are mapped as any session's. */
TEST_F(kmem_boot, mapped)
{
	const struct csn_record_page *slot;
	const struct csn_ring_head *head;
	struct csn_ring_tail *tail;
	struct csn_stats stats;

	reload(_metadata, "boot_events=page_alloc boot_ring_kb=4 boot_keep=newest");
	kmem_do(_metadata, &self->allocator, "alloc", 0, 1000);
	TAKE();
	ASSERT_EQ(0, csn_stop(self->boot));
	head = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, self->boot,
		    CSN_MMAP_OFFSET(KMEM_CPU, CSN_MMAP_HEAD));
	tail = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		    self->boot, CSN_MMAP_OFFSET(KMEM_CPU, CSN_MMAP_TAIL));
	slot = mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->boot,
		    CSN_MMAP_OFFSET(KMEM_CPU, CSN_MMAP_DATA));
	ASSERT_TRUE(head != MAP_FAILED && tail != MAP_FAILED && slot != MAP_FAILED);
	EXPECT_EQ(64, head->slots);
	EXPECT_EQ(64, head->head - tail->tail);
	EXPECT_EQ(CSN_RECORD_PAGE_ALLOC, slot[tail->tail % 64].head.type);
	ASSERT_EQ(0, csn_stats(self->boot, KMEM_CPU, &stats));
	EXPECT_EQ(64, stats.delivered);
	EXPECT_EQ(stats.lost_full, head->lost);
	EXPECT_EQ(head->head - 64, head->lost);
}

CSN_HARNESS_MAIN
