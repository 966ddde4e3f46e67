/* SPDX-License-Identifier: GPL-2.0-only */
/* Preemption in the probe of a tracepoint. */
#ifndef CSN_COMPAT_PREEMPT_H
#define CSN_COMPAT_PREEMPT_H

#include <linux/preempt.h>
#include <linux/version.h>

/*
 * Up to 6.12, as checked, a tracepoint calls its probes with preemption off;
 * since a46023d5616e (7.0) it does not. An event every few microseconds does
 * not do it twice.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define csn_probe_preempt_disable()	preempt_disable_notrace()
#define csn_probe_preempt_enable()	preempt_enable_notrace()
#else
#define csn_probe_preempt_disable()	do { } while (0)
#define csn_probe_preempt_enable()	do { } while (0)
#endif

#endif /* CSN_COMPAT_PREEMPT_H */
