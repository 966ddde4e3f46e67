/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kselftest_harness.h and what every program here does with it: skip where
 * there is no module, and say so in the exit status if nothing else ran.
 */
#ifndef CSN_HARNESS_H
#define CSN_HARNESS_H

#include <fcntl.h>
#include <kselftest_harness.h>
#include "csn.h"
#include "machine.h"

/* Why the device cannot be had here, or NULL. */
static inline const char *csn_no_device(int fd)
{
	switch (fd) {
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return "no " CSN_DEVICE ": load compactsnoop.ko first";
	case -EACCES:
	case -EPERM:
		return CSN_DEVICE " may not be opened: needs root";
	default:
		return NULL;
	}
}

/* For FIXTURE_SETUP: skips the test where the module is not loaded. */
#define CSN_NEEDS_DEVICE() do { \
	int _fd = csn_open(O_RDONLY); \
	const char *_why = csn_no_device(_fd); \
	if (_why) \
		SKIP(return, "%s", _why); \
	ASSERT_LE(0, _fd) \
		TH_LOG("open of " CSN_DEVICE ": %s", strerror(-_fd)); \
	close(_fd); \
} while (0)

/* For FIXTURE_SETUP: skips the test for who is not root in the first place. */
#define CSN_NEEDS_ROOT() do { \
	if (geteuid()) \
		SKIP(return, "needs root"); \
} while (0)

/* For FIXTURE_SETUP, after CSN_NEEDS_DEVICE(): skips where no stack can be had. */
#define CSN_NEEDS_STACKS() do { \
	if (!csn_flag_stack()) \
		SKIP(return, "kernel without stacks"); \
} while (0)

#define EXPECT_INTACT(log) \
	EXPECT_STREQ("", (log)->broken)

/* A run in which every test was skipped is skipped itself. */
static inline void csn_exit_skipped(void)
{
	if (ksft_get_xskip_cnt() && ksft_get_xskip_cnt() == (int)ksft_test_num()) {
		fflush(NULL);
		_exit(KSFT_SKIP);
	}
}

#define CSN_HARNESS_MAIN \
	int main(int argc, char **argv) \
	{ \
		atexit(csn_exit_skipped); \
		return test_harness_run(argc, argv); \
	}

#endif /* CSN_HARNESS_H */
