/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file with its configuration, filter and rings.
 *
 * Locks, outermost first: the session's lock; csn_sessions_lock (who runs,
 * which probes are attached); csn_rings_lock (which sessions have rings and
 * readers).
 *
 * The last one is also taken where locks of the kernel are held: mmap_lock in
 * mmap(), and CPU hotplug's where a CPU comes. The others must not be, nor may
 * mmap() take cpus_read_lock(): attaching a probe takes kprobes' and ftrace's
 * locks, within which ftrace copies from user space; and cpusets take mmap_lock
 * within CPU hotplug's.
 */
#ifndef CSN_SESSION_H
#define CSN_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/wait.h>
#include <linux/compactsnoop.h>

#include "counters.h"
#include "ring.h"

/**
 * struct csn_want - what a session wants, as the probes read it
 * @rcu: frees it.
 * @config: as user space set it.
 * @filter: the same filter with pids of the initial namespace.
 * @counters: the session's tables if anything is to be counted, or NULL.
 * @wanted: CSN_CLASS_* that are recorded or counted.
 * @plain: CSN_CLASS_* of which events are counted, none is recorded, and only
 *	the process is asked for.
 *
 * Never changed once published; replaced under all three locks.
 */
struct csn_want {
	struct rcu_head rcu;
	struct csn_config config;
	struct csn_filter filter;
	struct csn_counter_table __percpu *counters;
	u32 wanted;
	u32 plain;
};

/**
 * enum csn_session_state - the life of a session
 * @CSN_SESSION_NEW: never started; the first read starts it.
 * @CSN_SESSION_RUNNING: events flow.
 * @CSN_SESSION_STOPPED: what is in the rings can be read.
 */
enum csn_session_state {
	CSN_SESSION_NEW,
	CSN_SESSION_RUNNING,
	CSN_SESSION_STOPPED,
};

/**
 * enum csn_session_reader - who moves the tails
 * @CSN_READER_NONE: not decided.
 * @CSN_READER_READ: read().
 * @CSN_READER_MMAP: user space, in the mapped rings.
 */
enum csn_session_reader {
	CSN_READER_NONE,
	CSN_READER_READ,
	CSN_READER_MMAP,
};

/**
 * struct csn_info_group - the first group of a stream
 * @info: base record.
 * @names: second part.
 * @kernel: third part.
 */
struct csn_info_group {
	struct csn_record_info info;
	struct csn_record_zone_names names;
	struct csn_record_kernel kernel;
};

/**
 * struct csn_session - one open file
 * @running: in the list that the probes walk. csn_sessions_lock; RCU.
 * @want: configuration. Replaced under @lock, csn_sessions_lock and
 *	csn_rings_lock, read under any of them; RCU.
 * @rings: one a possible CPU; those of CPUs that were online have memory.
 * @counters: tables, from the first configuration that counts on. @lock.
 * @reader_tgid: process that last had to do with the file; its page events are
 *	left out unless it wants them.
 * @counted: one of those of which there may be max_sessions; constant.
 * @key: turns stack addresses into handles; constant.
 * @wait: readers sleep here.
 * @lock: guards @state, @start, @wall and @counters.
 * @state: see there; changed under @lock.
 * @reader: see there. Changed under csn_rings_lock.
 * @start: when it was first started, CLOCK_MONOTONIC ns.
 * @wall: the same moment, CLOCK_REALTIME ns.
 * @ringed: in the list of sessions with rings. csn_rings_lock.
 * @ring_bytes: size of the rings, 0 until they are made. csn_rings_lock.
 * @read_lock: guards what follows, and the rings' @read.
 * @info: the info group, from the first read on.
 * @info_left: bytes of @info yet to be read.
 * @torn: ring of which a group is half read, or NULL.
 */
struct csn_session {
	struct list_head running;
	struct csn_want __rcu *want;
	struct csn_ring __percpu *rings;
	struct csn_counter_table __percpu *counters;
	pid_t reader_tgid;
	bool counted;
	u64 key;
	wait_queue_head_t wait;
	struct mutex lock;	/* outermost */
	enum csn_session_state state;
	enum csn_session_reader reader;
	u64 start;
	u64 wall;
	struct list_head ringed;
	u32 ring_bytes;
	struct mutex read_lock;	/* one reader at a time */
	struct csn_info_group info;
	unsigned int info_left;
	struct csn_ring *torn;
};

extern struct list_head csn_running;

/* Preemption is off in every probe, which is what RCU waits for. */
#define csn_for_each_running(session) \
	list_for_each_entry_rcu(session, &csn_running, running, \
				rcu_read_lock_sched_held())

/* As above, from @session on. */
#define csn_for_each_running_from(session) \
	list_for_each_entry_from_rcu(session, &csn_running, running)

int csn_session_init(unsigned int max_sessions, u32 classes, u32 ring_bytes,
		     bool zone_state);
void csn_session_exit(void);

struct csn_session *csn_session_create(bool counted);
void csn_session_destroy(struct csn_session *session);
void csn_session_touch(struct csn_session *session);
void csn_session_info(struct csn_info *info);
void csn_session_get_config(struct csn_session *session, struct csn_config *config);
int csn_session_set_config(struct csn_session *session, const struct csn_config *config);
int csn_session_start(struct csn_session *session);
void csn_session_stop(struct csn_session *session);
int csn_session_claim_read(struct csn_session *session);
int csn_session_claim_mmap(struct csn_session *session);
void csn_session_await_reader(struct csn_session *session, bool keep_newest);
void csn_session_hand_over(struct csn_session *session);
int csn_session_stats(struct csn_session *session, struct csn_stats *stats);
int csn_session_counters(struct csn_session *session, struct csn_counters *counters);
void csn_session_tell_lost(struct csn_session *session);

#endif /* CSN_SESSION_H */
