// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions beside each other, and a ring that is full: in every state
 * produced = delivered + lost, exactly, on each CPU.
 */
#include <sched.h>
#include "csn_harness.h"

FIXTURE(device_sessions)
{
	struct csn_log a_log;
	struct csn_log b_log;
	int zones;
	int a;
	int b;
};

/* Two of them, this process alone, not started. */
FIXTURE_SETUP(device_sessions)
{
	CSN_NEEDS_DEVICE();
	self->zones = machine_populated_zones();
	csn_log_init(&self->a_log);
	csn_log_init(&self->b_log);
	self->a = csn_open(O_RDONLY | O_NONBLOCK);
	self->b = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, self->a);
	ASSERT_LE(0, self->b);
	ASSERT_EQ(0, csn_config_self(self->a, CSN_FLAG_ZONE_STATE));
	ASSERT_EQ(0, csn_config_self(self->b, CSN_FLAG_ZONE_STATE));
}

FIXTURE_TEARDOWN(device_sessions)
{
	csn_log_free(&self->a_log);
	csn_log_free(&self->b_log);
	close(self->a);
	close(self->b);
}

static void drain_both(struct __test_metadata *_metadata,
		       FIXTURE_DATA(device_sessions) * self)
{
	ASSERT_EQ(0, csn_log_drain(&self->a_log, self->a));
	ASSERT_EQ(0, csn_log_drain(&self->b_log, self->b));
	EXPECT_INTACT(&self->a_log);
	EXPECT_INTACT(&self->b_log);
}

/* The zone state as well: it is read once, for everybody. */
TEST_F(device_sessions, same_events)
{
	size_t i;

	ASSERT_EQ(0, csn_start(self->a));
	ASSERT_EQ(0, csn_start(self->b));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, machine_compact());
	drain_both(_metadata, self);
	EXPECT_EQ(3 * self->zones, self->a_log.nr_events);
	ASSERT_EQ(self->a_log.nr_events, self->b_log.nr_events);
	for (i = 0; i < self->a_log.nr_events; i++) {
		const struct csn_event *a = &self->a_log.event[i];
		const struct csn_event *b = &self->b_log.event[i];

		EXPECT_EQ(0, memcmp(&a->c, &b->c, sizeof(a->c)))
			TH_LOG("compaction %zu: ts %llu and %llu, delta %llu and %llu",
			       i, a->c.ts, b->c.ts, a->c.delta, b->c.delta);
		EXPECT_EQ(0, memcmp(&a->z, &b->z, sizeof(a->z)))
			TH_LOG("zone state %zu: free %llu and %llu", i,
			       a->z.free, b->z.free);
	}
}

TEST_F(device_sessions, own_filter_and_flags)
{
	struct csn_config config;
	size_t i;

	ASSERT_EQ(0, csn_get_config(self->b, &config));
	config.flags = 0;
	config.filter.match |= CSN_MATCH_ZONE;
	config.filter.zones = 1;
	ASSERT_EQ(0, csn_set_config(self->b, &config));
	ASSERT_EQ(0, csn_start(self->a));
	ASSERT_EQ(0, csn_start(self->b));
	ASSERT_EQ(0, machine_compact());
	drain_both(_metadata, self);
	EXPECT_EQ(self->zones, self->a_log.nr_events);
	EXPECT_TRUE(self->a_log.event[0].has_zone);
	EXPECT_LT(0, self->b_log.nr_events);
	for (i = 0; i < self->b_log.nr_events; i++) {
		EXPECT_EQ(0, self->b_log.event[i].c.zone);
		EXPECT_FALSE(self->b_log.event[i].has_zone);
	}
}

TEST_F(device_sessions, stop_one)
{
	ASSERT_EQ(0, csn_start(self->a));
	ASSERT_EQ(0, csn_start(self->b));
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_stop(self->a));
	ASSERT_EQ(0, machine_compact());
	drain_both(_metadata, self);
	EXPECT_EQ(self->zones, self->a_log.nr_events);
	EXPECT_EQ(2 * self->zones, self->b_log.nr_events);
	ASSERT_EQ(0, close(self->a));
	self->a = -1;
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&self->b_log, self->b));
	EXPECT_EQ(3 * self->zones, self->b_log.nr_events);
}

TEST_F(device_sessions, as_many_as_allowed)
{
	char text[16];
	int fd[64];
	int max;
	int nr;
	int i;

	if (machine_read("/sys/module/compactsnoop/parameters/max_sessions",
			 text, sizeof(text)))
		SKIP(return, "parameter max_sessions cannot be read");
	max = atoi(text);
	ASSERT_LE(2, max);
	ASSERT_GE(64, max);
	/* Two are open. */
	for (nr = 0; nr < max - 2; nr++) {
		fd[nr] = csn_open(O_RDONLY | O_NONBLOCK);
		ASSERT_LE(0, fd[nr])
			TH_LOG("session %d of %d: %s", nr + 3, max,
			       strerror(-fd[nr]));
		ASSERT_EQ(0, csn_config_self(fd[nr], 0));
		ASSERT_EQ(0, csn_start(fd[nr]));
	}
	EXPECT_EQ(-EBUSY, csn_open(O_RDONLY));
	EXPECT_EQ(-EBUSY, csn_open(O_RDONLY));
	/* Every one of them sees the events. */
	ASSERT_EQ(0, machine_compact());
	for (i = 0; i < nr; i++) {
		struct csn_stats stats;

		ASSERT_EQ(0, csn_stats(fd[i], CSN_CPU_ALL, &stats));
		EXPECT_EQ(self->zones, stats.delivered)
			TH_LOG("session %d", i);
	}
	close(fd[0]);
	fd[0] = csn_open(O_RDONLY);
	EXPECT_LE(0, fd[0]) TH_LOG("after one was closed");
	for (i = 0; i < nr; i++)
		close(fd[i]);
}

FIXTURE(device_full)
{
	struct csn_info info;
	struct csn_log log;
	size_t slots;
	int zones;
	int cpu;
	int fd;
};

/* On one CPU with the smallest ring, this process alone, started. */
FIXTURE_SETUP(device_full)
{
	struct csn_config config;

	CSN_NEEDS_DEVICE();
	csn_log_init(&self->log);
	self->zones = machine_populated_zones();
	self->cpu = machine_this_cpu_only();
	ASSERT_LE(0, self->cpu);
	self->fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
	ASSERT_EQ(0, csn_config_self(self->fd, CSN_FLAG_ZONE_STATE));
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.ring_bytes = self->info.ring_bytes_min;
	self->slots = config.ring_bytes / CSN_RECORD_SIZE;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	ASSERT_EQ(0, csn_start(self->fd));
}

FIXTURE_TEARDOWN(device_full)
{
	csn_log_free(&self->log);
	close(self->fd);
}

/* The account of each CPU is right, and of all together it is their sum. */
static void expect_account(struct __test_metadata *_metadata, int fd,
			   unsigned int cpus, struct csn_stats *all)
{
	struct csn_stats sum = { 0 };
	struct csn_stats s;
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		ASSERT_EQ(0, csn_stats(fd, cpu, &s));
		EXPECT_EQ(s.produced, s.delivered + csn_stats_lost(&s))
			TH_LOG("CPU %u: %llu delivered, %llu lost", cpu,
			       s.delivered, csn_stats_lost(&s));
		sum.produced += s.produced;
		sum.delivered += s.delivered;
		sum.lost_full += s.lost_full;
		sum.lost_nested += s.lost_nested;
		sum.lost_table += s.lost_table;
		sum.lost_ring += s.lost_ring;
		sum.pending += s.pending;
	}
	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, all));
	EXPECT_EQ(sum.produced, all->produced);
	EXPECT_EQ(sum.delivered, all->delivered);
	EXPECT_EQ(sum.lost_full, all->lost_full);
	EXPECT_EQ(sum.lost_nested, all->lost_nested);
	EXPECT_EQ(sum.lost_table, all->lost_table);
	EXPECT_EQ(sum.lost_ring, all->lost_ring);
	EXPECT_EQ(sum.pending, all->pending);
}

/* Compacts until the ring has been full for @rounds compactions. */
static unsigned int fill(struct __test_metadata *_metadata,
			 FIXTURE_DATA(device_full) * self, int rounds)
{
	struct csn_stats stats;
	unsigned int produced = 0;

	while (rounds) {
		ASSERT_EQ(0, machine_compact());
		produced += self->zones;
		expect_account(_metadata, self->fd, self->info.nr_cpus, &stats);
		rounds -= stats.lost_full > 0;
		ASSERT_GT(4 * self->slots + 64, produced)
			TH_LOG("%u events into %zu slots, and none lost",
			       produced, self->slots);
	}
	return produced;
}

TEST_F(device_full, account)
{
	unsigned int produced = fill(_metadata, self, 3);
	struct csn_stats stats;

	ASSERT_EQ(0, csn_stats(self->fd, self->cpu, &stats));
	EXPECT_EQ(produced, stats.produced);
	EXPECT_LT(2 * self->zones, stats.lost_full);
	EXPECT_EQ(0, stats.lost_nested);
	EXPECT_EQ(0, stats.lost_table);
	EXPECT_EQ(0, stats.lost_ring);
	/* Two records an event; no room for another is left. */
	EXPECT_EQ(2 * stats.delivered, stats.pending);
	EXPECT_GE(self->slots, stats.pending);
	EXPECT_LT(self->slots - 2, stats.pending + 1);
}

/*
 * As soon as there is room again the stream says what is missing: between the
 * last event before the gap and the first after it.
 */
TEST_F(device_full, lost_record_in_band)
{
	unsigned int produced = fill(_metadata, self, 2);
	struct csn_log *log = &self->log;
	struct csn_stats stats;
	size_t before;
	size_t i;

	ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
	ASSERT_EQ(0, csn_log_drain(log, self->fd));
	before = log->nr_events;
	EXPECT_EQ(stats.delivered, before);
	ASSERT_EQ(0, machine_compact());
	produced += self->zones;
	ASSERT_EQ(0, csn_log_drain(log, self->fd));
	EXPECT_INTACT(log);
	EXPECT_EQ(produced, log->nr_events + log->events_lost);
	EXPECT_EQ(stats.lost_full, log->events_lost);
	EXPECT_EQ(before + self->zones, log->nr_events);
	ASSERT_EQ(1, log->nr_lost);
	EXPECT_EQ(self->cpu, log->lost[0].head.cpu);
	for (i = 0; i < log->nr_events; i++) {
		const struct csn_event *e = &log->event[i];

		EXPECT_EQ(e->at < log->lost_at[0],
			  e->c.ts < log->lost[0].first_ts);
		EXPECT_EQ(e->at > log->lost_at[0],
			  e->c.ts > log->lost[0].last_ts);
	}
	EXPECT_LT(log->event[before - 1].at, log->lost_at[0]);
	EXPECT_GT(log->event[before].at, log->lost_at[0]);
}

/* A little room at a time: the gaps add up, whatever is lost in between. */
TEST_F_TIMEOUT(device_full, slow_reader, 120)
{
	unsigned int produced = fill(_metadata, self, 1);
	char buf[CSN_RECORD_SIZE];
	struct csn_stats stats;
	int made;
	int i;

	for (i = 0; i < 60; i++) {
		ASSERT_EQ(64, csn_read(self->fd, buf, sizeof(buf)));
		csn_log_add(&self->log, buf, 1);
		if (i % 3)
			continue;
		/* Room for a loss and one event, and there are two. */
		for (made = 0; made < 2; made += self->zones) {
			ASSERT_EQ(0, machine_compact());
			produced += self->zones;
		}
	}
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	/* Room for what is still to be said. */
	ASSERT_EQ(0, machine_compact());
	produced += self->zones;
	ASSERT_EQ(0, csn_stop(self->fd));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_INTACT(&self->log);
	expect_account(_metadata, self->fd, self->info.nr_cpus, &stats);
	EXPECT_EQ(produced, stats.produced);
	EXPECT_EQ(stats.delivered, self->log.nr_events);
	EXPECT_EQ(stats.lost_full, self->log.events_lost);
	EXPECT_LT(1, self->log.nr_lost);
}

/* A loss with no event after it is told, too, before the end. */
TEST_F(device_full, loss_before_the_end)
{
	unsigned int produced = fill(_metadata, self, 2);

	ASSERT_EQ(0, csn_stop(self->fd));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_INTACT(&self->log);
	EXPECT_EQ(produced, self->log.nr_events + self->log.events_lost);
	EXPECT_EQ(1, self->log.nr_lost);
}

/* Each CPU has a ring of its own: one is full, the other takes what comes. */
TEST_F(device_full, other_cpu)
{
	struct csn_stats stats;
	cpu_set_t set;
	int other;

	for (other = 0; other < CPU_SETSIZE; other++) {
		CPU_ZERO(&set);
		CPU_SET(other, &set);
		if (other != self->cpu &&
		    !sched_setaffinity(0, sizeof(set), &set))
			break;
	}
	if (other == CPU_SETSIZE)
		SKIP(return, "needs two CPUs");
	CPU_ZERO(&set);
	CPU_SET(self->cpu, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));
	fill(_metadata, self, 1);
	CPU_ZERO(&set);
	CPU_SET(other, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_stats(self->fd, other, &stats));
	EXPECT_EQ(self->zones, stats.delivered);
	EXPECT_EQ(0, csn_stats_lost(&stats));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_INTACT(&self->log);
	expect_account(_metadata, self->fd, self->info.nr_cpus, &stats);
	EXPECT_EQ(stats.delivered, self->log.nr_events);
}

CSN_HARNESS_MAIN
