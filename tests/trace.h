/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session and the kernel's own trace of the same events, and the comparison
 * of the two: what the trace_* programs begin with.
 */
#ifndef TRACE_H
#define TRACE_H

#include "compactions.h"
#include "tracefs.h"

/* tracefs prints microseconds; the probes run one after the other. */
#define TRACE_MARGIN_NS		(20 * 1000 * 1000ULL)

struct trace {
	struct workload workload;
	struct tracefs tracefs;
	struct csn_log log;
	int fd;
	__u64 from;
	__u64 to;
	struct tracefs_event *event;
	long nr_events;
	struct tracefs_pass *pass;
	long nr_passes;
	long *pass_of;		/* index of each row's pass, -1: it has none */
	char *has_row;		/* for each pass */
};

/* Both traces run from here on; skips (exit_code set) if there is no oracle. */
static inline void trace_begin(struct __test_metadata *_metadata,
			       struct trace *t, __u32 flags)
{
	csn_log_init(&t->log);
	t->fd = -1;
	CSN_NEEDS_DEVICE();
	CSN_NEEDS_ROOT();
	if (flags & CSN_FLAG_STACK)
		CSN_NEEDS_STACKS();
	/* What is cached counts as available, but may not be had so fast. */
	machine_write("/proc/sys/vm/drop_caches", "3");
	ASSERT_EQ(0, workload_begin(&t->workload));
	if (tracefs_begin(&t->tracefs))
		SKIP(return, "tracefs cannot be had: no oracle");
	t->fd = csn_open_filter(flags, NULL);
	ASSERT_LE(0, t->fd);
	t->from = csn_now();
}

static inline void trace_end(struct trace *t)
{
	workload_end(&t->workload);
	tracefs_end(&t->tracefs);
	csn_log_free(&t->log);
	free(t->event);
	free(t->pass);
	free(t->pass_of);
	free(t->has_row);
	if (t->fd >= 0)
		close(t->fd);
}

/* A row of ours and a pass of the kernel's are the same compaction. */
static inline bool trace_same(const struct trace *t, const struct csn_event *e,
			      const struct tracefs_pass *p)
{
	static const char *const status[CSN_NR_STATUSES] = {
		"not_suitable_zone", "skipped", "deferred", "no_suitable_page",
		"continue", "complete", "partial_skipped", "contended",
		"success",
	};
	long long ahead = e->c.ts - p->end_ts;

	return p->tid == (pid_t)e->c.tid && p->node == e->c.node &&
	       !strcmp(p->zone, t->log.names.name[e->c.zone]) &&
	       p->order == e->c.order && p->sync == e->c.sync &&
	       !strcmp(p->status, status[e->c.status]) &&
	       llabs(ahead) < (long long)TRACE_MARGIN_NS &&
	       llabs((long long)(e->c.delta - (p->end_ts - p->begin_ts))) <
	       (long long)TRACE_MARGIN_NS;
}

static inline int trace_by_time(const void *a, const void *b)
{
	const struct csn_event *x = a;
	const struct csn_event *y = b;

	return x->c.ts < y->c.ts ? -1 : x->c.ts > y->c.ts;
}

/* In time order, so that of several alike the first goes with the first. */
static inline void trace_match(struct trace *t)
{
	size_t i;
	long p;

	qsort(t->log.event, t->log.nr_events, sizeof(t->log.event[0]),
	      trace_by_time);
	for (i = 0; i < t->log.nr_events; i++) {
		t->pass_of[i] = -1;
		for (p = 0; p < t->nr_passes; p++) {
			if (t->has_row[p] ||
			    !trace_same(t, &t->log.event[i], &t->pass[p]))
				continue;
			t->pass_of[i] = p;
			t->has_row[p] = 1;
			break;
		}
	}
}

/* Stops both, fetches what they have and puts it side by side. */
static inline void trace_collect(struct __test_metadata *_metadata,
				 struct trace *t)
{
	t->to = csn_now();
	t->nr_events = tracefs_events(&t->tracefs, &t->event);
	ASSERT_LE(0, t->nr_events);
	ASSERT_EQ(0, csn_stop(t->fd));
	ASSERT_EQ(0, csn_log_drain(&t->log, t->fd));
	EXPECT_INTACT(&t->log);
	EXPECT_EQ(0, t->log.events_lost);
	t->nr_passes = tracefs_passes(t->event, t->nr_events, &t->pass);
	ASSERT_LE(0, t->nr_passes);
	t->pass_of = calloc(t->log.nr_events + 1, sizeof(*t->pass_of));
	t->has_row = calloc(t->nr_passes + 1, 1);
	ASSERT_TRUE(t->pass_of && t->has_row);
	trace_match(t);
}

/* Each row has its pass and each pass its row, in the time of both traces. */
static inline void trace_expect_same(struct __test_metadata *_metadata,
				     const struct trace *t)
{
	size_t i;
	long p;

	for (i = 0; i < t->log.nr_events; i++) {
		const struct csn_event *e = &t->log.event[i];

		if (e->c.ts - e->c.delta < t->from || e->c.ts > t->to)
			continue;
		EXPECT_NE(-1, t->pass_of[i])
			TH_LOG("the kernel's trace has no: comm %.16s tid %u zone %u order %d sync %u status %u origin %u ts %llu delta %llu",
			       e->c.comm, e->c.tid, e->c.zone, e->c.order,
			       e->c.sync, e->c.status, e->c.origin, e->c.ts,
			       e->c.delta);
	}
	for (p = 0; p < t->nr_passes; p++) {
		const struct tracefs_pass *pass = &t->pass[p];

		if (pass->begin_ts < t->from || pass->end_ts > t->to)
			continue;
		EXPECT_TRUE(t->has_row[p])
			TH_LOG("no row for the kernel's tid %d zone %s order %ld sync %d status %s",
			       pass->tid, pass->zone, pass->order, pass->sync,
			       pass->status);
	}
}

/* Rows so far; see compactions_count(). */
static inline size_t trace_count(const struct trace *t, enum csn_origin origin,
				 int sync)
{
	return compactions_count(&t->log, origin, sync);
}

static inline void trace_until(struct __test_metadata *_metadata,
			       struct trace *t, enum csn_origin origin,
			       int sync, int (*work)(struct workload *w))
{
	compactions_until(_metadata, &t->workload, &t->log, t->fd, origin,
			  sync, work);
}

#endif /* TRACE_H */
