// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc and /sys for the tests: zones, CPUs, counters, threads.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "machine.h"

int machine_read(const char *path, char *buf, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (used < len - 1) {
		n = read(fd, buf + used, len - 1 - used);
		if (n <= 0)
			break;
		used += n;
	}
	n = n < 0 ? -errno : 0;
	close(fd);
	if (used && buf[used - 1] == '\n')
		used--;
	buf[used] = '\0';
	return n;
}

int machine_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		err = -errno;
	close(fd);
	return err;
}

int machine_compact(void)
{
	return machine_write("/proc/sys/vm/compact_memory", "1");
}

/* One "word number" line of a zone's entry. */
static void machine_zone_line(struct machine_zone *zone, const char *line)
{
	static const struct {
		const char *form;
		size_t offset;
	} field[] = {
		{ " pages free %lu", offsetof(struct machine_zone, free) },
		{ " boost %lu", offsetof(struct machine_zone, boost) },
		{ " min %lu", offsetof(struct machine_zone, min) },
		{ " low %lu", offsetof(struct machine_zone, low) },
		{ " high %lu", offsetof(struct machine_zone, high) },
		{ " spanned %lu", offsetof(struct machine_zone, spanned) },
		{ " managed %lu", offsetof(struct machine_zone, managed) },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(field); i++) {
		unsigned long value;

		if (sscanf(line, field[i].form, &value) != 1)
			continue;
		*(unsigned long *)((char *)zone + field[i].offset) = value;
		return;
	}
}

int machine_zones(struct machine_zone zone[MACHINE_MAX_ZONES])
{
	FILE *f = fopen("/proc/zoneinfo", "re");
	struct machine_zone *z = NULL;
	bool in_pagesets = false;
	char line[256];
	char name[16];
	int nr = 0;
	int node;

	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Node %d, zone %15s", &node, name) == 2 &&
		    nr < MACHINE_MAX_ZONES) {
			bool same = z && z->node == node;
			int number = same ? z->number + 1 : 0;

			z = &zone[nr++];
			memset(z, 0, sizeof(*z));
			z->node = node;
			z->number = number;
			memcpy(z->name, name, sizeof(name));
			in_pagesets = false;
		} else if (z && sscanf(line, " start_pfn: %lu", &z->start) == 1) {
			continue;
		} else if (z && !in_pagesets) {
			/* Per-CPU page sets have a "high" of their own. */
			in_pagesets = strstr(line, "pagesets");
			machine_zone_line(z, line);
		}
	}
	fclose(f);
	return nr;
}

int machine_populated_zones(void)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	int nr = machine_zones(zone);
	int populated = 0;
	int i;

	for (i = 0; i < nr; i++)
		populated += zone[i].managed > 0;
	return nr < 0 ? nr : populated;
}

int machine_possible_cpus(void)
{
	char buf[256];
	const char *last;
	int err = machine_read("/sys/devices/system/cpu/possible", buf,
			       sizeof(buf));

	if (err)
		return err;
	/* "0" or "0-3" or "0,2-5": what counts is the last number. */
	last = buf + strlen(buf);
	while (last > buf && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return atoi(last) + 1;
}

int machine_config(const char *option)
{
	struct utsname uts;
	char path[128];
	char line[256];
	int found = 0;
	FILE *f;

	uname(&uts);
	snprintf(path, sizeof(path), "/boot/config-%s", uts.release);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (!found && fgets(line, sizeof(line), f))
		found = !strncmp(line, option, strlen(option)) &&
			!strcmp(line + strlen(option), "=y\n");
	fclose(f);
	return found;
}

int machine_cpu_only(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : cpu;
}

int machine_this_cpu_only(void)
{
	return machine_cpu_only(sched_getcpu());
}

long machine_vmstat(const char *name)
{
	FILE *f = fopen("/proc/vmstat", "re");
	long found = -ENOENT;
	char word[64];
	long value;

	if (!f)
		return -errno;
	while (fscanf(f, "%63s %ld", word, &value) == 2) {
		if (!strcmp(word, name)) {
			found = value;
			break;
		}
	}
	fclose(f);
	return found;
}

int machine_thread_state(pid_t tid)
{
	char path[64];
	char buf[512];
	const char *paren;
	int err;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	err = machine_read(path, buf, sizeof(buf));
	if (err)
		return err;
	/* The name before the state may hold anything, ')' too. */
	paren = strrchr(buf, ')');
	return paren && paren[1] ? paren[2] : -EINVAL;
}

void machine_nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

int machine_wait_asleep(pid_t tid, int timeout_ms)
{
	int state;

	for (; timeout_ms > 0; timeout_ms -= 2) {
		state = machine_thread_state(tid);
		if (state < 0 || state == 'S')
			return state < 0 ? state : 0;
		machine_nap();
	}
	return -ETIMEDOUT;
}
