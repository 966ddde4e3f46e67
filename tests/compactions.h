/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory workload, done until a session has seen what it is done for.
 */
#ifndef COMPACTIONS_H
#define COMPACTIONS_H

#include "csn_harness.h"
#include "workload.h"

#define COMPACTIONS_ANY_MODE	(-1)

/* After a failure the kernel defers compactions up to 64 times. */
#define COMPACTIONS_MAX_TRIES	100

/* Events of an origin, and of a mode: 0, 1 or COMPACTIONS_ANY_MODE. */
static inline size_t compactions_count(const struct csn_log *log,
				       enum csn_origin origin, int sync)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < log->nr_events; i++) {
		const struct csn_record_compaction *c = &log->event[i].c;

		nr += c->origin == origin &&
		      (sync == COMPACTIONS_ANY_MODE || c->sync == sync);
	}
	return nr;
}

/*
 * Fragments memory and does @work until it shows in the session @fd, whose
 * events go to @log, as one of @origin and mode @sync.
 */
static inline void compactions_until(struct __test_metadata *_metadata,
				     struct workload *w, struct csn_log *log,
				     int fd, enum csn_origin origin, int sync,
				     int (*work)(struct workload *w))
{
	int err = workload_fragment(w);
	int i;

	for (i = 0; !err && i < COMPACTIONS_MAX_TRIES; i++) {
		err = work(w);
		ASSERT_EQ(0, csn_log_drain(log, fd));
		if (compactions_count(log, origin, sync))
			return;
		if (err == -ENOMEM)	/* all of it is used: anew */
			err = workload_fragment(w);
		else if (err == -ETIMEDOUT)
			err = 0;
	}
	ASSERT_EQ(0, err) TH_LOG("workload: %s", strerror(-err));
	ASSERT_LT(i, COMPACTIONS_MAX_TRIES)
		TH_LOG("no event of origin %d, sync %d, in %d tries", origin,
		       sync, i);
}

#endif /* COMPACTIONS_H */
