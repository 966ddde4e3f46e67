/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_SETTINGS_H
#define CSN_SETTINGS_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/types.h>

/**
 * struct csn_settings - what the user asked compactsnoop for
 * @timestamp: -T.
 * @stack: -K.
 * @extended: -e.
 * @pid: -p; 0: every process.
 * @duration: -d, ns; 0: no end.
 * @input: -i; NULL: trace.
 * @plot: --plot; NULL: print rows.
 */
struct csn_settings {
	bool timestamp;
	bool stack;
	bool extended;
	__u32 pid;
	__u64 duration;
	const char *input;
	const char *plot;
};

extern const char csn_settings_help[];

int csn_settings_parse(struct csn_settings *settings, int argc, char **argv,
		       FILE *err);

#endif
