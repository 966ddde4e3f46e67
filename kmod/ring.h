/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's ring of 64-byte slots: one producer, one consumer, no lock.
 *
 * The producer is that CPU with interrupts off. The consumer is whoever
 * moves the tail: read() in the kernel or a process that has mapped it.
 */
#ifndef CSN_RING_H
#define CSN_RING_H

#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/compactsnoop.h>

#include "compat/atomic.h"

/**
 * struct csn_ring_counts - what became of a ring's events
 * @produced: events offered to the ring.
 * @delivered: events that it took and did not overwrite since.
 * @lost_full: events that found no room, or that were overwritten.
 * @lost_table: compactions that the in-flight table had no room for.
 * @lost_ring: events that came while the ring had no memory.
 * @lost_nested: events that interrupted the producer; counted in @produced
 *	by csn_ring_read_counts() only, because an NMI must not touch what it
 *	interrupted the update of.
 *
 * Written by the producer; @lost_nested by NMIs alone.
 */
struct csn_ring_counts {
	u64 produced;
	u64 delivered;
	u64 lost_full;
	u64 lost_table;
	u64 lost_ring;
	u64 lost_nested;
};

/**
 * struct csn_ring - one CPU's ring of one session
 * @room: slots of the ring, or 0 if csn_ring_make_room() has more to look at
 *	than whether there is room: no memory, a loss to be told. Producer,
 *	and csn_ring_alloc() with release semantics after the rest.
 * @mask: slots - 1.
 * @slots: CSN_RECORD_SIZE each; user space may map them read-only. NULL until
 *	csn_ring_alloc(): published with release semantics, after the rest.
 * @pub: head and loss as user space sees them; written by the producer. The
 *	consumer's page, csn_ring_tail(), lies behind.
 * @head: slots written, the reserved ones not included. Producer only.
 * @tail_seen: tail when the producer last looked; saves reading a cache line
 *	that the consumer writes. Producer only.
 * @busy: the producer is between reserve and commit. Producer only.
 * @overwrite: the newest are kept: who finds no room makes it, at the expense
 *	of the oldest. There is no consumer then, and the producer moves the
 *	tail. Changed by csn_ring_hand_over() only.
 * @watermark: wake the reader at so many slots; written by whoever sets the
 *	session's configuration, read once an event.
 * @counts: see there.
 * @told: lost events that lost records have reported. Producer only, read by
 *	csn_ring_untold().
 * @first_lost: time of the first loss not yet told, ns; 0: none. Producer only.
 * @last_lost: time of the last loss not yet told, ns. Producer only.
 * @wake: wakes @wait, out of the producer's context.
 * @wait: where the session's readers sleep.
 * @cpu: whose ring it is.
 * @read: slots consumed by the kernel's own reader; the session's read lock.
 *
 * What an event touches comes first and is one cache line.
 */
struct csn_ring {
	u32 room;
	u32 mask;
	void *slots;
	struct csn_ring_head *pub;
	u64 head;
	u64 tail_seen;
	bool busy;
	bool overwrite;
	u32 watermark;
	struct csn_ring_counts counts;
	u64 told;
	u64 first_lost;
	u64 last_lost;
	struct irq_work wake;
	wait_queue_head_t *wait;
	unsigned int cpu;
	u64 read;
} ____cacheline_aligned;

void csn_ring_init(struct csn_ring *ring, unsigned int cpu,
		   wait_queue_head_t *wait);
int csn_ring_alloc(struct csn_ring *ring, u32 bytes);
void csn_ring_free(struct csn_ring *ring);

void csn_ring_lose_nested(struct csn_ring *ring);
bool csn_ring_make_room(struct csn_ring *ring, unsigned int parts, u64 ts);
void csn_ring_hand_over(struct csn_ring *ring);
void csn_ring_lose_table(struct csn_ring *ring, u64 ts);
void csn_ring_tell(struct csn_ring *ring, u64 ts);

u64 csn_ring_used(const struct csn_ring *ring);
const struct csn_record_head *csn_ring_peek(const struct csn_ring *ring);
void csn_ring_consume(struct csn_ring *ring);
u64 csn_ring_untold(const struct csn_ring *ring);
void csn_ring_read_counts(const struct csn_ring *ring,
			  struct csn_ring_counts *counts);

/**
 * csn_ring_ready() - whether a ring has memory
 * @ring: the ring.
 *
 * Context: any.
 * Return: true once csn_ring_alloc() has succeeded; its work is then visible.
 */
static inline bool csn_ring_ready(const struct csn_ring *ring)
{
	/* Pairs with the release in csn_ring_alloc(). */
	return smp_load_acquire(&ring->slots);
}

/**
 * csn_ring_tail() - the consumer's page
 * @ring: a ring with memory.
 *
 * User space may write it, so it is never trusted.
 *
 * Context: any.
 * Return: what CSN_MMAP_TAIL maps.
 */
static inline struct csn_ring_tail *csn_ring_tail(const struct csn_ring *ring)
{
	return (void *)ring->pub + PAGE_SIZE;
}

/**
 * csn_ring_enter() - begin to write an event
 * @ring: this CPU's ring.
 *
 * Counts the event, as lost if it has interrupted another.
 *
 * Context: the producer, interrupts off; also from an NMI.
 * Return: true if csn_ring_has_room() and csn_ring_make_room() are to follow.
 */
static inline bool csn_ring_enter(struct csn_ring *ring)
{
	if (unlikely(ring->busy)) {
		csn_ring_lose_nested(ring);
		return false;
	}
	ring->busy = true;
	barrier();	/* An NMI on this CPU must see busy before what follows. */
	ring->counts.produced++;
	return true;
}

/**
 * csn_ring_has_room() - room for one event, in the usual case
 * @ring: a ring that has been entered.
 * @parts: records of the event, 1 to 32.
 *
 * Context: as csn_ring_enter().
 * Return: true if the caller is to fill csn_ring_slot() 0 to @parts - 1 and
 * call csn_ring_commit(), false if it is to call csn_ring_make_room().
 */
static inline bool csn_ring_has_room(struct csn_ring *ring, unsigned int parts)
{
	/* Pairs with the release in csn_ring_alloc(). */
	u32 room = smp_load_acquire(&ring->room);

	if (unlikely(ring->head + parts - ring->tail_seen > room))
		return false;
	ring->counts.delivered++;
	return true;
}

/**
 * csn_ring_reserve() - room for one event
 * @ring: this CPU's ring.
 * @parts: records of the event, 1 to 32.
 * @ts: when the event happened, CLOCK_MONOTONIC ns.
 *
 * Counts the event, as lost if there is no room for it. The first event that
 * finds room after a loss is preceded by a lost record.
 *
 * Context: as csn_ring_enter().
 * Return: true if the caller is to fill csn_ring_slot() 0 to @parts - 1 and
 * call csn_ring_commit(), false if the event is lost.
 */
static inline bool csn_ring_reserve(struct csn_ring *ring, unsigned int parts,
				    u64 ts)
{
	return csn_ring_enter(ring) &&
	       (csn_ring_has_room(ring, parts) || csn_ring_make_room(ring, parts, ts));
}

/**
 * csn_ring_slot() - a slot of the reserved group
 * @ring: the ring, between csn_ring_reserve() and csn_ring_commit().
 * @part: 0 to the reserved number - 1.
 *
 * Context: the producer.
 * Return: CSN_RECORD_SIZE bytes, to be written in full.
 */
static inline void *csn_ring_slot(struct csn_ring *ring, unsigned int part)
{
	return ring->slots + ((ring->head + part) & ring->mask) * CSN_RECORD_SIZE;
}

/*
 * Wakes the reader if the watermark has been passed since the head was
 * @before. A reader that is awake looks at the head once more before it
 * sleeps, so one that has been woken need not be woken again.
 */
static inline void csn_ring_look_at_tail(struct csn_ring *ring, u64 before)
{
	/*
	 * The head is out before the tail is looked at, as the tail is before
	 * the reader looks at the head for a last time: whichever comes second
	 * sees the other. Pairs with the barrier in csn_stream_readable().
	 */
	smp_mb();
	ring->tail_seen = csn_load_acquire_u64(&csn_ring_tail(ring)->tail);
	if (unlikely(before - ring->tail_seen < ring->watermark) &&
	    ring->head - ring->tail_seen >= ring->watermark)
		irq_work_queue(&ring->wake);
}

/**
 * csn_ring_commit() - publish the reserved event
 * @ring: a ring for which csn_ring_reserve() returned true.
 * @parts: as it was told.
 *
 * Wakes the reader if the ring holds as much as the watermark asks for, and
 * did not before.
 *
 * Context: the producer, interrupts off since csn_ring_reserve().
 */
static inline void csn_ring_commit(struct csn_ring *ring, unsigned int parts)
{
	struct csn_ring_head *pub = ring->pub;
	u64 before = pub->head;

	ring->head += parts;
	/* Pairs with the consumer's acquire of the head. */
	csn_store_release_u64(&pub->head, ring->head);

	/* By the tail as last seen, which errs towards looking at it. */
	if (ring->head - ring->tail_seen >= READ_ONCE(ring->watermark))
		csn_ring_look_at_tail(ring, before);
	barrier();	/* An NMI on this CPU may write only after all of it. */
	ring->busy = false;
}

#endif /* CSN_RING_H */
