// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/elf.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "config.h"
#include "fragindex.h"
#include "probes.h"
#include "session.h"
#include "zone.h"

/* Which sessions run, how many there are, which probes are attached. */
static DEFINE_MUTEX(csn_sessions_lock);
LIST_HEAD(csn_running);
static unsigned int csn_nr_sessions;

/*
 * Which sessions have rings or a reader, which CPUs get rings: all that ever
 * came. Taken where a CPU comes, and in mmap().
 */
static DEFINE_MUTEX(csn_rings_lock);
static LIST_HEAD(csn_ringed);
static struct cpumask csn_ring_cpus;

/* Set at module init. */
static unsigned int csn_max_sessions;
static u32 csn_default_classes;
static u32 csn_default_ring_bytes;
static u32 csn_default_flags;
static enum cpuhp_state csn_cpuhp_state;

/* A CPU is about to come: no memory for its rings must not keep it away. */
static int csn_session_cpu_prepare(unsigned int cpu)
{
	struct csn_session *session;
	struct csn_ring *ring;

	mutex_lock(&csn_rings_lock);
	cpumask_set_cpu(cpu, &csn_ring_cpus);
	list_for_each_entry(session, &csn_ringed, ringed) {
		ring = per_cpu_ptr(session->rings, cpu);
		if (!csn_ring_alloc(ring, session->ring_bytes))
			csn_ring_publish(ring);
	}
	mutex_unlock(&csn_rings_lock);
	return 0;
}

/**
 * csn_session_init() - get ready for sessions
 * @max_sessions: that can be open at once.
 * @classes: CSN_CLASS_* of a session that sets nothing; at least one.
 * @ring_bytes: of a session that sets none; a valid size.
 * @zone_state: whether a session that sets no flags gets zone states.
 *
 * Context: may sleep; module init.
 * Return: 0 or a negative errno.
 */
int csn_session_init(unsigned int max_sessions, u32 classes, u32 ring_bytes,
		     bool zone_state)
{
	int state;

	csn_max_sessions = max_sessions;
	csn_default_classes = classes;
	csn_default_ring_bytes = ring_bytes;
	csn_default_flags = zone_state ? CSN_FLAG_ZONE_STATE : 0;

	/* Before 6.10 the function called for CPUs that are there may be another's. */
	state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					  "compactsnoop:prepare",
					  csn_session_cpu_prepare, NULL);
	if (state < 0)
		return state;
	csn_cpuhp_state = state;

	cpus_read_lock();
	mutex_lock(&csn_rings_lock);
	cpumask_or(&csn_ring_cpus, &csn_ring_cpus, cpu_online_mask);
	mutex_unlock(&csn_rings_lock);
	cpus_read_unlock();
	return 0;
}

/**
 * csn_session_exit() - undo csn_session_init()
 *
 * Context: may sleep; no session is left.
 */
void csn_session_exit(void)
{
	cpuhp_remove_state_nocalls(csn_cpuhp_state);
}

static int csn_session_count(int by)
{
	int err = 0;

	mutex_lock(&csn_sessions_lock);
	if (by > 0 && csn_nr_sessions >= csn_max_sessions)
		err = -EBUSY;
	else
		csn_nr_sessions += by;
	mutex_unlock(&csn_sessions_lock);
	return err;
}

static void csn_session_free(struct csn_session *session)
{
	csn_counters_free(session->counters);
	free_percpu(session->rings);
	kfree(rcu_access_pointer(session->want));
	kfree(session);
}

/* What the probes look at first. */
static void csn_want_sum_up(struct csn_want *want)
{
	const struct csn_config *config = &want->config;

	want->wanted = config->classes | config->counters;
	if (!(config->filter.match & ~CSN_MATCH_PID))
		want->plain = config->counters & ~config->classes;
}

static struct csn_session *csn_session_alloc(void)
{
	struct csn_session *session = kzalloc(sizeof(*session), GFP_KERNEL);
	struct csn_want *want = kzalloc(sizeof(*want), GFP_KERNEL);

	if (!session || !want)
		goto fail;
	session->rings = alloc_percpu(struct csn_ring);
	if (!session->rings)
		goto fail;

	want->config.classes = csn_default_classes;
	want->config.flags = csn_default_flags;
	want->config.ring_bytes = csn_default_ring_bytes;
	want->config.watermark = 1;
	csn_want_sum_up(want);
	RCU_INIT_POINTER(session->want, want);
	return session;

fail:
	kfree(want);
	kfree(session);
	return NULL;
}

/**
 * csn_session_create() - a new session with the defaults
 * @counted: whether it is one of those of which there may be max_sessions.
 *
 * Context: may sleep.
 * Return: the session; ERR_PTR(-EBUSY) if there are as many as may be, or
 * ERR_PTR(-ENOMEM).
 */
struct csn_session *csn_session_create(bool counted)
{
	struct csn_session *session;
	unsigned int cpu;
	int err = csn_session_count(counted);

	if (err)
		return ERR_PTR(err);
	session = csn_session_alloc();
	if (!session) {
		csn_session_count(-counted);
		return ERR_PTR(-ENOMEM);
	}
	session->counted = counted;
	INIT_LIST_HEAD(&session->running);
	INIT_LIST_HEAD(&session->ringed);
	init_waitqueue_head(&session->wait);
	mutex_init(&session->lock);
	mutex_init(&session->read_lock);
	session->info_left = sizeof(session->info);
	session->key = get_random_u64();
	for_each_possible_cpu(cpu)
		csn_ring_init(per_cpu_ptr(session->rings, cpu), cpu, &session->wait);
	return session;
}

static void csn_session_free_rings(struct csn_session *session)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		csn_ring_free(per_cpu_ptr(session->rings, cpu));
}

/**
 * csn_session_destroy() - the end of a session
 * @session: that nobody reads from, maps or configures any more.
 *
 * Context: may sleep.
 */
void csn_session_destroy(struct csn_session *session)
{
	csn_session_stop(session);

	mutex_lock(&csn_rings_lock);
	list_del(&session->ringed);
	mutex_unlock(&csn_rings_lock);

	csn_session_free_rings(session);
	csn_session_count(-session->counted);
	csn_session_free(session);
}

/**
 * csn_session_touch() - the caller is the session's reader from now on
 * @session: any.
 *
 * Context: of the process.
 */
void csn_session_touch(struct csn_session *session)
{
	WRITE_ONCE(session->reader_tgid, current->tgid);
}

/* The session's want, by whoever holds one of the locks that guard it. */
static struct csn_want *csn_session_want(struct csn_session *session)
{
	return rcu_dereference_protected(session->want,
					 lockdep_is_held(&session->lock) ||
					 lockdep_is_held(&csn_sessions_lock) ||
					 lockdep_is_held(&csn_rings_lock));
}

/**
 * csn_session_info() - what the module and this kernel can do
 * @info: all but size and boot is filled in.
 *
 * Context: any.
 */
void csn_session_info(struct csn_info *info)
{
	info->abi_version = CSN_ABI_VERSION;
	info->features = csn_probes_features();
	info->classes = csn_probes_classes();
	info->flags = csn_probes_flags();
	info->page_size = PAGE_SIZE;
	info->ring_bytes_min = PAGE_SIZE;
	info->ring_bytes_max = CSN_RING_BYTES_MAX;
	info->ring_bytes_default = csn_default_ring_bytes;
	info->nr_cpus = nr_cpu_ids;
	info->machine = ELF_ARCH;
	info->nr_nodes = nr_node_ids;
	info->nr_zones = MAX_NR_ZONES;
	info->nr_orders = csn_zone_nr_orders();
	info->reserved = 0;
	csn_zone_names(info->zone_name);
}

/**
 * csn_session_get_config() - what a session traces
 * @session: any.
 * @config: all but the size is filled in.
 *
 * Context: may sleep.
 */
void csn_session_get_config(struct csn_session *session, struct csn_config *config)
{
	u32 size = config->size;

	mutex_lock(&session->lock);
	*config = csn_session_want(session)->config;
	mutex_unlock(&session->lock);
	config->size = size;
}

static u32 csn_want_needs(const struct csn_want *want)
{
	u32 flags = want->config.flags;
	u32 needs = csn_probes_needs(want->config.classes | want->config.counters);

	if ((needs & CSN_NEED_COMPACTION) && (flags & CSN_FLAG_ZONE_STATE)) {
		needs |= CSN_NEED_ZONE_STATE;
		if (!(flags & CSN_FLAG_FRAGINDEX_COMPUTE))
			needs |= CSN_NEED_FRAGINDEX;
	}
	return needs;
}

/* Drop the probes that no running session needs, and tell the rest what to gather. */
static void csn_sessions_settle(void)
{
	struct csn_session *session;
	const struct csn_want *want;
	bool computed = false;
	u32 needs = 0;

	lockdep_assert_held(&csn_sessions_lock);
	list_for_each_entry(session, &csn_running, running) {
		want = csn_session_want(session);
		needs |= csn_want_needs(want);
		computed |= !!(want->config.flags & CSN_FLAG_FRAGINDEX_COMPUTE);
	}
	csn_fragindex_want_computed(computed);
	csn_probes_trim(needs);
}

static void csn_session_set_watermark(struct csn_session *session, u32 watermark)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(session->rings, cpu)->watermark, watermark);
}

/*
 * Where there are no records there are no rings. Until all have memory none is
 * published: somebody may be polling.
 */
static int csn_session_make_rings(struct csn_session *session,
				  const struct csn_want *want)
{
	u32 bytes = want->config.ring_bytes;
	unsigned int cpu;

	lockdep_assert_held(&csn_rings_lock);
	if (session->ring_bytes || !want->config.classes)
		return 0;

	for_each_cpu(cpu, &csn_ring_cpus) {
		if (csn_ring_alloc(per_cpu_ptr(session->rings, cpu), bytes)) {
			csn_session_free_rings(session);
			return -ENOMEM;
		}
	}
	for_each_cpu(cpu, &csn_ring_cpus)
		csn_ring_publish(per_cpu_ptr(session->rings, cpu));
	session->ring_bytes = bytes;
	list_add(&session->ringed, &csn_ringed);
	return 0;
}

/* Publish @want, after having rings for it if they are in use. */
static int csn_session_publish_want(struct csn_session *session,
				    struct csn_want *want, bool running)
{
	int err = 0;

	mutex_lock(&csn_rings_lock);
	if (session->ring_bytes && session->ring_bytes != want->config.ring_bytes)
		err = -EBUSY;
	else if (running || session->reader != CSN_READER_NONE)
		err = csn_session_make_rings(session, want);
	if (!err)
		rcu_assign_pointer(session->want, want);
	mutex_unlock(&csn_rings_lock);
	return err;
}

/* Put @want in place of the session's; the probes are those for both until then. */
static int csn_session_replace_want(struct csn_session *session,
				    struct csn_want *want)
{
	struct csn_want *old = csn_session_want(session);
	bool running = session->state == CSN_SESSION_RUNNING;
	int err = 0;

	mutex_lock(&csn_sessions_lock);
	if (running)
		err = csn_probes_attach(csn_want_needs(want));
	if (!err)
		err = csn_session_publish_want(session, want, running);
	if (!err)
		csn_session_set_watermark(session, want->config.watermark);
	csn_sessions_settle();
	mutex_unlock(&csn_sessions_lock);
	if (err)
		return err;

	/* No event is judged by the old one after our return. */
	if (running)
		synchronize_rcu();
	kfree(old);
	return 0;
}

/* The same, after having tables to count in if @want counts. */
static int csn_session_replace_want_counting(struct csn_session *session,
					     struct csn_want *want)
{
	struct csn_counter_table __percpu *counters = session->counters;
	int err;

	if (want->config.counters && !counters) {
		counters = csn_counters_alloc();
		if (!counters)
			return -ENOMEM;
	}
	want->counters = want->config.counters ? counters : NULL;
	err = csn_session_replace_want(session, want);
	if (!err)
		session->counters = counters;
	else if (!session->counters)
		csn_counters_free(counters);
	return err;
}

/**
 * csn_session_set_config() - change what a session traces
 * @session: any.
 * @config: of the ABI's full size; see struct csn_config.
 *
 * Context: may sleep; of the process whose pid namespace the filter means.
 * Return: 0; -EINVAL; -ESRCH; -EBUSY if the rings have another size already;
 * -ENOMEM; what attaching a probe said. On an error nothing has changed.
 */
int csn_session_set_config(struct csn_session *session, const struct csn_config *config)
{
	struct csn_want *want = kzalloc(sizeof(*want), GFP_KERNEL);
	int err;

	if (!want)
		return -ENOMEM;
	want->config = *config;
	if (!want->config.ring_bytes)
		want->config.ring_bytes = csn_default_ring_bytes;
	if (!want->config.watermark)
		want->config.watermark = 1;
	want->filter = want->config.filter;
	csn_want_sum_up(want);

	err = csn_config_check(&want->config);
	if (!err)
		err = csn_config_resolve_pids(&want->filter);
	if (err)
		goto fail;

	mutex_lock(&session->lock);
	err = csn_session_replace_want_counting(session, want);
	mutex_unlock(&session->lock);
	if (!err)
		return 0;
fail:
	kfree(want);
	return err;
}

static int csn_session_start_locked(struct csn_session *session)
{
	int err;

	if (session->state == CSN_SESSION_RUNNING)
		return 0;
	mutex_lock(&csn_rings_lock);
	err = csn_session_make_rings(session, csn_session_want(session));
	mutex_unlock(&csn_rings_lock);
	if (err)
		return err;

	mutex_lock(&csn_sessions_lock);
	err = csn_probes_attach(csn_want_needs(csn_session_want(session)));
	if (!err) {
		if (!session->start) {
			session->start = ktime_get_mono_fast_ns();
			session->wall = ktime_get_real_ns();
		}
		list_add_rcu(&session->running, &csn_running);
		WRITE_ONCE(session->state, CSN_SESSION_RUNNING);
	}
	csn_sessions_settle();
	mutex_unlock(&csn_sessions_lock);
	return err;
}

/**
 * csn_session_start() - let events flow
 * @session: any; nothing happens if it runs.
 *
 * Context: may sleep.
 * Return: 0; -ENODEV if the kernel lacks what the classes need; -ENOMEM; what
 * attaching a probe said. On an error it does not run.
 */
int csn_session_start(struct csn_session *session)
{
	int err;

	mutex_lock(&session->lock);
	err = csn_session_start_locked(session);
	mutex_unlock(&session->lock);
	return err;
}

/**
 * csn_session_stop() - no event is written after the return
 * @session: any.
 *
 * Context: may sleep.
 */
void csn_session_stop(struct csn_session *session)
{
	mutex_lock(&session->lock);
	if (session->state == CSN_SESSION_RUNNING) {
		mutex_lock(&csn_sessions_lock);
		list_del_rcu(&session->running);
		csn_sessions_settle();
		mutex_unlock(&csn_sessions_lock);
		synchronize_rcu();
	}
	WRITE_ONCE(session->state, CSN_SESSION_STOPPED);
	mutex_unlock(&session->lock);
	/* There is an end of file to be read. */
	wake_up_interruptible(&session->wait);
}

/* Decides who moves the tails if that is open, and makes rings. */
static int csn_session_set_reader(struct csn_session *session,
				  enum csn_session_reader reader)
{
	int err;

	mutex_lock(&csn_rings_lock);
	if (session->reader != CSN_READER_NONE && session->reader != reader)
		err = -EBUSY;
	else
		err = csn_session_make_rings(session, csn_session_want(session));
	if (!err)
		WRITE_ONCE(session->reader, reader);
	mutex_unlock(&csn_rings_lock);
	return err;
}

/**
 * csn_session_claim_read() - the session is read by read()
 * @session: any. If it is new, it is started.
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if its rings are mapped; what starting or making rings
 * said, and then the session is as it was.
 */
int csn_session_claim_read(struct csn_session *session)
{
	int err;

	/* Both stay so; spare every read() the lock. */
	if (READ_ONCE(session->reader) == CSN_READER_READ &&
	    READ_ONCE(session->state) != CSN_SESSION_NEW)
		return 0;

	mutex_lock(&session->lock);
	err = csn_session_set_reader(session, CSN_READER_READ);
	if (!err && session->state == CSN_SESSION_NEW) {
		err = csn_session_start_locked(session);
		if (err) {
			mutex_lock(&csn_rings_lock);
			WRITE_ONCE(session->reader, CSN_READER_NONE);
			mutex_unlock(&csn_rings_lock);
		}
	}
	mutex_unlock(&session->lock);
	return err;
}

/**
 * csn_session_claim_mmap() - the session is read in its mapped rings
 * @session: any.
 *
 * Context: may sleep; within mmap_lock.
 * Return: 0; -EBUSY if it is read by read(); -ENOMEM.
 */
int csn_session_claim_mmap(struct csn_session *session)
{
	return csn_session_set_reader(session, CSN_READER_MMAP);
}

/* Runs @fn where it cannot meet the ring's producer. */
static void csn_session_on_cpu(unsigned int cpu, smp_call_func_t fn, void *arg)
{
	unsigned long irqs;

	cpus_read_lock();
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, fn, arg, true);
	} else {
		local_irq_save(irqs);
		fn(arg);
		local_irq_restore(irqs);
	}
	cpus_read_unlock();
}

/**
 * csn_session_await_reader() - keep events for a reader who may be long in coming
 * @session: configured, never started. Nobody is woken, nobody may read.
 * @keep_newest: which events to have when there are more than fit: the newest
 *	rather than the oldest.
 *
 * Context: may sleep.
 */
void csn_session_await_reader(struct csn_session *session, bool keep_newest)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(session->rings, cpu)->keep_newest = keep_newest;
	/* 0 would be what interrupts idle CPUs. */
	WRITE_ONCE(session->reader_tgid, -1);
	csn_session_set_watermark(session, U32_MAX);
}

static void csn_session_hand_over_ring(void *arg)
{
	csn_ring_hand_over(arg);
}

/**
 * csn_session_hand_over() - a session that awaited its reader has one
 * @session: that csn_session_await_reader() was called for; it may run.
 *
 * Context: may sleep.
 */
void csn_session_hand_over(struct csn_session *session)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		csn_session_on_cpu(cpu, csn_session_hand_over_ring,
				   per_cpu_ptr(session->rings, cpu));
	mutex_lock(&session->lock);
	csn_session_set_watermark(session,
				  csn_session_want(session)->config.watermark);
	mutex_unlock(&session->lock);
}

struct csn_counts_call {
	const struct csn_ring *ring;
	struct csn_ring_counts counts;
};

static void csn_session_read_counts(void *arg)
{
	struct csn_counts_call *call = arg;

	csn_ring_read_counts(call->ring, &call->counts);
}

static void csn_session_add_stats(struct csn_session *session, unsigned int cpu,
				  struct csn_stats *stats)
{
	struct csn_counts_call call = { .ring = per_cpu_ptr(session->rings, cpu) };

	csn_session_on_cpu(cpu, csn_session_read_counts, &call);
	stats->produced += call.counts.produced;
	stats->delivered += call.counts.delivered;
	stats->lost_full += call.counts.lost_full;
	stats->lost_nested += call.counts.lost_nested;
	stats->lost_table += call.counts.lost_table;
	stats->lost_ring += call.counts.lost_ring;
	stats->pending += csn_ring_used(call.ring);
}

/**
 * csn_session_stats() - the account of a session
 * @session: any.
 * @stats: size and cpu set; the rest is filled in.
 *
 * Context: may sleep.
 * Return: 0, or -ENXIO if there can be no such CPU.
 */
int csn_session_stats(struct csn_session *session, struct csn_stats *stats)
{
	struct csn_stats sum = { .size = stats->size, .cpu = stats->cpu };
	unsigned int cpu;

	if (stats->cpu != CSN_CPU_ALL &&
	    (stats->cpu >= nr_cpu_ids || !cpu_possible(stats->cpu)))
		return -ENXIO;
	for_each_possible_cpu(cpu)
		if (stats->cpu == CSN_CPU_ALL || stats->cpu == cpu)
			csn_session_add_stats(session, cpu, &sum);

	mutex_lock(&csn_sessions_lock);
	sum.fragindex_missed = csn_fragindex_missed();
	mutex_unlock(&csn_sessions_lock);
	sum.fragindex_computed = csn_fragindex_computed();
	*stats = sum;
	return 0;
}

/**
 * csn_session_counters() - what a session counted
 * @session: any.
 * @counters: as for csn_counters_read(); filled in.
 *
 * Context: may sleep.
 * Return: what csn_counters_read() said.
 */
int csn_session_counters(struct csn_session *session, struct csn_counters *counters)
{
	struct csn_counter_table __percpu *tables;

	mutex_lock(&session->lock);
	counters->counters = csn_session_want(session)->config.counters;
	tables = session->counters;
	mutex_unlock(&session->lock);
	/* Once there, they stay as long as the file; the lock need not. */
	return csn_counters_read(tables, counters);
}

static void csn_session_tell_ring(void *arg)
{
	csn_ring_tell(arg, ktime_get_mono_fast_ns());
}

/**
 * csn_session_tell_lost() - put losses that no event followed into the rings
 * @session: any.
 *
 * Context: may sleep.
 */
void csn_session_tell_lost(struct csn_session *session)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct csn_ring *ring = per_cpu_ptr(session->rings, cpu);

		if (csn_ring_untold(ring))
			csn_session_on_cpu(cpu, csn_session_tell_ring, ring);
	}
}
