// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capture from boot, which here is the load of the module: begun before
 * anybody can open the device, the oldest or the newest events kept, handed to
 * the first who asks. The kernel's own trace says what there was to be caught.
 */
#include <poll.h>
#include <sys/resource.h>
#include "boot.h"
#include "tracefs.h"

/* A compaction with its zone state is two records. */
#define EVENT_BYTES	(2 * CSN_RECORD_SIZE)

FIXTURE(boot_capture)
{
	struct tracefs tracefs;
	struct tracefs_event *event;
	struct tracefs_pass *pass;
	long nr_passes;
	struct csn_log log;
	bool was_loaded;
	int fd;
	int boot;
};

FIXTURE_SETUP(boot_capture)
{
	csn_log_init(&self->log);
	self->fd = -1;
	self->boot = -1;
	BOOT_SETUP(&self->was_loaded);
}

FIXTURE_TEARDOWN(boot_capture)
{
	tracefs_end(&self->tracefs);
	free(self->event);
	free(self->pass);
	csn_log_free(&self->log);
	if (self->boot >= 0)
		close(self->boot);
	if (self->fd >= 0)
		close(self->fd);
	BOOT_TEARDOWN(self->was_loaded);
}

static __u8 boot_state(struct __test_metadata *_metadata, int fd)
{
	struct csn_info info;

	EXPECT_EQ(0, csn_info(fd, &info));
	return info.boot;
}

TEST_F(boot_capture, first_comes_first)
{
	struct csn_config config;
	int again;

	boot_load(_metadata, "boot_events=compaction boot_ring_kb=64");
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

	ASSERT_EQ(0, csn_get_config(self->boot, &config));
	EXPECT_EQ(CSN_CLASS_COMPACTION, config.classes);
	EXPECT_EQ(64 << 10, config.ring_bytes);
	EXPECT_EQ(CSN_FLAG_ZONE_STATE, config.flags);
	EXPECT_EQ(1, config.watermark);
	/* It is over when its reader closes it, and does not come again. */
	close(self->boot);
	self->boot = -1;
	EXPECT_EQ(CSN_BOOT_TAKEN, boot_state(_metadata, self->fd));
	EXPECT_EQ(-EBUSY, csn_take_boot(self->fd));
}

/* Opened as the file asked, and not left to children. */
TEST_F(boot_capture, opened_as_asked)
{
	static const int flags[] = { O_RDONLY, O_RDWR, O_RDONLY | O_NONBLOCK };
	char byte;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		boot_load(_metadata, "boot_events=compaction");
		boot_take(_metadata, flags[i], &self->fd, &self->boot);
		EXPECT_EQ(FD_CLOEXEC, fcntl(self->boot, F_GETFD));
		EXPECT_EQ(flags[i], fcntl(self->boot, F_GETFL) &
				    (O_ACCMODE | O_NONBLOCK));
		/* A stream, as the device. */
		EXPECT_EQ(-1, lseek(self->boot, 0, SEEK_CUR));
		EXPECT_EQ(ESPIPE, errno);
		EXPECT_EQ(-1, pread(self->boot, &byte, 1, 0));
		EXPECT_EQ(ESPIPE, errno);
		EXPECT_EQ(-1, write(self->boot, "", 1));
		close(self->boot);
		close(self->fd);
		self->boot = -1;
		self->fd = -1;
		ASSERT_EQ(0, module_unload());
	}
}

TEST_F(boot_capture, none)
{
	boot_load(_metadata, "boot_keep=newest boot_ring_kb=64");
	self->fd = csn_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(CSN_BOOT_NONE, boot_state(_metadata, self->fd));
	EXPECT_EQ(-ENOENT, csn_take_boot(self->fd));
}

/* With the file of somebody who could open it, but no right of one's own. */
TEST_F(boot_capture, no_right)
{
	pid_t child;
	int status;

	boot_load(_metadata, "boot_events=compaction");
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

/* No room for one more open file: it waits on. */
TEST_F(boot_capture, no_file)
{
	struct rlimit was, none;

	boot_load(_metadata, "boot_events=compaction");
	self->fd = csn_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &was));
	none = was;
	none.rlim_cur = self->fd + 1;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(-EMFILE, csn_take_boot(self->fd));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &was));
	EXPECT_EQ(CSN_BOOT_WAITING, boot_state(_metadata, self->fd));
	self->boot = csn_take_boot(self->fd);
	EXPECT_LE(0, self->boot);
}

/* It is none of those that can be open at once. */
TEST_F(boot_capture, not_counted)
{
	int other;

	boot_load(_metadata, "boot_events=compaction max_sessions=1");
	boot_take(_metadata, O_RDONLY, &self->fd, &self->boot);
	EXPECT_EQ(-EBUSY, csn_open(O_RDONLY));
	close(self->fd);
	self->fd = csn_open(O_RDONLY);
	EXPECT_LE(0, self->fd);
	close(self->boot);
	self->boot = -1;
	other = csn_open(O_RDONLY);
	EXPECT_EQ(-EBUSY, other);
}

/* While it waits it does not keep the module; its reader does. */
TEST_F(boot_capture, unload)
{
	void *map;
	int err;
	int i;

	for (i = 0; i < 5; i++) {
		boot_load(_metadata, "boot_events=compaction boot_keep=newest");
		ASSERT_EQ(0, machine_compact());
		EXPECT_EQ(0, module_users());
		ASSERT_EQ(0, module_unload());
	}
	boot_load(_metadata, "boot_events=compaction");
	boot_take(_metadata, O_RDWR, &self->fd, &self->boot);
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(1, module_users());
	err = module_unload();
	EXPECT_TRUE(err == -EWOULDBLOCK || err == -EBUSY);
	map = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, self->boot,
		   CSN_MMAP_OFFSET(0, CSN_MMAP_HEAD));
	ASSERT_TRUE(map != MAP_FAILED);
	close(self->boot);
	self->boot = -1;
	err = module_unload();
	EXPECT_TRUE(err == -EWOULDBLOCK || err == -EBUSY);
	munmap(map, getpagesize());
	EXPECT_EQ(0, module_users());
}

TEST_F(boot_capture, bad_parameters)
{
	static const struct {
		const char *parameters;
		const char *said;
	} bad[] = {
		{ "boot_events=x",
		  "'x' is not one of compaction, page_alloc, page_free, page_alloc_extfrag" },
		{ "boot_events=compaction,x", "'x'" },
		{ "boot_events=compaction,,page_alloc", "''" },
		{ "boot_events=compactio", "'compactio'" },
		{ "boot_events=compaction boot_keep=newer", "boot_keep=newer is neither" },
		{ "boot_keep=", "boot_keep= is neither" },
		{ "boot_ring_kb=0", "boot_ring_kb=0 is not between" },
		{ "boot_ring_kb=3 boot_events=compaction", "boot_ring_kb=3" },
		{ "boot_ring_kb=96", "boot_ring_kb=96 is not a power of two" },
		{ "boot_ring_kb=131072", "boot_ring_kb=131072 is not between" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		int mark = module_log_mark();
		int err = module_load(bad[i].parameters);

		EXPECT_EQ(-EINVAL, err)
			TH_LOG("%s: error %d", bad[i].parameters, -err);
		EXPECT_EQ(1, module_log_lines(mark, bad[i].said))
			TH_LOG("%s: \"%s\" in the kernel log",
			       bad[i].parameters, bad[i].said);
		EXPECT_FALSE(module_loaded());
	}
}

/* What the classes need is missing: no module, and it says why. */
TEST_F(boot_capture, not_to_be_had)
{
	int mark = module_log_mark();

	EXPECT_EQ(-ENODEV, module_load("boot_events=compaction without=mm_compaction_end"));
	EXPECT_EQ(1, module_log_lines(mark, "boot_events: compaction cannot be had"));
	EXPECT_FALSE(module_loaded());
	EXPECT_EQ(-1, access(CSN_DEVICE, F_OK));
}

/*
 * From here on the oracle is the kernel's trace, which runs since before the
 * load: how many compactions ended, and which were whose.
 */
static void load_traced(struct __test_metadata *_metadata,
			FIXTURE_DATA(boot_capture) * self, const char *parameters)
{
	if (tracefs_begin(&self->tracefs))
		SKIP(return, "tracefs cannot be had: no oracle");
	boot_load(_metadata, parameters);
}

static void compact_times(struct __test_metadata *_metadata, int times)
{
	while (times--)
		ASSERT_EQ(0, machine_compact());
}

/* Stops both, and reads to the end. */
static void finish(struct __test_metadata *_metadata,
		   FIXTURE_DATA(boot_capture) * self)
{
	struct csn_stats stats;
	long nr;

	ASSERT_EQ(0, csn_stop(self->boot));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
	boot_expect_account(_metadata, self->boot, &self->log, self->log.nr_events);
	nr = tracefs_events(&self->tracefs, &self->event);
	ASSERT_LT(0, nr);
	self->nr_passes = tracefs_passes(self->event, nr, &self->pass);
	ASSERT_LT(0, self->nr_passes);

	ASSERT_EQ(0, csn_stats(self->boot, CSN_CPU_ALL, &stats));
	EXPECT_EQ(stats.produced, self->nr_passes)
		TH_LOG("events, by the kernel's trace");
}

/* The events of a thread, in the order that the trace has them, from its @skip'th on. */
static size_t expect_passes(struct __test_metadata *_metadata,
			    FIXTURE_DATA(boot_capture) * self, pid_t tid,
			    size_t skip)
{
	const struct csn_event *event = self->log.event;
	const struct csn_event *end = event + self->log.nr_events;
	size_t found = 0;
	__u64 before = 0;
	long i;

	for (i = 0; i < self->nr_passes; i++) {
		const struct tracefs_pass *pass = &self->pass[i];
		const struct csn_record_compaction *c;

		if (pass->tid != tid)
			continue;
		if (skip) {
			skip--;
			continue;
		}
		while (event < end && (pid_t)event->c.tid != tid)
			event++;
		if (event == end)
			break;
		c = &event->c;
		EXPECT_STREQ(pass->zone, self->log.names.name[c->zone]);
		EXPECT_EQ(pass->order, c->order);
		/* Between this one's begin and the next one's; whole microseconds. */
		EXPECT_LE(pass->begin_ts, c->ts);
		EXPECT_GE(pass->begin_ts + 1000, before)
			TH_LOG("event %zu of thread %d", found, tid);
		before = c->ts;
		EXPECT_TRUE(event->has_zone);
		event++;
		found++;
	}
	while (event < end && (pid_t)event->c.tid != tid)
		event++;
	EXPECT_EQ(end, event) TH_LOG("events of %d that were not traced", tid);
	return found;
}

static size_t count_passes(FIXTURE_DATA(boot_capture) * self, pid_t tid)
{
	size_t nr = 0;
	long i;

	for (i = 0; i < self->nr_passes; i++)
		nr += self->pass[i].tid == tid;
	return nr;
}

static size_t count_events(const struct csn_log *log, pid_t tid)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < log->nr_events; i++)
		nr += (pid_t)log->event[i].c.tid == tid;
	return nr;
}

/* The stream begins when the module was loaded, with what came first. */
TEST_F_TIMEOUT(boot_capture, from_the_load_on, 120)
{
	__u64 before = csn_now();
	__u64 loaded;

	load_traced(_metadata, self, "boot_events=compaction");
	loaded = csn_now();
	compact_times(_metadata, 3);
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	EXPECT_TRUE(csn_poll(self->boot, 0) & POLLIN);
	finish(_metadata, self);
	EXPECT_LT(before, self->log.info.ts);
	EXPECT_GT(loaded, self->log.info.ts);
	EXPECT_EQ(0, self->log.events_lost);
	EXPECT_EQ(3 * machine_populated_zones(),
		  expect_passes(_metadata, self, getpid(), 0));
}

/* The ring is full: what came first is there, what comes is lost and counted. */
TEST_F_TIMEOUT(boot_capture, oldest, 120)
{
	size_t room = 4096 / EVENT_BYTES;
	size_t kept;

	ASSERT_LE(0, machine_this_cpu_only());
	load_traced(_metadata, self,
		    "boot_events=compaction boot_ring_kb=4 boot_keep=oldest");
	compact_times(_metadata, 40);
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	finish(_metadata, self);
	EXPECT_LT(0, self->log.events_lost);
	EXPECT_GE(room * machine_possible_cpus(), self->log.nr_events);
	kept = expect_passes(_metadata, self, getpid(), 0);
	EXPECT_EQ(kept, count_events(&self->log, getpid()));
	EXPECT_LE(room / 2, kept);
	EXPECT_GE(room, kept);
	/* The loss is told where it happened: after them. */
	EXPECT_LT(self->log.event[self->log.nr_events - 1].at,
		  self->log.lost_at[0]);
}

/* What overwrote was told of first, and what is there is later. */
static void expect_lost_first(struct __test_metadata *_metadata,
			      const struct csn_log *log,
			      const struct csn_record_lost *lost, size_t at)
{
	size_t i;

	EXPECT_LE(log->info.ts, lost->first_ts);
	for (i = 0; i < log->nr_events; i++) {
		if (log->event[i].c.head.cpu != lost->head.cpu)
			continue;
		EXPECT_LT(at, log->event[i].at);
		EXPECT_LE(lost->last_ts, log->event[i].c.ts);
	}
}

/*
 * The oldest groups make room, whole ones: what came last is there, and first
 * in the stream stands how many were before it, and when.
 */
TEST_F_TIMEOUT(boot_capture, newest, 120)
{
	/* A quarter is given up for what comes until it is read. */
	size_t room = 4096 / EVENT_BYTES * 3 / 4;
	size_t all, kept;

	ASSERT_LE(0, machine_this_cpu_only());
	load_traced(_metadata, self,
		    "boot_events=compaction boot_ring_kb=4 boot_keep=newest");
	compact_times(_metadata, 40);
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	finish(_metadata, self);
	ASSERT_EQ(1, self->log.nr_lost);
	expect_lost_first(_metadata, &self->log, &self->log.lost[0],
			  self->log.lost_at[0]);
	all = count_passes(self, getpid());
	EXPECT_EQ(40 * machine_populated_zones(), all);
	kept = count_events(&self->log, getpid());
	EXPECT_LE(room / 2, kept);
	EXPECT_GE(room, kept);
	EXPECT_EQ(kept, expect_passes(_metadata, self, getpid(), all - kept));
}

/* Mapped, tail and head are those of its ring, with the lost record in it. */
TEST_F_TIMEOUT(boot_capture, mapped, 120)
{
	const size_t nr = 4096 / CSN_RECORD_SIZE;
	const struct csn_record_lost *slot, *slots;
	const struct csn_ring_head *head;
	struct csn_ring_tail *tail;
	struct csn_stats stats;
	int cpu;

	cpu = machine_this_cpu_only();
	ASSERT_LE(0, cpu);
	boot_load(_metadata, "boot_events=compaction boot_ring_kb=4 boot_keep=newest");
	compact_times(_metadata, 40);
	boot_take(_metadata, O_RDWR | O_NONBLOCK, &self->fd, &self->boot);
	ASSERT_EQ(0, csn_stop(self->boot));
	head = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, self->boot,
		    CSN_MMAP_OFFSET(cpu, CSN_MMAP_HEAD));
	tail = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		    self->boot, CSN_MMAP_OFFSET(cpu, CSN_MMAP_TAIL));
	slots = mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->boot,
		     CSN_MMAP_OFFSET(cpu, CSN_MMAP_DATA));
	ASSERT_TRUE(head != MAP_FAILED && tail != MAP_FAILED && slots != MAP_FAILED);
	ASSERT_EQ(0, csn_stats(self->boot, cpu, &stats));
	EXPECT_EQ(nr, head->slots);
	EXPECT_EQ(2 * stats.delivered + 1, head->head - tail->tail);
	EXPECT_EQ(nr * 3 / 4 + 1, head->head - tail->tail);
	EXPECT_EQ(2 * stats.produced, head->head);
	EXPECT_EQ(stats.lost_full, head->lost);
	slot = &slots[tail->tail % nr];
	EXPECT_EQ(CSN_RECORD_LOST, slot->head.type);
	EXPECT_EQ(stats.lost_full, slot->count);
	slot = &slots[(tail->tail + 1) % nr];
	EXPECT_EQ(CSN_RECORD_COMPACTION, slot->head.type);
	munmap((void *)head, getpagesize());
	munmap(tail, getpagesize());
	munmap((void *)slots, 4096);
}

#define COMPACTORS	2
#define COMPACTIONS	400

/*
 * Children that go on compacting, each on a CPU, while the capture is taken and
 * read. So that the reader is never late, it goes before them.
 */
static void taken_under_load(struct __test_metadata *_metadata,
			     FIXTURE_DATA(boot_capture) * self,
			     const char *parameters, int before)
{
	int ended = 0, taken = 0;
	pid_t child[COMPACTORS];
	size_t all, kept;
	int status;
	int i, n;

	load_traced(_metadata, self, parameters);
	for (i = 0; i < COMPACTORS; i++) {
		child[i] = fork();
		ASSERT_LE(0, child[i]);
		if (child[i])
			continue;
		if (machine_cpu_only(i % sysconf(_SC_NPROCESSORS_ONLN)) < 0)
			_exit(2);
		for (n = 0; n < COMPACTIONS; n++)
			if (machine_compact())
				_exit(1);
		_exit(0);
	}
	compact_times(_metadata, before);
	ASSERT_EQ(0, boot_go_first());
	boot_take(_metadata, O_RDONLY | O_NONBLOCK, &self->fd, &self->boot);
	while (ended < COMPACTORS) {
		ASSERT_LE(0, csn_poll(self->boot, 10));
		ASSERT_EQ(0, csn_log_drain(&self->log, self->boot));
		taken += !ended;
		if (waitpid(-1, &status, WNOHANG) > 0) {
			EXPECT_EQ(0, status);
			ended++;
		}
	}
	EXPECT_LT(1, taken) TH_LOG("it was taken when they had ended");
	finish(_metadata, self);
	for (i = 0; i < (int)self->log.nr_lost; i++)
		expect_lost_first(_metadata, &self->log, &self->log.lost[i],
				  self->log.lost_at[i]);
	for (i = 0; i < COMPACTORS; i++) {
		all = count_passes(self, child[i]);
		kept = count_events(&self->log, child[i]);
		EXPECT_EQ(COMPACTIONS * machine_populated_zones(), all);
		EXPECT_LT(0, kept);
		/* From the first that is there on, all of them. */
		EXPECT_EQ(kept, expect_passes(_metadata, self, child[i], all - kept));
	}
}

TEST_F_TIMEOUT(boot_capture, oldest_under_load, 240)
{
	taken_under_load(_metadata, self,
			 "boot_events=compaction boot_ring_kb=256", 1);
	EXPECT_EQ(0, self->log.events_lost);
}

/* Taken while they make room: nothing is lost from then on. */
TEST_F_TIMEOUT(boot_capture, newest_under_load, 240)
{
	taken_under_load(_metadata, self,
			 "boot_events=compaction boot_ring_kb=32 boot_keep=newest", 150);
	EXPECT_LT(0, self->log.events_lost);
}

CSN_HARNESS_MAIN
