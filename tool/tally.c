// SPDX-License-Identifier: GPL-2.0-only
/* Counting events of the page allocator by zone, by process and so on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

#define FIRST_SLOTS	64

/* What makes @pages another cell than others, and nothing else. */
static void set_key(struct csn_key *key, unsigned int by,
		    const struct csn_pages *pages)
{
	memset(key, 0, sizeof(*key));
	key->node = by & CSN_BY_NODE ? pages->node : CSN_NODE_NONE;
	key->zone = by & CSN_BY_ZONE ? pages->zone : CSN_ZONE_NONE;
	if (by & CSN_BY_MIGRATETYPE)
		key->migratetype = pages->migratetype;
	if (by & CSN_BY_PID)
		key->pid = pages->pid;
	if (by & CSN_BY_COMM)
		memcpy(key->comm, pages->comm, sizeof(key->comm));
}

static bool is_key(const struct csn_key *a, const struct csn_key *b,
		   unsigned int by)
{
	return a->node == b->node && a->zone == b->zone &&
	       a->migratetype == b->migratetype && a->pid == b->pid &&
	       (!(by & CSN_BY_COMM) || !memcmp(a->comm, b->comm, sizeof(a->comm)));
}

/* FNV-1a over what is_key() looks at. */
static __u32 hash(const struct csn_key *key, unsigned int by)
{
	const __u32 numbers[] = { key->node, key->zone, key->migratetype, key->pid };
	__u32 value = 2166136261U;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		value = (value ^ numbers[i]) * 16777619;
	for (size_t i = 0; by & CSN_BY_COMM && i < sizeof(key->comm); i++)
		value = (value ^ (unsigned char)key->comm[i]) * 16777619;
	return value ^ value >> 15;
}

/* Where the key is or belongs. */
static __u32 *find_slot(const struct csn_tally *tally,
			const struct csn_key *key)
{
	size_t i = hash(key, tally->by);

	for (;; i++) {
		__u32 *slot = &tally->slots[i & (tally->nr_slots - 1)];

		if (!*slot || is_key(&tally->cells[*slot - 1].key, key, tally->by))
			return slot;
	}
}

static int grow_slots(struct csn_tally *tally)
{
	size_t nr = tally->nr_slots ? 2 * tally->nr_slots : FIRST_SLOTS;
	__u32 *slots = calloc(nr, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(tally->slots);
	tally->slots = slots;
	tally->nr_slots = nr;
	for (size_t i = 0; i < tally->nr_cells; i++)
		if (!tally->cells[i].key.is_rest)
			*find_slot(tally, &tally->cells[i].key) = i + 1;
	return 0;
}

static int grow_cells(struct csn_tally *tally)
{
	size_t room = tally->room ? 2 * tally->room : 8;
	struct csn_cell *cells = reallocarray(tally->cells, room, sizeof(*cells));

	if (!cells)
		return -ENOMEM;
	tally->cells = cells;
	tally->room = room;
	return 0;
}

static struct csn_cell *new_cell(struct csn_tally *tally,
				 const struct csn_key *key)
{
	struct csn_cell *cell;

	if (tally->nr_cells == tally->room && grow_cells(tally))
		return NULL;
	cell = &tally->cells[tally->nr_cells++];
	memset(cell, 0, sizeof(*cell));
	cell->key = *key;
	return cell;
}

/* Once there are too many: the cell of those that have none. */
static struct csn_cell *rest_cell(struct csn_tally *tally)
{
	const struct csn_key key = {
		.node = CSN_NODE_NONE,
		.zone = CSN_ZONE_NONE,
		.is_rest = true,
	};

	if (tally->nr_cells > CSN_TALLY_MAX_CELLS)
		return &tally->cells[CSN_TALLY_MAX_CELLS];
	return new_cell(tally, &key);
}

/**
 * csn_tally_cell() - find the counts that an event belongs to
 * @tally: the tally.
 * @pages: the event, or one like it.
 *
 * Return: the cell, valid until the next one is looked for; NULL: no memory.
 */
struct csn_cell *csn_tally_cell(struct csn_tally *tally,
				const struct csn_pages *pages)
{
	struct csn_cell *cell;
	struct csn_key key;
	__u32 *slot;

	if (!tally->by && tally->nr_cells)
		return tally->cells;
	if (tally->nr_slots <= 2 * tally->nr_cells && grow_slots(tally))
		return NULL;
	set_key(&key, tally->by, pages);
	slot = find_slot(tally, &key);
	if (*slot)
		return &tally->cells[*slot - 1];
	if (tally->nr_cells >= CSN_TALLY_MAX_CELLS)
		return rest_cell(tally);
	cell = new_cell(tally, &key);
	if (cell)
		*slot = tally->nr_cells;
	return cell;
}

/**
 * csn_tally_add() - count an event
 * @tally: the tally.
 * @pages: the event.
 *
 * Return: 0, or -ENOMEM.
 */
int csn_tally_add(struct csn_tally *tally, const struct csn_pages *pages)
{
	struct csn_cell *cell = csn_tally_cell(tally, pages);

	if (!cell)
		return -ENOMEM;
	if (tally->by & CSN_BY_PID && !cell->key.is_rest)
		memcpy(cell->key.comm, pages->comm, sizeof(cell->key.comm));
	switch (pages->kind) {
	case CSN_PAGES_ALLOC:
		if (pages->failed)
			cell->counts.failed[pages->order]++;
		else
			cell->counts.alloc[pages->order]++;
		break;
	case CSN_PAGES_FREE:
		cell->counts.free[pages->order]++;
		break;
	case CSN_PAGES_FALLBACK:
		cell->counts.fallback++;
		break;
	}
	return 0;
}

/**
 * csn_counts_add() - add counts up
 * @to: gets the sum.
 * @from: what is added.
 */
void csn_counts_add(struct csn_counts *to, const struct csn_counts *from)
{
	for (size_t i = 0; i < CSN_PAGES_ORDERS; i++) {
		to->alloc[i] += from->alloc[i];
		to->failed[i] += from->failed[i];
		to->free[i] += from->free[i];
	}
	to->fallback += from->fallback;
}

/**
 * csn_tally_clear() - begin to count anew
 * @tally: the tally; its totals go on.
 */
void csn_tally_clear(struct csn_tally *tally)
{
	for (size_t i = 0; i < tally->nr_cells; i++) {
		struct csn_cell *cell = &tally->cells[i];

		csn_counts_add(&cell->total, &cell->counts);
		memset(&cell->counts, 0, sizeof(cell->counts));
	}
}

/**
 * csn_tally_free() - let go of all counts
 * @tally: the tally.
 */
void csn_tally_free(struct csn_tally *tally)
{
	free(tally->cells);
	free(tally->slots);
	tally->cells = NULL;
	tally->slots = NULL;
	tally->nr_cells = 0;
	tally->room = 0;
	tally->nr_slots = 0;
}
