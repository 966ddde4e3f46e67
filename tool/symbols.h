/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_SYMBOLS_H
#define CSN_SYMBOLS_H

#include <linux/compactsnoop.h>

#define CSN_SYMBOLS_CACHED	512	/* names kept; a power of two */

/**
 * struct csn_symbols - names of stack frames
 * @fd: the open device that the handles came from.
 * @cached: the last name looked up for each place.
 * @last: what to give out when there is no memory to keep it.
 *
 * Few places lead to a compaction, each of them often.
 */
struct csn_symbols {
	int fd;
	struct {
		__u64 handle;
		char *name;
	} cached[CSN_SYMBOLS_CACHED];
	struct csn_symbol last;
};

const char *csn_symbols_find(struct csn_symbols *symbols, __u64 handle);
void csn_symbols_free(struct csn_symbols *symbols);

#endif
