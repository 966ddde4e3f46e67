// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for /dev/compactsnoop, preloaded into the tool, so that what it
 * does live can be tested on a machine without the module. The environment
 * says how it behaves:
 *
 * FAKE_STREAM		file or FIFO that holds what read() gives
 * FAKE_OPEN		errno of open(), 0: it works
 * FAKE_MODPROBE	1: there is a modprobe and it makes open() work
 *			2: there is one, it fails and says FAKE_SAYS
 * FAKE_ROOT		directory that has the files to take for /proc and /sys
 * FAKE_INFO, FAKE_CONFIG, FAKE_START, FAKE_READ	errno of these, too
 * FAKE_ABI, FAKE_FEATURES, FAKE_LOST	what GET_INFO and GET_STATS tell
 * FAKE_ENDLESS		if set, a file begins again at this offset until STOP
 * FAKE_CONFIG_FILE	where to put the struct that SET_CONFIG got
 * FAKE_CLASSES		what GET_INFO tells
 * FAKE_COUNTERS	file with the cells that each GET_COUNTERS gives, one
 *			after the other; at its end the last again
 * FAKE_BEYOND		what each GET_COUNTERS tells
 * FAKE_BOOT		file that is the capture from boot
 * FAKE_TAKE_BOOT	errno of CSN_IOC_TAKE_BOOT
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/compactsnoop.h>

/* The machine, for counters. */
#define NODES	2
#define ZONES	5
#define ORDERS	11
/* Failed allocations are of no node and zone: one table of them. */
#define CELLS	((3 * NODES * ZONES + 1) * ORDERS * CSN_NR_MIGRATETYPES)

static const char zone_names[ZONES][CSN_ZONE_NAME_LEN] = {
	"DMA", "DMA32", "Normal", "Movable", "Device",
};

static int device = -1;
static bool started, stopped, loaded;

static long setting(const char *name, long otherwise)
{
	const char *value = getenv(name);

	return value ? atol(value) : otherwise;
}

static int fail(const char *name)
{
	errno = setting(name, 0);
	return errno ? -1 : 0;
}

static bool is_modprobe(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strcmp(name, "/modprobe");
}

int open(const char *path, int flags, ...)
{
	static int (*real)(const char *path, int flags, ...);
	const char *root = getenv("FAKE_ROOT");
	char elsewhere[4096];

	if (!real)
		real = dlsym(RTLD_NEXT, "open");
	if (root && (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5))) {
		snprintf(elsewhere, sizeof(elsewhere), "%s%s", root, path);
		return real(elsewhere, flags);
	}
	if (strcmp(path, "/dev/" CSN_DEVICE_NAME))
		return real(path, flags);
	if (!loaded && fail("FAKE_OPEN"))
		return -1;
	device = real(getenv("FAKE_STREAM"), flags);
	return device;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int access(const char *path, int mode)
{
	static int (*real)(const char *path, int mode);

	if (!real)
		real = dlsym(RTLD_NEXT, "access");
	if (is_modprobe(path))
		return setting("FAKE_MODPROBE", 0) ? 0 : -1;
	if (!strcmp(path, "/dev/" CSN_DEVICE_NAME))
		return loaded ? 0 : -1;
	return real(path, mode);
}

int posix_spawn(pid_t *pid, const char *path,
		const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char * const argv[],
		char * const envp[])
{
	static char * const does[] = { "sh", "-c", "exit 0", NULL };
	static char * const fails[] = {
		"sh", "-c", "printf %s \"$FAKE_SAYS\" >&2; exit 1", NULL
	};
	int (*real)(pid_t *pid, const char *path,
		    const posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attributes, char * const argv[],
		    char * const envp[]) = dlsym(RTLD_NEXT, "posix_spawn");

	(void)path;
	loaded = setting("FAKE_MODPROBE", 0) == 1 &&
		 !strcmp(argv[1], CSN_DEVICE_NAME) && !argv[2];
	return real(pid, "/bin/sh", actions, attributes, loaded ? does : fails,
		    envp);
}

uid_t geteuid(void)
{
	return setting("FAKE_MODPROBE", 0) ? 0 : 1000;
}

static int get_info(struct csn_info *info)
{
	info->abi_version = setting("FAKE_ABI", CSN_ABI_VERSION);
	info->features = setting("FAKE_FEATURES", 0x1f);
	info->classes = setting("FAKE_CLASSES", 0xf);
	info->nr_nodes = NODES;
	info->nr_zones = ZONES;
	info->nr_orders = ORDERS;
	memcpy(info->zone_name, zone_names, sizeof(zone_names));
	info->flags = CSN_FLAG_ZONE_STATE | CSN_FLAG_STACK;
	return fail("FAKE_INFO");
}

static int set_config(const struct csn_config *config)
{
	const char *path = getenv("FAKE_CONFIG_FILE");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (file) {
		fwrite(config, sizeof(*config), 1, file);
		fclose(file);
	}
	return fail("FAKE_CONFIG");
}

static int get_counters(struct csn_counters *counters)
{
	static int file = -1;
	struct timespec now;
	ssize_t got;

	clock_gettime(CLOCK_MONOTONIC, &now);
	counters->ts = now.tv_sec * 1000000000ULL + now.tv_nsec;
	counters->nr_nodes = NODES;
	counters->nr_zones = ZONES;
	counters->nr_orders = ORDERS;
	counters->nr_migratetypes = CSN_NR_MIGRATETYPES;
	counters->beyond = setting("FAKE_BEYOND", 0);
	if (counters->cells && counters->nr_cells == CELLS) {
		if (file < 0)
			file = open(getenv("FAKE_COUNTERS"), O_RDONLY);
		got = read(file, (void *)(unsigned long)counters->cells,
			   CELLS * sizeof(__u64));
		if (!got) {
			lseek(file, -(off_t)(CELLS * sizeof(__u64)), SEEK_END);
			got = read(file, (void *)(unsigned long)counters->cells,
				   CELLS * sizeof(__u64));
		}
		if (got != CELLS * sizeof(__u64))
			return -1;
	}
	counters->nr_cells = CELLS;
	return 0;
}

static int take_boot(void)
{
	if (fail("FAKE_TAKE_BOOT"))
		return -1;
	device = open(getenv("FAKE_BOOT"), O_RDONLY | O_NONBLOCK);
	started = true;
	return device;
}

static int resolve(struct csn_symbol *symbol)
{
	if (!(symbol->handle & 1)) {
		errno = ENOENT;
		return -1;
	}
	snprintf(symbol->name, sizeof(symbol->name), "frame_%llx+0x%llx",
		 symbol->handle, symbol->handle & 0xfff);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	__u32 *size;

	va_start(args, request);
	size = va_arg(args, void *);
	va_end(args);
	if (fd != device) {
		errno = ENOTTY;
		return -1;
	}
	switch (request) {
	case CSN_IOC_GET_INFO:
		return *size == sizeof(struct csn_info) ? get_info((void *)size) : -1;
	case CSN_IOC_SET_CONFIG:
		return *size == sizeof(struct csn_config) ? set_config((void *)size) : -1;
	case CSN_IOC_START:
		started = true;
		return fail("FAKE_START");
	case CSN_IOC_STOP:
		stopped = true;
		return 0;
	case CSN_IOC_GET_STATS:
		((struct csn_stats *)size)->lost_full = setting("FAKE_LOST", 0);
		return ((struct csn_stats *)size)->cpu == CSN_CPU_ALL ? 0 : -1;
	case CSN_IOC_RESOLVE:
		return resolve((void *)size);
	case CSN_IOC_GET_COUNTERS:
		return get_counters((void *)size);
	case CSN_IOC_TAKE_BOOT:
		return take_boot();
	}
	errno = ENOTTY;
	return -1;
}

ssize_t read(int fd, void *data, size_t size)
{
	static ssize_t (*real)(int fd, void *data, size_t size);
	ssize_t got;

	if (!real)
		real = dlsym(RTLD_NEXT, "read");
	if (fd != device)
		return real(fd, data, size);
	if (!started || fail("FAKE_READ"))
		return -1;
	size -= size % CSN_RECORD_SIZE;
	got = real(fd, data, size);
	if (!got && !stopped && getenv("FAKE_ENDLESS")) {
		lseek(fd, setting("FAKE_ENDLESS", 0), SEEK_SET);
		got = real(fd, data, size);
	}
	return got < 0 && errno == EAGAIN && stopped ? 0 : got;
}
