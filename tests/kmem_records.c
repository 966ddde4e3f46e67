// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page events as records, against what a process was told to allocate, and
 * against the kernel's own trace of the same tracepoints.
 */
#include "pages.h"
#include "tracefs.h"

#define FAILURES	4

FIXTURE(kmem_records)
{
	struct worker worker;
	struct csn_info info;
	struct csn_log log;
	struct tracefs trace;
};

FIXTURE_SETUP(kmem_records)
{
	int fd;

	PAGES_SETUP(&self->worker);
	csn_log_init(&self->log);
	fd = csn_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, csn_info(fd, &self->info));
	close(fd);
}

FIXTURE_TEARDOWN(kmem_records)
{
	tracefs_end(&self->trace);
	csn_log_free(&self->log);
	PAGES_TEARDOWN(&self->worker);
}

/* An event as both sources tell it; what one does not say is 0. */
struct event {
	__u64 pfn;
	int kind;
	int order;
	int migratetype;
	int fallback_order;
	int fallback_migratetype;
	int claimed;
	__u64 ts;	/* not compared */
};

static int by_value(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct event, ts));
}

/* Between these times both sources were on. */
struct window {
	__u64 from;
	__u64 to;
};

static struct event event_of_record(const struct csn_record_page *p)
{
	struct event e;

	memset(&e, 0, sizeof(e));
	e.kind = p->head.type;
	e.pfn = p->pfn == CSN_PFN_NONE ? 0 : p->pfn;
	e.order = p->order;
	/* The kernel's trace has none of a free. */
	e.migratetype = e.kind == CSN_RECORD_PAGE_FREE ? 0 : p->migratetype;
	e.fallback_order = p->fallback_order;
	e.fallback_migratetype = p->fallback_migratetype;
	e.claimed = p->claimed == CSN_CLAIMED_YES;
	return e;
}

/* The kernel's numbers: 4 is CMA, if it has that. */
static int migratetype_of_kernel(long mt)
{
	return mt == 4 && machine_config("CONFIG_CMA") != 1 ? CSN_MIGRATETYPE_ISOLATE : mt;
}

static struct event event_of_trace(const struct tracefs_event *t, bool claims)
{
	struct event e;

	memset(&e, 0, sizeof(e));
	e.ts = t->ts;
	e.pfn = tracefs_number(t, "pfn");
	if (!strcmp(t->name, "mm_page_alloc_extfrag")) {
		e.kind = CSN_RECORD_PAGE_EXTFRAG;
		e.order = tracefs_number(t, "alloc_order");
		e.migratetype = migratetype_of_kernel(tracefs_number(t, "alloc_migratetype"));
		e.fallback_order = tracefs_number(t, "fallback_order");
		e.fallback_migratetype =
			migratetype_of_kernel(tracefs_number(t, "fallback_migratetype"));
		e.claimed = claims && tracefs_number(t, "change_ownership") == 1;
		return e;
	}
	e.order = tracefs_number(t, "order");
	if (!strcmp(t->name, "mm_page_free")) {
		e.kind = CSN_RECORD_PAGE_FREE;
	} else {
		e.kind = CSN_RECORD_PAGE_ALLOC;
		e.migratetype = migratetype_of_kernel(tracefs_number(t, "migratetype"));
	}
	return e;
}

/* The trace, in microseconds, is on before the session and off after it. */
static bool in_window(const struct window *w, const struct event *e)
{
	return e->ts > w->from && e->ts + 1000 < w->to;
}

/* Every event is in both; the trace may have more from outside the window. */
static void expect_same(struct __test_metadata *_metadata, const struct csn_log *log,
			const struct tracefs_event *trace, size_t nr, bool claims,
			const struct window *w)
{
	struct event *ours = calloc(log->nr_pages + 1, sizeof(*ours));
	struct event *theirs = calloc(nr + 1, sizeof(*theirs));
	size_t i, j, end;

	ASSERT_TRUE(ours && theirs);
	for (i = 0; i < log->nr_pages; i++)
		ours[i] = event_of_record(&log->page[i]);
	for (i = 0; i < nr; i++)
		theirs[i] = event_of_trace(&trace[i], claims);
	qsort(ours, log->nr_pages, sizeof(*ours), by_value);
	qsort(theirs, nr, sizeof(*theirs), by_value);
	i = 0;
	for (j = 0; j < nr; j = end) {
		const struct event *e = &theirs[j];
		size_t both = 0, outside = 0;

		for (end = j; end < nr && !by_value(&theirs[end], e); end++)
			outside += !in_window(w, &theirs[end]);
		for (; i < log->nr_pages && !by_value(&ours[i], e); i++)
			both++;
		ASSERT_TRUE(both <= end - j && end - j - both <= outside)
			TH_LOG("kind %d pfn %llx order %d of %d to %d of %d, claimed %d: %zu times ours, %zu the kernel's, %zu of them when not both were on; ours has next kind %d pfn %llx",
			       e->kind, e->pfn, e->order, e->migratetype, e->fallback_order,
			       e->fallback_migratetype, e->claimed, both, end - j, outside,
			       ours[i].kind, ours[i].pfn);
	}
	ASSERT_EQ(log->nr_pages, i) TH_LOG("events that the kernel has not traced");
	free(ours);
	free(theirs);
}

static size_t count_kind(const struct csn_log *log, int type)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		nr += log->page[i].head.type == type;
	return nr;
}

/* To the event, and to the field. */
TEST_F(kmem_records, as_the_kernel_traces_them)
{
	struct csn_config config = pages_config(PAGES_CLASSES, self->worker.pid);
	struct tracefs_event *trace;
	struct window w;
	long nr;
	int fd;

	if (tracefs_begin_pages(&self->trace, self->worker.pid))
		SKIP(return, "no tracefs with instances and kmem events");
	fd = csn_open_config(&config);
	ASSERT_LE(0, fd);
	w.from = csn_now();
	pages_fall_back(_metadata, &self->worker, &self->info);
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	w.to = csn_now();
	ASSERT_EQ(0, csn_stop(fd));
	nr = tracefs_events(&self->trace, &trace);
	ASSERT_LT(100, nr);
	ASSERT_EQ(0, csn_log_drain(&self->log, fd));
	EXPECT_INTACT(&self->log);
	EXPECT_EQ(0, self->log.events_lost);
	EXPECT_EQ(PAGES_CLASSES, self->log.info.classes);
	expect_same(_metadata, &self->log, trace, nr,
		    self->info.features & CSN_FEATURE_PAGEBLOCK, &w);
	EXPECT_LT(0, count_kind(&self->log, CSN_RECORD_PAGE_EXTFRAG));
	EXPECT_LT(0, count_kind(&self->log, CSN_RECORD_PAGE_FREE));
	free(trace);
	close(fd);
}

static const struct csn_record_page *find_page(const struct csn_log *log, int type,
					       __u64 pfn)
{
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		if (log->page[i].head.type == type && log->page[i].pfn == pfn)
			return &log->page[i];
	return NULL;
}

static void expect_in_zone(struct __test_metadata *_metadata,
			   const struct csn_record_page *p)
{
	struct machine_zone zone[MACHINE_MAX_ZONES];
	int nr = machine_zones(zone);
	int i;

	for (i = 0; i < nr; i++)
		if (zone[i].node == p->node && zone[i].number == p->zone)
			break;
	ASSERT_LT(i, nr);
	EXPECT_LE(zone[i].start, p->pfn);
	EXPECT_GT(zone[i].start + zone[i].spanned, p->pfn);
}

/* A block of @order and @kind: its allocation and its free. */
static void check_block(struct __test_metadata *_metadata,
			FIXTURE_DATA(kmem_records) * self, unsigned int order,
			unsigned int kind, struct csn_record_page *alloc,
			struct csn_record_page *given_back)
{
	struct csn_config config = pages_config(PAGES_CLASSES, self->worker.pid);
	const struct csn_record_page *p;
	__u64 since = csn_now();
	int fd = csn_open_config(&config);

	ASSERT_LE(0, fd);
	ASSERT_EQ(1, worker_alloc(&self->worker, order, kind, 1));
	ASSERT_EQ(0, worker_free(&self->worker));
	csn_log_free(&self->log);
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_log_drain(&self->log, fd));
	EXPECT_INTACT(&self->log);
	close(fd);

	p = find_page(&self->log, CSN_RECORD_PAGE_ALLOC, self->worker.shared->pfn[0]);
	ASSERT_TRUE(p != NULL);
	*alloc = *p;
	p = find_page(&self->log, CSN_RECORD_PAGE_FREE, self->worker.shared->pfn[0]);
	ASSERT_TRUE(p != NULL);
	*given_back = *p;
	EXPECT_EQ(kind, alloc->migratetype);
	EXPECT_EQ(order, alloc->order);
	EXPECT_EQ(order, given_back->order);
	EXPECT_EQ(self->worker.pid, alloc->pid);
	EXPECT_EQ(self->worker.pid, alloc->tid);
	EXPECT_STREQ(WORKER_COMM, alloc->comm);
	EXPECT_LE(since, alloc->ts);
	EXPECT_LE(alloc->ts, given_back->ts);
	EXPECT_GE(csn_now(), given_back->ts);
	EXPECT_EQ(alloc->node, given_back->node);
	EXPECT_EQ(alloc->zone, given_back->zone);
	expect_in_zone(_metadata, alloc);
}

/*
 * Whether blocks of @order are kept on a list of each CPU, as those of a huge
 * page are. Reclaimable and unmovable ones share it, and their pageblock stays
 * what it was.
 */
static bool is_kept_by_cpu(unsigned int order)
{
	char bytes[24];

	if (machine_read("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			 bytes, sizeof(bytes)))
		return false;
	return strtoul(bytes, NULL, 10) == (unsigned long)getpagesize() << order;
}

static void expect_pageblock(struct __test_metadata *_metadata,
			     FIXTURE_DATA(kmem_records) * self,
			     const struct csn_record_page *freed, unsigned int kind)
{
	if (!(self->info.features & CSN_FEATURE_PAGEBLOCK))
		kind = CSN_MIGRATETYPE_OTHER;
	else if (is_kept_by_cpu(freed->order) &&
		 freed->migratetype != CSN_MIGRATETYPE_MOVABLE)
		return;
	EXPECT_EQ(kind, freed->migratetype);
}

TEST_F(kmem_records, fields)
{
	struct csn_record_page unmovable, movable, reclaimable, freed;

	check_block(_metadata, self, 0, CSN_ALLOCATE_UNMOVABLE, &unmovable, &freed);
	check_block(_metadata, self, 0, CSN_ALLOCATE_MOVABLE, &movable, &freed);
	/* A whole pageblock becomes what it is allocated for. */
	check_block(_metadata, self, self->info.nr_orders - 1,
		    CSN_ALLOCATE_RECLAIMABLE, &reclaimable, &freed);
	expect_pageblock(_metadata, self, &freed, CSN_MIGRATETYPE_RECLAIMABLE);
	check_block(_metadata, self, self->info.nr_orders - 1,
		    CSN_ALLOCATE_UNMOVABLE, &reclaimable, &freed);
	expect_pageblock(_metadata, self, &freed, CSN_MIGRATETYPE_UNMOVABLE);
	EXPECT_NE(0, unmovable.gfp);
	EXPECT_EQ(unmovable.gfp, unmovable.gfp & movable.gfp);
	EXPECT_LT(unmovable.gfp, movable.gfp);
}

/* A failed allocation has no page, and is none of those that got one. */
TEST_F(kmem_records, failures)
{
	struct csn_config config = pages_config(CSN_CLASS_PAGE_ALLOC, self->worker.pid);
	int fd = csn_open_config(&config);
	size_t failed = 0;
	size_t got = 0;
	size_t i;
	int n;

	ASSERT_LE(0, fd);
	n = worker_fail(&self->worker, self->info.nr_orders - 1, FAILURES);
	ASSERT_LE(0, n);
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_log_drain(&self->log, fd));
	EXPECT_INTACT(&self->log);
	for (i = 0; i < self->log.nr_pages; i++) {
		const struct csn_record_page *p = &self->log.page[i];

		if (p->order != self->info.nr_orders - 1)
			continue;
		if (p->pfn != CSN_PFN_NONE) {
			got++;
			continue;
		}
		failed++;
		EXPECT_EQ(CSN_NODE_NONE, p->node);
		EXPECT_EQ(CSN_ZONE_NONE, p->zone);
		EXPECT_EQ(CSN_MIGRATETYPE_UNMOVABLE, p->migratetype);
	}
	EXPECT_EQ(FAILURES, failed);
	EXPECT_EQ(n, got);
	close(fd);
}

#define MAX_CASES	16

/* A filter, and whether something of the worker's is sure to pass. */
struct filter_case {
	const char *name;
	bool some;
	struct csn_filter filter;
	struct csn_log log;
	int fd;
};

#define CASE(about, some_, ...) { \
	.name = about, .some = some_, .filter = { __VA_ARGS__ } }

static bool has_page(const struct csn_log *log, const struct csn_record_page *p)
{
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		if (!memcmp(&log->page[i], p, sizeof(*p)))
			return true;
	return false;
}

/* Every event of the worker's that passes, and no event that does not. */
static void check_case(struct __test_metadata *_metadata, const struct csn_log *all,
		       struct filter_case *c, pid_t worker)
{
	size_t match = 0;
	size_t got = 0;
	size_t i;

	for (i = 0; i < all->nr_pages; i++) {
		const struct csn_record_page *p = &all->page[i];

		if ((pid_t)p->pid != worker || !pages_pass(&c->filter, p))
			continue;
		match++;
		EXPECT_TRUE(has_page(&c->log, p))
			TH_LOG("%s: missed type %u pfn %llx order %u of %u", c->name,
			       p->head.type, p->pfn, p->order, p->migratetype);
	}
	for (i = 0; i < c->log.nr_pages; i++) {
		const struct csn_record_page *p = &c->log.page[i];

		EXPECT_TRUE(pages_pass(&c->filter, p))
			TH_LOG("%s: let through type %u pid %u pfn %llx order %u of %u",
			       c->name, p->head.type, p->pid, p->pfn, p->order,
			       p->migratetype);
		got += (pid_t)p->pid == worker;
	}
	EXPECT_EQ(match, got) TH_LOG("%s", c->name);
	EXPECT_EQ(c->some, match > 0) TH_LOG("%s: %zu", c->name, match);
	TH_LOG("%s: %zu", c->name, match);
}

TEST_F(kmem_records, filters)
{
	const pid_t pid = self->worker.pid;
	struct filter_case c[] = {
		CASE("everything", true),
		CASE("pid", true, .match = CSN_MATCH_PID, .pid = pid),
		CASE("tid", true, .match = CSN_MATCH_TID, .tid = pid),
		CASE("comm", true, .match = CSN_MATCH_COMM, .comm = WORKER_COMM),
		CASE("comm of nobody", false, .match = CSN_MATCH_COMM, .comm = "csn"),
		CASE("node 0", true, .match = CSN_MATCH_NODE),
		CASE("any zone, so none that failed", true, .match = CSN_MATCH_ZONE,
		     .zones = (1U << self->info.nr_zones) - 1),
		CASE("order 0", true, .match = CSN_MATCH_ORDER),
		CASE("orders 3 to 5", true, .match = CSN_MATCH_ORDER,
		     .order_min = 3, .order_max = 5),
		CASE("order -1", false, .match = CSN_MATCH_ORDER,
		     .order_min = -1, .order_max = -1),
		CASE("movable", true, .match = CSN_MATCH_MIGRATETYPE,
		     .migratetypes = 1 << CSN_MIGRATETYPE_MOVABLE),
		CASE("reclaimable", true, .match = CSN_MATCH_MIGRATETYPE,
		     .migratetypes = 1 << CSN_MIGRATETYPE_RECLAIMABLE),
		CASE("isolated", false, .match = CSN_MATCH_MIGRATETYPE,
		     .migratetypes = 1 << CSN_MIGRATETYPE_ISOLATE),
		CASE("all at once", true, .match = CSN_MATCH_PID | CSN_MATCH_ORDER |
		     CSN_MATCH_NODE | CSN_MATCH_MIGRATETYPE, .pid = pid, .order_max = 2,
		     .migratetypes = 1 << CSN_MIGRATETYPE_UNMOVABLE),
		/* Says nothing of pages. */
		CASE("origin", true, .match = CSN_MATCH_ORIGIN, .origins = 1),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		struct csn_config config = pages_config(PAGES_CLASSES, 0);

		config.filter = c[i].filter;
		csn_log_init(&c[i].log);
		c[i].fd = csn_open_config(&config);
		ASSERT_LE(0, c[i].fd) TH_LOG("%s: %s", c[i].name, strerror(-c[i].fd));
	}
	pages_work(_metadata, &self->worker, &self->info, FAILURES);
	for (i = 0; i < ARRAY_SIZE(c); i++)
		ASSERT_EQ(0, csn_stop(c[i].fd));
	for (i = 0; i < ARRAY_SIZE(c); i++) {
		ASSERT_EQ(0, csn_log_drain(&c[i].log, c[i].fd));
		EXPECT_INTACT(&c[i].log);
		EXPECT_EQ(0, c[i].log.events_lost) TH_LOG("%s", c[i].name);
		close(c[i].fd);
	}
	for (i = 0; i < ARRAY_SIZE(c); i++)
		check_case(_metadata, &c[0].log, &c[i], pid);
	for (i = 0; i < ARRAY_SIZE(c); i++)
		csn_log_free(&c[i].log);
}

#define TOUCHED	64

/* Allocates at least TOUCHED pages in the calling process. */
static int touch(void)
{
	size_t size = TOUCHED * getpagesize();
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (p == MAP_FAILED)
		return -errno;
	madvise(p, size, MADV_NOHUGEPAGE);
	for (i = 0; i < size; i += getpagesize())
		((volatile char *)p)[i] = 1;
	return munmap(p, size);
}

/* Events of @pid that a session has so far. */
static size_t own_pages(struct __test_metadata *_metadata, struct csn_log *log, int fd,
			pid_t pid)
{
	size_t nr = 0;
	size_t i;

	csn_log_free(log);
	ASSERT_EQ(0, csn_log_drain(log, fd));
	EXPECT_INTACT(log);
	for (i = 0; i < log->nr_pages; i++)
		nr += (pid_t)log->page[i].pid == pid;
	return nr;
}

TEST_F(kmem_records, own_process)
{
	struct csn_config config = pages_config(CSN_CLASS_PAGE_ALLOC, 0);
	int quiet = csn_open_config(&config);
	int named, own;
	pid_t child;

	config.flags = CSN_FLAG_OWN_PROCESS;
	own = csn_open_config(&config);
	/* To name the reader is not to ask for it. */
	config.flags = 0;
	config.filter.match = CSN_MATCH_PID;
	config.filter.pid = getpid();
	named = csn_open_config(&config);
	ASSERT_LE(0, quiet);
	ASSERT_LE(0, own);
	ASSERT_LE(0, named);
	ASSERT_EQ(0, touch());
	EXPECT_EQ(0, own_pages(_metadata, &self->log, quiet, getpid()));
	EXPECT_LE(TOUCHED, own_pages(_metadata, &self->log, own, getpid()));
	EXPECT_EQ(0, own_pages(_metadata, &self->log, named, getpid()));

	/* Who had to do with the file last is its reader. */
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		struct csn_info info;

		_exit(csn_info(quiet, &info) || touch());
	}
	ASSERT_EQ(0, touch());
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_EQ(0, touch());
	EXPECT_LE(TOUCHED, own_pages(_metadata, &self->log, quiet, getpid()));
	close(quiet);
	close(own);
	close(named);
}

/* However small the ring: produced = delivered + lost, on each CPU. */
TEST_F(kmem_records, account)
{
	struct csn_config config = pages_config(PAGES_CLASSES, 0);
	struct csn_stats sum, stats;
	__u64 delivered = 0;
	__u32 cpu;
	int fd;

	config.ring_bytes = self->info.ring_bytes_min;
	fd = csn_open_config(&config);
	ASSERT_LE(0, fd);
	ASSERT_EQ(2000, worker_alloc(&self->worker, 0, CSN_ALLOCATE_UNMOVABLE, 2000));
	ASSERT_EQ(0, worker_free(&self->worker));
	ASSERT_EQ(0, csn_stop(fd));
	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &sum));
	EXPECT_EQ(sum.produced, sum.delivered + csn_stats_lost(&sum));
	EXPECT_LE(4000, sum.produced);
	EXPECT_LT(0, sum.lost_full);
	for (cpu = 0; cpu < self->info.nr_cpus; cpu++) {
		ASSERT_EQ(0, csn_stats(fd, cpu, &stats));
		EXPECT_EQ(stats.produced, stats.delivered + csn_stats_lost(&stats));
		delivered += stats.delivered;
	}
	EXPECT_EQ(sum.delivered, delivered);
	ASSERT_EQ(0, csn_log_drain(&self->log, fd));
	EXPECT_INTACT(&self->log);
	EXPECT_EQ(sum.delivered, self->log.nr_pages);
	EXPECT_EQ(csn_stats_lost(&sum), self->log.events_lost);
	close(fd);
}

CSN_HARNESS_MAIN
