// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ABI, byte by byte: every offset, size and number below was written down
 * from the documentation of linux/compactsnoop.h by hand, none is computed
 * from it. Built for 32 and 64 bits: both must hold. Needs no module.
 */
#include <assert.h>
#include "csn_harness.h"

/* At compile time as well, where no field of the others can hide. */
#define FIELD(type, field, at, bytes) \
	_Static_assert(offsetof(struct type, field) == (at) && \
		       sizeof(((struct type *)0)->field) == (bytes), \
		       #type "." #field " moved")

FIELD(csn_record_head, type, 0, 2);
FIELD(csn_record_head, part, 2, 1);
FIELD(csn_record_head, parts, 3, 1);
FIELD(csn_record_head, cpu, 4, 4);
FIELD(csn_record_base, head, 0, 8);
FIELD(csn_record_base, ts, 8, 8);
_Static_assert(sizeof(struct csn_record_head) == 8, "csn_record_head");
_Static_assert(sizeof(struct csn_record_info) == 64, "csn_record_info");
_Static_assert(sizeof(struct csn_record_zone_names) == 64,
	       "csn_record_zone_names");
_Static_assert(sizeof(struct csn_record_lost) == 64, "csn_record_lost");
_Static_assert(sizeof(struct csn_record_compaction) == 64,
	       "csn_record_compaction");
_Static_assert(sizeof(struct csn_record_page) == 64, "csn_record_page");
_Static_assert(sizeof(struct csn_record_kernel) == 64, "csn_record_kernel");
_Static_assert(sizeof(struct csn_record_zone_state) == 64,
	       "csn_record_zone_state");
_Static_assert(sizeof(struct csn_record_stack) == 64, "csn_record_stack");
_Static_assert(sizeof(struct csn_info) == 104, "csn_info");
_Static_assert(sizeof(struct csn_filter) == 56, "csn_filter");
_Static_assert(sizeof(struct csn_config) == 80, "csn_config");
_Static_assert(sizeof(struct csn_stats) == 80, "csn_stats");
_Static_assert(sizeof(struct csn_counters) == 48, "csn_counters");
_Static_assert(sizeof(struct csn_symbol) == 512, "csn_symbol");
_Static_assert(sizeof(struct csn_ring_head) == 24, "csn_ring_head");
_Static_assert(sizeof(struct csn_ring_tail) == 8, "csn_ring_tail");

/*
 * Fills one field of a zeroed struct and looks where the bytes are: at
 * @at, @bytes long, nowhere else. At the end the fields have to have covered
 * the whole struct, so there is no hole that the compiler made.
 */
#define PLACE(name, at, bytes) do { \
	memset(&s, 0, sizeof(s)); \
	memset(&s.name, 0xa5, sizeof(s.name)); \
	check_place(_metadata, #name, (unsigned char *)&s, sizeof(s), \
		    (at), (bytes)); \
	EXPECT_EQ(covered, (size_t)(at)) \
		TH_LOG("hole or overlap before %s", #name); \
	covered = (at) + (bytes); \
} while (0)

static void check_place(struct __test_metadata *_metadata, const char *name,
			const unsigned char *bytes, size_t size, size_t at,
			size_t len)
{
	size_t i;

	for (i = 0; i < size; i++) {
		bool inside = i >= at && i < at + len;

		EXPECT_EQ(inside ? 0xa5 : 0, bytes[i])
			TH_LOG("%s: byte %zu", name, i);
	}
}

TEST(record_info)
{
	struct csn_record_info s;
	size_t covered = 0;

	PLACE(head.type, 0, 2);
	PLACE(head.part, 2, 1);
	PLACE(head.parts, 3, 1);
	PLACE(head.cpu, 4, 4);
	PLACE(ts, 8, 8);
	PLACE(wall, 16, 8);
	PLACE(magic, 24, 4);
	PLACE(abi_version, 28, 2);
	PLACE(machine, 30, 2);
	PLACE(page_size, 32, 4);
	PLACE(features, 36, 4);
	PLACE(classes, 40, 4);
	PLACE(flags, 44, 4);
	PLACE(nr_cpus, 48, 4);
	PLACE(nr_nodes, 52, 2);
	PLACE(nr_zones, 54, 1);
	PLACE(nr_orders, 55, 1);
	PLACE(reserved, 56, 8);
	EXPECT_EQ(64, covered);
}

TEST(record_zone_names)
{
	struct csn_record_zone_names s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(name[0], 8, 8);
	PLACE(name[1], 16, 8);
	PLACE(name[2], 24, 8);
	PLACE(name[3], 32, 8);
	PLACE(name[4], 40, 8);
	PLACE(name[5], 48, 8);
	PLACE(name[6], 56, 8);
	EXPECT_EQ(64, covered);
}

TEST(record_lost)
{
	struct csn_record_lost s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(ts, 8, 8);
	PLACE(count, 16, 8);
	PLACE(first_ts, 24, 8);
	PLACE(last_ts, 32, 8);
	PLACE(reserved, 40, 24);
	EXPECT_EQ(64, covered);
}

TEST(record_compaction)
{
	struct csn_record_compaction s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(ts, 8, 8);
	PLACE(pid, 16, 4);
	PLACE(tid, 20, 4);
	PLACE(comm, 24, 16);
	PLACE(delta, 40, 8);
	PLACE(node, 48, 4);
	PLACE(zone, 52, 1);
	PLACE(order, 53, 1);
	PLACE(sync, 54, 1);
	PLACE(status, 55, 1);
	PLACE(origin, 56, 1);
	PLACE(reserved, 57, 7);
	EXPECT_EQ(64, covered);
}

TEST(record_page)
{
	struct csn_record_page s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(ts, 8, 8);
	PLACE(pid, 16, 4);
	PLACE(tid, 20, 4);
	PLACE(comm, 24, 16);
	PLACE(pfn, 40, 8);
	PLACE(gfp, 48, 4);
	PLACE(node, 52, 4);
	PLACE(zone, 56, 1);
	PLACE(order, 57, 1);
	PLACE(migratetype, 58, 1);
	PLACE(fallback_order, 59, 1);
	PLACE(fallback_migratetype, 60, 1);
	PLACE(claimed, 61, 1);
	PLACE(reserved, 62, 2);
	EXPECT_EQ(64, covered);
}

TEST(record_kernel)
{
	struct csn_record_kernel s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(release, 8, 56);
	EXPECT_EQ(64, covered);
}

TEST(record_zone_state)
{
	struct csn_record_zone_state s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(fragindex, 8, 4);
	PLACE(flags, 12, 4);
	PLACE(min, 16, 8);
	PLACE(low, 24, 8);
	PLACE(high, 32, 8);
	PLACE(free, 40, 8);
	PLACE(reserved, 48, 16);
	EXPECT_EQ(64, covered);
}

TEST(record_stack)
{
	struct csn_record_stack s;
	size_t covered = 0;

	PLACE(head, 0, 8);
	PLACE(handle[0], 8, 8);
	PLACE(handle[1], 16, 8);
	PLACE(handle[2], 24, 8);
	PLACE(handle[3], 32, 8);
	PLACE(handle[4], 40, 8);
	PLACE(handle[5], 48, 8);
	PLACE(handle[6], 56, 8);
	EXPECT_EQ(64, covered);
}

TEST(ioctl_info)
{
	struct csn_info s;
	size_t covered = 0;

	PLACE(size, 0, 4);
	PLACE(abi_version, 4, 4);
	PLACE(features, 8, 4);
	PLACE(classes, 12, 4);
	PLACE(flags, 16, 4);
	PLACE(page_size, 20, 4);
	PLACE(ring_bytes_min, 24, 4);
	PLACE(ring_bytes_max, 28, 4);
	PLACE(ring_bytes_default, 32, 4);
	PLACE(nr_cpus, 36, 4);
	PLACE(machine, 40, 2);
	PLACE(nr_nodes, 42, 2);
	PLACE(nr_zones, 44, 1);
	PLACE(nr_orders, 45, 1);
	PLACE(boot, 46, 1);
	PLACE(reserved, 47, 1);
	PLACE(zone_name, 48, 56);
	EXPECT_EQ(104, covered);
}

TEST(ioctl_config)
{
	struct csn_config s;
	size_t covered = 0;

	PLACE(size, 0, 4);
	PLACE(classes, 4, 4);
	PLACE(flags, 8, 4);
	PLACE(ring_bytes, 12, 4);
	PLACE(watermark, 16, 4);
	PLACE(counters, 20, 4);
	PLACE(filter.match, 24, 4);
	PLACE(filter.pid, 28, 4);
	PLACE(filter.tid, 32, 4);
	PLACE(filter.comm, 36, 16);
	PLACE(filter.node, 52, 4);
	PLACE(filter.zones, 56, 4);
	PLACE(filter.statuses, 60, 4);
	PLACE(filter.origins, 64, 4);
	PLACE(filter.syncs, 68, 1);
	PLACE(filter.order_min, 69, 1);
	PLACE(filter.order_max, 70, 1);
	PLACE(filter.migratetypes, 71, 1);
	PLACE(filter.min_latency, 72, 8);
	EXPECT_EQ(80, covered);
}

TEST(ioctl_stats)
{
	struct csn_stats s;
	size_t covered = 0;

	PLACE(size, 0, 4);
	PLACE(cpu, 4, 4);
	PLACE(produced, 8, 8);
	PLACE(delivered, 16, 8);
	PLACE(lost_full, 24, 8);
	PLACE(lost_nested, 32, 8);
	PLACE(lost_table, 40, 8);
	PLACE(lost_ring, 48, 8);
	PLACE(pending, 56, 8);
	PLACE(fragindex_missed, 64, 8);
	PLACE(fragindex_computed, 72, 8);
	EXPECT_EQ(80, covered);
}

TEST(ioctl_counters)
{
	struct csn_counters s;
	size_t covered = 0;

	PLACE(size, 0, 4);
	PLACE(counters, 4, 4);
	PLACE(ts, 8, 8);
	PLACE(cells, 16, 8);
	PLACE(nr_cells, 24, 4);
	PLACE(nr_nodes, 28, 2);
	PLACE(nr_zones, 30, 1);
	PLACE(nr_orders, 31, 1);
	PLACE(nr_migratetypes, 32, 1);
	PLACE(reserved, 33, 7);
	PLACE(beyond, 40, 8);
	EXPECT_EQ(48, covered);
}

TEST(ioctl_symbol)
{
	struct csn_symbol s;
	size_t covered = 0;

	PLACE(size, 0, 4);
	PLACE(reserved, 4, 4);
	PLACE(handle, 8, 8);
	PLACE(name, 16, 496);
	EXPECT_EQ(512, covered);
}

TEST(ring_pages)
{
	size_t covered = 0;

	{
		struct csn_ring_head s;

		PLACE(head, 0, 8);
		PLACE(lost, 8, 8);
		PLACE(slots, 16, 4);
		PLACE(reserved, 20, 4);
		EXPECT_EQ(24, covered);
	}
	{
		struct csn_ring_tail s;

		covered = 0;
		PLACE(tail, 0, 8);
		EXPECT_EQ(8, covered);
	}
}

/* Little- and big-endian alike: a number is where its field is, whole. */
TEST(signed_fields)
{
	struct csn_record_compaction c = { .order = -1, .node = -1 };
	struct csn_record_zone_state z = { .fragindex = -1000 };
	struct csn_filter f = { .order_min = -1 };
	struct csn_record_page p = { .node = CSN_NODE_NONE };

	EXPECT_GT(0, c.order);
	EXPECT_GT(0, c.node);
	EXPECT_GT(0, z.fragindex);
	EXPECT_GT(0, f.order_min);
	EXPECT_GT(0, p.node);
}

#define IS(value, number) \
	EXPECT_EQ((unsigned long long)(number), (unsigned long long)(value))

TEST(numbers)
{
	IS(CSN_ABI_VERSION, 1);
	IS(CSN_RECORD_SIZE, 64);
	IS(CSN_COMM_LEN, 16);
	IS(CSN_MAX_ZONES, 7);
	IS(CSN_ZONE_NAME_LEN, 8);
	IS(CSN_STACK_PER_RECORD, 7);
	IS(CSN_STACK_MAX, 126);
	IS(CSN_SYMBOL_LEN, 496);
	IS(CSN_RELEASE_LEN, 56);
	IS(CSN_CLASS_COMPACTION, 1);
	IS(CSN_CLASS_PAGE_ALLOC, 2);
	IS(CSN_CLASS_PAGE_FREE, 4);
	IS(CSN_CLASS_EXTFRAG, 8);
	IS(CSN_FLAG_ZONE_STATE, 1);
	IS(CSN_FLAG_STACK, 2);
	IS(CSN_FLAG_FRAGINDEX_COMPUTE, 4);
	IS(CSN_FLAG_OWN_PROCESS, 8);
	IS(CSN_FEATURE_COMPACTION, 1);
	IS(CSN_FEATURE_SUITABLE, 2);
	IS(CSN_FEATURE_FRAGINDEX, 4);
	IS(CSN_FEATURE_STACK, 8);
	IS(CSN_FEATURE_SYMBOLS, 16);
	IS(CSN_FEATURE_PAGE_ALLOC, 32);
	IS(CSN_FEATURE_PAGE_FREE, 64);
	IS(CSN_FEATURE_EXTFRAG, 128);
	IS(CSN_FEATURE_PAGEBLOCK, 256);
	IS(CSN_RECORD_INFO, 1);
	IS(CSN_RECORD_LOST, 2);
	IS(CSN_RECORD_COMPACTION, 3);
	IS(CSN_RECORD_PAGE_ALLOC, 4);
	IS(CSN_RECORD_PAGE_FREE, 5);
	IS(CSN_RECORD_PAGE_EXTFRAG, 6);
	IS(CSN_RECORD_ZONE_NAMES, 64);
	IS(CSN_RECORD_ZONE_STATE, 65);
	IS(CSN_RECORD_STACK, 66);
	IS(CSN_RECORD_KERNEL, 67);
	IS(CSN_INFO_MAGIC, 0x43534e50);
	IS(CSN_ZONE_STATE_SUITABLE, 1);
	IS(CSN_ZONE_STATE_PROBED, 2);
	IS(CSN_ZONE_STATE_COMPUTED, 4);
	EXPECT_EQ(-1000, CSN_FRAGINDEX_NONE);
	IS(CSN_CPU_ALL, 0xffffffff);
	IS(CSN_PFN_NONE, 0xffffffffffffffff);
	EXPECT_EQ(-1, CSN_NODE_NONE);
	IS(CSN_ZONE_NONE, 255);
	IS(CSN_CLAIMED_NO, 0);
	IS(CSN_CLAIMED_YES, 1);
	IS(CSN_CLAIMED_UNKNOWN, 255);
	IS(CSN_BOOT_NONE, 0);
	IS(CSN_BOOT_WAITING, 1);
	IS(CSN_BOOT_TAKEN, 2);
	EXPECT_STREQ("compactsnoop", CSN_DEVICE_NAME);
}

TEST(enums)
{
	IS(CSN_ORIGIN_DIRECT, 0);
	IS(CSN_ORIGIN_KCOMPACTD, 1);
	IS(CSN_ORIGIN_PROACTIVE, 2);
	IS(CSN_ORIGIN_MANUAL, 3);
	IS(CSN_NR_ORIGINS, 4);
	IS(CSN_STATUS_NOT_SUITABLE_ZONE, 0);
	IS(CSN_STATUS_SKIPPED, 1);
	IS(CSN_STATUS_DEFERRED, 2);
	IS(CSN_STATUS_NO_SUITABLE_PAGE, 3);
	IS(CSN_STATUS_CONTINUE, 4);
	IS(CSN_STATUS_COMPLETE, 5);
	IS(CSN_STATUS_PARTIAL_SKIPPED, 6);
	IS(CSN_STATUS_CONTENDED, 7);
	IS(CSN_STATUS_SUCCESS, 8);
	IS(CSN_NR_STATUSES, 9);
	IS(CSN_MATCH_PID, 1);
	IS(CSN_MATCH_TID, 2);
	IS(CSN_MATCH_COMM, 4);
	IS(CSN_MATCH_NODE, 8);
	IS(CSN_MATCH_ZONE, 16);
	IS(CSN_MATCH_ORDER, 32);
	IS(CSN_MATCH_SYNC, 64);
	IS(CSN_MATCH_STATUS, 128);
	IS(CSN_MATCH_ORIGIN, 256);
	IS(CSN_MATCH_LATENCY, 512);
	IS(CSN_MATCH_MIGRATETYPE, 1024);
	IS(CSN_MIGRATETYPE_UNMOVABLE, 0);
	IS(CSN_MIGRATETYPE_MOVABLE, 1);
	IS(CSN_MIGRATETYPE_RECLAIMABLE, 2);
	IS(CSN_MIGRATETYPE_HIGHATOMIC, 3);
	IS(CSN_MIGRATETYPE_CMA, 4);
	IS(CSN_MIGRATETYPE_ISOLATE, 5);
	IS(CSN_MIGRATETYPE_OTHER, 6);
	IS(CSN_NR_MIGRATETYPES, 7);
	IS(CSN_COUNTER_ALLOC, 0);
	IS(CSN_COUNTER_FREE, 1);
	IS(CSN_COUNTER_EXTFRAG, 2);
	IS(CSN_COUNTER_FAILED, 3);
}

/*
 * The same number for a 32-bit caller, or it would need a translation. The
 * direction bits differ on the few architectures with their own asm/ioctl.h.
 */
TEST(ioctl_numbers)
{
	if (_IOC_READ != 2 || _IOC_SIZEBITS != 14)
		SKIP(return, "ioctls are encoded in another way here");
	IS(CSN_IOC_GET_INFO, 0xc068ce00);
	IS(CSN_IOC_GET_CONFIG, 0xc050ce01);
	IS(CSN_IOC_SET_CONFIG, 0x4050ce02);
	IS(CSN_IOC_START, 0x0000ce03);
	IS(CSN_IOC_STOP, 0x0000ce04);
	IS(CSN_IOC_GET_STATS, 0xc050ce05);
	IS(CSN_IOC_RESOLVE, 0xc200ce06);
	IS(CSN_IOC_GET_COUNTERS, 0xc030ce07);
	IS(CSN_IOC_TAKE_BOOT, 0x0000ce08);
}

/* Worked out by hand for 2 nodes, 4 zones, 11 orders, 7 migratetypes. */
TEST(counter_cells)
{
	struct csn_counters c = {
		.nr_nodes = 2,
		.nr_zones = 4,
		.nr_orders = 11,
		.nr_migratetypes = 7,
	};

	IS(csn_counter_cell(&c, CSN_COUNTER_ALLOC, 0, 0, 0, 6), 6);
	IS(csn_counter_cell(&c, CSN_COUNTER_ALLOC, 0, 0, 1, 0), 7);
	IS(csn_counter_cell(&c, CSN_COUNTER_ALLOC, 0, 1, 0, 0), 77);
	IS(csn_counter_cell(&c, CSN_COUNTER_ALLOC, 1, 0, 0, 0), 308);
	IS(csn_counter_cell(&c, CSN_COUNTER_FREE, 0, 0, 0, 0), 616);
	IS(csn_counter_cell(&c, CSN_COUNTER_EXTFRAG, 1, 3, 10, 6), 1847);
	IS(csn_counter_cell(&c, CSN_COUNTER_FAILED, 0, 0, 10, 6), 1924);
}

TEST(mmap_offsets)
{
	IS(CSN_MMAP_HEAD, 0);
	IS(CSN_MMAP_TAIL, 1);
	IS(CSN_MMAP_DATA, 2);
	IS(CSN_MMAP_OFFSET(0, CSN_MMAP_HEAD), 0);
	IS(CSN_MMAP_OFFSET(0, CSN_MMAP_TAIL), 0x40000000);
	IS(CSN_MMAP_OFFSET(0, CSN_MMAP_DATA), 0x80000000);
	IS(CSN_MMAP_OFFSET(3, CSN_MMAP_DATA), 0x380000000);
	/* With 4 KiB pages a 32-bit mmap2() reaches 16 TiB: 4096 CPUs. */
	IS(CSN_MMAP_OFFSET(4095, CSN_MMAP_DATA), 0xfff80000000);
	EXPECT_EQ(8, sizeof(off_t));
}

CSN_HARNESS_MAIN
