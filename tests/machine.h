/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel itself says about the machine, in /proc and /sys: the
 * oracle of the tests. Errors are negative errnos.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MACHINE_MAX_ZONES	64

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#endif

/* A zone as in /proc/zoneinfo, watermarks as printed there: boost included. */
struct machine_zone {
	int node;
	int number;	/* in its node, in the order listed: the kernel's zone_idx */
	char name[16];
	unsigned long managed;
	unsigned long min;
	unsigned long low;
	unsigned long high;
	unsigned long boost;
	unsigned long free;
	unsigned long start;	/* page frame */
	unsigned long spanned;
};

/* All zones, empty ones too; their number or an error. */
int machine_zones(struct machine_zone zone[MACHINE_MAX_ZONES]);
/* Zones that have pages: those that a manual compaction goes through. */
int machine_populated_zones(void);

int machine_possible_cpus(void);

/*
 * Whether this kernel was built with option, "CONFIG_SMP" say: 1 or 0, or
 * -ENOENT if /boot does not have its configuration.
 */
int machine_config(const char *option);
/* Both return the CPU, or a negative errno. */
int machine_cpu_only(int cpu);
int machine_this_cpu_only(void);

long machine_vmstat(const char *name);

/* A whole small file as a string, the last newline cut off. */
int machine_read(const char *path, char *buf, size_t len);
int machine_write(const char *path, const char *value);

/* Manual compaction of every zone of every node. */
int machine_compact(void);

/* State letter of a thread of this process ('S' is asleep), or an error. */
int machine_thread_state(pid_t tid);
/* Waits until it is asleep. */
int machine_wait_asleep(pid_t tid, int timeout_ms);

void machine_nap(void);

#endif /* MACHINE_H */
