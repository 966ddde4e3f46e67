// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory workload as a command: does the steps it is given, in order, and
 * says what each is and took.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "workload.h"

static struct workload workload;

static const struct {
	const char *name;
	int (*run)(struct workload *w);
	const char *what;
} step[] = {
	{ "fragment", workload_fragment, "fill memory, drop every other page" },
	{ "thp", workload_thp, "direct compaction by THP faults" },
	{ "hugepages", workload_hugepages, "direct compaction by nr_hugepages" },
	{ "compact", workload_compact, "manual compaction" },
	{ "kcompactd", workload_kcompactd, "kcompactd, woken by kswapd" },
	{ "proactive", workload_proactive, "proactive compaction by kcompactd" },
	{ "stale", workload_stale_note, "manual, after CONTINUE without a begin" },
};

#define NR_STEPS	(sizeof(step) / sizeof(step[0]))

static void usage(FILE *f)
{
	size_t i;

	fputs("usage: workload STEP...\n"
	      "Brings about memory compactions; \"fragment\" goes before each.\n", f);
	for (i = 0; i < NR_STEPS; i++)
		fprintf(f, "  %-10s %s\n", step[i].name, step[i].what);
}

static void interrupted(int sig)
{
	workload_end(&workload);
	_exit(128 + sig);
}

static size_t find_step(const char *name)
{
	size_t i = 0;

	while (i < NR_STEPS && strcmp(step[i].name, name))
		i++;
	return i;
}

static int run_step(size_t i)
{
	struct timespec start;
	struct timespec end;
	int err;

	fprintf(stderr, "workload: %s: %s\n", step[i].name, step[i].what);
	clock_gettime(CLOCK_MONOTONIC, &start);
	err = step[i].run(&workload);
	clock_gettime(CLOCK_MONOTONIC, &end);
	fprintf(stderr, "workload: %s: %s, %.1f s\n", step[i].name,
		err ? strerror(-err) : "done", (double)(end.tv_sec - start.tv_sec) +
		(double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return err;
}

int main(int argc, char **argv)
{
	int err;
	int i;

	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		usage(argc < 2 ? stderr : stdout);
		return argc < 2 ? 2 : 0;
	}
	for (i = 1; i < argc; i++) {
		if (find_step(argv[i]) == NR_STEPS) {
			fprintf(stderr, "workload: no step '%s'\n", argv[i]);
			usage(stderr);
			return 2;
		}
	}
	err = workload_begin(&workload);
	if (err) {
		fprintf(stderr, "workload: %s\n", strerror(-err));
		return 1;
	}
	signal(SIGINT, interrupted);
	signal(SIGTERM, interrupted);
	for (i = 1; i < argc && !err; i++)
		err = run_step(find_step(argv[i]));
	workload_end(&workload);
	return err ? 1 : 0;
}
