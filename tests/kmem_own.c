// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose page events a session leaves out: those of the process that has last
 * had to do with the open file, unless it asks for them.
 */
#include <sys/mman.h>
#include "kmem_harness.h"

#define PAGES	300

FIXTURE(kmem_own)
{
	struct csn_counters c;
	struct csn_log log;
	__u64 *cells;
};

FIXTURE_SETUP(kmem_own)
{
	csn_log_init(&self->log);
	CSN_NEEDS_DEVICE();
}

FIXTURE_TEARDOWN(kmem_own)
{
	free(self->cells);
	csn_log_free(&self->log);
}

static void touch_pages(struct __test_metadata *_metadata)
{
	size_t page = getpagesize();
	char *mem = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	ASSERT_NE(MAP_FAILED, mem);
	madvise(mem, PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		((volatile char *)mem)[i * page] = 1;
	munmap(mem, PAGES * page);
}

static size_t records_of(const struct csn_log *log, pid_t pid)
{
	size_t n = 0;
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		n += (pid_t)log->page[i].pid == pid;
	return n;
}

TEST_F(kmem_own, left_out)
{
	int fd = kmem_open(KMEM_PAGE_CLASSES, KMEM_PAGE_CLASSES, 0, NULL);

	ASSERT_LE(0, fd);
	touch_pages(_metadata);
	kmem_finish(_metadata, fd, &self->log);
	EXPECT_EQ(0, records_of(&self->log, getpid()));
	close(fd);
}

TEST_F(kmem_own, asked_for)
{
	int fd = kmem_open(CSN_CLASS_PAGE_ALLOC, 0, CSN_FLAG_OWN_PROCESS, NULL);

	ASSERT_LE(0, fd);
	touch_pages(_metadata);
	kmem_finish(_metadata, fd, &self->log);
	EXPECT_LE(PAGES, records_of(&self->log, getpid()));
	close(fd);
}

/* A filter does not bring them back; the flag does, while it runs, too. */
TEST_F(kmem_own, counted)
{
	struct csn_filter me = { .match = CSN_MATCH_PID, .pid = getpid() };
	struct csn_config config;
	int fd = kmem_open(0, CSN_CLASS_PAGE_ALLOC, 0, &me);

	ASSERT_LE(0, fd);
	touch_pages(_metadata);
	ASSERT_EQ(0, csn_counters(fd, &self->c, &self->cells));
	EXPECT_EQ(0, kmem_sum(&self->c, self->cells, CSN_COUNTER_ALLOC, -1));
	free(self->cells);
	ASSERT_EQ(0, csn_get_config(fd, &config));
	config.flags |= CSN_FLAG_OWN_PROCESS;
	ASSERT_EQ(0, csn_set_config(fd, &config));
	touch_pages(_metadata);
	ASSERT_EQ(0, csn_counters(fd, &self->c, &self->cells));
	EXPECT_LE(PAGES, kmem_sum(&self->c, self->cells, CSN_COUNTER_ALLOC, 0));
	close(fd);
}

/*
 * The file is handed on: a child is left out from the moment it has asked for
 * something, and this process, which has opened it, no longer is.
 */
TEST_F(kmem_own, handed_on)
{
	int fd = kmem_open(CSN_CLASS_PAGE_ALLOC, 0, 0, NULL);
	struct csn_stats stats;
	int status;
	pid_t child;

	ASSERT_LE(0, fd);
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		int err = csn_stats(fd, CSN_CPU_ALL, &stats);

		touch_pages(_metadata);
		_exit(!!err);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	touch_pages(_metadata);
	kmem_finish(_metadata, fd, &self->log);
	EXPECT_GT(PAGES, records_of(&self->log, child));
	EXPECT_LE(PAGES, records_of(&self->log, getpid()));
	close(fd);
}

CSN_HARNESS_MAIN
