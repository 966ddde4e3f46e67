/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's enum compact_result in the numbers of the ABI. */
#ifndef CSN_COMPAT_COMPACT_RESULT_H
#define CSN_COMPAT_COMPACT_RESULT_H

/* compaction.h does not include what it needs. */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/compaction.h>
#include <linux/compactsnoop.h>

/* Its name until 4.8; until 4.6 the results were macros, of other numbers. */
#ifndef CSN_HAVE_COMPACT_SUCCESS
#define COMPACT_SUCCESS	COMPACT_PARTIAL
#endif

/**
 * csn_compact_result_status() - translate by name
 * @result: enum compact_result.
 *
 * Context: any.
 * Return: enum csn_status; a result that the ABI does not have comes as 255,
 * so that a reader can tell that it is none it knows.
 */
static inline u8 csn_compact_result_status(int result)
{
	switch (result) {
	case COMPACT_NOT_SUITABLE_ZONE:
		return CSN_STATUS_NOT_SUITABLE_ZONE;
	case COMPACT_SKIPPED:
		return CSN_STATUS_SKIPPED;
	case COMPACT_DEFERRED:
		return CSN_STATUS_DEFERRED;
	case COMPACT_NO_SUITABLE_PAGE:
		return CSN_STATUS_NO_SUITABLE_PAGE;
	case COMPACT_CONTINUE:
		return CSN_STATUS_CONTINUE;
	case COMPACT_COMPLETE:
		return CSN_STATUS_COMPLETE;
#ifdef CSN_HAVE_COMPACT_PARTIAL_SKIPPED
	case COMPACT_PARTIAL_SKIPPED:
		return CSN_STATUS_PARTIAL_SKIPPED;
#endif
	case COMPACT_CONTENDED:
		return CSN_STATUS_CONTENDED;
	case COMPACT_SUCCESS:
		return CSN_STATUS_SUCCESS;
	default:
		return 255;
	}
}

#endif /* CSN_COMPAT_COMPACT_RESULT_H */
