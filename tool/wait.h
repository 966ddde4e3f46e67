/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_WAIT_H
#define CSN_WAIT_H

#include <stdbool.h>
#include <linux/types.h>

#define CSN_WAIT_FOREVER	(~0ULL)	/* a time that does not come */

/**
 * enum csn_wait_result - why a wait ended
 * @CSN_WAIT_READY: there is something to read, or the end of it.
 * @CSN_WAIT_TIMEOUT: the time came.
 * @CSN_WAIT_INTERRUPTED: a signal came; csn_wait_interrupted() says which kind.
 * @CSN_WAIT_NO_OUTPUT: nobody reads standard output any more.
 * @CSN_WAIT_ERROR: errno says what.
 */
enum csn_wait_result {
	CSN_WAIT_READY,
	CSN_WAIT_TIMEOUT,
	CSN_WAIT_INTERRUPTED,
	CSN_WAIT_NO_OUTPUT,
	CSN_WAIT_ERROR,
};

void csn_wait_catch_signals(void);
bool csn_wait_interrupted(void);
__u64 csn_wait_now(void);
enum csn_wait_result csn_wait_readable(int fd, __u64 until);

#endif
