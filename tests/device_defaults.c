// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a reader gets that opens the device and reads, no more: the info
 * group, and each zone of a manual compaction.
 */
#include <sys/utsname.h>
#include <time.h>
#include "csn_harness.h"

FIXTURE(device_defaults)
{
	struct csn_log log;
	int fd;
};

FIXTURE_SETUP(device_defaults)
{
	CSN_NEEDS_DEVICE();
	csn_log_init(&self->log);
	self->fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(device_defaults)
{
	csn_log_free(&self->log);
	close(self->fd);
}

/* CLOCK_REALTIME may be set meanwhile, so it is held to an hour only. */
TEST_F(device_defaults, info_first)
{
	struct csn_log *log = &self->log;
	__u64 before = csn_now();

	ASSERT_EQ(0, csn_log_drain(log, self->fd));
	EXPECT_INTACT(log);
	EXPECT_EQ(1, log->nr_infos);
	EXPECT_EQ(0x43534e50, log->info.magic);
	EXPECT_EQ(1, log->info.abi_version);
	EXPECT_EQ(1, log->info.classes);
	EXPECT_EQ(getpagesize(), log->info.page_size);
	EXPECT_EQ(machine_possible_cpus(), log->info.nr_cpus);
	EXPECT_LE(before, log->info.ts);
	EXPECT_GE(csn_now(), log->info.ts);
	EXPECT_GT(3600, llabs((long long)(log->info.wall / 1000000000) -
			      (long long)time(NULL)));
#if defined(__x86_64__) || defined(__i386__)
	/* The kernel's machine, whoever reads: EM_386 only on a 32-bit one. */
	EXPECT_TRUE(log->info.machine == 62 ||
		    (sizeof(long) == 4 && log->info.machine == 3));
#endif
}

TEST_F(device_defaults, info_names_the_zones)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	struct csn_log *log = &self->log;
	int nr = machine_zones(zone);
	int nodes = 0;
	int i;

	ASSERT_LT(0, nr);
	ASSERT_EQ(0, csn_log_drain(log, self->fd));
	ASSERT_EQ(1, log->nr_infos);
	for (i = 0; i < nr; i++) {
		ASSERT_GT(log->info.nr_zones, zone[i].number);
		EXPECT_STREQ(zone[i].name, log->names.name[zone[i].number]);
		if (zone[i].node >= nodes)
			nodes = zone[i].node + 1;
	}
	EXPECT_EQ(zone[nr - 1].number + 1, log->info.nr_zones)
		TH_LOG("/proc/zoneinfo ends with zone %s of node %d",
		       zone[nr - 1].name, zone[nr - 1].node);
	EXPECT_LE(nodes, log->info.nr_nodes);
}

TEST_F(device_defaults, info_names_the_kernel)
{
	struct csn_log *log = &self->log;
	struct utsname kernel;

	ASSERT_EQ(0, uname(&kernel));
	ASSERT_EQ(0, csn_log_drain(log, self->fd));
	ASSERT_EQ(1, log->nr_infos);
	EXPECT_STREQ(kernel.release, log->kernel.release);
}

/* /proc/buddyinfo has a column for each order. */
TEST_F(device_defaults, info_counts_the_orders)
{
	char buf[4096];
	int columns = 0;
	char *word;

	ASSERT_EQ(0, machine_read("/proc/buddyinfo", buf, sizeof(buf)));
	buf[strcspn(buf, "\n")] = '\0';
	word = strstr(buf, "zone");
	ASSERT_TRUE(word != NULL);
	strtok(word, " ");
	strtok(NULL, " ");
	while (strtok(NULL, " "))
		columns++;
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_EQ(columns, self->log.info.nr_orders);
}

/* What the ioctl says before a start is what the stream says after it. */
TEST_F(device_defaults, info_ioctl_agrees)
{
	struct csn_record_info *r = &self->log.info;
	struct csn_info info;

	ASSERT_EQ(0, csn_info(self->fd, &info));
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_EQ(sizeof(info), info.size);
	EXPECT_EQ(r->abi_version, info.abi_version);
	EXPECT_EQ(r->features, info.features);
	EXPECT_EQ(r->page_size, info.page_size);
	EXPECT_EQ(r->nr_cpus, info.nr_cpus);
	EXPECT_EQ(r->machine, info.machine);
	EXPECT_EQ(r->nr_nodes, info.nr_nodes);
	EXPECT_EQ(r->nr_zones, info.nr_zones);
	EXPECT_EQ(r->nr_orders, info.nr_orders);
	EXPECT_EQ(0, info.reserved);
	EXPECT_EQ(0, memcmp(self->log.names.name, info.zone_name,
			    sizeof(info.zone_name)));
	EXPECT_EQ(CSN_CLASS_COMPACTION | CSN_CLASS_PAGE_ALLOC |
		  CSN_CLASS_PAGE_FREE | CSN_CLASS_EXTFRAG, info.classes);
	EXPECT_EQ(CSN_FLAG_ZONE_STATE | CSN_FLAG_FRAGINDEX_COMPUTE |
		  CSN_FLAG_OWN_PROCESS |
		  (info.features & CSN_FEATURE_STACK ? CSN_FLAG_STACK : 0),
		  info.flags);
	EXPECT_GE(info.ring_bytes_default, info.ring_bytes_min);
	EXPECT_LE(info.ring_bytes_default, info.ring_bytes_max);
}

/* What the kernel was built with, and nothing else. */
TEST_F(device_defaults, features)
{
	struct csn_info info;
	int kretprobes = machine_config("CONFIG_KRETPROBES");

	ASSERT_EQ(0, csn_info(self->fd, &info));
	EXPECT_TRUE(info.features & CSN_FEATURE_COMPACTION);
	EXPECT_TRUE(info.features & CSN_FEATURE_SUITABLE);
	if (kretprobes < 0)
		SKIP(return, "no configuration of this kernel in /boot");
	EXPECT_EQ(kretprobes, !!(info.features & CSN_FEATURE_FRAGINDEX));
	EXPECT_EQ(machine_config("CONFIG_STACKTRACE"),
		  !!(info.features & CSN_FEATURE_STACK));
	EXPECT_EQ(machine_config("CONFIG_KALLSYMS"),
		  !!(info.features & CSN_FEATURE_SYMBOLS));
	EXPECT_EQ(CSN_FEATURE_PAGE_ALLOC | CSN_FEATURE_PAGE_FREE |
		  CSN_FEATURE_EXTFRAG, info.features & 0xe0);
	/* There the size of a pageblock is known to the kernel alone. */
	EXPECT_EQ(!machine_config("CONFIG_HUGETLB_PAGE_SIZE_VARIABLE"),
		  !!(info.features & CSN_FEATURE_PAGEBLOCK));
	EXPECT_EQ(0, info.features & ~0x1ffu);
}

static void check_own(struct __test_metadata *_metadata,
		      const struct csn_event *e, __u64 since)
{
	char comm[CSN_COMM_LEN + 1] = "";

	ASSERT_EQ(0, machine_read("/proc/self/comm", comm, sizeof(comm)));
	EXPECT_EQ(getpid(), e->c.tid);
	EXPECT_STREQ(comm, e->c.comm);
	EXPECT_EQ(-1, e->c.order);
	EXPECT_EQ(1, e->c.sync);
	EXPECT_EQ(CSN_ORIGIN_MANUAL, e->c.origin);
	/* A whole-zone pass ends by its scanners' meeting. */
	EXPECT_TRUE(e->c.status == CSN_STATUS_COMPLETE ||
		    e->c.status == CSN_STATUS_CONTENDED)
		TH_LOG("status %u", e->c.status);
	EXPECT_LT(0, e->c.delta);
	EXPECT_LE(since, e->c.ts - e->c.delta);
	EXPECT_GE(csn_now(), e->c.ts);
	EXPECT_EQ(0, e->nr_handles);
}

TEST_F(device_defaults, manual_compaction)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	unsigned int seen[MACHINE_MAX_ZONES] = { 0 };
	int nr = machine_zones(zone);
	unsigned int own = 0;
	__u64 since;
	size_t i;
	int z;

	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	since = csn_now();
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_INTACT(&self->log);
	for (i = 0; i < self->log.nr_events; i++) {
		const struct csn_event *e = &self->log.event[i];

		if ((pid_t)e->c.pid != getpid())
			continue;
		own++;
		check_own(_metadata, e, since);
		for (z = 0; z < nr; z++)
			seen[z] += zone[z].node == e->c.node &&
				   zone[z].number == e->c.zone;
	}
	for (z = 0; z < nr; z++)
		EXPECT_EQ(zone[z].managed > 0, seen[z])
			TH_LOG("node %d zone %s: %lu pages, rows expected: 1 if it has any",
			       zone[z].node, zone[z].name, zone[z].managed);
	EXPECT_EQ(machine_populated_zones(), own);
}

/* With module parameter zone_state on, its default, rows carry the state. */
TEST_F(device_defaults, zone_state_by_default)
{
	char want[8];
	bool on;

	if (machine_read("/sys/module/compactsnoop/parameters/zone_state", want,
			 sizeof(want)))
		SKIP(return, "parameter zone_state cannot be read");
	on = want[0] == 'Y' || want[0] == '1';
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_EQ(on ? CSN_FLAG_ZONE_STATE : 0, self->log.info.flags);
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	ASSERT_LT(0, self->log.nr_events);
	EXPECT_EQ(on, self->log.event[0].has_zone);
}

CSN_HARNESS_MAIN
