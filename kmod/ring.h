/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's ring of 64-byte slots: one producer, one consumer, no lock.
 *
 * The producer is that CPU with interrupts off. The consumer is whoever
 * moves the tail: read() in the kernel or a process that has mapped it.
 */
#ifndef CSN_RING_H
#define CSN_RING_H

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/compactsnoop.h>

/**
 * struct csn_ring_counts - what became of a ring's events
 * @produced: events offered to the ring.
 * @delivered: events that it took, and has not overwritten.
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
	u64 lost_full;
	u64 lost_table;
	u64 lost_ring;
	u64 lost_nested;
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
 * @mask: slots - 1.
 * @watermark: wake the reader at so many slots; written by whoever sets the
 *	session's configuration, read once an event.
 * @ready: the ring has memory and may be used; stored last.
 * @busy: the producer is between reserve and commit. Producer only.
 * @head: slots written, the reserved ones not included. Producer only.
 * @tail_seen: tail when the producer last looked; saves reading a cache line
 *	that the consumer writes. Producer only.
 * @first: slot at which the reserved group begins. Producer only.
 * @end: slot after the reserved group. Producer only.
 * @told: lost events that lost records have reported. Producer only, read by
 *	csn_ring_untold().
 * @first_lost: time of the first loss not yet told, ns; 0: none. Producer only.
 * @last_lost: time of the last loss not yet told, ns. Producer only.
 * @counts: see there.
 * @keep_newest: who finds no room makes it, at the expense of the oldest.
 *	There is no consumer then: the tail is the producer's. Set before the
 *	ring has memory, cleared by csn_ring_hand_over().
 * @overwritten: see there; while @keep_newest. Producer only.
 * @wake: wakes @wait, out of the producer's context.
 * @wait: where the session's readers sleep.
 * @cpu: whose ring it is.
 * @read: slots consumed by the kernel's own reader; the session's read lock.
 */
struct csn_ring {
	void *slots;
	struct csn_ring_head *pub;
	struct csn_ring_tail *tail;
	u32 mask;
	u32 watermark;
	bool ready;
	bool busy;
	u64 head;
	u64 tail_seen;
	u64 first;
	u64 end;
	u64 told;
	u64 first_lost;
	u64 last_lost;
	struct csn_ring_counts counts;
	bool keep_newest;
	struct csn_ring_overwritten overwritten;
	struct irq_work wake;
	wait_queue_head_t *wait;
	unsigned int cpu;
	u64 read;
};

void csn_ring_init(struct csn_ring *ring, unsigned int cpu,
		   wait_queue_head_t *wait);
int csn_ring_alloc(struct csn_ring *ring, u32 bytes);
void csn_ring_publish(struct csn_ring *ring);
void csn_ring_free(struct csn_ring *ring);

bool csn_ring_reserve(struct csn_ring *ring, unsigned int parts, u64 ts);
void csn_ring_commit(struct csn_ring *ring);
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
 * Return: true from csn_ring_publish() on; what was done before is then visible.
 */
static inline bool csn_ring_ready(const struct csn_ring *ring)
{
	/* Pairs with the release in csn_ring_publish(). */
	return smp_load_acquire(&ring->ready);
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
	return ring->slots + ((ring->first + part) & ring->mask) * CSN_RECORD_SIZE;
}

#endif /* CSN_RING_H */
