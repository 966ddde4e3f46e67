// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "machine.h"
#include "worker.h"

#define DEVICE	"/dev/" CSN_ALLOCATOR_NAME

enum { DONE, START, ALLOC, FREE };

static int obey(struct worker_orders *o, int fd)
{
	switch (o->command) {
	case ALLOC:
		o->a.pfns = (unsigned long)o->pfn;
		return ioctl(fd, CSN_ALLOCATOR_ALLOC, &o->a) ? -errno : 0;
	case FREE:
		return ioctl(fd, CSN_ALLOCATOR_FREE) ? -errno : 0;
	default:
		return 0;
	}
}

static void work(struct worker_orders *o)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	int err = fd < 0 ? -errno : 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, WORKER_COMM);
	/* Whose node is 0. */
	if (!err)
		err = machine_cpu_only(0);
	if (!err && mlockall(MCL_CURRENT))
		err = -errno;
	for (;;) {
		o->err = err ? err : obey(o, fd);
		__atomic_store_n(&o->command, DONE, __ATOMIC_RELEASE);
		while (!__atomic_load_n(&o->command, __ATOMIC_ACQUIRE))
			machine_nap();
	}
}

static int tell(struct worker *w, int command)
{
	__atomic_store_n(&w->shared->command, command, __ATOMIC_RELEASE);
	while (__atomic_load_n(&w->shared->command, __ATOMIC_ACQUIRE)) {
		if (waitpid(w->pid, NULL, WNOHANG))
			return -ECHILD;
		machine_nap();
	}
	return w->shared->err;
}

int worker_start(struct worker *w)
{
	memset(w, 0, sizeof(*w));
	w->shared = mmap(NULL, sizeof(*w->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (w->shared == MAP_FAILED)
		return -errno;
	w->shared->command = START;
	w->pid = fork();
	if (w->pid < 0)
		return -errno;
	if (!w->pid)
		work(w->shared);
	return tell(w, START);
}

static int allocate(struct worker *w, const struct csn_allocate *a)
{
	int err;

	if (a->count > WORKER_MAX_BLOCKS)
		return -EINVAL;
	w->shared->a = *a;
	err = tell(w, ALLOC);
	return err ? err : (int)w->shared->a.allocated;
}

int worker_alloc(struct worker *w, unsigned int order, unsigned int kind,
		 unsigned int count)
{
	struct csn_allocate a = { .order = order, .kind = kind, .count = count };

	return allocate(w, &a);
}

int worker_fail(struct worker *w, unsigned int order, unsigned int failures)
{
	struct csn_allocate a = {
		.order = order,
		.kind = CSN_ALLOCATE_OR_FAIL,
		.count = WORKER_MAX_BLOCKS,
		.failures = failures,
	};

	return allocate(w, &a);
}

int worker_free(struct worker *w)
{
	return tell(w, FREE);
}

void worker_end(struct worker *w)
{
	if (w->pid > 0) {
		if (!kill(w->pid, 0))
			worker_free(w);
		kill(w->pid, SIGKILL);
		waitpid(w->pid, NULL, 0);
	}
	if (w->shared)
		munmap(w->shared, sizeof(*w->shared));
	memset(w, 0, sizeof(*w));
}
