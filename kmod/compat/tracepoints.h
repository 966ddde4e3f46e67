/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of our probes has the prototype of a tracepoint in this kernel.
 *
 * The kernel's trace header has, for each event, a check function whose one
 * parameter is of the type that a probe must have. Comparing with that, and
 * not with version numbers, is right for kernels with backports too, and a
 * prototype that none of our probes has stops the build.
 */
#ifndef CSN_COMPAT_TRACEPOINTS_H
#define CSN_COMPAT_TRACEPOINTS_H

#include <linux/build_bug.h>

/* The trace header names these without declaring them. */
struct compact_control;

#include <trace/events/compaction.h>

#define CSN_PROTO_IS(event, probe) \
	__builtin_types_compatible_p(typeof(&check_trace_callback_type_##event), \
				     void (*)(typeof(&(probe))))

#define CSN_ASSERT_PROTO(event, probe) \
	static_assert(CSN_PROTO_IS(event, probe), \
		      "the prototype of " #event " is not known")

#define CSN_ASSERT_PROTO2(event, probe1, probe2) \
	static_assert(CSN_PROTO_IS(event, probe1) || CSN_PROTO_IS(event, probe2), \
		      "the prototype of " #event " is not known")

/* A constant, for initialisers; meaningful only beside CSN_ASSERT_PROTO2. */
#define CSN_PICK_PROBE(event, probe1, probe2) \
	__builtin_choose_expr(CSN_PROTO_IS(event, probe1), \
			      (void *)(probe1), (void *)(probe2))

#endif /* CSN_COMPAT_TRACEPOINTS_H */
