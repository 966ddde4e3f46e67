/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_LATENCY_H
#define CSN_LATENCY_H

#include "exit.h"
#include "plot.h"
#include "reader.h"

struct csn_latency_event;

/**
 * struct csn_latency - compactions on their way to a picture of them
 * @plot: begun.
 *
 * Zeroed but for that, it is ready. private: the rest.
 */
struct csn_latency {
	struct csn_plot plot;

	/* private: */
	struct csn_latency_event *events;
	size_t nr_events;
	__u64 start;		/* when the first thing shown happened, ns */
	bool has_start;
};

enum csn_exit csn_latency_add(struct csn_latency *latency,
			      const struct csn_group *group,
			      const struct csn_record_zone_names *zones);
void csn_latency_lost(struct csn_latency *latency,
		      const struct csn_record_lost *lost);
enum csn_exit csn_latency_draw(struct csn_latency *latency,
			       const char *command, const char *source);
void csn_latency_end(struct csn_latency *latency);

#endif
