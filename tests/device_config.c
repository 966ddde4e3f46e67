// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls: what a session can be told, and each way of getting it wrong
 * with the errno that the header gives for it. device_open has who may open,
 * device_filter what the filters do.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "csn_harness.h"

FIXTURE(device_config)
{
	struct csn_info info;
	int fd;
};

FIXTURE_SETUP(device_config)
{
	CSN_NEEDS_DEVICE();
	self->fd = csn_open(O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(device_config)
{
	close(self->fd);
}

/* A good config but for what is said. */
#define CONFIG(...) ((struct csn_config){ \
	.size = sizeof(struct csn_config), \
	.classes = CSN_CLASS_COMPACTION, \
	__VA_ARGS__ })
#define FILTER(...) CONFIG(.filter = { __VA_ARGS__ })

#define EXPECT_CONFIG(err, ...) do { \
	struct csn_config _config = __VA_ARGS__; \
	EXPECT_EQ(err, csn_set_config(self->fd, &_config)) \
		TH_LOG("%s: expected %s", #__VA_ARGS__, strerror(-(err))); \
} while (0)

/* As EXPECT_CONFIG, for what has to fail: afterwards nothing has changed. */
#define EXPECT_REFUSED(err, ...) do { \
	struct csn_config _was, _is; \
	ASSERT_EQ(0, csn_get_config(self->fd, &_was)); \
	EXPECT_CONFIG(err, __VA_ARGS__); \
	ASSERT_EQ(0, csn_get_config(self->fd, &_is)); \
	EXPECT_EQ(0, memcmp(&_was, &_is, sizeof(_was))) \
		TH_LOG("%s: refused, but changed something", #__VA_ARGS__); \
} while (0)

TEST_F(device_config, defaults)
{
	struct csn_config config;
	struct csn_filter none = { .match = 0 };

	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	EXPECT_EQ(sizeof(config), config.size);
	EXPECT_EQ(CSN_CLASS_COMPACTION, config.classes);
	EXPECT_EQ(0, config.flags & ~CSN_FLAG_ZONE_STATE);
	EXPECT_EQ(self->info.ring_bytes_default, config.ring_bytes);
	EXPECT_EQ(1, config.watermark);
	EXPECT_EQ(0, config.counters);
	EXPECT_EQ(0, memcmp(&none, &config.filter, sizeof(none)));
}

TEST_F(device_config, round_trip)
{
	struct csn_config got;
	struct csn_config set = CONFIG(
		.flags = self->info.flags,
		.ring_bytes = self->info.ring_bytes_min,
		.watermark = 2,
		.filter = {
			.match = 0x3ff,
			.pid = getpid(),
			.tid = getpid(),
			.comm = "fifteen chars..",
			.node = 0,
			.zones = 1,
			.statuses = 0x1ff,
			.origins = 0xf,
			.syncs = 3,
			.order_min = -1,
			.order_max = self->info.nr_orders - 1,
			.min_latency = ~0ULL,
		});

	ASSERT_EQ(0, csn_set_config(self->fd, &set));
	ASSERT_EQ(0, csn_get_config(self->fd, &got));
	EXPECT_EQ(0, memcmp(&set, &got, sizeof(set)));
	EXPECT_CONFIG(0, CONFIG());
	ASSERT_EQ(0, csn_get_config(self->fd, &got));
	EXPECT_EQ(0, got.filter.match);
	EXPECT_EQ(0, got.flags);
}

TEST_F(device_config, classes_and_flags)
{
	unsigned int bit;

	EXPECT_REFUSED(-EINVAL, CONFIG(.classes = 0));
	for (bit = 0; bit < 32; bit++) {
		if (self->info.classes & 1U << bit)
			EXPECT_CONFIG(0, CONFIG(.classes = 1U << bit));
		else
			EXPECT_REFUSED(-EINVAL, CONFIG(.classes = 1U << bit | 1));
		if (self->info.flags & 1U << bit)
			EXPECT_CONFIG(0, CONFIG(.flags = 1U << bit));
		else
			EXPECT_REFUSED(-EINVAL, CONFIG(.flags = 1U << bit));
	}
	for (bit = 0; bit < 32; bit++) {
		if (bit && self->info.classes & 1U << bit)
			EXPECT_CONFIG(0, CONFIG(.classes = 0, .counters = 1U << bit));
		else
			EXPECT_REFUSED(-EINVAL, CONFIG(.counters = 1U << bit));
	}
}

TEST_F(device_config, ring_bytes)
{
	__u32 min = self->info.ring_bytes_min;
	__u32 max = self->info.ring_bytes_max;
	struct csn_config config;

	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min / 2));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = 1));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = 64));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min + 1));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min + min / 2));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = 3 * min));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = max + 1));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = max * 2));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = ~0U));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = min));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = 2 * min));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = max));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = 0));
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	EXPECT_EQ(self->info.ring_bytes_default, config.ring_bytes);
}

TEST_F(device_config, watermark)
{
	__u32 min = self->info.ring_bytes_min;
	__u32 half = min / 64 / 2;

	EXPECT_CONFIG(0, CONFIG(.ring_bytes = min, .watermark = 1));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = min, .watermark = half));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min,
				       .watermark = half + 1));
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min, .watermark = ~0U));
	/* Against the ring that it will be, not the one that was set before. */
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = 2 * min, .watermark = half + 1));
	EXPECT_REFUSED(-EINVAL,
		       CONFIG(.watermark = self->info.ring_bytes_default / 128 + 1));
}

TEST_F(device_config, filter_bits)
{
	unsigned int bit;

	for (bit = 10; bit < 32; bit++)
		EXPECT_REFUSED(-EINVAL, FILTER(.match = 1U << bit));
	EXPECT_REFUSED(-EINVAL, FILTER(.migratetypes = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_MIGRATETYPE));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_MIGRATETYPE,
				       .migratetypes = 1 << CSN_NR_MIGRATETYPES));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_MIGRATETYPE,
				.migratetypes = (1 << CSN_NR_MIGRATETYPES) - 1));
	/* A field whose bit is not set must be 0. */
	EXPECT_REFUSED(-EINVAL, FILTER(.pid = getpid()));
	EXPECT_REFUSED(-EINVAL, FILTER(.tid = getpid()));
	EXPECT_REFUSED(-EINVAL, FILTER(.comm = "a"));
	EXPECT_REFUSED(-EINVAL, FILTER(.node = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.zones = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.statuses = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.origins = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.syncs = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.order_min = -1));
	EXPECT_REFUSED(-EINVAL, FILTER(.order_max = 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.min_latency = 1));
}

TEST_F(device_config, filter_ranges)
{
	__u32 zones = self->info.nr_zones;
	__u32 orders = self->info.nr_orders;

	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_NODE, .node = 0));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_NODE,
				       .node = self->info.nr_nodes));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_NODE, .node = ~0U));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_ZONE,
				.zones = 1U << (zones - 1)));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ZONE, .zones = 0));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ZONE,
				       .zones = 1 | 1U << zones));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_STATUS, .statuses = 1 << 8));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_STATUS));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_STATUS,
				       .statuses = 1 | 1 << 9));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_ORIGIN, .origins = 1 << 3));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ORIGIN));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ORIGIN,
				       .origins = 1 | 1 << 4));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_SYNC, .syncs = 3));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_SYNC));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_SYNC, .syncs = 4));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_ORDER,
				.order_min = -1, .order_max = -1));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_ORDER,
				.order_min = orders - 1,
				.order_max = orders - 1));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ORDER,
				       .order_min = -2));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ORDER,
				       .order_max = orders));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_ORDER,
				       .order_min = 4, .order_max = 3));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_LATENCY, .min_latency = 0));
}

TEST_F(device_config, filter_comm)
{
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_COMM, .comm = "a"));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_COMM,
				.comm = "exactly fifteen"));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_COMM, .comm = "\xff\x01 ~"));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_COMM,
				       .comm = "sixteen has none"));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_COMM,
				       .comm = "behind\0it"));
}

/* A child that is gone, and a number that no kernel gives out. */
TEST_F(device_config, filter_no_such_process)
{
	pid_t child = fork();

	ASSERT_LE(0, child);
	if (!child)
		_exit(0);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_REFUSED(-ESRCH, FILTER(.match = CSN_MATCH_PID, .pid = child));
	EXPECT_REFUSED(-ESRCH, FILTER(.match = CSN_MATCH_TID, .tid = child));
	EXPECT_REFUSED(-ESRCH, FILTER(.match = CSN_MATCH_PID, .pid = 1 << 23));
	EXPECT_REFUSED(-ESRCH, FILTER(.match = CSN_MATCH_TID, .tid = 1 << 23));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_PID, .pid = 0));
	EXPECT_REFUSED(-EINVAL, FILTER(.match = CSN_MATCH_TID, .tid = 0));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_PID, .pid = 1));
}

struct teller {
	int told[2];	/* pipe for the thread's id */
	int done[2];	/* pipe that is closed when that has been used */
};

static void *tell_id(void *arg)
{
	const struct teller *teller = arg;
	pid_t tid = syscall(SYS_gettid);
	char c;

	if (write(teller->told[1], &tid, sizeof(tid)) != sizeof(tid))
		return arg;
	return read(teller->done[0], &c, 1) ? arg : NULL;
}

/* The id of a thread that is not the first is no process's. */
TEST_F(device_config, filter_thread_is_no_process)
{
	struct teller teller;
	void *trouble = NULL;
	pthread_t thread;
	pid_t tid;

	ASSERT_EQ(0, pipe(teller.told));
	ASSERT_EQ(0, pipe(teller.done));
	ASSERT_EQ(0, pthread_create(&thread, NULL, tell_id, &teller));
	ASSERT_EQ(sizeof(tid), read(teller.told[0], &tid, sizeof(tid)));
	EXPECT_REFUSED(-ESRCH, FILTER(.match = CSN_MATCH_PID, .pid = tid));
	EXPECT_CONFIG(0, FILTER(.match = CSN_MATCH_TID, .tid = tid));
	close(teller.done[1]);
	EXPECT_EQ(0, pthread_join(thread, &trouble));
	EXPECT_TRUE(!trouble);
	close(teller.done[0]);
	close(teller.told[0]);
	close(teller.told[1]);
}

/* A struct of another version than the module's: longer, tail zero or not. */
struct longer {
	struct csn_config config;
	char tail[32];
};

TEST_F(device_config, set_sizes)
{
	struct longer *l = calloc(1, 2 * getpagesize());
	__u32 size;

	ASSERT_TRUE(l != NULL);
	l->config = CONFIG();
	for (size = 0; size < sizeof(l->config); size++) {
		l->config.size = size;
		EXPECT_EQ(-EINVAL, csn_set_config(self->fd, &l->config))
			TH_LOG("size %u", size);
	}
	l->config.size = sizeof(*l);
	EXPECT_EQ(0, csn_set_config(self->fd, &l->config));
	l->config.size = getpagesize();
	EXPECT_EQ(0, csn_set_config(self->fd, &l->config));
	l->config.size = getpagesize() + 1;
	EXPECT_EQ(-E2BIG, csn_set_config(self->fd, &l->config));
	l->config.size = ~0U;
	EXPECT_EQ(-E2BIG, csn_set_config(self->fd, &l->config));
	l->config.size = sizeof(*l);
	l->tail[sizeof(l->tail) - 1] = 1;
	EXPECT_EQ(-E2BIG, csn_set_config(self->fd, &l->config));
	free(l);
}

static const struct {
	const char *name;
	unsigned long cmd;
	__u32 size;
} getters[] = {
	{ "GET_INFO", CSN_IOC_GET_INFO, sizeof(struct csn_info) },
	{ "GET_CONFIG", CSN_IOC_GET_CONFIG, sizeof(struct csn_config) },
	{ "GET_STATS", CSN_IOC_GET_STATS, sizeof(struct csn_stats) },
};

TEST_F(device_config, get_sizes)
{
	__u32 buf[1024 + 1];
	char *tail;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(getters); i++) {
		memset(buf, 0, sizeof(buf));
		EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, getters[i].cmd, buf))
			TH_LOG("%s: size 0", getters[i].name);
		buf[0] = getters[i].size - 1;
		EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, getters[i].cmd, buf))
			TH_LOG("%s: too short", getters[i].name);
		buf[0] = getpagesize() + 1;
		EXPECT_EQ(-E2BIG, csn_ioctl(self->fd, getters[i].cmd, buf))
			TH_LOG("%s: longer than a page", getters[i].name);
		buf[0] = getters[i].size + 8;
		tail = (char *)buf + getters[i].size;
		EXPECT_EQ(0, csn_ioctl(self->fd, getters[i].cmd, buf))
			TH_LOG("%s: zero tail", getters[i].name);
		EXPECT_EQ(0, memcmp(tail, "\0\0\0\0\0\0\0", 8));
		memset(buf, 0, sizeof(buf));
		buf[0] = getters[i].size + 8;
		tail[7] = 1;
		EXPECT_EQ(-E2BIG, csn_ioctl(self->fd, getters[i].cmd, buf))
			TH_LOG("%s: tail not zero", getters[i].name);
	}
}

TEST_F(device_config, bad_pointers)
{
	static const unsigned long cmd[] = {
		CSN_IOC_GET_INFO, CSN_IOC_GET_CONFIG, CSN_IOC_SET_CONFIG,
		CSN_IOC_GET_STATS, CSN_IOC_RESOLVE,
	};
	size_t page = getpagesize();
	char *edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	ASSERT_TRUE(edge != MAP_FAILED);
	ASSERT_EQ(0, munmap(edge + page, page));
	/* The size can be read, what should follow cannot. */
	*(__u32 *)(edge + page - 4) = 512;
	for (i = 0; i < ARRAY_SIZE(cmd); i++) {
		EXPECT_EQ(-EFAULT, csn_ioctl(self->fd, cmd[i], NULL))
			TH_LOG("command %u, NULL", (unsigned int)_IOC_NR(cmd[i]));
		EXPECT_EQ(-EFAULT, csn_ioctl(self->fd, cmd[i], edge + page))
			TH_LOG("command %u, unmapped", (unsigned int)_IOC_NR(cmd[i]));
		EXPECT_EQ(-EFAULT, csn_ioctl(self->fd, cmd[i], edge + page - 4))
			TH_LOG("command %u, half", (unsigned int)_IOC_NR(cmd[i]));
	}
	munmap(edge, page);
}

TEST_F(device_config, unknown_commands)
{
	__u32 buf[128] = { sizeof(buf) };
	unsigned int nr;

	for (nr = 9; nr < 256; nr++)
		EXPECT_EQ(-ENOTTY, csn_ioctl(self->fd,
					     _IOC(_IOC_READ | _IOC_WRITE, 0xce,
						  nr, 80), buf))
			TH_LOG("command %u", nr);
	/* Known numbers under another letter. */
	for (nr = 0; nr < 9; nr++)
		EXPECT_EQ(-ENOTTY, csn_ioctl(self->fd,
					     _IOC(_IOC_READ | _IOC_WRITE, 0xcd,
						  nr, 80), buf));
	EXPECT_EQ(-ENOTTY, csn_ioctl(self->fd, 0, buf));
}

/* The size that is encoded in a command does not count; the struct's does. */
TEST_F(device_config, command_of_another_size)
{
	struct csn_config config = CONFIG(.flags = CSN_FLAG_OWN_PROCESS);
	struct csn_config got = { .size = sizeof(got) };

	EXPECT_EQ(0, csn_ioctl(self->fd, _IOC(_IOC_WRITE, 0xce, 2, 96),
			       &config));
	EXPECT_EQ(0, csn_ioctl(self->fd,
			       _IOC(_IOC_READ | _IOC_WRITE, 0xce, 1, 40),
			       &got));
	EXPECT_EQ(CSN_FLAG_OWN_PROCESS, got.flags);
}

TEST_F(device_config, ring_stays_once_started)
{
	__u32 min = self->info.ring_bytes_min;

	EXPECT_CONFIG(0, CONFIG(.ring_bytes = min));
	ASSERT_EQ(0, csn_start(self->fd));
	EXPECT_REFUSED(-EBUSY, CONFIG(.ring_bytes = 2 * min));
	EXPECT_REFUSED(-EBUSY, CONFIG(.ring_bytes = 0));
	EXPECT_CONFIG(0, CONFIG(.ring_bytes = min, .flags = CSN_FLAG_OWN_PROCESS));
	ASSERT_EQ(0, csn_stop(self->fd));
	EXPECT_REFUSED(-EBUSY, CONFIG(.ring_bytes = 2 * min));
	/* Refused for another reason: still nothing of it is taken. */
	EXPECT_REFUSED(-EINVAL, CONFIG(.ring_bytes = min, .counters = CSN_CLASS_COMPACTION));
}

static size_t own_events(struct __test_metadata *_metadata, int fd)
{
	struct csn_log log;
	size_t nr;

	csn_log_init(&log);
	EXPECT_EQ(0, machine_compact());
	EXPECT_EQ(0, csn_log_drain(&log, fd));
	EXPECT_INTACT(&log);
	nr = log.nr_events;
	csn_log_free(&log);
	return nr;
}

/* From the return of the ioctl on, and from the next event of each zone. */
TEST_F(device_config, filter_while_running)
{
	int zones = machine_populated_zones();
	struct csn_config config;

	ASSERT_EQ(0, csn_config_self(self->fd, 0));
	ASSERT_EQ(0, csn_start(self->fd));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.filter.match |= CSN_MATCH_ORIGIN;
	config.filter.origins = 1 << CSN_ORIGIN_DIRECT;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	EXPECT_EQ(0, own_events(_metadata, self->fd));
	config.filter.origins = 1 << CSN_ORIGIN_MANUAL;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
	/* A set that fails leaves the filter in force. */
	config.filter.origins = 1 << 31;
	ASSERT_EQ(-EINVAL, csn_set_config(self->fd, &config));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
}

TEST_F(device_config, start_and_stop_again)
{
	int zones = machine_populated_zones();

	ASSERT_EQ(0, csn_config_self(self->fd, 0));
	EXPECT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(0, csn_start(self->fd));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
	EXPECT_EQ(0, csn_start(self->fd));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
	EXPECT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(0, csn_stop(self->fd));
	EXPECT_EQ(0, own_events(_metadata, self->fd));
	EXPECT_EQ(0, csn_start(self->fd));
	EXPECT_EQ(zones, own_events(_metadata, self->fd));
}

TEST_F(device_config, stats)
{
	int zones = machine_populated_zones();
	struct csn_stats stats;

	ASSERT_EQ(0, csn_config_self(self->fd, CSN_FLAG_ZONE_STATE));
	ASSERT_EQ(0, csn_start(self->fd));
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_stats(self->fd, CSN_CPU_ALL, &stats));
	EXPECT_EQ(zones, stats.produced);
	EXPECT_EQ(zones, stats.delivered);
	EXPECT_EQ(0, csn_stats_lost(&stats));
	EXPECT_EQ(2 * zones, stats.pending);
	EXPECT_EQ(sizeof(stats), stats.size);
	EXPECT_EQ(CSN_CPU_ALL, stats.cpu);
	EXPECT_EQ(0, csn_stats(self->fd, self->info.nr_cpus - 1, &stats));
	EXPECT_EQ(self->info.nr_cpus - 1, stats.cpu);
	EXPECT_EQ(-ENXIO, csn_stats(self->fd, self->info.nr_cpus, &stats));
	EXPECT_EQ(-ENXIO, csn_stats(self->fd, CSN_CPU_ALL - 1, &stats));
	EXPECT_EQ(-ENXIO, csn_stats(self->fd, 1U << 31, &stats));
}

CSN_HARNESS_MAIN
