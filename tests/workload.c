// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory compactions on demand: see workload.h.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "machine.h"
#include "workload.h"

#define THP	"/sys/kernel/mm/transparent_hugepage/"

enum setting { ENABLED, DEFRAG, NR_HUGEPAGES, MIN_FREE, PROACTIVENESS };

static const char *const path[WORKLOAD_SETTINGS] = {
	[ENABLED]	= THP "enabled",
	[DEFRAG]	= THP "defrag",
	[NR_HUGEPAGES]	= "/proc/sys/vm/nr_hugepages",
	[MIN_FREE]	= "/proc/sys/vm/min_free_kbytes",
	[PROACTIVENESS]	= "/proc/sys/vm/compaction_proactiveness",
};

/* While memory is filled; then few free blocks are left over. */
#define FILL_MIN_FREE_KB	"2048"
/*
 * What the fill leaves. Page cache stays as it is; the lowest zone, of 15 MiB
 * on a PC, keeps nearly all of that to itself, and the rest of the system wants
 * some while this goes on: with less, the kernel has killed the task.
 */
#define FILL_LEAVE_KB		49152
/* How often it looks, in parts of a huge page: a MiB here, with 4 KiB pages. */
#define FILL_LOOKS		4

/* Of one message, bytes, and how many a socket may hold: what the fill leaves. */
#define SOCKET_MESSAGE		(64 * 1024)
#define SOCKET_MESSAGES		(FILL_LEAVE_KB * 1024 / SOCKET_MESSAGE)

/* PREEMPT_RT kernels have no transparent huge pages. */
static bool have_thp(const struct workload *w)
{
	return w->saved[ENABLED][0];
}

static int set(enum setting setting, const char *value)
{
	return machine_write(path[setting], value);
}

static bool timed_out(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 +
	       (now.tv_nsec - start->tv_nsec) / 1000000 > WORKLOAD_PATIENCE_MS;
}

/* A line "name: value" of /proc/meminfo or /proc/zoneinfo, the first one. */
static long value_in(const char *file, const char *name)
{
	FILE *f = fopen(file, "re");
	long found = -ENOENT;
	char line[256];

	if (!f)
		return -errno;
	while (found < 0 && fgets(line, sizeof(line), f)) {
		const char *at = strstr(line, name);

		if (at)
			sscanf(at + strlen(name), ": %ld", &found);
	}
	fclose(f);
	return found;
}

int workload_begin(struct workload *w)
{
	char text[64];
	int i;

	memset(w, 0, sizeof(*w));
	w->socket[0] = -1;
	w->socket[1] = -1;
	for (i = 0; i < WORKLOAD_SETTINGS; i++) {
		const char *open;
		int err = machine_read(path[i], text, sizeof(text));

		/* A kernel without the feature does without the setting. */
		if (err == -ENOENT)
			continue;
		if (err)
			return err;
		/* A choice is shown as "always [madvise] never". */
		open = strchr(text, '[');
		sscanf(open ? open + 1 : text, "%63[^]]", w->saved[i]);
	}
	w->huge_page = value_in("/proc/meminfo", "Hugepagesize") * 1024;
	return (long)w->huge_page > 0 ? 0 : -EOPNOTSUPP;
}

static void free_memory(struct workload *w)
{
	int i;

	if (w->pages)
		munmap(w->pages, w->size);
	if (w->huge)
		munmap(w->huge, w->size);
	w->pages = NULL;
	w->huge = NULL;
	for (i = 0; i < 2; i++)
		if (w->socket[i] >= 0)
			close(w->socket[i]);
	w->socket[0] = -1;
	w->socket[1] = -1;
}

void workload_end(struct workload *w)
{
	int i;

	free_memory(w);
	for (i = 0; i < WORKLOAD_SETTINGS; i++)
		if (w->saved[i][0])
			set(i, w->saved[i]);
}

static char *map(size_t size)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/*
 * Touches pages of both in turn, so that they lie interleaved in memory, until
 * little is free. Returns how far it came.
 */
static size_t fill(const struct workload *w, char *dropped)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t at;

	for (at = 0; at < w->size; at += page) {
		if (at % (w->huge_page / FILL_LOOKS) == 0 &&
		    value_in("/proc/meminfo", "MemFree") < FILL_LEAVE_KB)
			break;
		w->pages[at] = 1;
		dropped[at] = 1;
	}
	return at;
}

int workload_fragment(struct workload *w)
{
	char *dropped;
	size_t filled;
	int err;

	free_memory(w);
	err = set(NR_HUGEPAGES, "0");
	/* It would compact what was fragmented, some time later. */
	if (!err && w->saved[PROACTIVENESS][0])
		err = set(PROACTIVENESS, "0");
	if (!err)
		err = set(MIN_FREE, FILL_MIN_FREE_KB);
	if (err)
		return err;
	w->size = value_in("/proc/meminfo", "MemTotal") / 2 * 1024 & ~(w->huge_page - 1);
	w->pages = map(w->size);
	dropped = map(w->size);
	if (!w->pages || !dropped)
		return -ENOMEM;
	if (have_thp(w) && (madvise(w->pages, w->size, MADV_NOHUGEPAGE) ||
			    madvise(dropped, w->size, MADV_NOHUGEPAGE)))
		return -errno;
	filled = fill(w, dropped);
	munmap(dropped, w->size);
	if (!filled)
		return -ENOMEM;
	if (filled < w->size)
		munmap(w->pages + filled, w->size - filled);
	w->size = filled;
	w->huge = map(w->size);
	w->huge_used = 0;
	return w->huge ? set(MIN_FREE, w->saved[MIN_FREE]) : -ENOMEM;
}

/*
 * A page fault that takes a huge page if there is one. If there is none, it is
 * as if it had not been; -ENOMEM once there were so many that memory is full.
 */
static int fault_huge(struct workload *w)
{
	size_t skip = -(size_t)w->huge & (w->huge_page - 1);
	char *at = w->huge + skip + w->huge_used;
	long fallbacks;

	/* Nothing here can be reclaimed: the next page might be this task's last. */
	if (!w->huge || skip + w->huge_used + w->huge_page > w->size ||
	    value_in("/proc/meminfo", "MemFree") <
	    FILL_LEAVE_KB + atol(w->saved[MIN_FREE]))
		return -ENOMEM;
	fallbacks = machine_vmstat("thp_fault_fallback");
	*at = 1;
	if (machine_vmstat("thp_fault_fallback") == fallbacks)
		w->huge_used += w->huge_page;
	else if (madvise(at, w->huge_page, MADV_DONTNEED))
		return -errno;
	return 0;
}

static int thp(const char *enabled, const char *defrag)
{
	int err = set(ENABLED, enabled);

	return err ? err : set(DEFRAG, defrag);
}

/*
 * More hugetlb pages than there is memory for. Of those that it got some are
 * given back at once: with so little left, the kernel has killed the task at its
 * next fork.
 */
static int ask_for_hugepages(struct workload *w)
{
	long size = value_in("/proc/meminfo", "Hugepagesize");
	char text[32];
	long got;
	int err;

	(void)w;
	snprintf(text, sizeof(text), "%ld", value_in("/proc/meminfo", "MemTotal") / size);
	err = set(NR_HUGEPAGES, text);
	if (err)
		return err;
	got = value_in("/proc/meminfo", "HugePages_Total") - FILL_LEAVE_KB / size;
	snprintf(text, sizeof(text), "%ld", got > 0 ? got : 0);
	return set(NR_HUGEPAGES, text);
}

/* @allocate again and again, until the kernel counts on. */
static int until_counted(struct workload *w, int (*allocate)(struct workload *w),
			 const char *counter)
{
	long before = machine_vmstat(counter);
	struct timespec start;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!err && machine_vmstat(counter) == before) {
		err = timed_out(&start) ? -ETIMEDOUT : allocate(w);
		machine_nap();
	}
	return err;
}

/*
 * A message for nobody. A UNIX socket takes blocks of 32 KiB for it if it can
 * have them without reclaim, and wakes kswapd and kcompactd if not.
 */
static int send_message(struct workload *w)
{
	static const char message[SOCKET_MESSAGE];
	int size = SOCKET_MESSAGE * SOCKET_MESSAGES;

	if (w->socket[0] < 0 &&
	    (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, w->socket) ||
	     setsockopt(w->socket[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size))))
		return -errno;
	if (write(w->socket[0], message, sizeof(message)) >= 0)
		return 0;
	return errno == EAGAIN ? -ENOMEM : -errno;
}

/* Faults that take huge pages; where there are none, @without_thp. */
static int allocate_until(struct workload *w, const char *defrag,
			  int (*without_thp)(struct workload *w), const char *counter)
{
	int err;

	if (!have_thp(w))
		return until_counted(w, without_thp, counter);
	err = thp("always", defrag);
	return err ? err : until_counted(w, fault_huge, counter);
}

int workload_thp(struct workload *w)
{
	return allocate_until(w, "always", ask_for_hugepages, "compact_stall");
}

int workload_hugepages(struct workload *w)
{
	long before = machine_vmstat("compact_fail");
	int err = ask_for_hugepages(w);

	if (!err && machine_vmstat("compact_fail") == before)
		err = -ETIMEDOUT;
	return err;
}

int workload_compact(struct workload *w)
{
	(void)w;
	return machine_compact();
}

int workload_kcompactd(struct workload *w)
{
	return allocate_until(w, "defer", send_message, "compact_daemon_migrate_scanned");
}

int workload_proactive(struct workload *w)
{
	/* 6.1 does not count these scans as kcompactd's. */
	long scanned = machine_vmstat("compact_migrate_scanned");
	struct timespec start;
	int err;

	if (!w->saved[PROACTIVENESS][0])
		return -EOPNOTSUPP;
	err = set(PROACTIVENESS, "100");
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!err && machine_vmstat("compact_migrate_scanned") == scanned) {
		if (timed_out(&start))
			err = -ETIMEDOUT;
		machine_nap();
	}
	set(PROACTIVENESS, "0");
	return err;
}

/*
 * Once kswapd has given a node up, an allocation that may not reclaim asks in
 * its own context whether compaction is suitable, and wakes kcompactd if so:
 * if kcompactd wakes then, the answer was yes.
 */
int workload_stale_note(struct workload *w)
{
	struct timespec start;
	bool told = false;
	int err;

	if (!have_thp(w))
		return -EOPNOTSUPP;
	err = thp("always", "defer");
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!err && !told) {
		bool given_up = value_in("/proc/zoneinfo", "node_unreclaimable") == 1;
		long woken = machine_vmstat("compact_daemon_wake");

		if (timed_out(&start))
			return -ETIMEDOUT;
		err = fault_huge(w);
		machine_nap();
		told = given_up && machine_vmstat("compact_daemon_wake") > woken;
	}
	return err ? err : machine_compact();
}
