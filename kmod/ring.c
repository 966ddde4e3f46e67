// SPDX-License-Identifier: GPL-2.0-only
/*
 * One CPU's ring; see ring.h for who may do what.
 *
 * The producer fills slots and then stores the head with release semantics;
 * the consumer loads the head with acquire semantics, reads the slots and
 * then stores the tail with release semantics, which the producer acquires
 * before it writes those slots again. Both count slots and run freely, so a
 * tail is plausible exactly if it is no more than the number of slots behind
 * the head; any other value makes the ring look full.
 */
#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "ring.h"

static void csn_ring_wake(struct irq_work *work)
{
	struct csn_ring *ring = container_of(work, struct csn_ring, wake);

	wake_up_interruptible(ring->wait);
}

/**
 * csn_ring_init() - make a ring that counts but has no memory yet
 * @ring: zeroed memory.
 * @cpu: whose ring it is.
 * @wait: where the readers sleep; outlives the ring.
 *
 * Context: any.
 */
void csn_ring_init(struct csn_ring *ring, unsigned int cpu,
		   wait_queue_head_t *wait)
{
	init_irq_work(&ring->wake, csn_ring_wake);
	ring->cpu = cpu;
	ring->wait = wait;
	ring->watermark = 1;
	ring->woken_at = U64_MAX;
}

/**
 * csn_ring_alloc() - have memory for a ring
 * @ring: an initialised ring; nothing happens if it has memory.
 * @bytes: size of the slots: a power of two, at least PAGE_SIZE.
 *
 * The ring is used from csn_ring_publish() on.
 *
 * Context: may sleep; never two at once on the same ring. The producer may
 * be running.
 * Return: 0 or -ENOMEM, and then the ring is as it was.
 */
int csn_ring_alloc(struct csn_ring *ring, u32 bytes)
{
	BUILD_BUG_ON(sizeof(struct csn_ring_head) > PAGE_SIZE);
	if (ring->slots)
		return 0;

	ring->pub = vmalloc_user(PAGE_SIZE);
	ring->tail = vmalloc_user(PAGE_SIZE);
	ring->slots = vmalloc_user(bytes);
	if (!ring->pub || !ring->tail || !ring->slots) {
		csn_ring_free(ring);
		return -ENOMEM;
	}
	ring->pub->slots = bytes / CSN_RECORD_SIZE;
	return 0;
}

/**
 * csn_ring_publish() - let a ring be written to and read from
 * @ring: a ring with memory.
 *
 * Context: any.
 */
void csn_ring_publish(struct csn_ring *ring)
{
	/* Pairs with csn_ring_ready(). */
	smp_store_release(&ring->nr, ring->pub->slots);
}

/**
 * csn_ring_free() - give a ring's memory back
 * @ring: a ring that nobody writes to or reads from: not published, or at the
 *	end of its session.
 *
 * Context: may sleep.
 */
void csn_ring_free(struct csn_ring *ring)
{
	irq_work_sync(&ring->wake);
	vfree(ring->slots);
	vfree(ring->tail);
	vfree(ring->pub);
	ring->slots = NULL;
	ring->tail = NULL;
	ring->pub = NULL;
}

static void csn_ring_publish_lost(struct csn_ring *ring, u64 ts)
{
	if (!ring->first_lost)
		ring->first_lost = ts;
	ring->last_lost = ts;
	if (csn_ring_ready(ring))
		csn_store_release_u64(&ring->pub->lost, csn_ring_lost(ring));
}

/* Room for @n more slots, by the tail as it is now if by the one last seen there is none. */
static bool csn_ring_room(struct csn_ring *ring, unsigned int n)
{
	u64 limit = (u64)ring->nr - n;

	if (ring->head - ring->tail_seen <= limit)
		return true;
	/* Pairs with the consumer's release of the tail. */
	ring->tail_seen = csn_load_acquire_u64(&ring->tail->tail);
	return ring->head - ring->tail_seen <= limit;
}

static void csn_ring_fill_lost(const struct csn_ring *ring,
			       struct csn_record_lost *rec, u64 ts)
{
	memset(rec, 0, sizeof(*rec));
	rec->head.type = CSN_RECORD_LOST;
	rec->head.parts = 1;
	rec->head.cpu = ring->cpu;
	rec->ts = ts;
}

static void csn_ring_put_lost(struct csn_ring *ring, u64 ts)
{
	struct csn_record_lost *rec = csn_ring_slot(ring, 0);
	u64 lost = csn_ring_lost(ring);

	csn_ring_fill_lost(ring, rec, ts);
	rec->count = lost - ring->told;
	rec->first_ts = ring->first_lost ?: ts;
	rec->last_ts = ring->first_lost ? ring->last_lost : ts;
	ring->first_lost = 0;
	WRITE_ONCE(ring->told, lost);
	ring->head++;
}

static void csn_ring_note_overwritten(struct csn_ring *ring, u64 count,
				      u64 first_ts, u64 last_ts)
{
	struct csn_ring_overwritten *o = &ring->overwritten;

	if (!o->count)
		o->first_ts = first_ts;
	o->last_ts = last_ts;
	o->count += count;
}

/* Gives up the oldest group: an event, or the record of some that were lost. */
static void csn_ring_drop_oldest(struct csn_ring *ring)
{
	const struct csn_record_base *rec = csn_ring_at(ring, ring->tail_seen);
	const struct csn_record_lost *lost = (const void *)rec;

	if (rec->head.type == CSN_RECORD_LOST) {
		csn_ring_note_overwritten(ring, lost->count, lost->first_ts,
					  lost->last_ts);
	} else {
		csn_ring_note_overwritten(ring, 1, rec->ts, rec->ts);
		ring->counts.delivered--;
		ring->counts.lost_full++;
		ring->counts.lost++;
		/* As told: csn_ring_hand_over() does, of all of them. */
		ring->told++;
	}
	ring->tail_seen += rec->head.parts;
	csn_store_release_u64(&ring->tail->tail, ring->tail_seen);
}

/* As csn_ring_room(), and makes it if the newest are to be kept. */
static bool csn_ring_make_room(struct csn_ring *ring, unsigned int n)
{
	while (!csn_ring_room(ring, n)) {
		if (likely(!ring->keep_newest))
			return false;
		csn_ring_drop_oldest(ring);
	}
	return true;
}

static void csn_ring_lose(struct csn_ring *ring, u64 *cause, u64 ts)
{
	++*cause;
	ring->counts.lost++;
	csn_ring_publish_lost(ring, ts);
	barrier();	/* As in csn_ring_commit(). */
	ring->busy = false;
}

/**
 * csn_ring_reserve_slow() - the rest of csn_ring_reserve()
 * @ring: as there, busy, the event counted as produced.
 * @parts: as there.
 * @ts: as there.
 *
 * Context: as there.
 * Return: as there.
 */
bool csn_ring_reserve_slow(struct csn_ring *ring, unsigned int parts, u64 ts)
{
	unsigned int extra;

	if (!csn_ring_ready(ring)) {
		csn_ring_lose(ring, &ring->counts.lost_ring, ts);
		return false;
	}
	extra = csn_ring_lost(ring) != ring->told;
	if (!csn_ring_make_room(ring, parts + extra)) {
		csn_ring_lose(ring, &ring->counts.lost_full, ts);
		return false;
	}
	if (extra)
		csn_ring_put_lost(ring, ts);
	ring->counts.delivered++;
	return true;
}

/**
 * csn_ring_wake_reader() - wake who sleeps at a ring
 * @ring: this CPU's ring, which holds what the watermark asks for by the tail as
 *	last seen.
 *
 * Once for a tail and watermark: who has been woken finds as much, and does not
 * sleep again before it has moved the tail. An irq_work an event would be 600
 * instructions.
 *
 * Context: the producer, after a full barrier.
 */
void csn_ring_wake_reader(struct csn_ring *ring)
{
	u64 watermark = READ_ONCE(ring->watermark);

	ring->tail_seen = csn_load_acquire_u64(&ring->tail->tail);
	if (ring->head - ring->tail_seen < watermark ||
	    ring->tail_seen + watermark == ring->woken_at)
		return;
	ring->woken_at = ring->tail_seen + watermark;
	irq_work_queue(&ring->wake);
}

/**
 * csn_ring_lose_table() - count a compaction that could not be followed
 * @ring: this CPU's ring.
 * @ts: when it began, CLOCK_MONOTONIC ns.
 *
 * Context: the producer, interrupts off; not from an NMI.
 */
void csn_ring_lose_table(struct csn_ring *ring, u64 ts)
{
	ring->busy = true;
	barrier();
	ring->counts.produced++;
	csn_ring_lose(ring, &ring->counts.lost_table, ts);
}

/**
 * csn_ring_tell() - write a lost record if a loss is untold and there is room
 * @ring: this CPU's ring, or one whose CPU is offline or no longer traced.
 * @ts: now, CLOCK_MONOTONIC ns.
 *
 * For losses that no later event reports.
 *
 * Context: the producer, interrupts off; not from an NMI.
 */
void csn_ring_tell(struct csn_ring *ring, u64 ts)
{
	if (!csn_ring_ready(ring) || csn_ring_lost(ring) == ring->told ||
	    !csn_ring_room(ring, 1))
		return;
	ring->busy = true;
	barrier();
	csn_ring_put_lost(ring, ts);
	csn_ring_commit(ring, 0);
}

/**
 * csn_ring_hand_over() - give a ring to its consumer
 * @ring: this CPU's ring, or one whose CPU is offline; may have kept the
 *	newest until now.
 *
 * What it holds is the consumer's, and what comes from now on finds room or is
 * lost. A ring that kept the newest is likely full: a quarter of it is given up,
 * for what comes before the consumer does. If events were overwritten, a lost
 * record of them is the first.
 *
 * Context: the producer, interrupts off; not from an NMI.
 */
void csn_ring_hand_over(struct csn_ring *ring)
{
	struct csn_ring_overwritten *o = &ring->overwritten;
	struct csn_record_lost *rec;

	ring->busy = true;
	barrier();
	if (ring->keep_newest && csn_ring_ready(ring))
		csn_ring_make_room(ring, ring->nr / 4);
	if (o->count) {
		/* Into the slot before the oldest group, which is free. */
		ring->tail_seen--;
		rec = csn_ring_at(ring, ring->tail_seen);
		csn_ring_fill_lost(ring, rec, o->last_ts);
		rec->count = o->count;
		rec->first_ts = o->first_ts;
		rec->last_ts = o->last_ts;
		csn_store_release_u64(&ring->tail->tail, ring->tail_seen);
		csn_store_release_u64(&ring->pub->lost, csn_ring_lost(ring));
		ring->read = ring->tail_seen;
	}
	ring->keep_newest = false;
	barrier();
	ring->busy = false;
}

/**
 * csn_ring_used() - slots that wait for the consumer
 * @ring: any ring.
 *
 * Context: any.
 * Return: 0 to the number of slots; all of them for a tail that makes no sense.
 */
u64 csn_ring_used(const struct csn_ring *ring)
{
	u64 used;

	if (!csn_ring_ready(ring))
		return 0;
	used = csn_load_acquire_u64(&ring->pub->head) -
	       csn_load_acquire_u64(&ring->tail->tail);
	return min_t(u64, used, ring->nr);
}

/**
 * csn_ring_peek() - the oldest record that the kernel's reader has not consumed
 * @ring: a ring that user space has not mapped.
 *
 * Context: the session's read lock held.
 * Return: the record, valid until csn_ring_consume(), or NULL.
 */
const struct csn_record_head *csn_ring_peek(const struct csn_ring *ring)
{
	/* The acquire pairs with the release in csn_ring_commit(). */
	if (!csn_ring_ready(ring) ||
	    csn_load_acquire_u64(&ring->pub->head) == ring->read)
		return NULL;
	return csn_ring_at(ring, ring->read);
}

/**
 * csn_ring_consume() - done with the record that csn_ring_peek() gave
 * @ring: the ring.
 *
 * Context: the session's read lock held.
 */
void csn_ring_consume(struct csn_ring *ring)
{
	ring->read++;
	/* Pairs with the acquire in csn_ring_room(). */
	csn_store_release_u64(&ring->tail->tail, ring->read);
}

/**
 * csn_ring_untold() - losses that no lost record has reported yet
 * @ring: any ring.
 *
 * Context: any; exact only where the producer is still.
 * Return: events, 0 if the ring has no memory.
 */
u64 csn_ring_untold(const struct csn_ring *ring)
{
	if (!csn_ring_ready(ring))
		return 0;
	return csn_load_acquire_u64(&ring->pub->lost) - READ_ONCE(ring->told);
}

/**
 * csn_ring_read_counts() - what became of the events
 * @ring: any ring.
 * @counts: filled in; produced = delivered + the losses.
 *
 * Context: the producer's CPU with interrupts off, or the producer is still.
 */
void csn_ring_read_counts(const struct csn_ring *ring,
			  struct csn_ring_counts *counts)
{
	*counts = ring->counts;
	counts->produced += counts->lost_nested;
}
