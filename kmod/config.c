// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "config.h"
#include "probes.h"
#include "zone.h"

#define CSN_MATCH_ALL	(CSN_MATCH_PID | CSN_MATCH_TID | CSN_MATCH_COMM | \
			 CSN_MATCH_NODE | CSN_MATCH_ZONE | CSN_MATCH_ORDER | \
			 CSN_MATCH_SYNC | CSN_MATCH_STATUS | CSN_MATCH_ORIGIN | \
			 CSN_MATCH_LATENCY | CSN_MATCH_MIGRATETYPE)

#define CSN_CLASSES_COUNTED	(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE | \
				 CSN_CLASS_EXTFRAG)
#define CSN_CLASSES_ALL		(CSN_CLASS_COMPACTION | CSN_CLASSES_COUNTED)

/* A filter that leaves @mask's field out must not set it, one that has it must. */
static bool csn_config_bits_ok(u32 match, u32 mask, u32 bits, unsigned int nr)
{
	if (!(match & mask))
		return !bits;
	return bits && !(bits >> nr);
}

static bool csn_config_task_ok(const struct csn_filter *f)
{
	bool comm_set = memchr_inv(f->comm, 0, CSN_COMM_LEN);
	size_t len = strnlen(f->comm, CSN_COMM_LEN);

	if (!!(f->match & CSN_MATCH_PID) != !!f->pid ||
	    !!(f->match & CSN_MATCH_TID) != !!f->tid)
		return false;
	if (f->pid > INT_MAX || f->tid > INT_MAX)
		return false;
	if (!(f->match & CSN_MATCH_COMM))
		return !comm_set;
	return len < CSN_COMM_LEN &&
	       !memchr_inv(f->comm + len, 0, CSN_COMM_LEN - len);
}

static bool csn_config_filter_ok(const struct csn_filter *f)
{
	u32 match = f->match;

	if ((match & ~CSN_MATCH_ALL) || !csn_config_task_ok(f))
		return false;
	if (match & CSN_MATCH_NODE ? f->node >= nr_node_ids : f->node)
		return false;
	if (match & CSN_MATCH_ORDER ?
	    f->order_min < -1 || f->order_min > f->order_max ||
	    f->order_max >= (int)csn_zone_nr_orders() :
	    f->order_min || f->order_max)
		return false;
	if (!(match & CSN_MATCH_LATENCY) && f->min_latency)
		return false;
	return csn_config_bits_ok(match, CSN_MATCH_ZONE, f->zones, MAX_NR_ZONES) &&
	       csn_config_bits_ok(match, CSN_MATCH_STATUS, f->statuses, CSN_NR_STATUSES) &&
	       csn_config_bits_ok(match, CSN_MATCH_ORIGIN, f->origins, CSN_NR_ORIGINS) &&
	       csn_config_bits_ok(match, CSN_MATCH_MIGRATETYPE, f->migratetypes,
				  CSN_NR_MIGRATETYPES) &&
	       csn_config_bits_ok(match, CSN_MATCH_SYNC, f->syncs, 2);
}

/**
 * csn_config_check() - whether a configuration can be used
 * @config: with ring_bytes and watermark filled in.
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int csn_config_check(const struct csn_config *config)
{
	u32 slots = config->ring_bytes / CSN_RECORD_SIZE;

	if (!(config->classes | config->counters) ||
	    (config->classes & ~CSN_CLASSES_ALL) ||
	    (config->counters & ~CSN_CLASSES_COUNTED) ||
	    (config->flags & ~csn_probes_flags()))
		return -EINVAL;
	if (!is_power_of_2(config->ring_bytes) || config->ring_bytes < PAGE_SIZE ||
	    config->ring_bytes > CSN_RING_BYTES_MAX)
		return -EINVAL;
	if (!config->watermark || config->watermark > slots / 2)
		return -EINVAL;
	return csn_config_filter_ok(&config->filter) ? 0 : -EINVAL;
}

/* From the caller's pid namespace to the initial one; -ESRCH if it is no such id. */
static int csn_config_resolve_pid(u32 *nr, enum pid_type type)
{
	struct pid *pid;
	int err = -ESRCH;

	rcu_read_lock();
	pid = find_vpid(*nr);
	if (pid && pid_task(pid, type)) {
		*nr = pid_nr(pid);
		err = 0;
	}
	rcu_read_unlock();
	return err;
}

/**
 * csn_config_resolve_pids() - make a filter's pids those that probes see
 * @filter: checked; changed in place.
 *
 * Context: of the process that sets the filter.
 * Return: 0, or -ESRCH if there is no such process or thread.
 */
int csn_config_resolve_pids(struct csn_filter *filter)
{
	int err = 0;

	if (filter->match & CSN_MATCH_PID)
		err = csn_config_resolve_pid(&filter->pid, PIDTYPE_TGID);
	if (!err && (filter->match & CSN_MATCH_TID))
		err = csn_config_resolve_pid(&filter->tid, PIDTYPE_PID);
	return err;
}
