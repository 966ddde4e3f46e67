/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of the capture from boot share: the load of the module, which
 * is the boot here, and the take-over.
 */
#ifndef BOOT_H
#define BOOT_H

#include <sched.h>
#include "csn_harness.h"
#include "module.h"

/* For FIXTURE_SETUP: nobody has the module; @was_loaded is noted. */
#define BOOT_SETUP(was_loaded) do { \
	CSN_NEEDS_ROOT(); \
	if (!module_path()) \
		SKIP(return, "no compactsnoop.ko: say where with COMPACTSNOOP_KO"); \
	*(was_loaded) = module_loaded(); \
	if (*(was_loaded) && module_unload()) \
		SKIP(return, "somebody else uses the module"); \
} while (0)

#define BOOT_TEARDOWN(was_loaded) do { \
	if (module_loaded()) \
		EXPECT_EQ(0, module_unload()); \
	if (was_loaded) \
		EXPECT_EQ(0, module_load("")); \
} while (0)

static inline void boot_load(struct __test_metadata *_metadata,
			     const char *parameters)
{
	int err = module_load(parameters);

	if (err == -EPERM)
		SKIP(return, "modules may not be loaded here");
	ASSERT_EQ(0, err) TH_LOG("\"%s\": %s", parameters, strerror(-err));
}

/* The file asked is in @fd, the capture's in @boot. */
static inline void boot_take(struct __test_metadata *_metadata, int flags,
			     int *fd, int *boot)
{
	*fd = csn_open(flags);
	ASSERT_LE(0, *fd);
	*boot = csn_take_boot(*fd);
	ASSERT_LE(0, *boot) TH_LOG("%s", strerror(-*boot));
}

/* Before all that is not of real time, so that a reader is never late. */
static inline int boot_go_first(void)
{
	struct sched_param first = { .sched_priority = 1 };

	return sched_setscheduler(0, SCHED_FIFO, &first);
}

/* What there is not to be read any more is nothing. */
static inline void boot_expect_account(struct __test_metadata *_metadata,
				       int boot, const struct csn_log *log,
				       size_t events)
{
	struct csn_stats stats;

	EXPECT_INTACT(log);
	EXPECT_EQ(1, log->nr_infos);
	ASSERT_EQ(0, csn_stats(boot, CSN_CPU_ALL, &stats));
	EXPECT_EQ(stats.produced, stats.delivered + csn_stats_lost(&stats));
	EXPECT_EQ(stats.delivered, events);
	EXPECT_EQ(csn_stats_lost(&stats), log->events_lost);
	EXPECT_EQ(0, stats.pending);
}

#endif /* BOOT_H */
