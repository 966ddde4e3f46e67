/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests share to talk to /dev/compactsnoop: open, configure, read,
 * and the events that the records make. Knows the ABI, no test harness.
 *
 * Functions return 0 or a value, or a negative errno; none prints or exits.
 */
#ifndef CSN_H
#define CSN_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/compactsnoop.h>

#define CSN_DEVICE	"/dev/" CSN_DEVICE_NAME

/* How long anything may take that happens at once on an idle machine. */
#define CSN_PATIENCE_MS	20000

/* Lost records that a log keeps; it counts all of them. */
#define CSN_LOG_MAX_LOST	64

/*
 * One compaction, as its group of records tells it. @at counts the records
 * that came before it in the stream.
 */
struct csn_event {
	struct csn_record_compaction c;
	struct csn_record_zone_state z;
	__u64 handle[CSN_STACK_MAX];
	unsigned int nr_handles;
	bool has_zone;
	size_t at;
};

/*
 * A stream of records, taken apart as it comes. @broken says what in it was
 * not as the header promises, first finding only; empty if nothing.
 */
struct csn_log {
	struct csn_record_info info;
	struct csn_record_zone_names names;
	struct csn_record_kernel kernel;
	unsigned int nr_infos;
	struct csn_event *event;
	size_t nr_events;
	size_t room;
	struct csn_record_lost lost[CSN_LOG_MAX_LOST];
	size_t lost_at[CSN_LOG_MAX_LOST];
	size_t nr_lost;
	__u64 events_lost;
	struct csn_record_page *page;
	size_t nr_pages;
	size_t pages_room;
	size_t nr_records;
	struct csn_event *open;
	struct csn_record_head before;
	unsigned int parts_left;
	char broken[160];
};

int csn_open(int flags);
int csn_ioctl(int fd, unsigned long cmd, void *arg);
int csn_start(int fd);
int csn_stop(int fd);
int csn_info(int fd, struct csn_info *info);
int csn_get_config(int fd, struct csn_config *config);
int csn_set_config(int fd, const struct csn_config *config);
int csn_stats(int fd, __u32 cpu, struct csn_stats *stats);
int csn_counters(int fd, struct csn_counters *counters, __u64 *cells, __u32 nr_cells);
__u64 csn_stats_lost(const struct csn_stats *stats);
int csn_resolve(int fd, __u64 handle, char name[CSN_SYMBOL_LEN]);

/* A new file, of the capture from boot. */
int csn_take_boot(int fd);

/* The events of this process alone, with @flags; set, not started. */
int csn_config_self(int fd, __u32 flags);
/* CSN_FLAG_STACK, or 0 if this kernel gives no stacks. */
__u32 csn_flag_stack(void);
/* A session of its own, non-blocking, this process alone; started. */
int csn_open_self(__u32 flags);
/* As above with @filter; every event if it is NULL. */
int csn_open_filter(__u32 flags, const struct csn_filter *filter);

long csn_read(int fd, void *buf, size_t len);
/* poll(): the revents, 0 when @timeout_ms have passed. */
int csn_poll(int fd, int timeout_ms);

void csn_log_init(struct csn_log *log);
void csn_log_free(struct csn_log *log);
void csn_log_add(struct csn_log *log, const void *records, size_t nr);
/* Reads on until there is nothing more for now, or ever. */
int csn_log_drain(struct csn_log *log, int fd);

/* A session of its own as @config says, non-blocking; started. */
int csn_open_config(const struct csn_config *config);

/* Does @event pass @filter? In user space, from the ABI's words alone. */
bool csn_filter_passes(const struct csn_filter *filter,
		       const struct csn_event *event);
__u64 csn_now(void);

#endif /* CSN_H */
