// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of /dev/compactsnoop for the tests, and the parser that holds
 * every stream against the promises of the ABI header while it reads it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "csn.h"

int csn_open(int flags)
{
	int fd = open(CSN_DEVICE, O_CLOEXEC | flags);

	return fd < 0 ? -errno : fd;
}

int csn_ioctl(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? -errno : 0;
}

int csn_start(int fd)
{
	return csn_ioctl(fd, CSN_IOC_START, NULL);
}

int csn_stop(int fd)
{
	return csn_ioctl(fd, CSN_IOC_STOP, NULL);
}

int csn_info(int fd, struct csn_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return csn_ioctl(fd, CSN_IOC_GET_INFO, info);
}

int csn_get_config(int fd, struct csn_config *config)
{
	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	return csn_ioctl(fd, CSN_IOC_GET_CONFIG, config);
}

int csn_set_config(int fd, const struct csn_config *config)
{
	return csn_ioctl(fd, CSN_IOC_SET_CONFIG, (void *)config);
}

int csn_stats(int fd, __u32 cpu, struct csn_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->cpu = cpu;
	return csn_ioctl(fd, CSN_IOC_GET_STATS, stats);
}

int csn_counters(int fd, struct csn_counters *counters, __u64 *cells, __u32 nr_cells)
{
	memset(counters, 0, sizeof(*counters));
	counters->size = sizeof(*counters);
	counters->cells = (unsigned long)cells;
	counters->nr_cells = nr_cells;
	return csn_ioctl(fd, CSN_IOC_GET_COUNTERS, counters);
}

__u64 csn_stats_lost(const struct csn_stats *stats)
{
	return stats->lost_full + stats->lost_nested + stats->lost_table +
	       stats->lost_ring;
}

int csn_resolve(int fd, __u64 handle, char name[CSN_SYMBOL_LEN])
{
	struct csn_symbol symbol = { .size = sizeof(symbol), .handle = handle };
	int ret = csn_ioctl(fd, CSN_IOC_RESOLVE, &symbol);

	memcpy(name, symbol.name, CSN_SYMBOL_LEN);
	return ret;
}

int csn_take_boot(int fd)
{
	int boot = ioctl(fd, CSN_IOC_TAKE_BOOT);

	return boot < 0 ? -errno : boot;
}

static struct csn_config csn_compactions(__u32 flags, const struct csn_filter *filter)
{
	struct csn_config config = {
		.size = sizeof(config),
		.classes = CSN_CLASS_COMPACTION,
		.flags = flags,
	};

	if (filter)
		config.filter = *filter;
	return config;
}

static struct csn_filter csn_filter_self(void)
{
	return (struct csn_filter){
		.match = CSN_MATCH_PID,
		.pid = getpid(),
	};
}

int csn_config_self(int fd, __u32 flags)
{
	struct csn_filter self = csn_filter_self();
	struct csn_config config = csn_compactions(flags, &self);

	return csn_set_config(fd, &config);
}

int csn_open_config(const struct csn_config *config)
{
	int fd = csn_open(O_RDONLY | O_NONBLOCK);
	int err;

	if (fd < 0)
		return fd;
	err = csn_set_config(fd, config);
	if (!err)
		err = csn_start(fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int csn_open_filter(__u32 flags, const struct csn_filter *filter)
{
	struct csn_config config = csn_compactions(flags, filter);

	return csn_open_config(&config);
}

__u32 csn_flag_stack(void)
{
	struct csn_info info = { .features = 0 };
	int fd = csn_open(O_RDONLY);

	if (fd < 0)
		return 0;
	csn_info(fd, &info);
	close(fd);
	return info.features & CSN_FEATURE_STACK ? CSN_FLAG_STACK : 0;
}

int csn_open_self(__u32 flags)
{
	struct csn_filter self = csn_filter_self();

	return csn_open_filter(flags, &self);
}

long csn_read(int fd, void *buf, size_t len)
{
	long n = read(fd, buf, len);

	return n < 0 ? -errno : n;
}

int csn_poll(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int ret = poll(&p, 1, timeout_ms);

	return ret < 0 ? -errno : ret ? p.revents : 0;
}

void csn_log_init(struct csn_log *log)
{
	memset(log, 0, sizeof(*log));
}

void csn_log_free(struct csn_log *log)
{
	free(log->event);
	free(log->page);
	csn_log_init(log);
}

#ifndef __printf
#define __printf(a, b)	__attribute__((format(printf, a, b)))
#endif

static __printf(2, 3)
void csn_log_broken(struct csn_log *log, const char *what, ...)
{
	va_list args;
	int n;

	if (log->broken[0])
		return;
	n = snprintf(log->broken, sizeof(log->broken), "record %zu: ",
		     log->nr_records);
	va_start(args, what);
	vsnprintf(log->broken + n, sizeof(log->broken) - n, what, args);
	va_end(args);
}

static bool csn_is_zero(const void *p, size_t len)
{
	const char *c = p;

	while (len && !*c) {
		c++;
		len--;
	}
	return !len;
}

/* NUL within @len bytes, and nothing behind it. */
static bool csn_is_padded(const char *s, size_t len)
{
	size_t used = strnlen(s, len);

	return used < len && csn_is_zero(s + used, len - used);
}

static struct csn_event *csn_log_event(struct csn_log *log)
{
	size_t room = log->room ? 2 * log->room : 64;
	struct csn_event *event;

	if (log->nr_events == log->room) {
		event = realloc(log->event, room * sizeof(*event));
		if (!event)
			abort();
		log->event = event;
		log->room = room;
	}
	event = &log->event[log->nr_events++];
	memset(event, 0, sizeof(*event));
	event->at = log->nr_records;
	return event;
}

static void csn_log_info(struct csn_log *log,
			 const struct csn_record_info *info)
{
	if (info->magic != CSN_INFO_MAGIC)
		csn_log_broken(log, "magic %#x", info->magic);
	if (info->head.cpu || info->head.parts != 3 || info->reserved)
		csn_log_broken(log, "info: cpu %u parts %u reserved %#llx",
			       info->head.cpu, info->head.parts,
			       info->reserved);
	if (!info->nr_zones || info->nr_zones > CSN_MAX_ZONES)
		csn_log_broken(log, "info: %u zones", info->nr_zones);
	log->info = *info;
	log->nr_infos++;
}

static void csn_log_names(struct csn_log *log,
			  const struct csn_record_zone_names *names)
{
	unsigned int i;

	log->names = *names;
	for (i = 0; i < CSN_MAX_ZONES; i++) {
		if (!csn_is_padded(names->name[i], CSN_ZONE_NAME_LEN))
			csn_log_broken(log, "name of zone %u not padded", i);
		if (!names->name[i][0] != (i >= log->info.nr_zones))
			csn_log_broken(log, "name of zone %u: \"%.8s\"", i,
				       names->name[i]);
	}
}

static void csn_log_kernel(struct csn_log *log,
			   const struct csn_record_kernel *kernel)
{
	log->kernel = *kernel;
	if (!csn_is_padded(kernel->release, CSN_RELEASE_LEN))
		csn_log_broken(log, "release of the kernel not padded");
}

static void csn_log_lost(struct csn_log *log, const struct csn_record_lost *lost)
{
	if (lost->head.parts != 1 || !lost->count ||
	    lost->first_ts > lost->last_ts || lost->last_ts > lost->ts ||
	    !csn_is_zero(lost->reserved, sizeof(lost->reserved)))
		csn_log_broken(log, "lost: parts %u count %llu times %llu %llu %llu",
			       lost->head.parts, lost->count, lost->first_ts,
			       lost->last_ts, lost->ts);
	log->events_lost += lost->count;
	if (log->nr_lost < CSN_LOG_MAX_LOST) {
		log->lost_at[log->nr_lost] = log->nr_records;
		log->lost[log->nr_lost++] = *lost;
	}
}

static void csn_log_compaction(struct csn_log *log,
			       const struct csn_record_compaction *c)
{
	log->open = csn_log_event(log);
	log->open->c = *c;
	if (!csn_is_zero(c->reserved, sizeof(c->reserved)))
		csn_log_broken(log, "compaction: reserved not zero");
	if (!csn_is_padded(c->comm, CSN_COMM_LEN))
		csn_log_broken(log, "comm not padded");
	if (c->head.parts > 32)
		csn_log_broken(log, "%u parts", c->head.parts);
	if (c->node < 0 || c->zone >= CSN_MAX_ZONES || c->order < -1 ||
	    c->sync > 1 || c->status >= CSN_NR_STATUSES ||
	    c->origin >= CSN_NR_ORIGINS || !c->pid || !c->tid)
		csn_log_broken(log,
			       "node %d zone %u order %d sync %u status %u origin %u pid %u tid %u",
			       c->node, c->zone, c->order, c->sync, c->status,
			       c->origin, c->pid, c->tid);
	/* A stream may begin at any ring, but if it has an info it is true. */
	if (log->nr_infos &&
	    (c->node >= log->info.nr_nodes || c->zone >= log->info.nr_zones ||
	     c->order >= log->info.nr_orders ||
	     c->head.cpu >= log->info.nr_cpus || c->ts < log->info.ts))
		csn_log_broken(log, "beyond the info: node %d zone %u order %d cpu %u ts %llu",
			       c->node, c->zone, c->order, c->head.cpu, c->ts);
}

static void csn_log_page(struct csn_log *log, const struct csn_record_page *p)
{
	bool failed = p->head.type == CSN_RECORD_PAGE_ALLOC && p->pfn == CSN_PFN_NONE;

	if (log->nr_pages == log->pages_room) {
		log->pages_room = log->pages_room ? 2 * log->pages_room : 1024;
		log->page = realloc(log->page, log->pages_room * sizeof(*log->page));
		if (!log->page)
			abort();
	}
	log->page[log->nr_pages++] = *p;
	if (p->head.parts != 1 || !csn_is_padded(p->comm, CSN_COMM_LEN) ||
	    !csn_is_zero(p->reserved, sizeof(p->reserved)))
		csn_log_broken(log, "page: parts %u comm %.16s", p->head.parts, p->comm);
	if (failed ? p->node != CSN_NODE_NONE || p->zone != CSN_ZONE_NONE :
	    p->node < 0 || p->zone >= CSN_MAX_ZONES)
		csn_log_broken(log, "page: pfn %#llx node %d zone %u", p->pfn,
			       p->node, p->zone);
	if (p->migratetype >= CSN_NR_MIGRATETYPES ||
	    p->fallback_migratetype >= CSN_NR_MIGRATETYPES)
		csn_log_broken(log, "page: migratetypes %u %u", p->migratetype,
			       p->fallback_migratetype);
	if (p->head.type != CSN_RECORD_PAGE_ALLOC && p->gfp)
		csn_log_broken(log, "page: gfp of no allocation");
	if (p->head.type != CSN_RECORD_PAGE_EXTFRAG &&
	    (p->fallback_order || p->fallback_migratetype || p->claimed))
		csn_log_broken(log, "page: fallback of none");
	if (log->nr_infos && p->head.type != CSN_RECORD_PAGE_FREE &&
	    p->order >= log->info.nr_orders)
		csn_log_broken(log, "page: order %u", p->order);
}

static void csn_log_zone_state(struct csn_log *log,
			       const struct csn_record_zone_state *z)
{
	struct csn_event *event = log->open;

	if (!event) {
		csn_log_broken(log, "zone state of no compaction");
		return;
	}
	if (event->has_zone)
		csn_log_broken(log, "two zone states");
	if (!csn_is_zero(z->reserved, sizeof(z->reserved)))
		csn_log_broken(log, "zone state: reserved not zero");
	if (z->fragindex < -1000 || z->fragindex > 1000)
		csn_log_broken(log, "fragindex %d", z->fragindex);
	event->z = *z;
	event->has_zone = true;
}

static void csn_log_stack(struct csn_log *log, const struct csn_record_stack *s)
{
	struct csn_event *event = log->open;
	unsigned int i;

	if (!event) {
		csn_log_broken(log, "stack of no compaction");
		return;
	}
	for (i = 0; i < CSN_STACK_PER_RECORD && s->handle[i]; i++) {
		if (event->nr_handles == CSN_STACK_MAX) {
			csn_log_broken(log, "stack too deep");
			return;
		}
		event->handle[event->nr_handles++] = s->handle[i];
	}
	if (!csn_is_zero(&s->handle[i],
			 (CSN_STACK_PER_RECORD - i) * sizeof(s->handle[0])))
		csn_log_broken(log, "handle after the last");
}

/* Is @head the one that has to come next in its group? */
static bool csn_log_in_turn(const struct csn_log *log,
			    const struct csn_record_head *head)
{
	const struct csn_record_head *before = &log->before;

	if (!head->parts || head->part >= head->parts)
		return false;
	if (!log->parts_left)
		return head->part == 0;
	return head->part == before->part + 1 && head->parts == before->parts &&
	       head->cpu == before->cpu;
}

static void csn_log_record(struct csn_log *log, const void *record)
{
	const struct csn_record_head *head = record;

	if (!csn_log_in_turn(log, head))
		csn_log_broken(log, "part %u of %u, type %u, cpu %u in a torn group",
			       head->part, head->parts, head->type, head->cpu);
	if (!head->part)
		log->open = NULL;
	if ((head->type >= 64) != (head->part > 0))
		csn_log_broken(log, "type %u as part %u", head->type,
			       head->part);
	switch (head->type) {
	case CSN_RECORD_INFO:
		csn_log_info(log, record);
		break;
	case CSN_RECORD_ZONE_NAMES:
		csn_log_names(log, record);
		break;
	case CSN_RECORD_KERNEL:
		csn_log_kernel(log, record);
		break;
	case CSN_RECORD_LOST:
		csn_log_lost(log, record);
		break;
	case CSN_RECORD_COMPACTION:
		csn_log_compaction(log, record);
		break;
	case CSN_RECORD_PAGE_ALLOC:
	case CSN_RECORD_PAGE_FREE:
	case CSN_RECORD_PAGE_EXTFRAG:
		csn_log_page(log, record);
		break;
	case CSN_RECORD_ZONE_STATE:
		csn_log_zone_state(log, record);
		break;
	case CSN_RECORD_STACK:
		csn_log_stack(log, record);
		break;
	default:
		csn_log_broken(log, "type %u", head->type);
	}
	log->parts_left = head->parts - head->part - 1;
	log->before = *head;
	log->nr_records++;
}

void csn_log_add(struct csn_log *log, const void *records, size_t nr)
{
	const char *p = records;
	__u64 record[CSN_RECORD_SIZE / sizeof(__u64)];

	for (; nr; nr--, p += CSN_RECORD_SIZE) {
		/* @records may lie at any address. */
		memcpy(record, p, sizeof(record));
		csn_log_record(log, record);
	}
}

int csn_log_drain(struct csn_log *log, int fd)
{
	char buf[64 * CSN_RECORD_SIZE];
	long n;

	do {
		n = csn_read(fd, buf, sizeof(buf));
		if (n > 0 && n % CSN_RECORD_SIZE)
			csn_log_broken(log, "read of %ld bytes", n);
		if (n > 0)
			csn_log_add(log, buf, n / CSN_RECORD_SIZE);
	} while (n > 0);
	return n == -EAGAIN ? 0 : n;
}

bool csn_filter_passes(const struct csn_filter *f, const struct csn_event *e)
{
	const struct csn_record_compaction *c = &e->c;

	if ((f->match & CSN_MATCH_PID) && c->pid != f->pid)
		return false;
	if ((f->match & CSN_MATCH_TID) && c->tid != f->tid)
		return false;
	if ((f->match & CSN_MATCH_COMM) &&
	    memcmp(c->comm, f->comm, CSN_COMM_LEN))
		return false;
	if ((f->match & CSN_MATCH_NODE) && (__u32)c->node != f->node)
		return false;
	if ((f->match & CSN_MATCH_ZONE) && !(f->zones >> c->zone & 1))
		return false;
	if ((f->match & CSN_MATCH_ORDER) &&
	    (c->order < f->order_min || c->order > f->order_max))
		return false;
	if ((f->match & CSN_MATCH_SYNC) && !(f->syncs >> c->sync & 1))
		return false;
	if ((f->match & CSN_MATCH_STATUS) && !(f->statuses >> c->status & 1))
		return false;
	if ((f->match & CSN_MATCH_ORIGIN) && !(f->origins >> c->origin & 1))
		return false;
	return !(f->match & CSN_MATCH_LATENCY) || c->delta >= f->min_latency;
}

__u64 csn_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
