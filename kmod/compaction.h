/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes one event of the tracepoints of a compaction: suitable, begin, finished, end. */
#ifndef CSN_COMPACTION_H
#define CSN_COMPACTION_H

#include <linux/mmzone.h>
#include <linux/types.h>

struct compact_control;

void csn_probe_suitable(void *data, struct zone *zone, int order, int ret);
void csn_probe_finished(void *data, struct zone *zone, int order, int ret);
void csn_probe_begin(void *data, struct compact_control *cc,
		     unsigned long zone_start, unsigned long zone_end, bool sync);
void csn_probe_begin_pfn(void *data, unsigned long zone_start,
			 unsigned long migrate_pfn, unsigned long free_pfn,
			 unsigned long zone_end, bool sync);
void csn_probe_end(void *data, struct compact_control *cc,
		   unsigned long zone_start, unsigned long zone_end, bool sync,
		   int status);
void csn_probe_end_pfn(void *data, unsigned long zone_start,
		       unsigned long migrate_pfn, unsigned long free_pfn,
		       unsigned long zone_end, bool sync, int status);

#endif /* CSN_COMPACTION_H */
