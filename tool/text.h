/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_TEXT_H
#define CSN_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/compactsnoop.h>

#include "reader.h"
#include "symbols.h"

/**
 * struct csn_text - how rows are printed
 * @out: where to.
 * @timestamp: with a TIME column.
 * @extended: with the columns of the zone's state.
 * @symbols: names of stack frames; NULL: rows without stacks.
 * @first_us: time of the first row, microseconds; 0 before that.
 */
struct csn_text {
	FILE *out;
	bool timestamp;
	bool extended;
	struct csn_symbols *symbols;
	__u64 first_us;
};

int csn_text_header(const struct csn_text *text);
int csn_text_compaction(struct csn_text *text, const struct csn_group *group,
			const struct csn_record_zone_names *zones);

#endif
