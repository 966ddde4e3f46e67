// SPDX-License-Identifier: GPL-2.0-only
/*
 * Our rows against the kernel's own counters.
 *
 * What /proc/vmstat counts (mm/page_alloc.c, __alloc_pages_direct_compact(),
 * the same in 6.1 and 6.12) are not compactions of zones but attempts: calls
 * of try_to_compact_pages(), each of which goes through the zones of the
 * allocation from the highest down until one succeeds, so that it has any
 * number of our rows, none too. Of an attempt:
 *
 *  - compact_stall counts it unless its result is "skipped", and the result
 *    is the highest of its zones'. A zone that was compacted gives complete,
 *    partial_skipped, contended or success, all above skipped; a zone that is
 *    deferred gives deferred, above as well. So an attempt with a row, or with
 *    a mm_compaction_deferred event, counts for sure. One with neither counts
 *    only if a zone had turned out to have a page after all when it was looked
 *    at (6.1 says so by a suitable event with ret=success, 6.12 by none);
 *  - it then counts in exactly one of compact_success and compact_fail:
 *    success if the allocation got its page at once.
 *
 * Hence, exactly, with tracefs to say where attempts begin:
 *
 *	attempts with rows + attempts deferred <= compact_stall
 *	compact_stall <= the same + attempts with neither
 *	compact_stall = compact_success + compact_fail
 *
 * An attempt whose last row is "success" has its page, or finds that another
 * task took it or a watermark forbids it; one without may find one that was
 * freed by others. On a machine with nothing else to do both are rare: a tenth
 * of the attempts, or one, may be either.
 */
#include "trace.h"

struct counters {
	long stall;
	long success;
	long fail;
};

static struct counters counters_now(void)
{
	return (struct counters){
		.stall = machine_vmstat("compact_stall"),
		.success = machine_vmstat("compact_success"),
		.fail = machine_vmstat("compact_fail"),
	};
}

struct attempts {
	long all;
	long with_rows;
	long deferred;
	long neither;
	long successful;
	long rows;
};

FIXTURE(trace_vmstat)
{
	struct trace t;
};

FIXTURE_SETUP(trace_vmstat)
{
	trace_begin(_metadata, &self->t, 0);
}

FIXTURE_TEARDOWN(trace_vmstat)
{
	trace_end(&self->t);
}

static bool is(const struct tracefs_event *e, const char *name)
{
	return !strcmp(e->name, name);
}

/* Rows of ours that began in [@from, @to) in task @tid; is the last a success? */
static long rows_between(const struct trace *t, pid_t tid, __u64 from, __u64 to,
			 bool *success)
{
	long nr = 0;
	size_t i;

	*success = false;
	for (i = 0; i < t->log.nr_events; i++) {
		const struct csn_event *e = &t->log.event[i];
		const struct tracefs_pass *pass;

		if ((pid_t)e->c.tid != tid ||
		    e->c.origin != CSN_ORIGIN_DIRECT)
			continue;
		/* Its time by the clock that the attempts are timed by. */
		if (t->pass_of[i] < 0)
			continue;
		pass = &t->pass[t->pass_of[i]];
		if (pass->begin_ts < from || pass->begin_ts >= to)
			continue;
		nr++;
		*success = e->c.status == CSN_STATUS_SUCCESS;
	}
	return nr;
}

/* The attempt that begins with event @i. */
static void count_attempt(const struct trace *t, long i, struct attempts *a)
{
	const struct tracefs_event *e = &t->event[i];
	bool deferred = false;
	__u64 to = ~0ULL;
	bool success;
	long rows;
	long next;

	for (next = i + 1; next < t->nr_events; next++) {
		if (t->event[next].tid != e->tid)
			continue;
		if (is(&t->event[next], "mm_compaction_try_to_compact_pages")) {
			to = t->event[next].ts;
			break;
		}
		deferred |= is(&t->event[next], "mm_compaction_deferred");
	}
	rows = rows_between(t, e->tid, e->ts, to, &success);
	a->all++;
	a->rows += rows;
	a->with_rows += rows > 0;
	a->deferred += !rows && deferred;
	a->neither += !rows && !deferred;
	a->successful += success;
}

TEST_F_TIMEOUT(trace_vmstat, counts_agree, 240)
{
	struct trace *t = &self->t;
	struct counters before;
	struct counters after;
	struct attempts a = { 0 };
	long stall, success, fail, margin, sure;
	long i;

	before = counters_now();
	trace_until(_metadata, t, CSN_ORIGIN_DIRECT, 0, workload_thp);
	trace_until(_metadata, t, CSN_ORIGIN_DIRECT, 1, workload_hugepages);
	after = counters_now();
	trace_collect(_metadata, t);
	trace_expect_same(_metadata, t);
	for (i = 0; i < t->nr_events; i++)
		if (is(&t->event[i], "mm_compaction_try_to_compact_pages"))
			count_attempt(t, i, &a);
	stall = after.stall - before.stall;
	success = after.success - before.success;
	fail = after.fail - before.fail;
	TH_LOG("vmstat: %ld stalls, %ld success, %ld fail; attempts: %ld, %ld with %ld rows, %ld deferred, %ld neither, %ld successful",
	       stall, success, fail, a.all, a.with_rows, a.rows, a.deferred,
	       a.neither, a.successful);
	EXPECT_LT(0, a.with_rows);
	/* No row without its attempt. */
	EXPECT_EQ(trace_count(t, CSN_ORIGIN_DIRECT, COMPACTIONS_ANY_MODE),
		  a.rows);
	sure = a.with_rows + a.deferred;
	EXPECT_LE(sure, stall);
	EXPECT_GE(sure + a.neither, stall);
	EXPECT_EQ(stall, success + fail);
	margin = a.all / 10 + 1;
	EXPECT_GE(margin, labs(success - a.successful));
}

CSN_HARNESS_MAIN
