// SPDX-License-Identifier: GPL-2.0-only
/*
 * An instance of tracefs, and the text of its trace taken apart.
 */
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine.h"
#include "tracefs.h"

#define TRACEFS		"/sys/kernel/tracing"
/*
 * Of each CPU's buffer. A pass has an event for every pageblock that it scans;
 * with 7.2, those of a thousand passes do not fit in 4 MiB.
 */
#define BUFFER_KB	"16384"
/* Megabytes of text are some ten thousands of events. */
#define TEXT_BYTES	(128 << 20)

static int tracefs_set(const struct tracefs *t, const char *file,
		       const char *value)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", t->dir, file);
	return machine_write(path, value);
}

/* The isolate_* and migratepages events, many to a pass, are left out. */
static const char *const compaction_events[] = {
	"compaction/mm_compaction_begin", "compaction/mm_compaction_end",
	"compaction/mm_compaction_finished", "compaction/mm_compaction_suitable",
	"compaction/mm_compaction_deferred",
	"compaction/mm_compaction_try_to_compact_pages",
	"compaction/mm_compaction_kcompactd_wake", NULL,
};

static const char *const page_events[] = {
	"kmem/mm_page_alloc", "kmem/mm_page_free", "kmem/mm_page_alloc_extfrag", NULL,
};

static int tracefs_enable(const struct tracefs *t, const char *value)
{
	const char *const *name;
	char file[96];
	int err = 0;

	for (name = t->names; !err && name && *name; name++) {
		snprintf(file, sizeof(file), "events/%s/enable", *name);
		err = tracefs_set(t, file, value);
	}
	return err;
}

/* A test that was killed leaves its instance behind, and its events on. */
static void tracefs_sweep(void)
{
	struct tracefs left;
	glob_t found;
	size_t i;

	if (glob(TRACEFS "/instances/csn-*", 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		const char *pid = strrchr(found.gl_pathv[i], '-') + 1;

		if (!kill(atoi(pid), 0) || errno != ESRCH)
			continue;
		memset(&left, 0, sizeof(left));
		snprintf(left.dir, sizeof(left.dir), "%s", found.gl_pathv[i]);
		tracefs_set(&left, "events/enable", "0");
		tracefs_end(&left);
	}
	globfree(&found);
}

/*
 * An instance takes this option over from the top when it is made. Names of
 * tasks are not needed here, and to record them the kernel patches its
 * scheduler, with every CPU in it.
 */
static int tracefs_make(const struct tracefs *t)
{
	static const char option[] = TRACEFS "/options/record-cmd";
	char was[8] = "";
	int err = 0;

	machine_read(option, was, sizeof(was));
	if (was[0])
		machine_write(option, "0");
	if (mkdir(t->dir, 0700))
		err = -errno;
	if (was[0])
		machine_write(option, was);
	return err;
}

static int tracefs_begin_events(struct tracefs *t, const char *const *names,
				pid_t tid)
{
	char text[16];
	int err;

	tracefs_sweep();
	memset(t, 0, sizeof(*t));
	t->names = names;
	if (access(TRACEFS "/instances", F_OK))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	snprintf(t->dir, sizeof(t->dir), TRACEFS "/instances/csn-%d", getpid());
	err = tracefs_make(t);
	if (err)
		return err;
	err = tracefs_set(t, "trace_clock", "mono");
	if (!err)
		err = tracefs_set(t, "buffer_size_kb", BUFFER_KB);
	snprintf(text, sizeof(text), "%d", tid);
	if (!err && tid)
		err = tracefs_set(t, "set_event_pid", text);
	if (!err)
		err = tracefs_enable(t, "1");
	if (err)
		tracefs_end(t);
	return err;
}

int tracefs_begin(struct tracefs *t)
{
	return tracefs_begin_events(t, compaction_events, 0);
}

int tracefs_begin_pages(struct tracefs *t, pid_t tid)
{
	return tracefs_begin_events(t, page_events, tid);
}

void tracefs_end(struct tracefs *t)
{
	free(t->text);
	t->text = NULL;
	if (!t->dir[0])
		return;
	tracefs_enable(t, "0");
	rmdir(t->dir);
	t->dir[0] = '\0';
}

/*
 * "            bash-1234    [001] ..... 12.345678: mm_compaction_end: ..."
 * The name of the task may hold anything, so the CPU is looked for first.
 */
static bool tracefs_line(char *line, struct tracefs_event *e)
{
	unsigned long seconds;
	unsigned long micros;
	char *cpu = line;
	char *dash;
	int used;

	do {
		cpu = strstr(cpu + 1, " [");
		if (!cpu)
			return false;
	} while (sscanf(cpu, " [%*d] %*s %lu.%lu: %47[^:]: %n", &seconds,
			&micros, e->name, &used) != 3);
	*cpu = '\0';
	dash = strrchr(line, '-');
	if (!dash)
		return false;
	e->tid = atoi(dash + 1);
	e->ts = (seconds * 1000000ULL + micros) * 1000;
	e->args = cpu + used;
	return true;
}

long tracefs_events(struct tracefs *t, struct tracefs_event **events)
{
	struct tracefs_event *list = NULL;
	char path[256];
	long left, written;
	size_t room = 0;
	long nr = 0;
	char *line;
	char *next;
	int err;

	err = tracefs_enable(t, "0");
	if (err)
		return err;
	free(t->text);
	t->text = malloc(TEXT_BYTES);
	if (!t->text)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/trace", t->dir);
	err = machine_read(path, t->text, TEXT_BYTES);
	if (err)
		return err;
	for (line = t->text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (sscanf(line, "# entries-in-buffer/entries-written: %ld/%ld",
			   &left, &written) == 2 && left != written) {
			free(list);
			return -ENOBUFS;
		}
		if (*line == '#')
			continue;
		if (nr == (long)room) {
			room = room ? 2 * room : 1024;
			list = realloc(list, room * sizeof(*list));
			if (!list)
				return -ENOMEM;
		}
		nr += tracefs_line(line, &list[nr]);
	}
	*events = list;
	return nr;
}

void tracefs_word(const struct tracefs_event *e, const char *key, char *word,
		  size_t len)
{
	const char *at = strstr(e->args, key);
	size_t n = 0;

	if (at && at[strlen(key)] == '=') {
		at += strlen(key) + 1;
		n = strcspn(at, " ,");
		if (n >= len)
			n = len - 1;
		memcpy(word, at, n);
	}
	word[n] = '\0';
}

long tracefs_number(const struct tracefs_event *e, const char *key)
{
	char word[32];

	tracefs_word(e, key, word, sizeof(word));
	return strtol(word, NULL, 0);
}

/* Fills in @pass from the events of its task after the begin at @i. */
static bool tracefs_pass(const struct tracefs_event *e, size_t nr, size_t i,
			 struct tracefs_pass *pass)
{
	bool zone = false;
	char mode[8];

	memset(pass, 0, sizeof(*pass));
	pass->tid = e[i].tid;
	pass->begin_ts = e[i].ts;
	pass->begin = i;
	tracefs_word(&e[i], "mode", mode, sizeof(mode));
	pass->sync = !strcmp(mode, "sync");
	for (i++; i < nr; i++) {
		if (e[i].tid != pass->tid)
			continue;
		if (!zone && !strcmp(e[i].name, "mm_compaction_finished")) {
			zone = true;
			pass->node = tracefs_number(&e[i], "node");
			pass->order = tracefs_number(&e[i], "order");
			tracefs_word(&e[i], "zone", pass->zone,
				     sizeof(pass->zone));
		} else if (!strcmp(e[i].name, "mm_compaction_end")) {
			pass->end_ts = e[i].ts;
			tracefs_word(&e[i], "status", pass->status,
				     sizeof(pass->status));
			return zone;
		}
	}
	return false;
}

long tracefs_passes(const struct tracefs_event *events, size_t nr,
		    struct tracefs_pass **passes)
{
	struct tracefs_pass *list = calloc(nr + 1, sizeof(*list));
	long found = 0;
	size_t i;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		if (!strcmp(events[i].name, "mm_compaction_begin"))
			found += tracefs_pass(events, nr, i, &list[found]);
	*passes = list;
	return found;
}
