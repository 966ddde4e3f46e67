// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stale note: a task is told that a zone is suitable for compaction, no
 * compaction follows, and later the same task compacts by hand. Its rows must
 * know nothing of what it was told: order -1, no fragmentation index.
 */
#include "trace.h"

FIXTURE(trace_stale)
{
	struct trace t;
};

FIXTURE_SETUP(trace_stale)
{
	trace_begin(_metadata, &self->t, CSN_FLAG_ZONE_STATE);
}

FIXTURE_TEARDOWN(trace_stale)
{
	trace_end(&self->t);
}

static bool is_continue(const struct tracefs_event *e)
{
	char ret[24];

	if (strcmp(e->name, "mm_compaction_suitable"))
		return false;
	tracefs_word(e, "ret", ret, sizeof(ret));
	return !strcmp(ret, "continue") && tracefs_number(e, "order") > 0;
}

/*
 * The kernel's own trace: how many times this task was told to continue, for
 * an order, and then no compaction of it began until the manual one.
 */
static size_t stale_notes(const struct trace *t, pid_t tid)
{
	size_t stale = 0;
	long i;

	for (i = 0; i < t->nr_events; i++) {
		const struct tracefs_event *e = &t->event[i];
		long p;

		if (e->tid != tid)
			continue;
		if (is_continue(e)) {
			stale++;
			continue;
		}
		if (strcmp(e->name, "mm_compaction_begin"))
			continue;
		for (p = 0; p < t->nr_passes; p++)
			if (t->pass[p].begin == (size_t)i)
				break;
		if (p < t->nr_passes && t->pass[p].order == -1)
			return stale;
		/* It went on to compact: what it was told, it used. */
		stale = 0;
	}
	return 0;
}

TEST_F_TIMEOUT(trace_stale, manual_after_it, 200)
{
	struct trace *t = &self->t;
	size_t manual = 0;
	size_t i;
	int err;

	ASSERT_EQ(0, workload_fragment(&t->workload));
	err = workload_stale_note(&t->workload);
	if (err == -EOPNOTSUPP)
		SKIP(return, "no transparent huge pages: the workload cannot bring it about");
	ASSERT_EQ(0, err);
	trace_collect(_metadata, t);
	ASSERT_LT(0, stale_notes(t, getpid()))
		TH_LOG("the workload did not bring the case about: no CONTINUE without a begin");
	TH_LOG("%zu times CONTINUE without a begin", stale_notes(t, getpid()));
	for (i = 0; i < t->log.nr_events; i++) {
		const struct csn_event *e = &t->log.event[i];

		if ((pid_t)e->c.tid != getpid() ||
		    e->c.origin != CSN_ORIGIN_MANUAL)
			continue;
		manual++;
		EXPECT_EQ(-1, e->c.order);
		EXPECT_EQ(-1000, e->z.fragindex);
		EXPECT_EQ(0, e->z.flags & ~CSN_ZONE_STATE_SUITABLE);
	}
	EXPECT_EQ(machine_populated_zones(), manual);
	trace_expect_same(_metadata, t);
}

CSN_HARNESS_MAIN
