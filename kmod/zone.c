// SPDX-License-Identifier: GPL-2.0-only
#include <linux/build_bug.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/string.h>
#include <linux/vmstat.h>

#include "zone.h"

/**
 * csn_zone_read_watermarks() - the zone as it is now
 * @zone: any zone.
 * @w: filled in, pages.
 *
 * Context: any; takes no lock, so the numbers may be from slightly different
 * moments.
 */
void csn_zone_read_watermarks(struct zone *zone, struct csn_watermarks *w)
{
	w->min = min_wmark_pages(zone);
	w->low = low_wmark_pages(zone);
	w->high = high_wmark_pages(zone);
	w->free = zone_page_state(zone, NR_FREE_PAGES);
}

/**
 * csn_zone_compute_fragindex() - why an allocation of an order would fail
 * @zone: any zone.
 * @order: any number.
 *
 * The kernel's fragmentation index, from the same free lists that the kernel
 * reads, also without its lock.
 *
 * Context: any.
 * Return: thousandths; near 0 for lack of memory, near 1000 for
 * fragmentation; CSN_FRAGINDEX_NONE if a block is free, or for an order that
 * the buddy allocator does not have.
 */
int csn_zone_compute_fragindex(struct zone *zone, int order)
{
	unsigned int nr_orders = csn_zone_nr_orders();
	u64 pages = 0, blocks = 0;
	unsigned int o;

	if (order < 0 || order >= nr_orders)
		return CSN_FRAGINDEX_NONE;

	for (o = 0; o < nr_orders; o++) {
		/* Without the zone's lock, as the kernel's own does. */
		u64 nr = data_race(zone->free_area[o].nr_free);

		if (nr && o >= order)
			return CSN_FRAGINDEX_NONE;
		blocks += nr;
		pages += nr << o;
	}
	if (!blocks)
		return 0;
	pages = 1000 + div_u64(pages * 1000, 1U << order);
	return 1000 - (int)div_u64(pages, blocks);
}

/**
 * csn_zone_names() - names of the zones, by number
 * @names: filled in, NUL-padded; empty where there is no zone.
 *
 * Context: any.
 */
void csn_zone_names(char names[CSN_MAX_ZONES][CSN_ZONE_NAME_LEN])
{
	const struct pglist_data *pgdat = NODE_DATA(first_online_node);
	int z;

	BUILD_BUG_ON(MAX_NR_ZONES > CSN_MAX_ZONES);
	memset(names, 0, CSN_MAX_ZONES * CSN_ZONE_NAME_LEN);
	for (z = 0; z < MAX_NR_ZONES; z++) {
		const char *name = pgdat->node_zones[z].name;

		if (name)
			strscpy(names[z], name, CSN_ZONE_NAME_LEN);
	}
}
