/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own trace of compaction and page events, as the tests' oracle: an
 * instance of its own, so that it disturbs no other tracing.
 */
#ifndef TRACEFS_H
#define TRACEFS_H

#include <stddef.h>
#include <sys/types.h>
#include <linux/types.h>

struct tracefs {
	char dir[128];
	const char *const *names;	/* of the events, NULL after the last */
	char *text;
};

/* One line of the trace. @ts is CLOCK_MONOTONIC, ns, to the microsecond. */
struct tracefs_event {
	pid_t tid;
	__u64 ts;
	char name[48];
	const char *args;
};

/* Starts tracing the compaction events that tell of a pass; 0 or an error. */
int tracefs_begin(struct tracefs *t);
/* The same with allocations, frees and fallbacks, of task @tid alone. */
int tracefs_begin_pages(struct tracefs *t, pid_t tid);
/*
 * Stops, and gives the events in the order they happened; valid until the end.
 * -ENOBUFS: the kernel has lost some.
 */
long tracefs_events(struct tracefs *t, struct tracefs_event **events);
void tracefs_end(struct tracefs *t);

/* The word behind "key=" in an event's arguments, "" if there is none. */
void tracefs_word(const struct tracefs_event *e, const char *key,
		  char *word, size_t len);
long tracefs_number(const struct tracefs_event *e, const char *key);

/* One compaction of a zone, put together from begin, first finished and end. */
struct tracefs_pass {
	pid_t tid;
	__u64 begin_ts;
	__u64 end_ts;
	long node;
	char zone[16];
	long order;
	int sync;
	char status[24];
	size_t begin;		/* index of the begin event */
};

/* All passes that began and ended within the trace; the caller frees. */
long tracefs_passes(const struct tracefs_event *events, size_t nr,
		    struct tracefs_pass **passes);

#endif /* TRACEFS_H */
