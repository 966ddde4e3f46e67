// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mapped rings: what can be mapped and how, a reader that uses them, and
 * that nothing a reader writes does more than lose its own events.
 */
#include <sys/mman.h>
#include "csn_harness.h"

/*
 * One CPU's. What the kernel changes is read after a system call, or with the
 * acquire of drain_ring().
 */
struct ring {
	const struct csn_ring_head *head;
	struct csn_ring_tail *tail;
	const char *data;
	size_t data_len;
};

FIXTURE(device_mmap)
{
	struct csn_info info;
	struct ring ring;
	size_t page;
	int zones;
	int cpu;
	int fd;
};

static void *map_piece(int fd, unsigned int cpu, unsigned int piece,
		       size_t len, int prot)
{
	void *p = mmap(NULL, len, prot, MAP_SHARED, fd,
		       CSN_MMAP_OFFSET(cpu, piece));

	return p == MAP_FAILED ? NULL : p;
}

static void map_ring(struct __test_metadata *_metadata, int fd,
		     unsigned int cpu, struct ring *ring)
{
	size_t page = getpagesize();
	struct csn_config config;

	ASSERT_EQ(0, csn_get_config(fd, &config));
	ring->data_len = config.ring_bytes;
	ring->head = map_piece(fd, cpu, CSN_MMAP_HEAD, page, PROT_READ);
	ASSERT_TRUE(ring->head != NULL) TH_LOG("head: %s", strerror(errno));
	ring->tail = map_piece(fd, cpu, CSN_MMAP_TAIL, page,
			       PROT_READ | PROT_WRITE);
	ASSERT_TRUE(ring->tail != NULL) TH_LOG("tail: %s", strerror(errno));
	ring->data = map_piece(fd, cpu, CSN_MMAP_DATA, ring->data_len,
			       PROT_READ);
	ASSERT_TRUE(ring->data != NULL) TH_LOG("data: %s", strerror(errno));
}

static void unmap_ring(struct ring *ring)
{
	munmap((void *)ring->head, getpagesize());
	munmap((void *)ring->tail, getpagesize());
	munmap((void *)ring->data, ring->data_len);
}

/* What the header tells a reader to do. */
static void drain_ring(struct ring *ring, struct csn_log *log)
{
	__u64 head = __atomic_load_n(&ring->head->head, __ATOMIC_ACQUIRE);
	__u64 tail = ring->tail->tail;

	for (; tail != head; tail++)
		csn_log_add(log, ring->data + CSN_RECORD_SIZE *
			    (tail & (ring->head->slots - 1)), 1);
	__atomic_store_n(&ring->tail->tail, tail, __ATOMIC_RELEASE);
}

/* On one CPU, smallest ring, one record an event; not started. */
FIXTURE_SETUP(device_mmap)
{
	struct csn_config config;

	CSN_NEEDS_DEVICE();
	self->page = getpagesize();
	self->zones = machine_populated_zones();
	self->cpu = machine_this_cpu_only();
	ASSERT_LE(0, self->cpu);
	self->fd = csn_open(O_RDWR | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, csn_info(self->fd, &self->info));
	ASSERT_EQ(0, csn_config_self(self->fd, 0));
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	config.ring_bytes = self->info.ring_bytes_min;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
}

FIXTURE_TEARDOWN(device_mmap)
{
	close(self->fd);
}

/* What mmap() of one piece gives: 0 or the negative errno. */
static int try_map(int fd, size_t len, int prot, int flags, __u64 offset)
{
	void *p = mmap(NULL, len, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, len);
	return 0;
}

TEST_F(device_mmap, every_ring)
{
	struct ring ring;
	unsigned int cpu;
	unsigned int mapped = 0;
	size_t i;

	for (cpu = 0; cpu < self->info.nr_cpus; cpu++) {
		int err = try_map(self->fd, self->page, PROT_READ, MAP_SHARED,
				  CSN_MMAP_OFFSET(cpu, CSN_MMAP_HEAD));

		if (err == -ENXIO)	/* possible, but never online */
			continue;
		ASSERT_EQ(0, err) TH_LOG("CPU %u: %s", cpu, strerror(-err));
		map_ring(_metadata, self->fd, cpu, &ring);
		EXPECT_EQ(self->info.ring_bytes_min / 64, ring.head->slots);
		EXPECT_EQ(0, ring.head->head);
		EXPECT_EQ(0, ring.head->lost);
		EXPECT_EQ(0, ring.head->reserved);
		EXPECT_EQ(0, ring.tail->tail);
		/* Zeroed: no old memory of anybody's shows through. */
		for (i = 0; i < ring.data_len; i++)
			ASSERT_EQ(0, ring.data[i]);
		for (i = sizeof(*ring.head); i < self->page; i++)
			ASSERT_EQ(0, ((const char *)ring.head)[i]);
		for (i = sizeof(*ring.tail); i < self->page; i++)
			ASSERT_EQ(0, ((const char *)ring.tail)[i]);
		unmap_ring(&ring);
		mapped++;
	}
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN), mapped);
}

/* A reader that only looks needs no right to write: head and data. */
TEST_F(device_mmap, read_only_file)
{
	__u64 tail = CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_TAIL);
	int fd = csn_open(O_RDONLY);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, try_map(fd, self->page, PROT_READ, MAP_SHARED,
			     CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_HEAD)));
	EXPECT_EQ(0, try_map(fd, self->info.ring_bytes_default, PROT_READ,
			     MAP_SHARED,
			     CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_DATA)));
	EXPECT_EQ(-EACCES, try_map(fd, self->page, PROT_READ | PROT_WRITE,
				   MAP_SHARED, tail));
	close(fd);
}

static void expect_no_map(struct __test_metadata *_metadata, int fd,
			  const char *what, size_t len, __u64 offset,
			  int err, int or_err)
{
	int got = try_map(fd, len, PROT_READ, MAP_SHARED, offset);

	EXPECT_TRUE(got == err || got == or_err)
		TH_LOG("%s: expected %s, not %s", what, strerror(-err),
		       got ? strerror(-got) : "success");
}

TEST_F(device_mmap, nothing_else)
{
	__u64 head = CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_HEAD);
	__u64 tail = CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_TAIL);
	__u64 data = CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_DATA);
	size_t page = self->page;
	size_t ring = self->info.ring_bytes_min;
	struct csn_config config;

	/* Two pages at least, so that there is a half of a ring to ask for. */
	ASSERT_EQ(0, csn_get_config(self->fd, &config));
	ring = 4 * page > ring ? 4 * page : ring;
	config.ring_bytes = ring;
	ASSERT_EQ(0, csn_set_config(self->fd, &config));
#define NO_MAP(what, len, offset, err) \
	expect_no_map(_metadata, self->fd, what, len, offset, err, err)
	NO_MAP("head, two pages", 2 * page, head, -EINVAL);
	NO_MAP("head, from its second page", page, head + page, -EINVAL);
	NO_MAP("tail, two pages", 2 * page, tail, -EINVAL);
	NO_MAP("tail, from its second page", page, tail + page, -EINVAL);
	NO_MAP("half of the data", ring / 2, data, -EINVAL);
	NO_MAP("data but a page", ring - page, data, -EINVAL);
	NO_MAP("data and a page", ring + page, data, -EINVAL);
	NO_MAP("data, from its second page", ring, data + page, -EINVAL);
	NO_MAP("second half of the data", ring / 2, data + ring / 2, -EINVAL);
	NO_MAP("a piece there is not", page, CSN_MMAP_OFFSET(self->cpu, 3),
	       -EINVAL);
#undef NO_MAP
	expect_no_map(_metadata, self->fd, "a CPU there cannot be", page,
		      CSN_MMAP_OFFSET(self->info.nr_cpus, CSN_MMAP_HEAD),
		      -ENXIO, -ENXIO);
	/* EOVERFLOW and EINVAL are mmap()'s own, before the module's turn. */
	expect_no_map(_metadata, self->fd, "CPU 4095", page,
		      CSN_MMAP_OFFSET(4095, CSN_MMAP_HEAD), -ENXIO, -EOVERFLOW);
	if (sizeof(long) == 8)
		expect_no_map(_metadata, self->fd, "the last CPU number", page,
			      CSN_MMAP_OFFSET(0x7fffffff, CSN_MMAP_HEAD),
			      -ENXIO, -EOVERFLOW);
}

TEST_F(device_mmap, only_the_tail_is_writable)
{
	int piece;

	for (piece = CSN_MMAP_HEAD; piece <= CSN_MMAP_DATA; piece++) {
		size_t len = piece == CSN_MMAP_DATA ?
			     self->info.ring_bytes_min : self->page;
		__u64 offset = CSN_MMAP_OFFSET(self->cpu, piece);
		int got = try_map(self->fd, len, PROT_READ | PROT_WRITE,
				  MAP_SHARED, offset);
		char *p;

		if (piece == CSN_MMAP_TAIL) {
			EXPECT_EQ(0, got);
			continue;
		}
		EXPECT_TRUE(got == -EACCES || got == -EPERM)
			TH_LOG("piece %d mapped for writing: %s", piece,
			       got ? strerror(-got) : "success");
		p = map_piece(self->fd, self->cpu, piece, len, PROT_READ);
		ASSERT_TRUE(p != NULL);
		EXPECT_EQ(-1, mprotect(p, len, PROT_READ | PROT_WRITE));
		EXPECT_EQ(EACCES, errno);
		munmap(p, len);
	}
}

TEST_F(device_mmap, no_piece_is_executable)
{
	int piece;

	for (piece = CSN_MMAP_HEAD; piece <= CSN_MMAP_DATA; piece++) {
		size_t len = piece == CSN_MMAP_DATA ?
			     self->info.ring_bytes_min : self->page;
		int got = try_map(self->fd, len, PROT_READ | PROT_EXEC,
				  MAP_SHARED,
				  CSN_MMAP_OFFSET(self->cpu, piece));
		char *p;

		EXPECT_TRUE(got == -EACCES || got == -EPERM || got == -EINVAL)
			TH_LOG("piece %d mapped for execution: %s", piece,
			       got ? strerror(-got) : "success");
		p = map_piece(self->fd, self->cpu, piece, len, PROT_READ);
		ASSERT_TRUE(p != NULL);
		EXPECT_EQ(-1, mprotect(p, len, PROT_READ | PROT_EXEC))
			TH_LOG("piece %d made executable", piece);
		munmap(p, len);
	}
}

/* A private, writable map would be a copy: refused, or harmless as such. */
TEST_F(device_mmap, private)
{
	struct ring ring;
	__u64 *copy;

	map_ring(_metadata, self->fd, self->cpu, &ring);
	copy = mmap(NULL, self->page, PROT_READ | PROT_WRITE, MAP_PRIVATE,
		    self->fd, CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_HEAD));
	if (copy != MAP_FAILED) {
		*copy = 0x1234567;
		EXPECT_EQ(0, ring.head->head);
		munmap(copy, self->page);
	} else {
		EXPECT_TRUE(errno == EINVAL || errno == EACCES || errno == EPERM);
	}
	unmap_ring(&ring);
}

/* Two sessions on the same events; groups byte for byte the same. */
TEST_F(device_mmap, same_events_as_read)
{
	struct csn_log by_read;
	struct csn_log by_mmap;
	struct ring ring;
	int reader = csn_open_self(0);
	size_t i;

	ASSERT_LE(0, reader);
	csn_log_init(&by_read);
	csn_log_init(&by_mmap);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	ASSERT_EQ(0, csn_start(self->fd));
	/* Twice round the smallest ring of one-record events, and a bit. */
	for (i = 0; i < 2 * ring.head->slots / self->zones + 2; i++) {
		ASSERT_EQ(0, machine_compact());
		drain_ring(&ring, &by_mmap);
		ASSERT_EQ(0, csn_log_drain(&by_read, reader));
	}
	EXPECT_LT(2 * ring.head->slots, ring.head->head);
	EXPECT_INTACT(&by_read);
	EXPECT_INTACT(&by_mmap);
	EXPECT_EQ(0, ring.head->lost);
	EXPECT_EQ(i * self->zones, by_read.nr_events);
	ASSERT_EQ(by_read.nr_events, by_mmap.nr_events);
	for (i = 0; i < by_read.nr_events; i++)
		EXPECT_EQ(0, memcmp(&by_read.event[i].c, &by_mmap.event[i].c,
				    sizeof(by_read.event[i].c)))
			TH_LOG("event %zu", i);
	unmap_ring(&ring);
	csn_log_free(&by_mmap);
	csn_log_free(&by_read);
	close(reader);
}

TEST_F(device_mmap, poll)
{
	struct csn_log log;
	struct ring ring;

	csn_log_init(&log);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	ASSERT_EQ(0, csn_start(self->fd));
	EXPECT_EQ(0, csn_poll(self->fd, 0));
	ASSERT_EQ(0, machine_compact());
	EXPECT_EQ(1, csn_poll(self->fd, CSN_PATIENCE_MS) & 1);
	drain_ring(&ring, &log);
	EXPECT_EQ(self->zones, log.nr_events);
	EXPECT_EQ(0, csn_poll(self->fd, 0));
	csn_log_free(&log);
	unmap_ring(&ring);
}

TEST_F(device_mmap, one_way_of_reading)
{
	char buf[4 * CSN_RECORD_SIZE];
	int fd = csn_open(O_RDWR | O_NONBLOCK);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, try_map(self->fd, self->page, PROT_READ, MAP_SHARED,
			     CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_HEAD)));
	EXPECT_EQ(-EBUSY, csn_read(self->fd, buf, sizeof(buf)));
	ASSERT_LT(0, csn_read(fd, buf, sizeof(buf)));
	EXPECT_EQ(-EBUSY, try_map(fd, self->page, PROT_READ, MAP_SHARED,
				  CSN_MMAP_OFFSET(self->cpu, CSN_MMAP_HEAD)));
	close(fd);
}

static void expect_account(struct __test_metadata *_metadata, int fd,
			   const struct ring *ring, __u64 produced)
{
	struct csn_stats s;

	ASSERT_EQ(0, csn_stats(fd, CSN_CPU_ALL, &s));
	EXPECT_EQ(produced, s.produced);
	EXPECT_EQ(s.produced, s.delivered + csn_stats_lost(&s));
	EXPECT_EQ(csn_stats_lost(&s), ring->head->lost);
}

/* Compactions of this task until @ring has been full for two of them. */
static __u64 fill_ring(struct __test_metadata *_metadata,
		       const struct ring *ring, int zones)
{
	__u64 start = ring->head->head;
	__u64 produced = 0;
	int full = 0;

	while (full < 2) {
		__u64 head = ring->head->head;

		ASSERT_EQ(0, machine_compact());
		produced += zones;
		full = ring->head->head == head ? full + 1 : 0;
		ASSERT_GE(start + ring->head->slots, ring->head->head)
			TH_LOG("more written than there are slots");
	}
	return produced;
}

/*
 * Tails that no honest reader stores. Each counts as a full ring as soon as
 * the kernel looks at it, which it does once the room that it knew of is used
 * up: then nothing is written and every event is counted as lost. When the
 * tail is right again they flow.
 */
TEST_F(device_mmap, tail_of_garbage)
{
	struct csn_log log;
	struct ring ring;
	__u64 produced = 0;
	size_t i;

	csn_log_init(&log);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	ASSERT_EQ(0, csn_start(self->fd));
	/* Past the first round, or a tail of 0 would be an honest one. */
	while (ring.head->head <= ring.head->slots) {
		ASSERT_EQ(0, machine_compact());
		produced += self->zones;
		drain_ring(&ring, &log);
	}
	for (i = 0; i < 6; i++) {
		__u64 head = ring.head->head;
		__u64 lost = ring.head->lost;
		__u64 garbage[] = {
			head + 2 * ring.head->slots, ~0ULL, 0,
			head - ring.head->slots - 1, 1ULL << 63,
			head ^ 1ULL << 63,
		};

		ring.tail->tail = garbage[i];
		produced += fill_ring(_metadata, &ring, self->zones);
		EXPECT_LE(lost + 2 * self->zones, ring.head->lost)
			TH_LOG("not counted with tail %#llx", garbage[i]);
		expect_account(_metadata, self->fd, &ring, produced);
		/* What was written meanwhile is skipped. */
		ring.tail->tail = ring.head->head;
		lost = ring.head->lost;
		ASSERT_EQ(0, machine_compact());
		produced += self->zones;
		EXPECT_EQ(lost, ring.head->lost)
			TH_LOG("does not flow again after tail %#llx",
			       garbage[i]);
		drain_ring(&ring, &log);
		expect_account(_metadata, self->fd, &ring, produced);
	}
	EXPECT_INTACT(&log);
	EXPECT_EQ(ring.head->lost, log.events_lost);
	unmap_ring(&ring);
	csn_log_free(&log);
}

/* The rest of the tail page is the reader's own: nobody looks at it. */
TEST_F(device_mmap, rest_of_the_tail_page)
{
	struct csn_log log;
	struct ring ring;

	csn_log_init(&log);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	memset((char *)ring.tail + sizeof(*ring.tail), 0xff,
	       self->page - sizeof(*ring.tail));
	ASSERT_EQ(0, csn_start(self->fd));
	ASSERT_EQ(0, machine_compact());
	drain_ring(&ring, &log);
	EXPECT_INTACT(&log);
	EXPECT_EQ(self->zones, log.nr_events);
	csn_log_free(&log);
	unmap_ring(&ring);
}

/* A mapping holds the open file: events go on until it is gone as well. */
TEST_F(device_mmap, outlives_close)
{
	struct csn_log log;
	struct ring ring;

	csn_log_init(&log);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	ASSERT_EQ(0, csn_start(self->fd));
	ASSERT_EQ(0, close(self->fd));
	ASSERT_EQ(0, machine_compact());
	drain_ring(&ring, &log);
	EXPECT_INTACT(&log);
	EXPECT_EQ(self->zones, log.nr_events);
	csn_log_free(&log);
	unmap_ring(&ring);
	self->fd = -1;
}

/* A child may have the maps or not, but its end disturbs nobody. */
TEST_F(device_mmap, fork)
{
	struct csn_log log;
	struct ring ring;
	int status;
	pid_t child;

	csn_log_init(&log);
	map_ring(_metadata, self->fd, self->cpu, &ring);
	ASSERT_EQ(0, csn_start(self->fd));
	ASSERT_EQ(0, machine_compact());
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		_exit(ring.head->head == self->zones ? 0 : 1);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE((WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) ||
		    (WIFEXITED(status) && !WEXITSTATUS(status)))
		TH_LOG("the child ended with status %#x", status);
	ASSERT_EQ(0, machine_compact());
	drain_ring(&ring, &log);
	EXPECT_INTACT(&log);
	EXPECT_EQ(2 * self->zones, log.nr_events);
	csn_log_free(&log);
	unmap_ring(&ring);
}

CSN_HARNESS_MAIN
