// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compactions of every origin, each row against the kernel's own trace of
 * the same compaction in tracefs, and zone state against /proc/zoneinfo.
 */
#include "trace.h"

FIXTURE(trace_origins)
{
	struct trace t;
};

FIXTURE_SETUP(trace_origins)
{
	trace_begin(_metadata, &self->t, CSN_FLAG_ZONE_STATE);
}

FIXTURE_TEARDOWN(trace_origins)
{
	trace_end(&self->t);
}

static bool is_kcompactd(const struct csn_event *e)
{
	return !strncmp(e->c.comm, "kcompactd", 9);
}

/* What is so of any row of its origin, on every kernel (KERNELS: origins). */
static void check_row(struct __test_metadata *_metadata, const struct trace *t,
		      const struct csn_event *e)
{
	char comm[CSN_COMM_LEN];

	EXPECT_LT(0, e->c.delta);
	EXPECT_TRUE(e->has_zone);
	EXPECT_TRUE(e->c.status == CSN_STATUS_COMPLETE ||
		    e->c.status == CSN_STATUS_PARTIAL_SKIPPED ||
		    e->c.status == CSN_STATUS_CONTENDED ||
		    e->c.status == CSN_STATUS_SUCCESS)
		TH_LOG("status %u", e->c.status);
	snprintf(comm, sizeof(comm), "kcompactd%d", e->c.node);
	switch (e->c.origin) {
	case CSN_ORIGIN_DIRECT:
		EXPECT_LT(0, e->c.order);
		EXPECT_FALSE(is_kcompactd(e));
		break;
	case CSN_ORIGIN_KCOMPACTD:
		EXPECT_LT(0, e->c.order);
		EXPECT_EQ(1, e->c.sync);
		EXPECT_STREQ(comm, e->c.comm);
		break;
	case CSN_ORIGIN_PROACTIVE:
		EXPECT_EQ(-1, e->c.order);
		EXPECT_EQ(1, e->c.sync);
		EXPECT_STREQ(comm, e->c.comm);
		break;
	case CSN_ORIGIN_MANUAL:
		EXPECT_EQ(-1, e->c.order);
		EXPECT_EQ(1, e->c.sync);
		EXPECT_FALSE(is_kcompactd(e));
		break;
	}
	if (e->c.order == -1) {
		EXPECT_EQ(CSN_FRAGINDEX_NONE, e->z.fragindex);
		/* 6.1 asks whether it is suitable even so, 6.12 does not. */
		EXPECT_EQ(0, e->z.flags & ~CSN_ZONE_STATE_SUITABLE);
	}
}

/* One task's rows come in the order in which they happened. */
static void check_rows(struct __test_metadata *_metadata, struct trace *t)
{
	size_t i;
	size_t j;

	trace_collect(_metadata, t);
	trace_expect_same(_metadata, t);
	for (i = 0; i < t->log.nr_events; i++) {
		const struct csn_event *e = &t->log.event[i];

		check_row(_metadata, t, e);
		for (j = i + 1; j < t->log.nr_events; j++) {
			const struct csn_event *later = &t->log.event[j];

			if (later->c.tid != e->c.tid)
				continue;
			EXPECT_LE(e->c.ts, later->c.ts - later->c.delta)
				TH_LOG("rows %zu and %zu of tid %u", i, j,
				       e->c.tid);
			break;
		}
	}
}

TEST_F_TIMEOUT(trace_origins, manual, 60)
{
	ASSERT_EQ(0, machine_compact());
	check_rows(_metadata, &self->t);
	EXPECT_EQ(machine_populated_zones(),
		  trace_count(&self->t, CSN_ORIGIN_MANUAL, 1));
}

/* Each node alone, by its sysfs file: that node's zones, and no other's. */
TEST_F_TIMEOUT(trace_origins, manual_node, 60)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	int nr = machine_zones(zone);
	int i;

	ASSERT_LT(0, nr);
	for (i = 0; i < nr; i++) {
		char path[64];

		if (zone[i].number)
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/compact",
			 zone[i].node);
		if (access(path, F_OK))
			SKIP(return, "no compact files of nodes");
		ASSERT_EQ(0, machine_write(path, "1"));
	}
	check_rows(_metadata, &self->t);
	for (i = 0; i < nr; i++) {
		int rows = 0;
		size_t e;

		for (e = 0; e < self->t.log.nr_events; e++) {
			const struct csn_event *event = &self->t.log.event[e];

			rows += (pid_t)event->c.tid == getpid() &&
				event->c.node == zone[i].node &&
				event->c.zone == zone[i].number;
		}
		EXPECT_EQ(zone[i].managed > 0, rows)
			TH_LOG("node %d, zone %s", zone[i].node, zone[i].name);
	}
}

TEST_F_TIMEOUT(trace_origins, direct_by_thp, 200)
{
	trace_until(_metadata, &self->t, CSN_ORIGIN_DIRECT, 0, workload_thp);
	check_rows(_metadata, &self->t);
}

TEST_F_TIMEOUT(trace_origins, direct_by_hugepages, 200)
{
	/* After a failure the kernel skips the asynchronous try for a while. */
	trace_until(_metadata, &self->t, CSN_ORIGIN_DIRECT, 0,
		    workload_hugepages);
	trace_until(_metadata, &self->t, CSN_ORIGIN_DIRECT, 1,
		    workload_hugepages);
	check_rows(_metadata, &self->t);
}

TEST_F_TIMEOUT(trace_origins, kcompactd, 200)
{
	trace_until(_metadata, &self->t, CSN_ORIGIN_KCOMPACTD, 1,
		    workload_kcompactd);
	check_rows(_metadata, &self->t);
}

TEST_F_TIMEOUT(trace_origins, proactive, 200)
{
	trace_until(_metadata, &self->t, CSN_ORIGIN_PROACTIVE, 1,
		    workload_proactive);
	check_rows(_metadata, &self->t);
}

static const struct machine_zone *zone_of(const struct machine_zone *zone,
					  int nr, const struct csn_event *e)
{
	int i;

	for (i = 0; i < nr; i++)
		if (zone[i].node == e->c.node && zone[i].number == e->c.zone)
			return &zone[i];
	return NULL;
}

/*
 * On a quiet machine: the watermarks are those of /proc/zoneinfo, boost
 * included, and as many pages are free but for what pages come and go in
 * between: an eighth of the zone is allowed for.
 */
TEST_F_TIMEOUT(trace_origins, zone_state, 60)
{
	struct machine_zone before[MACHINE_MAX_ZONES];
	struct machine_zone after[MACHINE_MAX_ZONES];
	size_t compared = 0;
	int nr;
	size_t i;

	nr = machine_zones(before);
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(nr, machine_zones(after));
	trace_collect(_metadata, &self->t);
	for (i = 0; i < self->t.log.nr_events; i++) {
		const struct csn_event *e = &self->t.log.event[i];
		const struct machine_zone *b = zone_of(before, nr, e);
		const struct machine_zone *a = zone_of(after, nr, e);

		ASSERT_TRUE(b && a);
		if ((pid_t)e->c.tid != getpid() || b->min != a->min ||
		    b->low != a->low || b->high != a->high)
			continue;
		compared++;
		EXPECT_EQ(b->min, e->z.min) TH_LOG("zone %s", b->name);
		EXPECT_EQ(b->low, e->z.low) TH_LOG("zone %s", b->name);
		EXPECT_EQ(b->high, e->z.high) TH_LOG("zone %s", b->name);
		EXPECT_GT(b->managed / 8 + 1,
			  (unsigned long)llabs((long long)e->z.free -
					       (long long)b->free))
			TH_LOG("zone %s: %llu pages free, %lu in /proc/zoneinfo",
			       b->name, e->z.free, b->free);
	}
	EXPECT_LT(0, compared);
}

/* The tool's -p: only that process, whoever else compacts meanwhile. */
TEST_F_TIMEOUT(trace_origins, one_process, 60)
{
	struct csn_log log;
	pid_t child;
	int fd = csn_open_self(0);
	size_t i;

	csn_log_init(&log);
	ASSERT_LE(0, fd);
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		_exit(machine_compact() ? 1 : 0);
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_EQ(machine_populated_zones(), log.nr_events);
	for (i = 0; i < log.nr_events; i++)
		EXPECT_EQ(getpid(), log.event[i].c.pid);
	check_rows(_metadata, &self->t);
	csn_log_free(&log);
	close(fd);
}

CSN_HARNESS_MAIN
