/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_BUDDY_H
#define CSN_BUDDY_H

#include "buddyplot.h"
#include "buddysettings.h"
#include "device.h"
#include "exit.h"
#include "reader.h"
#include "rows.h"
#include "series.h"
#include "stream.h"

/**
 * struct csn_buddy - what goes with events on their way to rows
 * @settings: what is wanted.
 * @series: counts them.
 * @rows: prints them.
 * @buddyplot: draws them in place of that, if so wanted.
 * @printed: intervals printed.
 * @beyond: frees of gigantic pages, which are in no column.
 * @has_wanted: there was an event of the process and thread name asked for.
 * @is_done: as many rows as were wanted have been printed.
 * @error: errno of the output, or ENOMEM.
 */
struct csn_buddy {
	const struct csn_buddysettings *settings;
	struct csn_series series;
	struct csn_rows rows;
	struct csn_buddyplot buddyplot;
	__u64 printed;
	__u64 beyond;
	bool has_wanted;
	bool is_done;
	int error;
};

void csn_buddy_init(struct csn_buddy *buddy,
		    const struct csn_buddysettings *settings);
int csn_buddy_add(struct csn_buddy *buddy, const struct csn_pages *pages);
int csn_buddy_lost(struct csn_buddy *buddy, __u64 first, __u64 last,
		   __u64 count);
int csn_buddy_group(struct csn_buddy *buddy, const struct csn_group *group);
void csn_buddy_info(struct csn_buddy *buddy, const struct csn_reader *reader);
enum csn_exit csn_buddy_finish(struct csn_buddy *buddy, __u64 end, bool total);

enum csn_exit csn_buddy_input(struct csn_buddy *buddy);
enum csn_exit csn_buddy_count(struct csn_buddy *buddy,
			      struct csn_device *device);
enum csn_exit csn_buddy_trace(struct csn_buddy *buddy,
			      struct csn_device *device);
enum csn_exit csn_buddy_boot(struct csn_buddy *buddy,
			     struct csn_device *device);
enum csn_exit csn_buddy_record(struct csn_buddy *buddy,
			       struct csn_device *device);

#endif
