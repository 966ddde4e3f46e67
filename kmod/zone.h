/* SPDX-License-Identifier: GPL-2.0-only */
/* What a zone is called and how full it is. */
#ifndef CSN_ZONE_H
#define CSN_ZONE_H

#include <linux/mmzone.h>
#include <linux/compactsnoop.h>

/**
 * struct csn_watermarks - a zone's watermarks and free pages
 * @min: pages, boost included.
 * @low: pages, boost included.
 * @high: pages, boost included.
 * @free: pages.
 */
struct csn_watermarks {
	u64 min;
	u64 low;
	u64 high;
	u64 free;
};

/**
 * csn_zone_nr_orders() - orders that the buddy allocator keeps
 *
 * Context: any.
 * Return: the largest order plus one, under whatever name the kernel has it.
 */
static inline unsigned int csn_zone_nr_orders(void)
{
	return ARRAY_SIZE(((struct zone *)0)->free_area);
}

void csn_zone_read_watermarks(struct zone *zone, struct csn_watermarks *w);
int csn_zone_compute_fragindex(struct zone *zone, int order);
void csn_zone_names(char names[CSN_MAX_ZONES][CSN_ZONE_NAME_LEN]);

#endif /* CSN_ZONE_H */
