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
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/compactsnoop.h>

#include "compat/atomic.h"

/**
 * struct csn_ring_counts - what became of a ring's events
 * @produced: events offered to the ring.
 * @delivered: events that it took, and has not overwritten.
 * @lost: the sum of the following but @lost_nested.
 * @lost_full: events that found no room, or were overwritten.
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
	u64 lost;
	u64 lost_nested;
	u64 lost_full;
	u64 lost_table;
	u64 lost_ring;
};

/**
 * struct csn_ring_overwritten - what a ring that keeps the newest gave up
 * @count: events, those that overwritten lost records told of included.
 * @first_ts: when the first of them happened, CLOCK_MONOTONIC ns.
 * @last_ts: when the last of them happened, CLOCK_MONOTONIC ns.
 */
struct csn_ring_overwritten {
	u64 count;
	u64 first_ts;
	u64 last_ts;
};

/**
 * struct csn_ring - one CPU's ring of one session
 * @slots: CSN_RECORD_SIZE each; user space may map them read-only. NULL until
 *	csn_ring_alloc().
 * @pub: head and loss as user space sees them; written by the producer.
 * @tail: the consumer's page; user space may write it, so never trusted.
 * @nr: slots, a power of two; 0 until csn_ring_publish().
 * @watermark: wake the reader at so many slots; written by whoever sets the
 *	session's configuration, read once an event.
 * @busy: the producer is between reserve and commit. Producer only.
 * @keep_newest: who finds no room makes it, at the expense of the oldest.
 *	There is no consumer then: the tail is the producer's. Set before the
 *	ring has memory, cleared by csn_ring_hand_over().
 * @head: slots written, those that are reserved not included. Producer only.
 * @tail_seen: tail when the producer last looked; saves reading a cache line
 *	that the consumer writes. Producer only.
 * @woken_at: the head for which the reader was last woken. Producer only.
 * @told: lost events that lost records have reported. Producer only, read by
 *	csn_ring_untold().
 * @counts: see there.
 * @first_lost: time of the first loss not yet told, ns; 0: none. Producer only.
 * @last_lost: time of the last loss not yet told, ns. Producer only.
 * @overwritten: see there; while @keep_newest. Producer only.
 * @wake: wakes @wait, out of the producer's context.
 * @wait: where the session's readers sleep.
 * @cpu: whose ring it is.
 * @read: slots consumed by the kernel's own reader; the session's read lock.
 *
 * An event that finds room touches the first two cache lines; the last, which
 * the reader writes, is away from them.
 */
struct csn_ring {
	void *slots;
	struct csn_ring_head *pub;
	struct csn_ring_tail *tail;
	u32 nr;
	u32 watermark;
	bool busy;
	bool keep_newest;
	u64 head;
	u64 tail_seen;
	u64 woken_at;

	u64 told ____cacheline_aligned;
	struct csn_ring_counts counts;

	u64 first_lost;
	u64 last_lost;
	struct csn_ring_overwritten overwritten;
	struct irq_work wake;
	wait_queue_head_t *wait;
	unsigned int cpu;

	u64 read ____cacheline_aligned;
};

void csn_ring_init(struct csn_ring *ring, unsigned int cpu,
		   wait_queue_head_t *wait);
int csn_ring_alloc(struct csn_ring *ring, u32 bytes);
void csn_ring_publish(struct csn_ring *ring);
void csn_ring_free(struct csn_ring *ring);

bool csn_ring_reserve_slow(struct csn_ring *ring, unsigned int parts, u64 ts);
void csn_ring_wake_reader(struct csn_ring *ring);
void csn_ring_lose_table(struct csn_ring *ring, u64 ts);
void csn_ring_tell(struct csn_ring *ring, u64 ts);
void csn_ring_hand_over(struct csn_ring *ring);

u64 csn_ring_used(const struct csn_ring *ring);
const struct csn_record_head *csn_ring_peek(const struct csn_ring *ring);
void csn_ring_consume(struct csn_ring *ring);
u64 csn_ring_untold(const struct csn_ring *ring);
void csn_ring_read_counts(const struct csn_ring *ring,
			  struct csn_ring_counts *counts);

/**
 * csn_ring_ready() - whether a ring may be used
 * @ring: the ring.
 *
 * Context: any.
 * Return: slots, 0 until csn_ring_publish(); what was done before it is then
 * visible.
 */
static inline u32 csn_ring_ready(const struct csn_ring *ring)
{
	/* Pairs with the release in csn_ring_publish(). */
	return smp_load_acquire(&ring->nr);
}

/**
 * csn_ring_at() - where a slot is
 * @ring: a ring that may be used.
 * @slot: its number, counted as head and tail are.
 *
 * Context: any.
 * Return: CSN_RECORD_SIZE bytes.
 */
static inline void *csn_ring_at(const struct csn_ring *ring, u64 slot)
{
	return ring->slots + (slot & (ring->nr - 1)) * CSN_RECORD_SIZE;
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
	return csn_ring_at(ring, ring->head + part);
}

/**
 * csn_ring_lost() - events that did not get into a ring
 * @ring: the ring.
 *
 * Context: the producer.
 * Return: their number.
 */
static inline u64 csn_ring_lost(const struct csn_ring *ring)
{
	return ring->counts.lost + READ_ONCE(ring->counts.lost_nested);
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
 * Inline is what an event takes that finds room by the tail as last seen, with
 * nothing to be told of; a call of it would cost a fifth more.
 *
 * Context: the producer, interrupts off; also from an NMI.
 * Return: true if the caller is to fill csn_ring_slot() 0 to @parts - 1 and
 * call csn_ring_commit(), false if the event is lost.
 */
static __always_inline bool csn_ring_reserve(struct csn_ring *ring,
					     unsigned int parts, u64 ts)
{
	if (unlikely(ring->busy)) {
		WRITE_ONCE(ring->counts.lost_nested, ring->counts.lost_nested + 1);
		return false;
	}
	ring->busy = true;
	barrier();	/* An NMI on this CPU must see busy before what follows. */

	ring->counts.produced++;
	/* Where there is no memory there is no room for 0 slots. */
	if (unlikely(ring->head + parts - ring->tail_seen > csn_ring_ready(ring) ||
		     csn_ring_lost(ring) != ring->told))
		return csn_ring_reserve_slow(ring, parts, ts);
	ring->counts.delivered++;
	return true;
}

/**
 * csn_ring_commit() - publish the reserved event
 * @ring: a ring for which csn_ring_reserve() returned true.
 * @parts: as there.
 *
 * Wakes the reader if there is one that sleeps and the ring holds as much as the
 * watermark asks for.
 *
 * Context: the producer, interrupts off since csn_ring_reserve().
 */
static __always_inline void csn_ring_commit(struct csn_ring *ring, unsigned int parts)
{
	u64 head = ring->head + parts;

	ring->head = head;
	/* Pairs with the consumer's acquire of the head. */
	csn_store_release_u64(&ring->pub->head, head);

	/*
	 * The consumer stores its tail, queues up to wait, has a barrier and
	 * looks at the head; wq_has_sleeper() has one, too: one sees the other.
	 */
	if (head - ring->tail_seen >= READ_ONCE(ring->watermark) &&
	    wq_has_sleeper(ring->wait))
		csn_ring_wake_reader(ring);
	barrier();	/* An NMI on this CPU may write only after all of it. */
	ring->busy = false;
}

#endif /* CSN_RING_H */
