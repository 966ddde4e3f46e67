// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fragmentation index as the kernel's function returned it, against the
 * same number computed from the free lists: two sessions, the same events.
 */
#include "trace.h"

/*
 * Both are read without a lock a moment after each other, so pages that come
 * and go in between make a difference: at most so many pairs in a hundred,
 * and by no more than so many thousandths.
 */
#define MAY_DIFFER_PERCENT	10
#define MAY_DIFFER_BY		50

FIXTURE(trace_fragindex)
{
	struct trace t;
	struct csn_log computed;
	int fd;
};

FIXTURE_SETUP(trace_fragindex)
{
	struct csn_info info;

	csn_log_init(&self->computed);
	self->fd = -1;
	trace_begin(_metadata, &self->t, CSN_FLAG_ZONE_STATE);
	if (_metadata->exit_code)
		return;
	ASSERT_EQ(0, csn_info(self->t.fd, &info));
	if (!(info.features & CSN_FEATURE_FRAGINDEX) ||
	    !(info.features & CSN_FEATURE_SUITABLE))
		SKIP(return, "fragmentation_index cannot be probed here");
	self->fd = csn_open_filter(CSN_FLAG_ZONE_STATE |
				   CSN_FLAG_FRAGINDEX_COMPUTE, NULL);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(trace_fragindex)
{
	trace_end(&self->t);
	csn_log_free(&self->computed);
	close(self->fd);
}

static const struct csn_event *same_event(const struct csn_log *log,
					  const struct csn_event *e)
{
	size_t i;

	for (i = 0; i < log->nr_events; i++)
		if (!memcmp(&log->event[i].c, &e->c, sizeof(e->c)))
			return &log->event[i];
	return NULL;
}

static void check_flags(struct __test_metadata *_metadata,
			const struct csn_event *probed,
			const struct csn_event *computed)
{
	const __u32 how = CSN_ZONE_STATE_PROBED | CSN_ZONE_STATE_COMPUTED;

	EXPECT_EQ(0, computed->z.flags & CSN_ZONE_STATE_PROBED);
	if (!(computed->z.flags & how))
		EXPECT_EQ(CSN_FRAGINDEX_NONE, computed->z.fragindex);
	if (!(probed->z.flags & how))
		EXPECT_EQ(CSN_FRAGINDEX_NONE, probed->z.fragindex);
	/* The kernel computes none for orders that are cheap. */
	if (probed->c.order <= 3) {
		EXPECT_EQ(CSN_FRAGINDEX_NONE, probed->z.fragindex);
		EXPECT_EQ(CSN_FRAGINDEX_NONE, computed->z.fragindex);
	}
}

TEST_F_TIMEOUT(trace_fragindex, probed_and_computed, 240)
{
	struct csn_log *log = &self->t.log;
	size_t pairs = 0;
	size_t differ = 0;
	size_t of_interest = 0;
	size_t i;

	trace_until(_metadata, &self->t, CSN_ORIGIN_DIRECT, COMPACTIONS_ANY_MODE,
		    workload_thp);
	trace_until(_metadata, &self->t, CSN_ORIGIN_KCOMPACTD, 1,
		    workload_kcompactd);
	trace_until(_metadata, &self->t, CSN_ORIGIN_DIRECT, 1,
		    workload_hugepages);
	trace_collect(_metadata, &self->t);
	ASSERT_EQ(0, csn_stop(self->fd));
	ASSERT_EQ(0, csn_log_drain(&self->computed, self->fd));
	EXPECT_INTACT(&self->computed);
	for (i = 0; i < log->nr_events; i++) {
		const struct csn_event *p = &log->event[i];
		const struct csn_event *c = same_event(&self->computed, p);
		int by;

		if (!c)		/* before the second session was there */
			continue;
		check_flags(_metadata, p, c);
		pairs++;
		by = abs(p->z.fragindex - c->z.fragindex);
		differ += by != 0;
		of_interest += (p->z.flags & CSN_ZONE_STATE_PROBED) &&
			       p->z.fragindex != CSN_FRAGINDEX_NONE;
		EXPECT_GE(MAY_DIFFER_BY, by)
			TH_LOG("zone %u order %d: probed %d, computed %d",
			       p->c.zone, p->c.order, p->z.fragindex,
			       c->z.fragindex);
	}
	TH_LOG("%zu pairs, %zu with an index, %zu differ", pairs, of_interest,
	       differ);
	EXPECT_LT(0, of_interest);
	EXPECT_GE(pairs * MAY_DIFFER_PERCENT / 100, differ);
}

CSN_HARNESS_MAIN
