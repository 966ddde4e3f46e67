// SPDX-License-Identifier: GPL-2.0-only
/*
 * The allocating child, and what page records and counters add up to.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kmem.h"
#include "machine.h"

#define ALLOCATOR	"/dev/csn_allocator"

/* In memory that parent and child have in common. */
struct allocator_order {
	char command[64];
	int result;
	unsigned int touch;
	int cpu;
	char state[48];
};

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static int touch(unsigned int pages)
{
	size_t page = getpagesize();
	volatile char *mem;
	unsigned int i;

	mem = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		return -errno;
	madvise((void *)mem, pages * page, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		mem[i * page] = 1;
	munmap((void *)mem, pages * page);
	return 0;
}

static int obey(int fd, struct allocator_order *order)
{
	long n;

	if (order->touch)
		return touch(order->touch);
	if (order->cpu >= 0)
		return pin(order->cpu);
	if (order->command[0]) {
		n = write(fd, order->command, strlen(order->command));
		return n < 0 ? -errno : 0;
	}
	n = pread(fd, order->state, sizeof(order->state) - 1, 0);
	order->state[n > 0 ? n : 0] = '\0';
	return n < 0 ? -errno : 0;
}

static void child(struct allocator *a, int cpu)
{
	int fd = open(ALLOCATOR, O_RDWR | O_CLOEXEC);
	__u64 n = 1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	a->order->result = fd < 0 ? -errno : pin(cpu);
	while (write(a->done, &n, sizeof(n)) == sizeof(n) &&
	       read(a->go, &n, sizeof(n)) == sizeof(n))
		a->order->result = obey(fd, a->order);
	_exit(1);
}

static int load(void)
{
	const char *path = getenv("CSN_ALLOCATOR_KO");
	int err = 0;
	int fd;

	if (!access(ALLOCATOR, F_OK))
		return 0;
	fd = open(path ? path : "csn_allocator.ko", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
		err = -errno;
	close(fd);
	return err;
}

/* Until the child has done it. */
static int wait_done(struct allocator *a)
{
	__u64 n;

	return read(a->done, &n, sizeof(n)) == sizeof(n) ? a->order->result : -EIO;
}

static int give(struct allocator *a, const struct allocator_order *order)
{
	__u64 n = 1;

	*a->order = *order;
	if (write(a->go, &n, sizeof(n)) != sizeof(n))
		return -errno;
	return wait_done(a);
}

int allocator_begin(struct allocator *a, int cpu)
{
	int err = load();

	memset(a, 0, sizeof(*a));
	if (err)
		return err;
	a->order = mmap(NULL, sizeof(*a->order), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	a->go = eventfd(0, EFD_CLOEXEC);
	a->done = eventfd(0, EFD_CLOEXEC);
	if (a->order == MAP_FAILED || a->go < 0 || a->done < 0)
		return -ENOMEM;
	a->pid = fork();
	if (a->pid < 0)
		return -errno;
	if (!a->pid)
		child(a, cpu);
	err = wait_done(a);
	/* What it touches for the first time is not to be counted later. */
	if (!err)
		err = allocator_do(a, "alloc 0 1");
	if (!err)
		err = allocator_do(a, "free");
	if (!err)
		err = allocator_touch(a, 1);
	return err;
}

int allocator_do(struct allocator *a, const char *command)
{
	struct allocator_order order = { .cpu = -1 };

	snprintf(order.command, sizeof(order.command), "%s", command);
	return give(a, &order);
}

int allocator_touch(struct allocator *a, unsigned int pages)
{
	struct allocator_order order = { .cpu = -1, .touch = pages };

	return give(a, &order);
}

int allocator_move(struct allocator *a, int cpu)
{
	struct allocator_order order = { .cpu = cpu };

	return give(a, &order);
}

int allocator_state(struct allocator *a, unsigned long *blocks,
		    unsigned long *failed)
{
	struct allocator_order order = { .cpu = -1 };
	int err = give(a, &order);

	if (!err && sscanf(a->order->state, "%lu %lu", blocks, failed) != 2)
		err = -EIO;
	return err;
}

void allocator_end(struct allocator *a)
{
	if (a->pid > 0) {
		kill(a->pid, SIGKILL);
		waitpid(a->pid, NULL, 0);
	}
	if (a->order && a->order != MAP_FAILED)
		munmap(a->order, sizeof(*a->order));
	if (a->go > 0)
		close(a->go);
	if (a->done > 0)
		close(a->done);
	memset(a, 0, sizeof(*a));
}

int kmem_open(__u32 classes, __u32 counters, __u32 flags,
	      const struct csn_filter *filter)
{
	struct csn_config config = {
		.size = sizeof(config),
		.classes = classes,
		.counters = counters,
		.flags = flags,
		.ring_bytes = 1 << 20,
	};
	int fd = csn_open(O_RDONLY | O_NONBLOCK);
	int err;

	if (fd < 0)
		return fd;
	if (filter)
		config.filter = *filter;
	err = csn_set_config(fd, &config);
	if (!err)
		err = csn_start(fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

__u64 kmem_sum(const struct csn_counters *c, const __u64 *cells,
	       enum csn_counter counter, int order)
{
	int nodes = counter == CSN_COUNTER_FAILED ? 1 : c->nr_nodes;
	int zones = counter == CSN_COUNTER_FAILED ? 1 : c->nr_zones;
	int node, zone, o, mt;
	__u64 sum = 0;

	for (node = 0; node < nodes; node++)
		for (zone = 0; zone < zones; zone++)
			for (o = 0; o < c->nr_orders; o++)
				for (mt = 0; mt < c->nr_migratetypes; mt++)
					if (order < 0 || o == order)
						sum += cells[csn_counter_cell(c, counter, node,
									      zone, o, mt)];
	return sum;
}

void kmem_count(const struct csn_log *log, const struct csn_counters *c,
		__u64 *cells)
{
	size_t i;

	memset(cells, 0, c->nr_cells * sizeof(*cells));
	for (i = 0; i < log->nr_pages; i++) {
		const struct csn_record_page *p = &log->page[i];
		bool failed = p->pfn == CSN_PFN_NONE;
		enum csn_counter counter = CSN_COUNTER_ALLOC;

		if (p->head.type == CSN_RECORD_PAGE_FREE)
			counter = CSN_COUNTER_FREE;
		else if (p->head.type == CSN_RECORD_PAGE_EXTFRAG)
			counter = CSN_COUNTER_EXTFRAG;
		else if (failed)
			counter = CSN_COUNTER_FAILED;
		cells[csn_counter_cell(c, counter, failed ? 0 : p->node,
				       failed ? 0 : p->zone, p->order,
				       p->migratetype)]++;
	}
}

size_t kmem_records(const struct csn_log *log, int type, int order)
{
	size_t n = 0;
	size_t i;

	for (i = 0; i < log->nr_pages; i++)
		n += log->page[i].head.type == type &&
		     (order < 0 || log->page[i].order == order);
	return n;
}

bool kmem_passes(const struct csn_filter *f, const struct csn_record_page *p)
{
	bool failed = p->pfn == CSN_PFN_NONE;

	if ((f->match & CSN_MATCH_PID) && p->pid != f->pid)
		return false;
	if ((f->match & CSN_MATCH_TID) && p->tid != f->tid)
		return false;
	if ((f->match & CSN_MATCH_COMM) && memcmp(p->comm, f->comm, CSN_COMM_LEN))
		return false;
	if ((f->match & CSN_MATCH_ORDER) &&
	    (p->order < f->order_min || p->order > f->order_max))
		return false;
	if ((f->match & CSN_MATCH_NODE) && (failed || p->node != (__s32)f->node))
		return false;
	if ((f->match & CSN_MATCH_ZONE) && (failed || !(f->zones >> p->zone & 1)))
		return false;
	return !(f->match & CSN_MATCH_MIGRATETYPE) ||
	       (f->migratetypes >> p->migratetype & 1);
}
