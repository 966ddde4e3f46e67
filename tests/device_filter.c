// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters, in the kernel: sessions with every kind of filter and one with
 * none see the same real compactions, and what each got is what user space
 * lets through of those that the one without a filter got.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include "compactions.h"

#define MAX_CASES	16

#define HUGE_LATENCY	(3600ULL * 1000 * 1000 * 1000)

/*
 * A filter and whether the events below are sure to have some that match
 * and some that do not, so that no comparison is of nothing with nothing.
 */
struct filter_case {
	const char *name;
	bool some_match;
	bool some_do_not;
	struct csn_filter filter;
	struct csn_log log;
	int fd;
};

FIXTURE(device_filter)
{
	struct workload workload;
	struct csn_log all;
	int fd;
};

FIXTURE_SETUP(device_filter)
{
	CSN_NEEDS_DEVICE();
	CSN_NEEDS_ROOT();
	csn_log_init(&self->all);
	machine_write("/proc/sys/vm/drop_caches", "3");
	ASSERT_EQ(0, workload_begin(&self->workload));
	self->fd = csn_open_filter(CSN_FLAG_ZONE_STATE, NULL);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(device_filter)
{
	workload_end(&self->workload);
	csn_log_free(&self->all);
	close(self->fd);
}

/* Sessions come and go one by one; only between these times all are there. */
struct window {
	__u64 from;
	__u64 to;
};

static bool in_window(const struct window *window, const struct csn_event *e)
{
	return e->c.ts - e->c.delta >= window->from && e->c.ts <= window->to;
}

/*
 * A look at the smallest rings is not needed: the default one holds thousands
 * of events, the work below makes some hundreds.
 */
static void start_cases(struct __test_metadata *_metadata,
			struct filter_case *c, size_t nr, struct window *w)
{
	size_t i;

	ASSERT_GE(MAX_CASES, nr);
	for (i = 0; i < nr; i++) {
		csn_log_init(&c[i].log);
		c[i].fd = csn_open_filter(CSN_FLAG_ZONE_STATE, &c[i].filter);
		ASSERT_LE(0, c[i].fd)
			TH_LOG("%s: %s", c[i].name, strerror(-c[i].fd));
	}
	w->from = csn_now();
}

static void stop_cases(struct __test_metadata *_metadata, int fd,
		       struct csn_log *all, struct filter_case *c, size_t nr,
		       struct window *w)
{
	size_t i;

	w->to = csn_now();
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_log_drain(all, fd));
	EXPECT_INTACT(all);
	EXPECT_EQ(0, all->events_lost);
	for (i = 0; i < nr; i++) {
		ASSERT_EQ(0, csn_stop(c[i].fd));
		ASSERT_EQ(0, csn_log_drain(&c[i].log, c[i].fd));
		EXPECT_INTACT(&c[i].log);
		EXPECT_EQ(0, c[i].log.events_lost);
		close(c[i].fd);
	}
}

/* Is the same event in @log? Rings are merged in no promised order. */
static bool has_event(const struct csn_log *log, const struct csn_event *e)
{
	size_t i;

	for (i = 0; i < log->nr_events; i++)
		if (!memcmp(&log->event[i].c, &e->c, sizeof(e->c)))
			return true;
	return false;
}

static void check_case(struct __test_metadata *_metadata,
		       const struct csn_log *all, struct filter_case *c,
		       const struct window *w)
{
	size_t events = 0;
	size_t match = 0;
	size_t got = 0;
	size_t i;

	for (i = 0; i < all->nr_events; i++) {
		const struct csn_event *e = &all->event[i];

		if (!in_window(w, e))
			continue;
		events++;
		if (!csn_filter_passes(&c->filter, e))
			continue;
		match++;
		EXPECT_TRUE(has_event(&c->log, e))
			TH_LOG("%s: missed comm %.16s pid %u tid %u zone %u order %d sync %u status %u origin %u delta %llu",
			       c->name, e->c.comm, e->c.pid, e->c.tid,
			       e->c.zone, e->c.order, e->c.sync, e->c.status,
			       e->c.origin, e->c.delta);
	}
	for (i = 0; i < c->log.nr_events; i++) {
		const struct csn_event *e = &c->log.event[i];

		EXPECT_TRUE(csn_filter_passes(&c->filter, e))
			TH_LOG("%s: let through comm %.16s pid %u tid %u zone %u order %d sync %u status %u origin %u delta %llu",
			       c->name, e->c.comm, e->c.pid, e->c.tid,
			       e->c.zone, e->c.order, e->c.sync, e->c.status,
			       e->c.origin, e->c.delta);
		got += in_window(w, e);
	}
	EXPECT_EQ(match, got) TH_LOG("%s", c->name);
	if (c->some_match)
		EXPECT_LT(0, match) TH_LOG("%s: no event matched", c->name);
	if (c->some_do_not)
		EXPECT_LT(match, events) TH_LOG("%s: all matched", c->name);
	TH_LOG("%s: %zu of %zu", c->name, match, events);
	csn_log_free(&c->log);
}

#define CASE(about, match_, not_, ...) { \
	.name = about, .some_match = match_, .some_do_not = not_, \
	.filter = { __VA_ARGS__ } }

static bool all_complete(const struct csn_log *log)
{
	size_t i;

	for (i = 0; i < log->nr_events; i++)
		if (log->event[i].c.status != CSN_STATUS_COMPLETE)
			return false;
	return true;
}

/*
 * Those before may all have ended with the same status, and for a while after
 * a failure the kernel does not try again.
 */
static void compact_to_another_end(struct __test_metadata *_metadata,
				   FIXTURE_DATA(device_filter) * self)
{
	int i;

	for (i = 0; all_complete(&self->all) && i < COMPACTIONS_MAX_TRIES; i++) {
		int err = i % 16 ? 0 : workload_fragment(&self->workload);

		if (!err)
			err = workload_hugepages(&self->workload);
		ASSERT_TRUE(!err || err == -ETIMEDOUT)
			TH_LOG("workload: %s", strerror(-err));
		ASSERT_EQ(0, csn_log_drain(&self->all, self->fd));
	}
}

/* Every kind of compaction that can be had in a short time. */
static void compact_all_ways(struct __test_metadata *_metadata,
			     FIXTURE_DATA(device_filter) * self)
{
	struct workload *w = &self->workload;
	pid_t child;

	compactions_until(_metadata, w, &self->all, self->fd,
			  CSN_ORIGIN_DIRECT, 0, workload_thp);
	compactions_until(_metadata, w, &self->all, self->fd,
			  CSN_ORIGIN_KCOMPACTD, 1, workload_kcompactd);
	compactions_until(_metadata, w, &self->all, self->fd,
			  CSN_ORIGIN_DIRECT, 1, workload_hugepages);
	compact_to_another_end(_metadata, self);
	ASSERT_EQ(0, machine_compact());
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		prctl(PR_SET_NAME, "child of it");
		_exit(machine_compact() ? 1 : 0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
}

/* The zones with memory, of any node: a bit each, as in a filter. */
static __u32 zones_there(void)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	int nr = machine_zones(zone);
	__u32 zones = 0;
	int i;

	for (i = 0; i < nr; i++)
		if (zone[i].managed)
			zones |= 1U << zone[i].number;
	return zones;
}

static __u32 lowest_zone(__u32 zones)
{
	return zones & -zones;
}

static __u32 highest_zone(__u32 zones)
{
	return 1U << (31 - __builtin_clz(zones | 1));
}

TEST_F_TIMEOUT(device_filter, each_alone, 480)
{
	const __u32 zones = zones_there();
	const bool more_zones = lowest_zone(zones) != highest_zone(zones);
	struct filter_case c[] = {
		CASE("pid", true, true,
		     .match = CSN_MATCH_PID, .pid = getpid()),
		CASE("comm of the child", true, true,
		     .match = CSN_MATCH_COMM, .comm = "child of it"),
		CASE("comm of nobody", false, true,
		     .match = CSN_MATCH_COMM, .comm = "child of"),
		CASE("node 0", true, false, .match = CSN_MATCH_NODE),
		CASE("lowest zone", true, more_zones,
		     .match = CSN_MATCH_ZONE, .zones = lowest_zone(zones)),
		CASE("highest zone", true, more_zones,
		     .match = CSN_MATCH_ZONE, .zones = highest_zone(zones)),
		CASE("order -1", true, true, .match = CSN_MATCH_ORDER,
		     .order_min = -1, .order_max = -1),
		CASE("order 0 to 10", true, true, .match = CSN_MATCH_ORDER,
		     .order_min = 0, .order_max = 10),
		CASE("asynchronous", true, true,
		     .match = CSN_MATCH_SYNC, .syncs = 1),
		CASE("synchronous", true, true,
		     .match = CSN_MATCH_SYNC, .syncs = 2),
		CASE("complete", true, true, .match = CSN_MATCH_STATUS,
		     .statuses = 1 << CSN_STATUS_COMPLETE),
		CASE("other statuses", true, true, .match = CSN_MATCH_STATUS,
		     .statuses = 0x1ff & ~(1 << CSN_STATUS_COMPLETE)),
		CASE("any latency", true, false, .match = CSN_MATCH_LATENCY),
		CASE("an hour", false, true, .match = CSN_MATCH_LATENCY,
		     .min_latency = HUGE_LATENCY),
	};
	struct window w;
	size_t i;

	start_cases(_metadata, c, ARRAY_SIZE(c), &w);
	compact_all_ways(_metadata, self);
	stop_cases(_metadata, self->fd, &self->all, c, ARRAY_SIZE(c), &w);
	for (i = 0; i < ARRAY_SIZE(c); i++)
		check_case(_metadata, &self->all, &c[i], &w);
}

TEST_F_TIMEOUT(device_filter, origins_and_together, 480)
{
	const __u64 ms = 1000 * 1000;
	const __u32 zones = zones_there();
	struct filter_case c[] = {
		CASE("direct", true, true, .match = CSN_MATCH_ORIGIN,
		     .origins = 1 << CSN_ORIGIN_DIRECT),
		CASE("kcompactd", true, true, .match = CSN_MATCH_ORIGIN,
		     .origins = 1 << CSN_ORIGIN_KCOMPACTD),
		CASE("manual", true, true, .match = CSN_MATCH_ORIGIN,
		     .origins = 1 << CSN_ORIGIN_MANUAL),
		CASE("all origins", true, false, .match = CSN_MATCH_ORIGIN,
		     .origins = 0xf),
		CASE("1 ms", false, false, .match = CSN_MATCH_LATENCY,
		     .min_latency = ms),
		CASE("another's pid", false, true,
		     .match = CSN_MATCH_PID, .pid = 1),
		CASE("tid", true, true,
		     .match = CSN_MATCH_TID, .tid = getpid()),
		CASE("pid, direct, asynchronous", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ORIGIN | CSN_MATCH_SYNC,
		     .pid = getpid(), .origins = 1 << CSN_ORIGIN_DIRECT,
		     .syncs = 1),
		CASE("pid, order, zone", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_ORDER | CSN_MATCH_ZONE,
		     .pid = getpid(), .order_min = -1, .order_max = -1,
		     .zones = highest_zone(zones)),
		CASE("manual and of an order: nothing", false, true,
		     .match = CSN_MATCH_ORIGIN | CSN_MATCH_ORDER,
		     .origins = 1 << CSN_ORIGIN_MANUAL, .order_max = 10),
		CASE("everything at once", true, true, .match = 0x3ff,
		     .pid = getpid(), .tid = getpid(), .comm = "device_filter",
		     .zones = zones, .statuses = 0x1ff, .origins = 1 << 3,
		     .syncs = 2, .order_min = -1, .order_max = 10,
		     .min_latency = 1),
	};
	struct window w;
	size_t i;

	prctl(PR_SET_NAME, "device_filter");
	start_cases(_metadata, c, ARRAY_SIZE(c), &w);
	compact_all_ways(_metadata, self);
	stop_cases(_metadata, self->fd, &self->all, c, ARRAY_SIZE(c), &w);
	for (i = 0; i < ARRAY_SIZE(c); i++)
		check_case(_metadata, &self->all, &c[i], &w);
}

static void *compact_in_thread(void *tid)
{
	prctl(PR_SET_NAME, "a thread");
	__atomic_store_n((pid_t *)tid, gettid(), __ATOMIC_RELEASE);
	/* Not before the sessions are there that look for it. */
	while (__atomic_load_n((pid_t *)tid, __ATOMIC_ACQUIRE))
		machine_nap();
	return (void *)(long)machine_compact();
}

/* The process is the same, the thread and its name are not. */
TEST_F(device_filter, thread)
{
	pthread_t thread;
	pid_t tid = 0;
	struct window w;
	void *ret;
	size_t i;

	ASSERT_EQ(0, pthread_create(&thread, NULL, compact_in_thread, &tid));
	while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
		machine_nap();

	struct filter_case c[] = {
		CASE("pid, whichever thread", true, false,
		     .match = CSN_MATCH_PID, .pid = getpid()),
		CASE("the thread's tid", true, true,
		     .match = CSN_MATCH_TID, .tid = tid),
		CASE("the leader's tid", true, true,
		     .match = CSN_MATCH_TID, .tid = getpid()),
		CASE("pid and the thread's tid", true, true,
		     .match = CSN_MATCH_PID | CSN_MATCH_TID,
		     .pid = getpid(), .tid = tid),
		CASE("the thread's name", true, true,
		     .match = CSN_MATCH_COMM, .comm = "a thread"),
	};

	start_cases(_metadata, c, ARRAY_SIZE(c), &w);
	ASSERT_EQ(0, machine_compact());
	__atomic_store_n(&tid, 0, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, &ret));
	ASSERT_TRUE(ret == NULL);
	stop_cases(_metadata, self->fd, &self->all, c, ARRAY_SIZE(c), &w);
	for (i = 0; i < ARRAY_SIZE(c); i++)
		check_case(_metadata, &self->all, &c[i], &w);
}

CSN_HARNESS_MAIN
