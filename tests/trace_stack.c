// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks: they begin at the function that compacts a zone, go on as the
 * origin has it, and hold no address of the kernel's.
 */
#include "trace.h"

#define KPTR_RESTRICT	"/proc/sys/kernel/kptr_restrict"

FIXTURE(trace_stack)
{
	struct trace t;
	char kptr_restrict[8];
};

FIXTURE_SETUP(trace_stack)
{
	ASSERT_EQ(0, machine_read(KPTR_RESTRICT, self->kptr_restrict,
				  sizeof(self->kptr_restrict)));
	trace_begin(_metadata, &self->t, CSN_FLAG_STACK);
}

FIXTURE_TEARDOWN(trace_stack)
{
	machine_write(KPTR_RESTRICT, self->kptr_restrict);
	trace_end(&self->t);
}

/* Is @function, at any offset, among the frames? */
static bool passes_through(int fd, const struct csn_event *e,
			   const char *function)
{
	char name[CSN_SYMBOL_LEN];
	size_t len = strlen(function);
	unsigned int i;

	for (i = 0; i < e->nr_handles; i++)
		if (!csn_resolve(fd, e->handle[i], name) &&
		    !strncmp(name, function, len) && name[len] == '+')
			return true;
	return false;
}

/* Functions that no compiler can have inlined: each is called across files. */
static const char *const caller[CSN_NR_ORIGINS] = {
	[CSN_ORIGIN_DIRECT] = "try_to_compact_pages",
	[CSN_ORIGIN_KCOMPACTD] = "kthread",
	[CSN_ORIGIN_PROACTIVE] = "kthread",
	[CSN_ORIGIN_MANUAL] = "vfs_write",
};

static void check_stack(struct __test_metadata *_metadata, int fd,
			const struct csn_event *e)
{
	char name[CSN_SYMBOL_LEN] = "";

	ASSERT_LT(1, e->nr_handles);
	ASSERT_EQ(0, csn_resolve(fd, e->handle[0], name));
	EXPECT_EQ(0, strncmp(name, "compact_zone+0x", 15))
		TH_LOG("origin %u: the stack begins at %s", e->c.origin, name);
	EXPECT_TRUE(passes_through(fd, e, caller[e->c.origin]))
		TH_LOG("origin %u: no %s in it", e->c.origin,
		       caller[e->c.origin]);
}

TEST_F_TIMEOUT(trace_stack, every_origin, 240)
{
	struct trace *t = &self->t;
	size_t i;

	trace_until(_metadata, t, CSN_ORIGIN_DIRECT, COMPACTIONS_ANY_MODE,
		    workload_thp);
	trace_until(_metadata, t, CSN_ORIGIN_KCOMPACTD, COMPACTIONS_ANY_MODE,
		    workload_kcompactd);
	ASSERT_EQ(0, machine_compact());
	trace_collect(_metadata, t);
	for (i = 0; i < t->log.nr_events; i++)
		check_stack(_metadata, t->fd, &t->log.event[i]);
	EXPECT_LT(0, trace_count(t, CSN_ORIGIN_MANUAL, 1));
}

/* The names come from the module, which may know what we may not. */
TEST_F_TIMEOUT(trace_stack, kptr_restrict, 60)
{
	struct trace *t = &self->t;
	size_t i;

	ASSERT_EQ(0, machine_write(KPTR_RESTRICT, "2"));
	ASSERT_EQ(0, machine_compact());
	trace_collect(_metadata, t);
	EXPECT_LE(machine_populated_zones(), t->log.nr_events);
	for (i = 0; i < t->log.nr_events; i++)
		check_stack(_metadata, t->fd, &t->log.event[i]);
}

struct range {
	__u64 from;
	__u64 to;
};

/* Where kernel code lies, by /proc/kallsyms; kptr_restrict must be 0. */
static struct range kernel_text(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	struct range text = { 0, 0 };
	char line[640];

	while (f && !text.to && fgets(line, sizeof(line), f)) {
		if (strstr(line, " _stext\n"))
			text.from = strtoull(line, NULL, 16);
		if (strstr(line, " _etext\n"))
			text.to = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
	return text;
}

TEST_F_TIMEOUT(trace_stack, no_address, 120)
{
	struct trace *t = &self->t;
	struct range text;
	struct csn_log other;
	int fd = csn_open_filter(CSN_FLAG_STACK, NULL);
	size_t shared = 0;
	size_t i;
	size_t j;

	csn_log_init(&other);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, machine_write(KPTR_RESTRICT, "0"));
	text = kernel_text();
	if (!text.from || !text.to)
		SKIP(return, "/proc/kallsyms has no addresses");
	ASSERT_EQ(0, machine_compact());
	trace_collect(_metadata, t);
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_log_drain(&other, fd));
	ASSERT_LT(0, t->log.nr_events);
	for (i = 0; i < t->log.nr_events; i++) {
		const struct csn_event *e = &t->log.event[i];

		for (j = 0; j < e->nr_handles; j++)
			EXPECT_FALSE(e->handle[j] >= text.from &&
				     e->handle[j] < text.to)
				TH_LOG("handle %zu is %#llx", j, e->handle[j]);
	}
	/* The same frames under another key: nothing to compare by. */
	ASSERT_LT(0, other.nr_events);
	for (i = 0; i < t->log.nr_events; i++)
		for (j = 0; j < other.nr_events; j++)
			if (t->log.event[i].c.ts == other.event[j].c.ts) {
				shared++;
				EXPECT_EQ(t->log.event[i].nr_handles,
					  other.event[j].nr_handles);
				EXPECT_NE(t->log.event[i].handle[0],
					  other.event[j].handle[0]);
			}
	EXPECT_LT(0, shared);
	csn_log_free(&other);
	close(fd);
}

CSN_HARNESS_MAIN
