/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_BUDDYSETTINGS_H
#define CSN_BUDDYSETTINGS_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/compactsnoop.h>

#include "rows.h"

/**
 * struct csn_buddysettings - what the user asked buddystat for
 * @interval: length of an interval, ns.
 * @has_interval: the user said so.
 * @count: rows to print; 0: no end.
 * @record: where "record" writes to; NULL: it was not given.
 * @format: how rows are printed.
 * @timestamp: -T.
 * @one_header: -n.
 * @pid: -p; 0: every process.
 * @comm: --comm, NUL-padded.
 * @has_comm: it was given.
 * @by: CSN_BY_*.
 * @free: --free.
 * @cumulative: --cumulative.
 * @input: -i; NULL: live.
 * @boot: --boot.
 * @plot: --plot; NULL: print rows.
 * @stacked: --stacked.
 * @log: --log.
 */
struct csn_buddysettings {
	__u64 interval;
	bool has_interval;
	__u64 count;
	const char *record;
	enum csn_rows_format format;
	bool timestamp;
	bool one_header;
	__u32 pid;
	char comm[CSN_COMM_LEN];
	bool has_comm;
	unsigned int by;
	bool free;
	bool cumulative;
	const char *input;
	bool boot;
	const char *plot;
	bool stacked;
	bool log;
};

extern const char csn_buddysettings_help[];

int csn_buddysettings_parse(struct csn_buddysettings *settings, int argc,
			    char **argv, FILE *err);

#endif
