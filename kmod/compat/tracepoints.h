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

/* The trace headers name these without declaring them. */
struct compact_control;
struct kmem_cache;

#include <trace/events/compaction.h>
#include <trace/events/kmem.h>

#include "../compaction.h"
#include "../kmem.h"

#define CSN_PROTO_IS(event, probe) \
	__builtin_types_compatible_p(typeof(check_trace_callback_type_##event), \
				     void (typeof(probe) *))

static_assert(CSN_PROTO_IS(mm_compaction_suitable, csn_probe_suitable));
static_assert(CSN_PROTO_IS(mm_compaction_finished, csn_probe_finished));
static_assert(CSN_PROTO_IS(mm_compaction_begin, csn_probe_begin) ||
	      CSN_PROTO_IS(mm_compaction_begin, csn_probe_begin_pfn));
static_assert(CSN_PROTO_IS(mm_compaction_end, csn_probe_end) ||
	      CSN_PROTO_IS(mm_compaction_end, csn_probe_end_pfn));
static_assert(CSN_PROTO_IS(mm_page_alloc, csn_probe_page_alloc));
static_assert(CSN_PROTO_IS(mm_page_free, csn_probe_page_free));
static_assert(CSN_PROTO_IS(mm_page_alloc_extfrag, csn_probe_page_extfrag));

/* Constants, for initialisers. */
#define CSN_PROBE_BEGIN \
	(CSN_PROTO_IS(mm_compaction_begin, csn_probe_begin) ? \
	 (void *)csn_probe_begin : (void *)csn_probe_begin_pfn)
#define CSN_PROBE_END \
	(CSN_PROTO_IS(mm_compaction_end, csn_probe_end) ? \
	 (void *)csn_probe_end : (void *)csn_probe_end_pfn)

#endif /* CSN_COMPAT_TRACEPOINTS_H */
