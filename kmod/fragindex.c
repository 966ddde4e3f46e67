// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kretprobe on fragmentation_index(), the one function here that has no
 * tracepoint. It is an optional hook: the kernel may have no kprobes, may have
 * inlined the function, and a probe may miss a return. Then the index is
 * computed from the free lists (zone.c), which is the same number.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>

#include "compat/regs.h"
#include "fragindex.h"
#include "inflight.h"
#include "probes.h"

/* Written under the sessions' lock, read by probes: */
static bool csn_probed;		/* the kretprobe is there */
static bool csn_want_computed;	/* a session asked for the computed index */
static atomic64_t csn_nr_computed = ATOMIC64_INIT(0);

#ifdef CSN_CAN_PROBE_CALLS

/* What the entry handler leaves for the return handler. */
struct csn_fragindex_call {
	struct zone *zone;
	int order;
};

/* By kretprobes since unregistered; under the sessions' lock. */
static u64 csn_missed_before;

static int csn_fragindex_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct csn_fragindex_call *call = (void *)ri->data;

	call->zone = (struct zone *)csn_regs_argument(regs, 0);
	call->order = (int)csn_regs_argument(regs, 1);
	return 0;
}

NOKPROBE_SYMBOL(csn_fragindex_entry);

static int csn_fragindex_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct csn_fragindex_call *call = (void *)ri->data;

	/* In an interrupt, the index is not of the task's own check. */
	if (in_task()) {
		preempt_disable_notrace();
		csn_note_fragindex(call->zone, call->order, csn_regs_int_return(regs));
		preempt_enable_notrace();
	}
	return 0;
}

NOKPROBE_SYMBOL(csn_fragindex_return);

static struct kretprobe csn_kretprobe;

/**
 * csn_fragindex_attach() - probe fragmentation_index()
 *
 * Context: may sleep; the sessions' lock held.
 * Return: 0, or what register_kretprobe() said.
 */
int csn_fragindex_attach(void)
{
	int err;

	if (csn_probed)
		return 0;
	csn_kretprobe = (struct kretprobe) {
		.kp.symbol_name = CSN_FRAGINDEX_FUNCTION,
		.handler = csn_fragindex_return,
		.entry_handler = csn_fragindex_entry,
		.data_size = sizeof(struct csn_fragindex_call),
		/* Tasks can be preempted in it, and interrupts nest on top. */
		.maxactive = 4 * num_possible_cpus() + 16,
	};
	err = register_kretprobe(&csn_kretprobe);
	WRITE_ONCE(csn_probed, !err);
	return err;
}

/**
 * csn_fragindex_detach() - undo csn_fragindex_attach(), if it was done
 *
 * No handler runs after the return.
 *
 * Context: may sleep; the sessions' lock held.
 */
void csn_fragindex_detach(void)
{
	if (!csn_probed)
		return;
	unregister_kretprobe(&csn_kretprobe);
	csn_missed_before += csn_kretprobe.nmissed;
	WRITE_ONCE(csn_probed, false);
}

/**
 * csn_fragindex_missed() - returns that the kretprobe had no room for
 *
 * Context: the sessions' lock held.
 * Return: count since the module was loaded.
 */
u64 csn_fragindex_missed(void)
{
	return csn_missed_before + (csn_probed ? csn_kretprobe.nmissed : 0);
}

#else

int csn_fragindex_attach(void)
{
	return -EOPNOTSUPP;
}

void csn_fragindex_detach(void)
{
}

u64 csn_fragindex_missed(void)
{
	return 0;
}

#endif /* CSN_CAN_PROBE_CALLS */

/**
 * csn_fragindex_init() - find out whether the function can be probed
 *
 * By doing it: nothing else tells. The probe is gone on return.
 *
 * Context: may sleep; module init.
 * Return: 0, or why it cannot: the index will be computed.
 */
int csn_fragindex_init(void)
{
	int err = -ENOENT;

	if (!csn_probes_without(CSN_FRAGINDEX_FUNCTION))
		err = csn_fragindex_attach();
	csn_fragindex_detach();
	return err;
}

/**
 * csn_fragindex_want_computed() - whether some session wants the computed index
 * @want: even where the kernel's own is known.
 *
 * Context: the sessions' lock held.
 */
void csn_fragindex_want_computed(bool want)
{
	WRITE_ONCE(csn_want_computed, want);
}

/**
 * csn_fragindex_must_compute() - whether a suitability check needs our own index
 * @probed: the kernel's own is known.
 *
 * Counts one that stands in for a missed return.
 *
 * Context: any.
 * Return: true if it is to be computed.
 */
bool csn_fragindex_must_compute(bool probed)
{
	if (probed)
		return READ_ONCE(csn_want_computed);
	if (READ_ONCE(csn_probed))
		atomic64_inc(&csn_nr_computed);
	return true;
}

/**
 * csn_fragindex_computed() - indices computed because the kretprobe missed them
 *
 * Context: any.
 * Return: count since the module was loaded.
 */
u64 csn_fragindex_computed(void)
{
	return atomic64_read(&csn_nr_computed);
}
