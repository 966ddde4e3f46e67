/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * compactsnoop: records and ioctls of /dev/compactsnoop.
 *
 * What a reader gets from read() or from the mapped rings is a stream of
 * 64-byte records. A record never holds a kernel address. Every integer is
 * in the byte order of the machine that recorded; nothing here is a long or
 * a pointer, so a 32-bit reader sees what a 64-bit one does.
 */
#ifndef _UAPI_LINUX_COMPACTSNOOP_H
#define _UAPI_LINUX_COMPACTSNOOP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CSN_DEVICE_NAME		"compactsnoop"

/*
 * Raised when a reader that knows only older versions would misread a
 * stream. New record types, features and fields at the end of an ioctl
 * struct do not raise it: readers skip types that they do not know.
 */
#define CSN_ABI_VERSION		1

#define CSN_RECORD_SIZE		64	/* bytes; one slot of a ring */
#define CSN_COMM_LEN		16	/* bytes, NUL included */
#define CSN_MAX_ZONES		7	/* zone names in an info group */
#define CSN_ZONE_NAME_LEN	8	/* bytes, NUL included */
#define CSN_STACK_PER_RECORD	7	/* handles in one stack record */
#define CSN_STACK_MAX		126	/* handles in one group */
#define CSN_SYMBOL_LEN		496	/* bytes, NUL included */
#define CSN_RELEASE_LEN		56	/* bytes, NUL included */

/*
 * Event classes: bits of csn_config.classes and csn_info.classes, and, but
 * for the first, of csn_config.counters.
 *
 * Pages that the kernel announces as freed in a batch it has announced one by
 * one as well; they are one event each. Pages can be freed that no event had
 * allocated (the bulk allocator's, split ones), so that allocations minus
 * frees is no balance.
 */
#define CSN_CLASS_COMPACTION	(1U << 0)	/* one event per compaction of a zone */
#define CSN_CLASS_PAGE_ALLOC	(1U << 1)	/* one per allocation, also one that failed */
#define CSN_CLASS_PAGE_FREE	(1U << 2)	/* one per block given back */
#define CSN_CLASS_EXTFRAG	(1U << 3)	/* one per fallback to another migratetype */

/* What a session wants with its events: bits of csn_config.flags. */
#define CSN_FLAG_ZONE_STATE	(1U << 0)	/* a zone state record per compaction */
#define CSN_FLAG_STACK		(1U << 1)	/* stack records per compaction */
/*
 * Compute the fragmentation index from the free lists even where the
 * kretprobe could be had. Means something with CSN_FLAG_ZONE_STATE only.
 */
#define CSN_FLAG_FRAGINDEX_COMPUTE (1U << 2)
/*
 * Page events of the reader's own process, too. They are left out otherwise,
 * since reading and storing page events makes more of them. The reader is
 * the process (thread group) that last had to do with the open file: opened,
 * configured, started, read, polled or mapped it, or asked for counters. A
 * filter that names the reader does not include it.
 */
#define CSN_FLAG_OWN_PROCESS	(1U << 3)

/* What this kernel has: bits of csn_info.features. */
#define CSN_FEATURE_COMPACTION	(1U << 0)	/* begin, finished and end events */
#define CSN_FEATURE_SUITABLE	(1U << 1)	/* zone state from when the kernel decided */
#define CSN_FEATURE_FRAGINDEX	(1U << 2)	/* kretprobe on fragmentation_index */
#define CSN_FEATURE_STACK	(1U << 3)	/* kernel stacks */
#define CSN_FEATURE_SYMBOLS	(1U << 4)	/* CSN_IOC_RESOLVE knows names */
#define CSN_FEATURE_PAGE_ALLOC	(1U << 5)	/* allocation events */
#define CSN_FEATURE_PAGE_FREE	(1U << 6)	/* free events */
#define CSN_FEATURE_EXTFRAG	(1U << 7)	/* fallback events */
#define CSN_FEATURE_PAGEBLOCK	(1U << 8)	/* the migratetype of a pageblock */

/**
 * enum csn_record_type - csn_record_head.type
 * @CSN_RECORD_INFO: struct csn_record_info, first in every stream.
 * @CSN_RECORD_LOST: struct csn_record_lost.
 * @CSN_RECORD_COMPACTION: struct csn_record_compaction.
 * @CSN_RECORD_PAGE_ALLOC: struct csn_record_page.
 * @CSN_RECORD_PAGE_FREE: struct csn_record_page.
 * @CSN_RECORD_PAGE_EXTFRAG: struct csn_record_page.
 * @CSN_RECORD_ZONE_NAMES: struct csn_record_zone_names, part of an info group.
 * @CSN_RECORD_ZONE_STATE: struct csn_record_zone_state, part of a compaction.
 * @CSN_RECORD_STACK: struct csn_record_stack, part of a compaction.
 * @CSN_RECORD_KERNEL: struct csn_record_kernel, part of an info group.
 *
 * A group begins with a base record, whose type is below 64, and goes on with
 * records whose types are not. 0 is never written: a slot of zeroes is no
 * record.
 */
enum csn_record_type {
	CSN_RECORD_INFO		= 1,
	CSN_RECORD_LOST		= 2,
	CSN_RECORD_COMPACTION	= 3,
	CSN_RECORD_PAGE_ALLOC	= 4,
	CSN_RECORD_PAGE_FREE	= 5,
	CSN_RECORD_PAGE_EXTFRAG	= 6,
	CSN_RECORD_ZONE_NAMES	= 64,
	CSN_RECORD_ZONE_STATE	= 65,
	CSN_RECORD_STACK	= 66,
	CSN_RECORD_KERNEL	= 67,
};

/**
 * enum csn_origin - who had a zone compacted
 * @CSN_ORIGIN_DIRECT: the task itself, on its way to an allocation.
 * @CSN_ORIGIN_KCOMPACTD: kcompactd, woken for an order.
 * @CSN_ORIGIN_PROACTIVE: kcompactd, of its own accord; order -1.
 * @CSN_ORIGIN_MANUAL: a write to compact_memory or a node's compact; order -1.
 */
enum csn_origin {
	CSN_ORIGIN_DIRECT	= 0,
	CSN_ORIGIN_KCOMPACTD	= 1,
	CSN_ORIGIN_PROACTIVE	= 2,
	CSN_ORIGIN_MANUAL	= 3,
};

#define CSN_NR_ORIGINS		4

/**
 * enum csn_status - how a compaction ended
 * @CSN_STATUS_NOT_SUITABLE_ZONE: not seen at the end of a compaction.
 * @CSN_STATUS_SKIPPED: it did not start.
 * @CSN_STATUS_DEFERRED: put off after failures; not seen at an end.
 * @CSN_STATUS_NO_SUITABLE_PAGE: not seen at an end.
 * @CSN_STATUS_CONTINUE: not seen at an end.
 * @CSN_STATUS_COMPLETE: scanned the whole zone, made no page of the order.
 * @CSN_STATUS_PARTIAL_SKIPPED: the same for a part of the zone.
 * @CSN_STATUS_CONTENDED: gave up for a lock or a signal.
 * @CSN_STATUS_SUCCESS: there is a page of the order now.
 *
 * The kernel's enum compact_result by name; the numbers are this ABI's own
 * and do not move when the kernel's do. A result that is none of these comes
 * as 255.
 */
enum csn_status {
	CSN_STATUS_NOT_SUITABLE_ZONE	= 0,
	CSN_STATUS_SKIPPED		= 1,
	CSN_STATUS_DEFERRED		= 2,
	CSN_STATUS_NO_SUITABLE_PAGE	= 3,
	CSN_STATUS_CONTINUE		= 4,
	CSN_STATUS_COMPLETE		= 5,
	CSN_STATUS_PARTIAL_SKIPPED	= 6,
	CSN_STATUS_CONTENDED		= 7,
	CSN_STATUS_SUCCESS		= 8,
};

#define CSN_NR_STATUSES		9

/**
 * enum csn_migratetype - what pages are for, by how they can be moved
 * @CSN_MIGRATETYPE_UNMOVABLE: "Unmovable" in /proc/pagetypeinfo.
 * @CSN_MIGRATETYPE_MOVABLE: "Movable".
 * @CSN_MIGRATETYPE_RECLAIMABLE: "Reclaimable".
 * @CSN_MIGRATETYPE_HIGHATOMIC: "HighAtomic".
 * @CSN_MIGRATETYPE_CMA: "CMA".
 * @CSN_MIGRATETYPE_ISOLATE: "Isolate".
 * @CSN_MIGRATETYPE_OTHER: not known: one that this ABI has no number for, or
 *	that of a pageblock in a kernel without CSN_FEATURE_PAGEBLOCK.
 *
 * The kernel's enum migratetype by name; the numbers are this ABI's own and
 * do not move when the kernel's do.
 */
enum csn_migratetype {
	CSN_MIGRATETYPE_UNMOVABLE	= 0,
	CSN_MIGRATETYPE_MOVABLE		= 1,
	CSN_MIGRATETYPE_RECLAIMABLE	= 2,
	CSN_MIGRATETYPE_HIGHATOMIC	= 3,
	CSN_MIGRATETYPE_CMA		= 4,
	CSN_MIGRATETYPE_ISOLATE		= 5,
	CSN_MIGRATETYPE_OTHER		= 6,
};

#define CSN_NR_MIGRATETYPES	7

/**
 * struct csn_record_head - how every record begins
 * @type: enum csn_record_type.
 * @part: place in its group, 0 to @parts - 1; 0 is the base record.
 * @parts: records in the group, 1 to 32. A group is never torn: its records
 *	follow each other in the stream.
 * @cpu: CPU that wrote the record; of an info group 0.
 */
struct csn_record_head {
	__u16 type;
	__u8 part;
	__u8 parts;
	__u32 cpu;
};

/**
 * struct csn_record_base - how every base record begins
 * @head: @head.part is 0.
 * @ts: when it happened, CLOCK_MONOTONIC ns.
 */
struct csn_record_base {
	struct csn_record_head head;
	__u64 ts;
};

#define CSN_INFO_MAGIC		0x43534e50U	/* "CSNP"; swapped bytes: other byte order */

/**
 * struct csn_record_info - what is needed to read a stream elsewhere
 * @head: type CSN_RECORD_INFO, 3 parts: this, the zone names and the kernel;
 *	2 parts from a module that did not tell the kernel.
 * @ts: CLOCK_MONOTONIC when the session started, ns.
 * @wall: CLOCK_REALTIME at the same moment, ns.
 * @magic: CSN_INFO_MAGIC.
 * @abi_version: CSN_ABI_VERSION of the module that wrote it.
 * @machine: ELF machine number (EM_X86_64 is 62); 0 if the module does not
 *	know one.
 * @page_size: bytes.
 * @features: CSN_FEATURE_*.
 * @classes: CSN_CLASS_* that the session asked for.
 * @flags: CSN_FLAG_* that the session asked for.
 * @nr_cpus: CPUs that this machine can ever have; CPU numbers are below.
 * @nr_nodes: node numbers are below.
 * @nr_zones: zone numbers are below; 1 to CSN_MAX_ZONES.
 * @nr_orders: orders are below; 11 on most machines.
 * @reserved: 0.
 */
struct csn_record_info {
	struct csn_record_head head;
	__u64 ts;
	__u64 wall;
	__u32 magic;
	__u16 abi_version;
	__u16 machine;
	__u32 page_size;
	__u32 features;
	__u32 classes;
	__u32 flags;
	__u32 nr_cpus;
	__u16 nr_nodes;
	__u8 nr_zones;
	__u8 nr_orders;
	__u64 reserved;
};

/**
 * struct csn_record_zone_names - names of the zones, by number
 * @head: type CSN_RECORD_ZONE_NAMES.
 * @name: as in /proc/zoneinfo ("DMA32", "Normal"), NUL-padded; empty from
 *	csn_record_info.nr_zones on.
 */
struct csn_record_zone_names {
	struct csn_record_head head;
	char name[CSN_MAX_ZONES][CSN_ZONE_NAME_LEN];
};

/**
 * struct csn_record_kernel - the kernel that wrote the stream
 * @head: type CSN_RECORD_KERNEL.
 * @release: as of uname -r ("6.1.0-44-amd64"), cut off if too long, NUL-padded.
 */
struct csn_record_kernel {
	struct csn_record_head head;
	char release[CSN_RELEASE_LEN];
};

/**
 * struct csn_record_lost - events that found no room
 * @head: type CSN_RECORD_LOST, 1 part; @head.cpu is the CPU that lost them.
 * @ts: CLOCK_MONOTONIC when this record was written, ns.
 * @count: events lost on that CPU since its last lost record; at least 1.
 * @first_ts: when the first of them happened, CLOCK_MONOTONIC ns.
 * @last_ts: when the last of them happened, CLOCK_MONOTONIC ns.
 * @reserved: 0.
 */
struct csn_record_lost {
	struct csn_record_head head;
	__u64 ts;
	__u64 count;
	__u64 first_ts;
	__u64 last_ts;
	__u64 reserved[3];
};

/**
 * struct csn_record_compaction - one compaction of one zone by one task
 * @head: type CSN_RECORD_COMPACTION.
 * @ts: CLOCK_MONOTONIC when it ended, ns.
 * @pid: process (thread group), as in the initial pid namespace.
 * @tid: thread, as in the initial pid namespace.
 * @comm: name of the thread, NUL-padded; any byte but NUL can occur.
 * @delta: how long it took, ns.
 * @node: NUMA node, from 0.
 * @zone: number of the zone in its node; the info group names it.
 * @order: of the allocation that it is for; -1: the whole zone, for nobody.
 * @sync: 1 if it may wait for pages under writeback or lock, else 0.
 * @status: enum csn_status.
 * @origin: enum csn_origin.
 * @reserved: 0.
 */
struct csn_record_compaction {
	struct csn_record_head head;
	__u64 ts;
	__u32 pid;
	__u32 tid;
	char comm[CSN_COMM_LEN];
	__u64 delta;
	__s32 node;
	__u8 zone;
	__s8 order;
	__u8 sync;
	__u8 status;
	__u8 origin;
	__u8 reserved[7];
};

#define CSN_PFN_NONE		(~0ULL)	/* csn_record_page.pfn: the allocation failed */
#define CSN_NODE_NONE		(-1)	/* csn_record_page.node: the same */
#define CSN_ZONE_NONE		255	/* csn_record_page.zone: the same */

/*
 * csn_record_page.claimed of a fallback: whether the block was taken out of
 * a pageblock that keeps its migratetype, or the pageblock was taken over.
 */
#define CSN_CLAIMED_NO		0
#define CSN_CLAIMED_YES		1
#define CSN_CLAIMED_UNKNOWN	255	/* a kernel without CSN_FEATURE_PAGEBLOCK */

/**
 * struct csn_record_page - a block of 2^order pages allocated, freed or stolen
 * @head: type CSN_RECORD_PAGE_ALLOC, CSN_RECORD_PAGE_FREE or
 *	CSN_RECORD_PAGE_EXTFRAG (an allocation that found no free block of its
 *	migratetype and took one of another's); 1 part.
 * @ts: when it happened, CLOCK_MONOTONIC ns.
 * @pid: process (thread group) that ran, as in the initial pid namespace; 0
 *	for an interrupt of an idle CPU.
 * @tid: thread, as in the initial pid namespace; 0 as for @pid.
 * @comm: name of the thread, NUL-padded; any byte but NUL can occur.
 * @pfn: number of the first page frame; CSN_PFN_NONE for an allocation that
 *	failed.
 * @gfp: of an allocation: its GFP flags, bits as the kernel numbers them, as
 *	they were when it ended; else 0.
 * @node: NUMA node of the pages, from 0; CSN_NODE_NONE for an allocation that
 *	failed.
 * @zone: number of the zone in its node, the info group names it;
 *	CSN_ZONE_NONE for an allocation that failed.
 * @order: 0 to nr_orders - 1; of a free also more, for a gigantic page.
 * @migratetype: enum csn_migratetype: of an allocation or a fallback the one
 *	asked for, of a free the one of the pageblock that the pages go back to.
 * @fallback_order: of a fallback: the order of the free block that was
 *	taken, @order to nr_orders - 1; else 0.
 * @fallback_migratetype: of a fallback: enum csn_migratetype that the block
 *	was free for; else 0.
 * @claimed: of a fallback: CSN_CLAIMED_*; else 0.
 * @reserved: 0.
 */
struct csn_record_page {
	struct csn_record_head head;
	__u64 ts;
	__u32 pid;
	__u32 tid;
	char comm[CSN_COMM_LEN];
	__u64 pfn;
	__u32 gfp;
	__s32 node;
	__u8 zone;
	__u8 order;
	__u8 migratetype;
	__u8 fallback_order;
	__u8 fallback_migratetype;
	__u8 claimed;
	__u8 reserved[2];
};

/*
 * Where the numbers of a zone state record come from: its flags. Watermarks
 * and free pages were read when the kernel found the zone suitable, or, without
 * CSN_ZONE_STATE_SUITABLE, when the compaction began. The fragmentation index
 * is what the kernel's function returned, or computed from the free lists, or,
 * with neither bit, CSN_FRAGINDEX_NONE.
 */
#define CSN_ZONE_STATE_SUITABLE	(1U << 0)
#define CSN_ZONE_STATE_PROBED	(1U << 1)
#define CSN_ZONE_STATE_COMPUTED	(1U << 2)

#define CSN_FRAGINDEX_NONE	(-1000)		/* not computed by the kernel, or not needed */

/**
 * struct csn_record_zone_state - the zone before it was compacted
 * @head: type CSN_RECORD_ZONE_STATE.
 * @fragindex: fragmentation index of the zone for the order, thousandths:
 *	near 0 an allocation would fail for lack of memory, near 1000 for
 *	fragmentation; CSN_FRAGINDEX_NONE: no index for this check.
 * @flags: CSN_ZONE_STATE_*.
 * @min: min watermark, boost included, pages.
 * @low: low watermark, boost included, pages.
 * @high: high watermark, boost included, pages.
 * @free: free pages.
 * @reserved: 0.
 */
struct csn_record_zone_state {
	struct csn_record_head head;
	__s32 fragindex;
	__u32 flags;
	__u64 min;
	__u64 low;
	__u64 high;
	__u64 free;
	__u64 reserved[2];
};

/**
 * struct csn_record_stack - up to seven frames of the kernel stack at the end
 * @head: type CSN_RECORD_STACK; a deeper stack goes on in the next part.
 * @handle: innermost frame first, 0 after the last. A handle means something
 *	to CSN_IOC_RESOLVE of the same open file only; it is no address.
 */
struct csn_record_stack {
	struct csn_record_head head;
	__u64 handle[CSN_STACK_PER_RECORD];
};

/*
 * ioctls. Each struct begins with its size, set by the caller: sizeof as it
 * was compiled. A longer struct than the module knows is accepted if the
 * rest is zero (E2BIG otherwise), a shorter one is taken as zero-filled, and
 * on the way back what the module does not know reads as zero. EINVAL: less
 * than the first version had, an unknown bit, a reserved field not zero.
 */

/* csn_info.boot: what became of the capture from boot. */
#define CSN_BOOT_NONE		0	/* the module was loaded without boot_events */
#define CSN_BOOT_WAITING	1	/* CSN_IOC_TAKE_BOOT gives it */
#define CSN_BOOT_TAKEN		2	/* somebody has or had it */

/**
 * struct csn_info - CSN_IOC_GET_INFO: what the module and this kernel can do
 * @size: sizeof(struct csn_info).
 * @abi_version: CSN_ABI_VERSION of the module.
 * @features: CSN_FEATURE_*.
 * @classes: CSN_CLASS_* that can be asked for.
 * @flags: CSN_FLAG_* that can be asked for.
 * @page_size: bytes.
 * @ring_bytes_min: smallest ring, bytes.
 * @ring_bytes_max: largest ring, bytes.
 * @ring_bytes_default: ring of a session that sets none, bytes.
 * @nr_cpus: CPU numbers are below.
 * @machine: ELF machine number, 0 if not known.
 * @nr_nodes: node numbers are below.
 * @nr_zones: zone numbers are below; 1 to CSN_MAX_ZONES.
 * @nr_orders: orders are below.
 * @boot: CSN_BOOT_*.
 * @reserved: 0.
 * @zone_name: as in csn_record_zone_names.
 */
struct csn_info {
	__u32 size;
	__u32 abi_version;
	__u32 features;
	__u32 classes;
	__u32 flags;
	__u32 page_size;
	__u32 ring_bytes_min;
	__u32 ring_bytes_max;
	__u32 ring_bytes_default;
	__u32 nr_cpus;
	__u16 machine;
	__u16 nr_nodes;
	__u8 nr_zones;
	__u8 nr_orders;
	__u8 boot;
	__u8 reserved;
	char zone_name[CSN_MAX_ZONES][CSN_ZONE_NAME_LEN];
};

/*
 * What a filter looks at: bits of csn_filter.match. All of them must hold
 * that say something of the event's class: process, thread, name, node, zone
 * and order of every one; migratetype of page events; the rest of compactions.
 */
#define CSN_MATCH_PID		(1U << 0)
#define CSN_MATCH_TID		(1U << 1)
#define CSN_MATCH_COMM		(1U << 2)
#define CSN_MATCH_NODE		(1U << 3)
#define CSN_MATCH_ZONE		(1U << 4)
#define CSN_MATCH_ORDER		(1U << 5)
#define CSN_MATCH_SYNC		(1U << 6)
#define CSN_MATCH_STATUS	(1U << 7)
#define CSN_MATCH_ORIGIN	(1U << 8)
#define CSN_MATCH_LATENCY	(1U << 9)
#define CSN_MATCH_MIGRATETYPE	(1U << 10)

/**
 * struct csn_filter - which events a session gets
 * @match: CSN_MATCH_*; a field whose bit is not set must be 0. 0: every event.
 * @pid: process, as the caller's pid namespace numbers it, from 1. ESRCH if
 *	there is none, also for the id of a thread that is not the first.
 * @tid: thread, as the caller's pid namespace numbers it, from 1; ESRCH if
 *	there is none.
 * @comm: whole name of the thread, NUL-padded.
 * @node: NUMA node, 0 to nr_nodes - 1. An allocation that failed has none.
 * @zones: bit z: zone number z; not 0. An allocation that failed has none.
 * @statuses: bit s: enum csn_status s; not 0.
 * @origins: bit o: enum csn_origin o; not 0.
 * @syncs: bit 0: asynchronous, bit 1: synchronous; not 0.
 * @order_min: -1 to @order_max.
 * @order_max: -1 to nr_orders - 1.
 * @migratetypes: bit m: enum csn_migratetype m; not 0.
 * @min_latency: ns; shorter compactions are left out.
 */
struct csn_filter {
	__u32 match;
	__u32 pid;
	__u32 tid;
	char comm[CSN_COMM_LEN];
	__u32 node;
	__u32 zones;
	__u32 statuses;
	__u32 origins;
	__u8 syncs;
	__s8 order_min;
	__s8 order_max;
	__u8 migratetypes;
	__u64 min_latency;
};

/**
 * struct csn_config - CSN_IOC_GET_CONFIG, CSN_IOC_SET_CONFIG: what a session traces
 * @size: sizeof(struct csn_config).
 * @classes: CSN_CLASS_*: events that come as records.
 * @flags: CSN_FLAG_*.
 * @ring_bytes: ring of each CPU: a power of two between the bounds that
 *	csn_info gives; 0 means the default. EBUSY if changed once the rings
 *	are there (from the first start, read or mmap on).
 * @watermark: wake the reader when a ring holds so many records: 1 to half
 *	the slots of a ring; 0 means 1.
 * @counters: CSN_CLASS_* but CSN_CLASS_COMPACTION: events that are counted
 *	for CSN_IOC_GET_COUNTERS, whether they come as records or not. There
 *	must be a bit in @classes or here. Without one in @classes there are no
 *	rings, and nothing to be read but the info group.
 * @filter: which events, both of records and counters.
 *
 * May be set while the session runs: from the return on, events are judged
 * by the new one. On an error nothing has changed. CSN_IOC_GET_CONFIG gives
 * ring_bytes and watermark as they are in force, not 0.
 *
 * A session that sets none traces compactions with CSN_FLAG_ZONE_STATE, so
 * that a plain copy of the device can be printed with every column; the
 * module parameters events, ring_kb and zone_state change these defaults.
 */
struct csn_config {
	__u32 size;
	__u32 classes;
	__u32 flags;
	__u32 ring_bytes;
	__u32 watermark;
	__u32 counters;
	struct csn_filter filter;
};

#define CSN_CPU_ALL		(~0U)

/**
 * struct csn_stats - CSN_IOC_GET_STATS: the account of a session
 * @size: sizeof(struct csn_stats).
 * @cpu: in: a CPU number (ENXIO if there can be none), or CSN_CPU_ALL for
 *	the sum.
 * @produced: events that happened and passed the filter. Always exactly
 *	@delivered + @lost_full + @lost_nested + @lost_table + @lost_ring.
 * @delivered: events put into the ring; the reader has them or will have.
 * @lost_full: events that found the ring full; of a capture from boot that
 *	keeps the newest, events that were overwritten.
 * @lost_nested: events that interrupted the writing of another (NMI).
 * @lost_table: compactions that found the in-flight table full.
 * @lost_ring: events on a CPU for which there was no memory for a ring.
 * @pending: records in the ring now, not yet read.
 * @fragindex_missed: returns of fragmentation_index that the kretprobe
 *	missed, since the module was loaded, all CPUs and sessions.
 * @fragindex_computed: as above: indices computed in place of a missed one.
 */
struct csn_stats {
	__u32 size;
	__u32 cpu;
	__u64 produced;
	__u64 delivered;
	__u64 lost_full;
	__u64 lost_nested;
	__u64 lost_table;
	__u64 lost_ring;
	__u64 pending;
	__u64 fragindex_missed;
	__u64 fragindex_computed;
};

/* The tables of CSN_IOC_GET_COUNTERS. */
enum csn_counter {
	CSN_COUNTER_ALLOC	= 0,	/* allocations that succeeded */
	CSN_COUNTER_FREE	= 1,
	CSN_COUNTER_EXTFRAG	= 2,	/* by the order and migratetype asked for */
	CSN_COUNTER_FAILED	= 3,	/* allocations that failed: of no node and zone, use 0 */
};

/**
 * struct csn_counters - CSN_IOC_GET_COUNTERS: what a session counted
 * @size: sizeof(struct csn_counters).
 * @counters: out: CSN_CLASS_* that are being counted.
 * @ts: out: when they were read, CLOCK_MONOTONIC ns.
 * @cells: address of an array of __u64, in which csn_counter_cell() says what
 *	is where; 0: give the rest alone.
 * @nr_cells: in: length of the array (ENOSPC if there are more cells; ignored
 *	if @cells is 0); out: how many cells there are.
 * @nr_nodes: out: node numbers are below.
 * @nr_zones: out: zone numbers are below.
 * @nr_orders: out: orders are below.
 * @nr_migratetypes: out: numbers of migratetypes are below;
 *	CSN_NR_MIGRATETYPES of the module.
 * @reserved: 0.
 * @beyond: out: frees of an order that is no lower than @nr_orders (gigantic
 *	pages); in no cell.
 *
 * The sum of all CPUs, offline ones too. A cell starts at 0 when the session
 * is opened and only grows; it is not reset by another configuration. While
 * the session runs, cells may be from slightly different moments.
 */
struct csn_counters {
	__u32 size;
	__u32 counters;
	__u64 ts;
	__u64 cells;
	__u32 nr_cells;
	__u16 nr_nodes;
	__u8 nr_zones;
	__u8 nr_orders;
	__u8 nr_migratetypes;
	__u8 reserved[7];
	__u64 beyond;
};

/**
 * csn_counter_cell() - where a number is in csn_counters.cells
 * @c: as the ioctl filled it in.
 * @counter: enum csn_counter.
 * @node: 0 to @c->nr_nodes - 1.
 * @zone: 0 to @c->nr_zones - 1.
 * @order: 0 to @c->nr_orders - 1.
 * @migratetype: 0 to @c->nr_migratetypes - 1.
 *
 * Return: the index.
 */
static __inline__ __u32 csn_counter_cell(const struct csn_counters *c, __u32 counter,
					 __u32 node, __u32 zone, __u32 order,
					 __u32 migratetype)
{
	__u32 zones = counter * c->nr_nodes * c->nr_zones + node * c->nr_zones + zone;

	return (zones * c->nr_orders + order) * c->nr_migratetypes + migratetype;
}

/**
 * struct csn_symbol - CSN_IOC_RESOLVE: the name behind a stack handle
 * @size: sizeof(struct csn_symbol).
 * @reserved: 0.
 * @handle: in: from a stack record of this open file.
 * @name: out: "compact_zone+0xa1f"; ENOENT if the kernel knows no name.
 */
struct csn_symbol {
	__u32 size;
	__u32 reserved;
	__u64 handle;
	char name[CSN_SYMBOL_LEN];
};

/*
 * open() needs CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace
 * (EPERM), and gives EBUSY when max_sessions, a module parameter, are open.
 *
 * Commands are told apart by their number; the size encoded in them is
 * ignored in favour of the struct's own, so that structs may grow.
 *
 * CSN_IOC_START: events flow from its return on. Implied by the first read()
 *	of a session that was never started or stopped. ENODEV if the kernel
 *	lacks what the classes need.
 * CSN_IOC_STOP: no event is written after its return; what is in the rings
 *	can still be read, then read() returns 0 and poll() says POLLHUP.
 * CSN_IOC_TAKE_BOOT: returns a new file descriptor, close-on-exec and
 *	otherwise opened as the one asked, of the session that was started when
 *	the module was loaded with boot_events. It goes on running, is the
 *	caller's from then on, and no later caller gets it; the file asked is
 *	needed no longer. ENOENT: there was none; EBUSY: it was taken before;
 *	EPERM: as for open().
 */
#define CSN_IOC_MAGIC		0xCE
#define CSN_IOC_GET_INFO	_IOWR(CSN_IOC_MAGIC, 0, struct csn_info)
#define CSN_IOC_GET_CONFIG	_IOWR(CSN_IOC_MAGIC, 1, struct csn_config)
#define CSN_IOC_SET_CONFIG	_IOW(CSN_IOC_MAGIC, 2, struct csn_config)
#define CSN_IOC_START		_IO(CSN_IOC_MAGIC, 3)
#define CSN_IOC_STOP		_IO(CSN_IOC_MAGIC, 4)
#define CSN_IOC_GET_STATS	_IOWR(CSN_IOC_MAGIC, 5, struct csn_stats)
#define CSN_IOC_RESOLVE		_IOWR(CSN_IOC_MAGIC, 6, struct csn_symbol)
#define CSN_IOC_GET_COUNTERS	_IOWR(CSN_IOC_MAGIC, 7, struct csn_counters)
#define CSN_IOC_TAKE_BOOT	_IO(CSN_IOC_MAGIC, 8)

/*
 * mmap. Each CPU's ring is mapped in three pieces, each whole, MAP_SHARED,
 * at CSN_MMAP_OFFSET(cpu, piece):
 *
 *	CSN_MMAP_HEAD	one page, PROT_READ: struct csn_ring_head
 *	CSN_MMAP_TAIL	one page, PROT_READ | PROT_WRITE: struct csn_ring_tail
 *	CSN_MMAP_DATA	ring_bytes, PROT_READ: slots of CSN_RECORD_SIZE
 *
 * The tail needs a file that is open for reading and writing. The rings hold
 * events and lost records; the info group comes with read() only, since
 * CSN_IOC_GET_INFO tells the same.
 *
 * head and tail count slots and run freely; slot n lies at index n modulo
 * the number of slots. The reader loads head with acquire semantics, reads
 * the slots from tail up to it, and stores tail with release semantics. A
 * tail that is not within ring_bytes / CSN_RECORD_SIZE below head counts as
 * a full ring: the reader loses, the kernel does not care. ENXIO: no such
 * CPU, or it never was online. A session is read by read() or by mmap, not
 * both: the other one gives EBUSY.
 */
#define CSN_MMAP_HEAD		0
#define CSN_MMAP_TAIL		1
#define CSN_MMAP_DATA		2
#define CSN_MMAP_OFFSET(cpu, piece) (((__u64)(cpu) << 32) | ((__u64)(piece) << 30))

/**
 * struct csn_ring_head - written by the kernel alone
 * @head: slots written so far.
 * @lost: events lost so far, all causes.
 * @slots: slots in the ring, a power of two.
 * @reserved: 0.
 */
struct csn_ring_head {
	__u64 head;
	__u64 lost;
	__u32 slots;
	__u32 reserved;
};

/**
 * struct csn_ring_tail - written by the reader alone
 * @tail: slots read so far.
 */
struct csn_ring_tail {
	__u64 tail;
};

#endif /* _UAPI_LINUX_COMPACTSNOOP_H */
