// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "inflight.h"

/* How far from its place a pass may lie; bounds every search. */
#define CSN_PASS_WINDOW		16
#define CSN_NOTES_PER_BUCKET	4

/**
 * struct csn_note - what a task's latest suitability check left
 * @task: whose; a key, never dereferenced. NULL: unused.
 * @used: the bucket's clock when it was last written; the oldest is replaced.
 * @frag_zone: zone of @fragindex; NULL: there is none.
 * @frag_order: order of @fragindex.
 * @fragindex: what the kernel computed in a check that has not been reported.
 * @zone: zone of @view; NULL: there is none.
 * @order: order of @view.
 * @view: the zone at that check.
 *
 * The bucket's lock guards all of it.
 */
struct csn_note {
	const struct task_struct *task;
	u32 used;
	struct zone *frag_zone;
	int frag_order;
	int fragindex;
	struct zone *zone;
	int order;
	struct csn_zone_view view;
};

struct csn_note_bucket {
	raw_spinlock_t lock;
	u32 clock;
	struct csn_note note[CSN_NOTES_PER_BUCKET];
};

/*
 * Passes are found by their owner: slot i of csn_pass is owner[i]'s. A slot is
 * claimed by cmpxchg from NULL and given back by a release of NULL, so owners
 * need no lock and a search that sees another task's name can pass over it.
 */
static const struct task_struct **csn_pass_owner;
static struct csn_pass *csn_passes;
static unsigned int csn_nr_passes;
static unsigned int csn_pass_bits;

static struct csn_note_bucket *csn_notes;
static unsigned int csn_note_bits;

/**
 * csn_inflight_init() - make the tables
 * @nr: compactions that can be under way at once, at least 1; rounded up to a
 *	power of two.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int csn_inflight_init(unsigned int nr)
{
	unsigned int i;

	csn_nr_passes = roundup_pow_of_two(nr);
	csn_pass_bits = ilog2(csn_nr_passes);
	csn_note_bits = csn_nr_passes > CSN_NOTES_PER_BUCKET ?
			ilog2(csn_nr_passes / CSN_NOTES_PER_BUCKET) : 0;

	csn_pass_owner = vzalloc(array_size(csn_nr_passes, sizeof(*csn_pass_owner)));
	csn_passes = vzalloc(array_size(csn_nr_passes, sizeof(*csn_passes)));
	csn_notes = vzalloc(array_size(1U << csn_note_bits, sizeof(*csn_notes)));
	if (!csn_pass_owner || !csn_passes || !csn_notes) {
		csn_inflight_exit();
		return -ENOMEM;
	}
	for (i = 0; i < 1U << csn_note_bits; i++)
		raw_spin_lock_init(&csn_notes[i].lock);
	return 0;
}

/**
 * csn_inflight_exit() - free the tables
 *
 * Context: may sleep; no probe is attached.
 */
void csn_inflight_exit(void)
{
	vfree(csn_notes);
	vfree(csn_passes);
	vfree(csn_pass_owner);
}

/**
 * csn_inflight_forget_passes() - drop compactions whose end was not seen
 *
 * Context: any; no probe is attached.
 */
void csn_inflight_forget_passes(void)
{
	memset(csn_pass_owner, 0, array_size(csn_nr_passes, sizeof(*csn_pass_owner)));
}

/**
 * csn_inflight_forget_notes() - drop all notes
 *
 * Context: task context; no probe is attached that makes notes.
 */
void csn_inflight_forget_notes(void)
{
	unsigned int i, n;

	for (i = 0; i < 1U << csn_note_bits; i++) {
		raw_spin_lock(&csn_notes[i].lock);
		for (n = 0; n < CSN_NOTES_PER_BUCKET; n++)
			csn_notes[i].note[n].task = NULL;
		raw_spin_unlock(&csn_notes[i].lock);
	}
}

/* hash_ptr() of no bits would shift by a word's width. */
static unsigned int csn_hash_current(unsigned int bits)
{
	return bits ? hash_ptr(current, bits) : 0;
}

static unsigned int csn_pass_index(unsigned int home, unsigned int step)
{
	return (home + step) & (csn_nr_passes - 1);
}

static unsigned int csn_pass_window(void)
{
	return min_t(unsigned int, CSN_PASS_WINDOW, csn_nr_passes);
}

/**
 * csn_pass_find() - one of the running task's compactions
 * @cc: as given to csn_pass_begin(); NULL: any.
 *
 * Context: task context, preemption off.
 * Return: the one that began last, or NULL.
 */
struct csn_pass *csn_pass_find(const void *cc)
{
	unsigned int home = csn_hash_current(csn_pass_bits);
	struct csn_pass *pass, *found = NULL;
	unsigned int step, i;

	for (step = 0; step < csn_pass_window(); step++) {
		i = csn_pass_index(home, step);
		if (READ_ONCE(csn_pass_owner[i]) != current)
			continue;
		pass = &csn_passes[i];
		if (cc && pass->cc != cc)
			continue;
		if (!found || pass->depth > found->depth)
			found = pass;
	}
	return found;
}

/**
 * csn_pass_begin() - remember that the running task began a compaction
 * @cc: the kernel's compact_control, or NULL.
 *
 * A pass with the same @cc can only be one whose end was missed; it is used
 * again.
 *
 * Context: task context, preemption off.
 * Return: the pass with @cc, @depth and no zone, or NULL if there is no room.
 */
struct csn_pass *csn_pass_begin(const void *cc)
{
	unsigned int home = csn_hash_current(csn_pass_bits);
	struct csn_pass *pass = cc ? csn_pass_find(cc) : NULL;
	unsigned int step, i, depth = 0;

	if (pass) {
		pass->zone = NULL;
		return pass;
	}
	pass = csn_pass_find(NULL);
	if (pass)
		depth = pass->depth + 1;

	for (step = 0; step < csn_pass_window(); step++) {
		i = csn_pass_index(home, step);
		if (READ_ONCE(csn_pass_owner[i]) ||
		    cmpxchg(&csn_pass_owner[i], NULL, current))
			continue;
		pass = &csn_passes[i];
		pass->cc = cc;
		pass->depth = depth;
		pass->zone = NULL;
		return pass;
	}
	return NULL;
}

/**
 * csn_pass_end() - forget a compaction
 * @pass: of the running task.
 *
 * Context: task context, preemption off.
 */
void csn_pass_end(struct csn_pass *pass)
{
	/* Pairs with the cmpxchg in csn_pass_begin(): done with *pass. */
	smp_store_release(&csn_pass_owner[pass - csn_passes], NULL);
}

static struct csn_note_bucket *csn_note_bucket(void)
{
	return &csn_notes[csn_hash_current(csn_note_bits)];
}

static struct csn_note *csn_note_find(struct csn_note_bucket *b)
{
	unsigned int n;

	for (n = 0; n < CSN_NOTES_PER_BUCKET; n++)
		if (b->note[n].task == current)
			return &b->note[n];
	return NULL;
}

/* The running task's note, if need be in place of the oldest. */
static struct csn_note *csn_note_get(struct csn_note_bucket *b)
{
	struct csn_note *note = csn_note_find(b);
	unsigned int n;

	if (!note) {
		note = &b->note[0];
		for (n = 1; n < CSN_NOTES_PER_BUCKET && note->task; n++)
			if (!b->note[n].task ||
			    (s32)(b->note[n].used - note->used) < 0)
				note = &b->note[n];
		note->task = current;
		note->zone = NULL;
		note->frag_zone = NULL;
	}
	note->used = ++b->clock;
	return note;
}

/**
 * csn_note_fragindex() - the kernel computed a fragmentation index
 * @zone: for this zone.
 * @order: for this order.
 * @value: thousandths, or CSN_FRAGINDEX_NONE.
 *
 * Context: task context, preemption off.
 */
void csn_note_fragindex(struct zone *zone, int order, int value)
{
	struct csn_note_bucket *b = csn_note_bucket();
	struct csn_note *note;

	raw_spin_lock(&b->lock);
	note = csn_note_get(b);
	note->frag_zone = zone;
	note->frag_order = order;
	note->fragindex = value;
	raw_spin_unlock(&b->lock);
}

/**
 * csn_note_take_fragindex() - the index that belongs to a suitability check
 * @zone: that was checked.
 * @order: that was checked.
 * @value: set to the index if there is one.
 *
 * The index is gone afterwards, whether it belonged to this check or not: it
 * is never used for a later one.
 *
 * Context: task context, preemption off.
 * Return: whether the kernel computed one for this very check.
 */
bool csn_note_take_fragindex(struct zone *zone, int order, int *value)
{
	struct csn_note_bucket *b = csn_note_bucket();
	struct csn_note *note;
	bool have = false;

	raw_spin_lock(&b->lock);
	note = csn_note_find(b);
	if (note) {
		have = note->frag_zone == zone && note->frag_order == order;
		if (have)
			*value = note->fragindex;
		note->frag_zone = NULL;
	}
	raw_spin_unlock(&b->lock);
	return have;
}

/**
 * csn_note_put() - a zone was found suitable for compaction
 * @zone: this one.
 * @order: for this order.
 * @view: as it was then.
 *
 * Takes the place of the task's earlier note.
 *
 * Context: task context, preemption off.
 */
void csn_note_put(struct zone *zone, int order,
		  const struct csn_zone_view *view)
{
	struct csn_note_bucket *b = csn_note_bucket();
	struct csn_note *note;

	raw_spin_lock(&b->lock);
	note = csn_note_get(b);
	note->zone = zone;
	note->order = order;
	note->view = *view;
	raw_spin_unlock(&b->lock);
}

/**
 * csn_note_drop() - the running task's note no longer holds
 *
 * Context: task context, preemption off.
 */
void csn_note_drop(void)
{
	struct csn_note_bucket *b = csn_note_bucket();
	struct csn_note *note;

	raw_spin_lock(&b->lock);
	note = csn_note_find(b);
	if (note)
		note->zone = NULL;
	raw_spin_unlock(&b->lock);
}

/**
 * csn_note_take() - the note that belongs to a compaction
 * @zone: being compacted.
 * @order: for this order.
 * @view: filled in if there is a note.
 *
 * The note is gone afterwards: it serves one compaction.
 *
 * Context: task context, preemption off.
 * Return: whether the task's last note is for this zone and order.
 */
bool csn_note_take(struct zone *zone, int order,
		   struct csn_zone_view *view)
{
	struct csn_note_bucket *b = csn_note_bucket();
	struct csn_note *note;
	bool have = false;

	raw_spin_lock(&b->lock);
	note = csn_note_find(b);
	if (note) {
		have = note->zone == zone && note->order == order;
		if (have)
			*view = note->view;
		note->zone = NULL;
	}
	raw_spin_unlock(&b->lock);
	return have;
}
