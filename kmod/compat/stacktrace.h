/* SPDX-License-Identifier: GPL-2.0-only */
/* Saving the stack of the current task. */
#ifndef CSN_COMPAT_STACKTRACE_H
#define CSN_COMPAT_STACKTRACE_H

#include <linux/stacktrace.h>

#ifdef CONFIG_STACKTRACE

/**
 * csn_stack_trace_save() - the kernel stack, this function's own frame maybe too
 * @frames: filled with return addresses, innermost first.
 * @max: room in @frames.
 *
 * Context: any; takes no lock.
 * Return: number of frames, at most @max.
 */
static inline unsigned int csn_stack_trace_save(unsigned long *frames,
						unsigned int max)
{
#ifdef CSN_HAVE_STACK_TRACE_SAVE
	return stack_trace_save(frames, max, 0);
#else
	struct stack_trace trace = {
		.entries = frames,
		.max_entries = max,
	};

	save_stack_trace(&trace);
	/* Some architectures mark the end, if there is room. */
	if (trace.nr_entries && frames[trace.nr_entries - 1] == ULONG_MAX)
		trace.nr_entries--;
	return trace.nr_entries;
#endif
}

#endif /* CONFIG_STACKTRACE */

#endif /* CSN_COMPAT_STACKTRACE_H */
