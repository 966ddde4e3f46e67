// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages in the capture from boot, by the kernel's own trace of one process: the
 * first allocation after the load is there, and none is missing when the
 * capture is taken while allocations go on.
 */
#include <poll.h>
#include "boot.h"
#include "tracefs.h"

FIXTURE(boot_pages)
{
	struct tracefs tracefs;
	struct tracefs_event *event;
	long nr_traced;
	struct csn_log log;
	bool was_loaded;
	int fd;
	int boot;
};

FIXTURE_SETUP(boot_pages)
{
	csn_log_init(&self->log);
	self->fd = -1;
	self->boot = -1;
	BOOT_SETUP(&self->was_loaded);
}

FIXTURE_TEARDOWN(boot_pages)
{
	tracefs_end(&self->tracefs);
	free(self->event);
	csn_log_free(&self->log);
	if (self->boot >= 0)
		close(self->boot);
	if (self->fd >= 0)
		close(self->fd);
	BOOT_TEARDOWN(self->was_loaded);
}

static int touch_pages(int nr)
{
	size_t page = getpagesize();
	char *pages = mmap(NULL, nr * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (pages == MAP_FAILED)
		return -errno;
	for (i = 0; i < nr; i++)
		pages[i * page] = 1;
	return munmap(pages, nr * page) ? -errno : 0;
}

/* Stops both, reads to the end, and leaves allocations alone in the trace. */
static void finish(struct __test_metadata *_metadata,
		   FIXTURE_DATA(boot_pages) * self)
{
	long nr, i;

	ASSERT_EQ(0, csn_stop(self->boot));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
	boot_expect_account(_metadata, self->boot, &self->log, self->log.nr_pages);
	nr = tracefs_events(&self->tracefs, &self->event);
	for (i = 0; i < nr; i++)
		if (!strcmp(self->event[i].name, "mm_page_alloc"))
			self->event[self->nr_traced++] = self->event[i];
	ASSERT_LT(0, self->nr_traced);
}

static bool is_same(const struct tracefs_event *e, const struct csn_record_page *p)
{
	return tracefs_number(e, "pfn") == (long)p->pfn &&
	       tracefs_number(e, "order") == p->order;
}

/*
 * The thread's records are in the trace one after the other: from @first, which
 * is set, to before @end, which is returned.
 */
static long expect_run(struct __test_metadata *_metadata,
		       FIXTURE_DATA(boot_pages) * self, pid_t tid, long *first)
{
	const struct csn_record_page *p = self->log.page;
	size_t nr = 0, ours = 0;
	long at, end;
	size_t i;

	for (i = 0; i < self->log.nr_pages; i++)
		ours += (pid_t)p[i].tid == tid;
	ASSERT_LT(0, ours);
	for (i = 0; (pid_t)p[i].tid != tid; i++)
		;
	/* The same page may come again. The trace, which was first, is the first to see. */
	for (at = self->nr_traced - 1; at >= 0; at--)
		if (self->event[at].ts <= p[i].ts && is_same(&self->event[at], &p[i]))
			break;
	ASSERT_LE(0, at) TH_LOG("the first record is not in the trace");
	*first = at;
	for (end = at; i < self->log.nr_pages; i++) {
		if ((pid_t)p[i].tid != tid)
			continue;
		ASSERT_LT(end, self->nr_traced) TH_LOG("more records than traced");
		ASSERT_TRUE(is_same(&self->event[end], &p[i]))
			TH_LOG("record %zu of the thread: pfn %#llx order %u, traced: %s",
			       nr, p[i].pfn, p[i].order, self->event[end].args);
		end++;
		nr++;
	}
	EXPECT_EQ(ours, end - at);
	return end;
}

/*
 * This very process loads the module: what it allocates next, still within the
 * load, is the first record, and what it allocates up to the take-over, the last.
 */
TEST_F_TIMEOUT(boot_pages, from_the_first_allocation, 120)
{
	__u64 before_take, after_take;
	long first, end;
	size_t i;

	ASSERT_LE(0, machine_this_cpu_only());
	if (tracefs_begin_pages(&self->tracefs, getpid()))
		SKIP(return, "tracefs cannot be had: no oracle");
	boot_load(_metadata, "boot_events=page_alloc,compaction boot_ring_kb=8192");
	ASSERT_EQ(0, touch_pages(1000));	/* or huge ones */
	before_take = csn_now();
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	after_take = csn_now();
	/* The reader's own are left out, as of any session. */
	ASSERT_EQ(0, touch_pages(100));
	finish(_metadata, self);
	EXPECT_EQ(0, self->log.events_lost);

	end = expect_run(_metadata, self, getpid(), &first);
	EXPECT_LT(100, end - first);
	ASSERT_LT(0, first) TH_LOG("the trace does not begin before the capture");
	/* Whole microseconds. */
	EXPECT_LE(self->event[first - 1].ts, self->log.info.ts)
		TH_LOG("an allocation after the start and before the first record");
	ASSERT_LT(end, self->nr_traced);
	EXPECT_GE(self->event[end].ts + 1000, before_take);
	EXPECT_LE(100, self->nr_traced - end) TH_LOG("what the reader allocated");
	for (i = 0; i < self->log.nr_pages; i++)
		if ((pid_t)self->log.page[i].tid == getpid())
			EXPECT_GE(after_take, self->log.page[i].ts);
}

/* Shared with the child. */
struct progress {
	int go;
	int rounds;
};

#define ROUNDS		480
#define ROUND_PAGES	50
#define ROUNDS_BEFORE	200

static void child_allocates(struct progress *p)
{
	if (machine_cpu_only(0) < 0)
		_exit(1);
	__atomic_store_n(&p->rounds, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&p->go, __ATOMIC_ACQUIRE))
		machine_nap();
	for (; p->rounds < ROUNDS; __atomic_add_fetch(&p->rounds, 1, __ATOMIC_RELEASE))
		if (touch_pages(ROUND_PAGES))
			_exit(2);
	_exit(0);
}

static void wait_for_round(const struct progress *p, int round)
{
	while (__atomic_load_n(&p->rounds, __ATOMIC_ACQUIRE) < round)
		machine_nap();
}

/* The capture is taken in the middle of a process's allocations. */
static void taken_under_load(struct __test_metadata *_metadata,
			     FIXTURE_DATA(boot_pages) * self,
			     const char *parameters)
{
	struct progress *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	long first, end;
	pid_t child;

	ASSERT_TRUE(p != MAP_FAILED);
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		child_allocates(p);
	wait_for_round(p, 1);
	if (tracefs_begin_pages(&self->tracefs, child)) {
		kill(child, SIGKILL);
		SKIP(return, "tracefs cannot be had: no oracle");
	}
	boot_load(_metadata, parameters);
	__atomic_store_n(&p->go, 1, __ATOMIC_RELEASE);
	wait_for_round(p, ROUNDS_BEFORE);
	ASSERT_EQ(0, boot_go_first());
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	EXPECT_GT(ROUNDS, p->rounds) TH_LOG("taken when the child had ended");
	while (!waitpid(child, &status, WNOHANG)) {
		ASSERT_LE(0, csn_poll(self->boot, 10));
		ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
	}
	EXPECT_EQ(0, status);
	finish(_metadata, self);
	end = expect_run(_metadata, self, child, &first);
	/* All from the first that is there to the end. */
	EXPECT_EQ(self->nr_traced, end);
	EXPECT_LT((ROUNDS - ROUNDS_BEFORE) * ROUND_PAGES, end - first);
	if (!self->log.events_lost)
		EXPECT_GE(self->log.info.ts, first ? self->event[first - 1].ts : 0);
}

TEST_F_TIMEOUT(boot_pages, oldest_under_load, 240)
{
	taken_under_load(_metadata, self, "boot_events=page_alloc boot_ring_kb=8192");
	EXPECT_EQ(0, self->log.events_lost);
}

/* In a ring that is full by then: of 8192 records, a quarter is made free. */
TEST_F_TIMEOUT(boot_pages, newest_under_load, 240)
{
	const struct csn_record_lost *lost;
	const struct csn_record_page *page;
	size_t i, n;

	taken_under_load(_metadata, self,
			 "boot_events=page_alloc boot_ring_kb=512 boot_keep=newest");
	EXPECT_LT(0, self->log.events_lost);
	/* All of it before the take-over: earlier than what its CPU kept. */
	for (i = 0; i < self->log.nr_lost; i++) {
		lost = &self->log.lost[i];
		for (n = 0; n < self->log.nr_pages; n++) {
			page = &self->log.page[n];
			if (page->head.cpu == lost->head.cpu)
				EXPECT_LE(lost->last_ts, page->ts);
		}
	}
}

/* By their names, all classes. */
TEST_F(boot_pages, every_class)
{
	struct csn_config config;

	boot_load(_metadata, "boot_events=page_free,page_alloc,page_alloc_extfrag,compaction boot_ring_kb=64 boot_keep=newest");
	boot_take(_metadata, O_RDONLY, &self->fd, &self->boot);
	ASSERT_EQ(0, csn_get_config(self->boot, &config));
	EXPECT_EQ(CSN_CLASS_COMPACTION | CSN_CLASS_PAGE_ALLOC |
		  CSN_CLASS_PAGE_FREE | CSN_CLASS_EXTFRAG, config.classes);
	/* They say what the reader's own process is, too. */
	EXPECT_EQ(0, config.flags & CSN_FLAG_OWN_PROCESS);
}

CSN_HARNESS_MAIN
