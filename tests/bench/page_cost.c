// SPDX-License-Identifier: GPL-2.0-only
/*
 * What it takes to allocate pages while nobody, or one of us, looks on: prints
 * a case and its nanoseconds for PAGE_COST_EVENTS allocations. In a VM with
 * QEMU's -icount these are instructions. For one CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csn.h"

#define PAGES		4096
#define ROUNDS		4
#define REPEATS		3
#define MAX_SESSIONS	8
/* All events of all repeats, page tables and what the kernel does besides. */
#define RING_BYTES	(8U << 20)

struct page_cost_case {
	const char *name;
	unsigned int sessions;
	__u32 classes;
	__u32 counters;
	enum { ANY, THIS_PID, OTHER_PID } pid;
	unsigned long events;	/* what each session must have seen at least */
};

#define ALL_EVENTS	(PAGES * ROUNDS * REPEATS)

#define RECORDS(nr, least, ...) { \
	.sessions = nr, .events = least, .classes = CSN_CLASS_PAGE_ALLOC, __VA_ARGS__ }
#define COUNTERS(...) { \
	.sessions = 1, .counters = CSN_CLASS_PAGE_ALLOC, __VA_ARGS__ }

static const struct page_cost_case cases[] = {
	{ .name = "none" },
	COUNTERS(.name = "counters"),
	COUNTERS(.name = "counters, another pid", .pid = OTHER_PID),
	RECORDS(1, ALL_EVENTS, .name = "records"),
	RECORDS(1, ALL_EVENTS, .name = "records, this pid", .pid = THIS_PID),
	RECORDS(1, 0, .name = "records, another pid", .pid = OTHER_PID),
	RECORDS(2, ALL_EVENTS, .name = "records, 2 sessions"),
	RECORDS(8, ALL_EVENTS, .name = "records, 8 sessions"),
};

static void die(const char *what, int err)
{
	fprintf(stderr, "page_cost: %s: %s\n", what, strerror(err));
	exit(1);
}

/* Touches PAGES new pages; returns how long that took. */
static __u64 touch(void)
{
	size_t bytes = PAGES * (size_t)getpagesize(), i;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	__u64 start;

	if (p == MAP_FAILED)
		die("mmap", errno);
	/* One event a page. */
	madvise(p, bytes, MADV_NOHUGEPAGE);
	start = csn_now();
	for (i = 0; i < bytes; i += getpagesize())
		p[i] = 1;
	start = csn_now() - start;
	munmap(p, bytes);
	return start;
}

/* The fewest of some repeats: an interrupt may have come in the others. */
static __u64 measure(void)
{
	__u64 best = ~0ULL, sum;
	int repeat, round;

	touch();
	for (repeat = 0; repeat < REPEATS; repeat++) {
		for (sum = 0, round = 0; round < ROUNDS; round++)
			sum += touch();
		if (sum < best)
			best = sum;
	}
	return best;
}

static int open_session(const struct page_cost_case *c, pid_t child)
{
	struct csn_config config = {
		.size = sizeof(config),
		.classes = c->classes,
		.counters = c->counters,
		.ring_bytes = c->classes ? RING_BYTES : 0,
	};
	int fd = csn_open(O_RDONLY);
	int err = fd;

	if (c->pid != ANY) {
		config.filter.match = CSN_MATCH_PID;
		config.filter.pid = c->pid == THIS_PID ? child : 1;
	}
	if (err >= 0)
		err = csn_set_config(fd, &config);
	if (!err)
		err = csn_start(fd);
	if (err < 0)
		die(c->name, -err);
	return fd;
}

/* A figure of events that were lost would be too good. */
static void close_session(const struct page_cost_case *c, int fd)
{
	struct csn_stats stats;
	int err = csn_stats(fd, CSN_CPU_ALL, &stats);

	if (err)
		die(c->name, -err);
	if (csn_stats_lost(&stats) || stats.delivered < c->events) {
		fprintf(stderr, "page_cost: %s: %llu events, %llu lost, of %lu\n", c->name,
			stats.delivered, csn_stats_lost(&stats), c->events);
		exit(1);
	}
	close(fd);
}

/* The allocations are a child's: a reader's own are left out. */
static void run(const struct page_cost_case *c)
{
	int go[2], fd[MAX_SESSIONS], status;
	unsigned int i;
	__u64 took;
	pid_t child;

	fflush(stdout);
	if (pipe(go))
		die("pipe", errno);
	child = fork();
	if (child < 0)
		die("fork", errno);
	if (!child) {
		close(go[1]);
		if (read(go[0], &took, 1))
			exit(1);
		took = measure();
		printf("%s\t%llu\n", c->name, took);
		exit(0);
	}
	close(go[0]);
	for (i = 0; i < c->sessions; i++)
		fd[i] = open_session(c, child);
	close(go[1]);
	if (waitpid(child, &status, 0) != child || status)
		die("the child", ECHILD);
	for (i = 0; i < c->sessions; i++)
		close_session(c, fd[i]);
}

static void run_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(name, cases[i].name)) {
			run(&cases[i]);
			return;
		}
	fprintf(stderr, "page_cost: no case '%s'\n", name);
	exit(2);
}

/* Without an argument: all cases; else the one of that name. */
int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1)
		run_named(argv[1]);
	else
		for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			run(&cases[i]);
	return 0;
}
