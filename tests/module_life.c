// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading, unloading, parameters, and hooks that are in place only while a
 * running session wants them. Nobody else may use the module meanwhile.
 */
#include "csn_harness.h"
#include "module.h"

static const char *const tracepoints[] = {
	"mm_compaction_begin", "mm_compaction_finished", "mm_compaction_end",
};

#define FRAGINDEX	"fragmentation_index"
#define SUITABLE	"mm_compaction_suitable"
#define PARAMETERS	"/sys/module/" MODULE_NAME "/parameters/"

FIXTURE(module_life)
{
	bool was_loaded;
};

/* Loaded with its defaults, and nobody uses it. */
FIXTURE_SETUP(module_life)
{
	CSN_NEEDS_ROOT();
	if (!module_path())
		SKIP(return, "no compactsnoop.ko: say where with COMPACTSNOOP_KO");
	self->was_loaded = module_loaded();
	if (self->was_loaded) {
		int err = module_unload();

		if (err == -EWOULDBLOCK || err == -EBUSY)
			SKIP(return, "somebody else uses the module");
		ASSERT_EQ(0, err) TH_LOG("unload: %s", strerror(-err));
	}
	if (module_load("") == -EPERM)
		SKIP(return, "modules may not be loaded here");
	ASSERT_TRUE(module_loaded());
}

FIXTURE_TEARDOWN(module_life)
{
	if (module_loaded())
		EXPECT_EQ(0, module_unload());
	if (self->was_loaded)
		EXPECT_EQ(0, module_load(""));
}

/* How often each tracepoint is in use by others: without the module. */
struct others {
	int of[ARRAY_SIZE(tracepoints)];
	int suitable;
};

static struct others others_now(void)
{
	struct others others = { .suitable = module_tracepoint_users(SUITABLE) };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tracepoints); i++)
		others.of[i] = module_tracepoint_users(tracepoints[i]);
	return others;
}

static void reload(struct __test_metadata *_metadata, const char *parameters)
{
	int err;

	ASSERT_EQ(0, module_unload());
	err = module_load(parameters);
	ASSERT_EQ(0, err) TH_LOG("\"%s\": %s", parameters, strerror(-err));
}

TEST_F(module_life, not_while_open)
{
	int fd = csn_open(O_RDONLY);
	int err;

	ASSERT_LE(0, fd);
	EXPECT_EQ(1, module_users());
	err = module_unload();
	EXPECT_TRUE(err == -EWOULDBLOCK || err == -EBUSY)
		TH_LOG("expected EWOULDBLOCK, got %s", strerror(-err));
	ASSERT_EQ(0, csn_start(fd));
	err = module_unload();
	EXPECT_TRUE(err == -EWOULDBLOCK || err == -EBUSY);
	close(fd);
	EXPECT_EQ(0, module_users());
	EXPECT_EQ(0, module_unload());
}

/* A mapping counts, too, when the file itself is closed. */
TEST_F(module_life, not_while_mapped)
{
	int fd = csn_open(O_RDONLY);
	size_t page = getpagesize();
	void *map;
	int err;

	ASSERT_LE(0, fd);
	map = mmap(NULL, page, PROT_READ, MAP_SHARED, fd,
		   CSN_MMAP_OFFSET(0, CSN_MMAP_HEAD));
	ASSERT_TRUE(map != MAP_FAILED) TH_LOG("mmap: %s", strerror(errno));
	close(fd);
	err = module_unload();
	EXPECT_TRUE(err == -EWOULDBLOCK || err == -EBUSY)
		TH_LOG("expected EWOULDBLOCK, got %s", strerror(-err));
	munmap(map, page);
	EXPECT_EQ(0, module_unload());
}

static void expect_tracepoints(struct __test_metadata *_metadata,
			       const struct others *others, int users,
			       int suitable_users, const char *when)
{
	struct others now = others_now();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tracepoints); i++)
		EXPECT_EQ(users, now.of[i] - others->of[i])
			TH_LOG("%s: tracepoint %zu", when, i);
	EXPECT_EQ(suitable_users, now.suitable - others->suitable)
		TH_LOG("%s: " SUITABLE, when);
}

/* Right after a session that used everything. */
TEST_F_TIMEOUT(module_life, leaves_nothing, 120)
{
	struct others others;
	int mark;
	int fd;

	ASSERT_EQ(0, module_unload());
	others = others_now();
	ASSERT_EQ(0, module_load(""));
	mark = module_log_mark();
	fd = csn_open_self(CSN_FLAG_ZONE_STATE | csn_flag_stack());
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, machine_compact());
	close(fd);
	ASSERT_EQ(0, module_unload());
	EXPECT_EQ(-1, access(CSN_DEVICE, F_OK));
	EXPECT_EQ(-1, access("/sys/module/" MODULE_NAME, F_OK));
	EXPECT_EQ(-1, access("/sys/class/misc/" CSN_DEVICE_NAME, F_OK));
	EXPECT_NE(1, module_kprobe_on(FRAGINDEX));
	if (module_tracepoint_users(SUITABLE) >= 0)
		expect_tracepoints(_metadata, &others, 0, 0, "unloaded");
	/* The tracepoints are the kernel's: it goes on without us. */
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(0, module_log_lines(mark, "BUG"));
	EXPECT_EQ(0, module_log_lines(mark, "WARNING"));
	EXPECT_EQ(0, module_load(""));
}

TEST_F(module_life, load_and_unload_again)
{
	int i;

	for (i = 0; i < 10; i++) {
		int fd = csn_open_self(CSN_FLAG_ZONE_STATE);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, machine_compact());
		close(fd);
		reload(_metadata, "");
	}
}

TEST_F(module_life, kprobe_only_while_wanted)
{
	int compute;
	int fd;

	if (module_kprobe_on(FRAGINDEX) < 0)
		SKIP(return, "/sys/kernel/debug/kprobes/list cannot be read");
	EXPECT_EQ(0, module_kprobe_on(FRAGINDEX)) TH_LOG("loaded, idle");
	fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_config_self(fd, CSN_FLAG_ZONE_STATE));
	EXPECT_EQ(0, module_kprobe_on(FRAGINDEX)) TH_LOG("not started");
	ASSERT_EQ(0, csn_start(fd));
	EXPECT_EQ(1, module_kprobe_on(FRAGINDEX)) TH_LOG("running");
	compute = csn_open_self(CSN_FLAG_ZONE_STATE | CSN_FLAG_FRAGINDEX_COMPUTE);
	ASSERT_LE(0, compute);
	ASSERT_EQ(0, csn_stop(fd));
	EXPECT_EQ(0, module_kprobe_on(FRAGINDEX))
		TH_LOG("only a session that has it computed");
	ASSERT_EQ(0, csn_start(fd));
	EXPECT_EQ(1, module_kprobe_on(FRAGINDEX)) TH_LOG("running again");
	ASSERT_EQ(0, csn_config_self(fd, 0));
	EXPECT_EQ(0, module_kprobe_on(FRAGINDEX))
		TH_LOG("running, zone state no longer wanted");
	ASSERT_EQ(0, csn_config_self(fd, CSN_FLAG_ZONE_STATE));
	EXPECT_EQ(1, module_kprobe_on(FRAGINDEX)) TH_LOG("wanted again");
	close(fd);
	close(compute);
	EXPECT_EQ(0, module_kprobe_on(FRAGINDEX)) TH_LOG("closed");
}

/* As the kernel's own memory has it: 0 is a nop in its code. */
TEST_F_TIMEOUT(module_life, tracepoints_only_while_wanted, 120)
{
	struct others others;
	int fd;

	if (module_tracepoint_users(tracepoints[0]) < 0)
		SKIP(return, "kernel memory cannot be read: /proc/kcore, /proc/kallsyms");
	ASSERT_EQ(0, module_unload());
	others = others_now();
	ASSERT_EQ(0, module_load(""));
	expect_tracepoints(_metadata, &others, 0, 0, "loaded, idle");
	fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_config_self(fd, 0));
	expect_tracepoints(_metadata, &others, 0, 0, "not started");
	ASSERT_EQ(0, csn_start(fd));
	expect_tracepoints(_metadata, &others, 1, 0, "running, no zone state");
	ASSERT_EQ(0, csn_config_self(fd, CSN_FLAG_ZONE_STATE));
	expect_tracepoints(_metadata, &others, 1, 1, "running, zone state");
	ASSERT_EQ(0, csn_stop(fd));
	expect_tracepoints(_metadata, &others, 0, 0, "stopped");
	ASSERT_EQ(0, csn_start(fd));
	expect_tracepoints(_metadata, &others, 1, 1, "started again");
	close(fd);
	expect_tracepoints(_metadata, &others, 0, 0, "closed");
}

static const char *const page_tracepoints[] = {
	"mm_page_alloc", "mm_page_free", "mm_page_alloc_extfrag",
};

/* What is counted and what is recorded attaches alike, each class for itself. */
TEST_F_TIMEOUT(module_life, page_tracepoints_only_while_wanted, 120)
{
	struct csn_config config = { .size = sizeof(config) };
	int others[ARRAY_SIZE(page_tracepoints)];
	size_t i, wanted;
	int fd;

	if (module_tracepoint_users(page_tracepoints[0]) < 0)
		SKIP(return, "kernel memory cannot be read: /proc/kcore, /proc/kallsyms");
	for (i = 0; i < ARRAY_SIZE(page_tracepoints); i++)
		others[i] = module_tracepoint_users(page_tracepoints[i]);
	fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	for (wanted = 0; wanted < 2 * ARRAY_SIZE(page_tracepoints); wanted++) {
		size_t which = wanted / 2;

		config.classes = wanted % 2 ? CSN_CLASS_PAGE_ALLOC << which : 0;
		config.counters = wanted % 2 ? 0 : CSN_CLASS_PAGE_ALLOC << which;
		ASSERT_EQ(0, csn_set_config(fd, &config));
		ASSERT_EQ(0, csn_start(fd));
		for (i = 0; i < ARRAY_SIZE(page_tracepoints); i++)
			EXPECT_EQ(others[i] + (i == which),
				  module_tracepoint_users(page_tracepoints[i]))
				TH_LOG("tracepoint %zu, wanted: %zu", i, which);
	}
	close(fd);
	for (i = 0; i < ARRAY_SIZE(page_tracepoints); i++)
		EXPECT_EQ(others[i], module_tracepoint_users(page_tracepoints[i]))
			TH_LOG("tracepoint %zu, closed", i);
}

TEST_F(module_life, bad_parameters)
{
	static const char *const bad[] = {
		"ring_kb=0", "ring_kb=1", "ring_kb=2", "ring_kb=3",
		"ring_kb=65", "ring_kb=131072", "ring_kb=-4", "ring_kb=x",
		"max_sessions=0", "max_sessions=65", "max_sessions=-1",
		"in_flight=0", "in_flight=65537", "in_flight=4294967295",
		"zone_state=2", "zone_state=perhaps",
		"without=no_such_hook", "without=fragmentation_index,x",
		"without=mm_compaction",
		"events=", "events=x", "events=compaction,", "events=page_alloc,,page_free",
	};
	size_t i;

	ASSERT_EQ(0, module_unload());
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		int err = module_load(bad[i]);

		EXPECT_EQ(-EINVAL, err)
			TH_LOG("%s: error %d", bad[i], -err);
		EXPECT_EQ(-1, access(CSN_DEVICE, F_OK)) TH_LOG("%s", bad[i]);
		if (!err)
			EXPECT_EQ(0, module_unload());
	}
}

TEST_F(module_life, good_parameters)
{
	static const char *const good[] = {
		"ring_kb=4", "ring_kb=65536", "max_sessions=1",
		"max_sessions=64", "in_flight=64", "in_flight=65536",
		"zone_state=N", "zone_state=0", "zone_state=Y",
		"ring_kb=64 max_sessions=2 in_flight=100 zone_state=n",
		"events=compaction,page_alloc_extfrag",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		reload(_metadata, good[i]);
}

TEST_F(module_life, parameters_work)
{
	struct csn_config config;
	struct csn_info info;
	char text[16];
	int fd;

	reload(_metadata, "ring_kb=64 max_sessions=1 zone_state=N");
	ASSERT_EQ(0, machine_read(PARAMETERS "ring_kb", text, sizeof(text)));
	EXPECT_STREQ("64", text);
	fd = csn_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_info(fd, &info));
	EXPECT_EQ(65536, info.ring_bytes_default);
	EXPECT_EQ(65536 * 1024, info.ring_bytes_max);
	ASSERT_EQ(0, csn_get_config(fd, &config));
	EXPECT_EQ(65536, config.ring_bytes);
	EXPECT_EQ(0, config.flags);
	EXPECT_EQ(-EBUSY, csn_open(O_RDONLY));
	close(fd);
	reload(_metadata, "");
	fd = csn_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_info(fd, &info));
	EXPECT_EQ(256 * 1024, info.ring_bytes_default);
	ASSERT_EQ(0, csn_get_config(fd, &config));
	EXPECT_EQ(CSN_FLAG_ZONE_STATE, config.flags);
	close(fd);
}

/* Loaded without @hook: says so in one line, and lacks @feature. */
static int open_without(struct __test_metadata *_metadata, const char *hook,
			__u32 feature)
{
	struct csn_info info;
	char parameter[64];
	int mark;
	int fd;

	snprintf(parameter, sizeof(parameter), "without=%s", hook);
	mark = module_log_mark();
	reload(_metadata, parameter);
	EXPECT_EQ(1, module_log_lines(mark, MODULE_NAME ": "))
		TH_LOG("lines in the kernel log");
	EXPECT_EQ(1, module_log_lines(mark, hook));
	fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_info(fd, &info));
	EXPECT_EQ(0, info.features & feature);
	return fd;
}

TEST_F(module_life, without_fragindex)
{
	int fd = open_without(_metadata, FRAGINDEX, CSN_FEATURE_FRAGINDEX);
	struct csn_log log;
	size_t i;

	csn_log_init(&log);
	ASSERT_EQ(0, csn_config_self(fd, CSN_FLAG_ZONE_STATE));
	ASSERT_EQ(0, csn_start(fd));
	EXPECT_NE(1, module_kprobe_on(FRAGINDEX));
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	EXPECT_EQ(machine_populated_zones(), log.nr_events);
	for (i = 0; i < log.nr_events; i++)
		EXPECT_EQ(0, log.event[i].z.flags & CSN_ZONE_STATE_PROBED);
	EXPECT_EQ(0, log.info.features & CSN_FEATURE_FRAGINDEX);
	csn_log_free(&log);
	close(fd);
}

TEST_F(module_life, without_suitable)
{
	int fd = open_without(_metadata, SUITABLE, CSN_FEATURE_SUITABLE);
	struct csn_log log;
	size_t i;

	csn_log_init(&log);
	ASSERT_EQ(0, csn_config_self(fd, CSN_FLAG_ZONE_STATE));
	ASSERT_EQ(0, csn_start(fd));
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	EXPECT_EQ(machine_populated_zones(), log.nr_events);
	for (i = 0; i < log.nr_events; i++) {
		EXPECT_EQ(0, log.event[i].z.flags & CSN_ZONE_STATE_SUITABLE);
		EXPECT_LT(0, log.event[i].z.high);
	}
	csn_log_free(&log);
	close(fd);
}

/* A session cannot do without these; the module loads all the same. */
TEST_F(module_life, without_what_it_needs)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		int fd = open_without(_metadata, tracepoints[i],
				      CSN_FEATURE_COMPACTION);
		char buf[128];

		EXPECT_EQ(-ENODEV, csn_start(fd));
		EXPECT_EQ(-ENODEV, csn_read(fd, buf, sizeof(buf)));
		close(fd);
	}
}

/* The class is not offered, and a session that asks for it does not start. */
TEST_F(module_life, without_page_tracepoints)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(page_tracepoints); i++) {
		struct csn_config config = {
			.size = sizeof(config),
			.counters = CSN_CLASS_PAGE_ALLOC << i,
		};
		struct csn_info info;
		char parameter[64];
		int fd;

		snprintf(parameter, sizeof(parameter), "without=%s", page_tracepoints[i]);
		reload(_metadata, parameter);
		fd = csn_open(O_RDONLY);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, csn_info(fd, &info));
		EXPECT_EQ(0, info.features & CSN_FEATURE_PAGE_ALLOC << i);
		EXPECT_EQ(0, info.classes & CSN_CLASS_PAGE_ALLOC << i);
		ASSERT_EQ(0, csn_set_config(fd, &config));
		EXPECT_EQ(-ENODEV, csn_start(fd)) TH_LOG("%s", parameter);
		config.counters = (CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE |
				   CSN_CLASS_EXTFRAG) & ~config.counters;
		ASSERT_EQ(0, csn_set_config(fd, &config));
		EXPECT_EQ(0, csn_start(fd)) TH_LOG("%s: the others", parameter);
		close(fd);
	}
}

TEST_F(module_life, without_several)
{
	struct csn_info info;
	int fd;

	reload(_metadata, "without=" SUITABLE "," FRAGINDEX);
	fd = csn_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_info(fd, &info));
	EXPECT_EQ(0, info.features &
		     (CSN_FEATURE_SUITABLE | CSN_FEATURE_FRAGINDEX));
	EXPECT_TRUE(info.features & CSN_FEATURE_COMPACTION);
	close(fd);
}

/* What a reader gets that configures nothing, as "cat /dev/compactsnoop". */
TEST_F(module_life, events)
{
	const __u64 end = csn_now() + 1000000ULL * CSN_PATIENCE_MS;
	struct csn_config config;
	struct csn_log log;
	int fd;

	csn_log_init(&log);
	reload(_metadata, "events=page_alloc,page_free");
	fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_get_config(fd, &config));
	EXPECT_EQ(CSN_CLASS_PAGE_ALLOC | CSN_CLASS_PAGE_FREE, config.classes);
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	while (!log.nr_pages && csn_now() < end) {
		/* Another process allocates, as this one's are left out. */
		ASSERT_EQ(0, system("true"));
		ASSERT_EQ(0, csn_log_drain(&log, fd));
	}
	EXPECT_INTACT(&log);
	EXPECT_LT(0, log.nr_pages);
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_EQ(0, log.nr_events);
	csn_log_free(&log);
	close(fd);
}

#define COMPACTORS	2

/* Children that compact until they are killed. */
static void start_compactors(struct __test_metadata *_metadata,
			     pid_t child[COMPACTORS])
{
	int i;

	for (i = 0; i < COMPACTORS; i++) {
		child[i] = fork();
		ASSERT_LE(0, child[i]);
		if (!child[i])
			for (;;)
				machine_compact();
	}
}

static void end_compactors(pid_t child[COMPACTORS])
{
	int i;

	for (i = 0; i < COMPACTORS; i++)
		kill(child[i], SIGKILL);
	for (i = 0; i < COMPACTORS; i++)
		waitpid(child[i], NULL, 0);
}

/* With room to follow one compaction, those beside it are lost, and counted. */
TEST_F_TIMEOUT(module_life, in_flight_full, 120)
{
	const __u64 end = csn_now() + 60ULL * 1000 * 1000 * 1000;
	struct csn_stats stats = {};
	pid_t child[COMPACTORS];
	struct csn_log log;
	int fd;

	csn_log_init(&log);
	reload(_metadata, "in_flight=1");
	fd = csn_open_filter(0, NULL);
	ASSERT_LE(0, fd);
	start_compactors(_metadata, child);
	while (!(stats.lost_table && stats.delivered) && csn_now() < end) {
		ASSERT_EQ(0, csn_log_drain(&log, fd));
		ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &stats));
		machine_nap();
	}
	ASSERT_EQ(0, csn_stop(fd));
	end_compactors(child);
	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &stats));
	EXPECT_LT(0, stats.lost_table);
	EXPECT_LT(0, stats.delivered);
	EXPECT_EQ(stats.produced, stats.delivered + csn_stats_lost(&stats));
	EXPECT_EQ(stats.lost_table, csn_stats_lost(&stats));
	EXPECT_EQ(stats.lost_table, log.events_lost);
	EXPECT_EQ(stats.delivered, log.nr_events);
	csn_log_free(&log);
	close(fd);
}

#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"

static int compact_on_cpu1(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(machine_cpu_only(1) < 0 || machine_compact());
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -errno;
	return status;
}

/* A CPU that comes after the start has a ring; one that goes keeps what is in it. */
TEST_F(module_life, cpu_comes_and_goes)
{
	const int zones = machine_populated_zones();
	struct csn_stats stats;
	struct csn_log log;
	size_t i;
	int fd;

	if (machine_write(CPU1_ONLINE, "0"))
		SKIP(return, "no CPU that can be taken offline");
	csn_log_init(&log);
	fd = csn_open_filter(0, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_stats(fd, 1, &stats));
	EXPECT_EQ(0, stats.produced);

	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, compact_on_cpu1());
	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "0"));
	ASSERT_EQ(0, csn_stats(fd, 1, &stats));
	EXPECT_EQ(zones, stats.delivered);
	EXPECT_EQ(0, csn_stats_lost(&stats));
	EXPECT_EQ(zones, stats.pending);

	ASSERT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	EXPECT_EQ(zones, log.nr_events);
	for (i = 0; i < log.nr_events; i++)
		EXPECT_EQ(1, log.event[i].c.head.cpu);

	ASSERT_EQ(0, machine_write(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, compact_on_cpu1());
	ASSERT_EQ(0, csn_stats(fd, 1, &stats));
	EXPECT_EQ(2 * zones, stats.delivered);
	csn_log_free(&log);
	close(fd);
}

/* A compaction that is under way when the hooks go is no trap. */
TEST_F_TIMEOUT(module_life, unload_under_load, 120)
{
	pid_t child[COMPACTORS];
	int i;

	start_compactors(_metadata, child);
	for (i = 0; i < 20; i++) {
		int fd = csn_open_filter(CSN_FLAG_ZONE_STATE | csn_flag_stack(),
					 NULL);

		EXPECT_LE(0, fd);
		machine_nap();
		close(fd);
		reload(_metadata, "");
	}
	end_compactors(child);
}

CSN_HARNESS_MAIN
