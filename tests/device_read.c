// SPDX-License-Identifier: GPL-2.0-only
/*
 * read() and poll(): sizes, addresses, blocking, and the end.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include "csn_harness.h"

/* Slots of the smallest ring and more: enough for one read of everything. */
#define ALL_RECORDS	256

#define INFO_BYTES	(3 * CSN_RECORD_SIZE)	/* the info group */

FIXTURE(device_read)
{
	int zones;
	int fd;
	char buf[ALL_RECORDS * CSN_RECORD_SIZE];
};

/* Started, this process alone, the info group read: nothing to read now. */
FIXTURE_SETUP(device_read)
{
	CSN_NEEDS_DEVICE();
	self->zones = machine_populated_zones();
	ASSERT_LT(0, self->zones);
	self->fd = csn_open_self(CSN_FLAG_ZONE_STATE);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(INFO_BYTES, csn_read(self->fd, self->buf, sizeof(self->buf)));
}

FIXTURE_TEARDOWN(device_read)
{
	close(self->fd);
}

/* @nr records in self->buf: @zones groups of two. */
static void expect_groups(struct __test_metadata *_metadata, const void *buf,
			  size_t nr, int zones)
{
	struct csn_log log;

	csn_log_init(&log);
	csn_log_add(&log, buf, nr);
	EXPECT_INTACT(&log);
	EXPECT_EQ(0, log.parts_left);
	EXPECT_EQ(zones, log.nr_events);
	EXPECT_EQ(2 * zones, nr);
	csn_log_free(&log);
}

TEST_F(device_read, nothing_there)
{
	EXPECT_EQ(-EAGAIN, csn_read(self->fd, self->buf, 64));
	EXPECT_EQ(-EAGAIN, csn_read(self->fd, self->buf, sizeof(self->buf)));
	EXPECT_EQ(0, csn_poll(self->fd, 0));
}

TEST_F(device_read, too_short)
{
	size_t len;

	EXPECT_EQ(0, csn_read(self->fd, self->buf, 0));
	for (len = 1; len < 64; len++)
		EXPECT_EQ(-EINVAL, csn_read(self->fd, self->buf, len))
			TH_LOG("%zu bytes, nothing there", len);
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(0, csn_read(self->fd, self->buf, 0));
	for (len = 1; len < 64; len++)
		EXPECT_EQ(-EINVAL, csn_read(self->fd, self->buf, len))
			TH_LOG("%zu bytes, records there", len);
	EXPECT_EQ(128 * self->zones,
		  csn_read(self->fd, self->buf, sizeof(self->buf)));
}

/* Whole records only; what is behind them in the buffer stays as it was. */
TEST_F(device_read, no_multiple_of_a_record)
{
	char *end = self->buf;
	size_t i;

	/* Two events at least, where there is one zone only. */
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, machine_compact());
	memset(self->buf, 0x5a, sizeof(self->buf));
	EXPECT_EQ(64, csn_read(self->fd, end, 64 + 17));
	end += 64;
	for (i = 0; i < 17; i++)
		EXPECT_EQ(0x5a, end[i]);
	EXPECT_EQ(64, csn_read(self->fd, end, 127));
	end += 64;
	EXPECT_EQ(128 * (2 * self->zones - 1),
		  csn_read(self->fd, end, 128 * 2 * self->zones + 63));
	expect_groups(_metadata, self->buf, 4 * self->zones, 2 * self->zones);
}

TEST_F(device_read, one_record_at_a_time)
{
	long i;

	ASSERT_EQ(0, machine_compact());
	for (i = 0; i < 2 * self->zones; i++)
		ASSERT_EQ(64, csn_read(self->fd, self->buf + 64 * i, 64));
	EXPECT_EQ(-EAGAIN, csn_read(self->fd, self->buf + 64 * i, 64));
	expect_groups(_metadata, self->buf, i, self->zones);
}

/* From the first record on: the info group too comes in pieces. */
TEST_F(device_read, info_in_pieces)
{
	struct csn_record_head *head = (void *)self->buf;
	int fd = csn_open(O_RDONLY | O_NONBLOCK);

	ASSERT_LE(0, fd);
	ASSERT_EQ(64, csn_read(fd, self->buf, 64));
	EXPECT_EQ(CSN_RECORD_INFO, head->type);
	ASSERT_EQ(64, csn_read(fd, self->buf, 64));
	EXPECT_EQ(CSN_RECORD_ZONE_NAMES, head->type);
	EXPECT_EQ(1, head->part);
	ASSERT_EQ(64, csn_read(fd, self->buf, 64));
	EXPECT_EQ(CSN_RECORD_KERNEL, head->type);
	EXPECT_EQ(2, head->part);
	close(fd);
}

TEST_F(device_read, odd_addresses)
{
	static const int offset[] = { 1, 2, 3, 7, 31, 63 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(offset); i++) {
		ASSERT_EQ(0, machine_compact());
		EXPECT_EQ(128 * self->zones,
			  csn_read(self->fd, self->buf + offset[i],
				   sizeof(self->buf) - 64));
		expect_groups(_metadata, self->buf + offset[i],
			      2 * self->zones, self->zones);
	}
}

/* What a failed copy could not hand over is still there. */
TEST_F(device_read, bad_memory)
{
	size_t page = getpagesize();
	char *edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long n;

	ASSERT_TRUE(edge != MAP_FAILED);
	ASSERT_EQ(0, munmap(edge + page, page));
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(-EFAULT, csn_read(self->fd, NULL, 128));
	EXPECT_EQ(-EFAULT, csn_read(self->fd, edge + page, 128));
	/* The first record cannot be written whole: none is taken. */
	EXPECT_EQ(-EFAULT, csn_read(self->fd, edge + page - 63, 128));
	/* One can, the second cannot. */
	n = csn_read(self->fd, edge + page - 64, 128);
	EXPECT_EQ(64, n);
	memcpy(self->buf, edge + page - 64, 64);
	EXPECT_EQ(128 * self->zones - 64,
		  csn_read(self->fd, self->buf + 64, sizeof(self->buf) - 64));
	expect_groups(_metadata, self->buf, 2 * self->zones, self->zones);
	munmap(edge, page);
}

TEST_F(device_read, bad_memory_for_the_info)
{
	int fd = csn_open(O_RDONLY | O_NONBLOCK);
	struct csn_record_head *head = (void *)self->buf;

	ASSERT_LE(0, fd);
	EXPECT_EQ(-EFAULT, csn_read(fd, NULL, 64));
	EXPECT_LE(64, csn_read(fd, self->buf, sizeof(self->buf)));
	EXPECT_EQ(CSN_RECORD_INFO, head->type);
	close(fd);
}

TEST_F(device_read, no_seek_no_write)
{
	int rw = csn_open(O_RDWR);
	char byte = 0;

	EXPECT_EQ(-1, lseek(self->fd, 0, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
	EXPECT_EQ(-1, pread(self->fd, self->buf, 64, 0));
	EXPECT_EQ(ESPIPE, errno);
	EXPECT_EQ(-1, write(self->fd, &byte, 1));
	EXPECT_EQ(EBADF, errno);
	ASSERT_LE(0, rw);
	EXPECT_EQ(-1, write(rw, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	close(rw);
}

/*
 * A reader in a thread of its own. Its answer in @n, once @done; @fd blocks
 * in it, so the tests take O_NONBLOCK off.
 */
struct reader {
	pthread_t thread;
	int fd;
	pid_t tid;
	char buf[ALL_RECORDS * CSN_RECORD_SIZE];
	long n;
	int done;
};

static void *reader_run(void *arg)
{
	struct reader *r = arg;

	__atomic_store_n(&r->tid, gettid(), __ATOMIC_RELEASE);
	r->n = csn_read(r->fd, r->buf, sizeof(r->buf));
	__atomic_store_n(&r->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static struct reader *reader_start(struct __test_metadata *_metadata, int fd)
{
	struct reader *r = calloc(1, sizeof(*r));
	int ms;

	ASSERT_TRUE(r != NULL);
	r->fd = fd;
	ASSERT_EQ(0, fcntl(fd, F_SETFL, 0));
	ASSERT_EQ(0, pthread_create(&r->thread, NULL, reader_run, r));
	for (ms = 0; ms < CSN_PATIENCE_MS; ms += 2) {
		if (__atomic_load_n(&r->tid, __ATOMIC_ACQUIRE))
			break;
		machine_nap();
	}
	ASSERT_EQ(0, machine_wait_asleep(r->tid, CSN_PATIENCE_MS));
	ASSERT_EQ(0, __atomic_load_n(&r->done, __ATOMIC_ACQUIRE))
		TH_LOG("the read did not block: it gave %ld", r->n);
	return r;
}

static long reader_result(struct __test_metadata *_metadata, struct reader *r)
{
	int ms;

	for (ms = 0; ms < CSN_PATIENCE_MS; ms += 2) {
		if (__atomic_load_n(&r->done, __ATOMIC_ACQUIRE))
			break;
		machine_nap();
	}
	ASSERT_EQ(1, __atomic_load_n(&r->done, __ATOMIC_ACQUIRE))
		TH_LOG("the read still blocks after %d ms", CSN_PATIENCE_MS);
	pthread_join(r->thread, NULL);
	return r->n;
}

TEST_F_TIMEOUT(device_read, event_wakes_reader, 60)
{
	struct reader *r = reader_start(_metadata, self->fd);
	long n;

	ASSERT_EQ(0, machine_compact());
	n = reader_result(_metadata, r);
	/* It may have been awake for the first zone already. */
	EXPECT_LE(128, n);
	EXPECT_GE(128 * self->zones, n);
	EXPECT_EQ(0, n % 128);
	expect_groups(_metadata, r->buf, n / 64, n / 128);
	free(r);
}

TEST_F_TIMEOUT(device_read, stop_wakes_reader, 60)
{
	struct reader *r = reader_start(_metadata, self->fd);

	ASSERT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(0, reader_result(_metadata, r));
	free(r);
}

static void no_action(int sig)
{
}

TEST_F_TIMEOUT(device_read, signal_wakes_reader, 60)
{
	struct sigaction action = { .sa_handler = no_action };
	struct reader *r;

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	r = reader_start(_metadata, self->fd);
	ASSERT_EQ(0, pthread_kill(r->thread, SIGUSR1));
	EXPECT_EQ(-EINTR, reader_result(_metadata, r));
	free(r);
}

/* And goes on reading, nothing lost, where the handler asks for that. */
TEST_F_TIMEOUT(device_read, signal_restarts_reader, 60)
{
	struct sigaction action = {
		.sa_handler = no_action,
		.sa_flags = SA_RESTART,
	};
	struct reader *r;

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	r = reader_start(_metadata, self->fd);
	ASSERT_EQ(0, pthread_kill(r->thread, SIGUSR1));
	ASSERT_EQ(0, machine_compact());
	EXPECT_LE(128, reader_result(_metadata, r));
	free(r);
}

/* What is in the rings at STOP can be read, then comes the end, for good. */
TEST_F(device_read, rest_then_end)
{
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(POLLIN, csn_poll(self->fd, 0) & POLLIN);
	EXPECT_EQ(128 * self->zones,
		  csn_read(self->fd, self->buf, sizeof(self->buf)));
	expect_groups(_metadata, self->buf, 2 * self->zones, self->zones);
	EXPECT_EQ(0, csn_read(self->fd, self->buf, sizeof(self->buf)));
	EXPECT_EQ(0, csn_read(self->fd, self->buf, sizeof(self->buf)));
	EXPECT_EQ(POLLHUP, csn_poll(self->fd, 0) & (POLLHUP | POLLERR));
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(0, csn_read(self->fd, self->buf, sizeof(self->buf)));
}

TEST_F(device_read, poll)
{
	EXPECT_EQ(0, csn_poll(self->fd, 0));
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(POLLIN, csn_poll(self->fd, CSN_PATIENCE_MS) & (POLLIN | POLLHUP));
	/* Level, not edge. */
	EXPECT_EQ(POLLIN, csn_poll(self->fd, 0) & (POLLIN | POLLHUP));
	EXPECT_EQ(128 * self->zones,
		  csn_read(self->fd, self->buf, sizeof(self->buf)));
	EXPECT_EQ(0, csn_poll(self->fd, 0));
	ASSERT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(POLLHUP, csn_poll(self->fd, 0) & (POLLHUP | POLLERR));
}

/*
 * A poll that began before the event is woken by it. The task that compacts
 * is a child, so the session takes every event of its comm.
 */
TEST_F_TIMEOUT(device_read, event_wakes_poll, 60)
{
	struct csn_filter filter = {
		.match = CSN_MATCH_ORIGIN,
		.origins = 1 << CSN_ORIGIN_MANUAL,
	};
	pid_t parent = getpid();
	int fd = csn_open_filter(0, &filter);
	pid_t child;

	ASSERT_LE(0, fd);
	ASSERT_EQ(INFO_BYTES, csn_read(fd, self->buf, sizeof(self->buf)));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		char path[64];
		char buf[512];
		int ms;

		/* Asleep: that is, in poll(). */
		snprintf(path, sizeof(path), "/proc/%d/stat", parent);
		for (ms = 0; ms < CSN_PATIENCE_MS; ms += 2) {
			if (!machine_read(path, buf, sizeof(buf)) &&
			    strstr(buf, ") S "))
				break;
			machine_nap();
		}
		_exit(machine_compact() ? 1 : 0);
	}
	EXPECT_EQ(POLLIN, csn_poll(fd, CSN_PATIENCE_MS));
	waitpid(child, NULL, 0);
	close(fd);
}

/*
 * The watermark counts the records of one CPU's ring, so this stays on one.
 * Below it poll() does not say POLLIN, yet a read gets what there is.
 */
TEST_F_TIMEOUT(device_read, watermark, 60)
{
	struct csn_config config;
	struct csn_stats stats;
	int rounds = 3;
	int i;

	ASSERT_LE(0, machine_this_cpu_only());
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.watermark = rounds * 2 * self->zones;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	for (i = 1; i <= rounds; i++) {
		ASSERT_EQ(0, machine_compact());
		ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
		ASSERT_EQ(2 * self->zones * i, stats.pending);
		EXPECT_EQ(i < rounds ? 0 : POLLIN, csn_poll(self->fd, 0))
			TH_LOG("%llu records there, watermark %u",
			       stats.pending, config.watermark);
	}
	EXPECT_EQ(64, csn_read(self->fd, self->buf, 64));
	EXPECT_EQ(0, csn_poll(self->fd, 0));
	EXPECT_EQ(64, csn_read(self->fd, self->buf, 64));
	/* The end is worth a wake-up at any watermark. */
	ASSERT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(POLLIN, csn_poll(self->fd, 0) & POLLIN);
}

CSN_HARNESS_MAIN
