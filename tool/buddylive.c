// SPDX-License-Identifier: GPL-2.0-only
/* buddystat on this kernel: from counters, from records, from boot. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "buddy.h"
#include "recording.h"
#include "wait.h"

/* By then all events of an interval have come through the reader. */
#define PATIENCE	(2 * CSN_READER_SLACK)

static struct csn_reader reader;

/* What is to be counted, as far as this kernel has it. */
static __u32 wanted_classes(const struct csn_buddysettings *settings,
			    const struct csn_info *info)
{
	__u32 classes = CSN_CLASS_PAGE_ALLOC | CSN_CLASS_EXTFRAG;

	if (settings->free)
		classes |= CSN_CLASS_PAGE_FREE;
	if (settings->free && !(info->classes & CSN_CLASS_PAGE_FREE))
		csn_exit_note("this kernel does not tell frees: they show as 0");
	if (!(info->classes & CSN_CLASS_EXTFRAG))
		csn_exit_note("this kernel does not tell fallbacks: they show as 0");
	return classes & (info->classes | CSN_CLASS_PAGE_ALLOC);
}

static void set_filter(const struct csn_buddysettings *settings,
		       struct csn_filter *filter)
{
	if (settings->pid) {
		filter->match |= CSN_MATCH_PID;
		filter->pid = settings->pid;
	}
	if (settings->has_comm) {
		filter->match |= CSN_MATCH_COMM;
		memcpy(filter->comm, settings->comm, sizeof(filter->comm));
	}
}

/* Counts of a session, and what they were before. */
struct counters {
	struct csn_counters head;
	__u64 *now;
	__u64 *before;
};

static enum csn_exit read_counters(struct csn_device *device,
				   struct counters *counters)
{
	struct csn_counters *head = &counters->head;

	head->size = sizeof(*head);
	head->cells = (unsigned long)counters->now;
	if (ioctl(device->fd, CSN_IOC_GET_COUNTERS, head))
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot read the counters: %s",
				     strerror(errno));
	return CSN_EXIT_OK;
}

static enum csn_exit allocate_counters(struct csn_device *device,
				       struct counters *counters)
{
	enum csn_exit status = read_counters(device, counters);

	if (status)
		return status;
	counters->now = calloc(counters->head.nr_cells, sizeof(__u64));
	counters->before = calloc(counters->head.nr_cells, sizeof(__u64));
	if (!counters->now || !counters->before)
		return csn_exit_fail(CSN_EXIT_MEMORY, "out of memory");
	return CSN_EXIT_OK;
}

static void add_cell(struct csn_counts *counts, enum csn_counter counter,
		     unsigned int order, __u64 more)
{
	switch (counter) {
	case CSN_COUNTER_ALLOC:
		counts->alloc[order] += more;
		break;
	case CSN_COUNTER_FREE:
		counts->free[order] += more;
		break;
	case CSN_COUNTER_EXTFRAG:
		counts->fallback += more;
		break;
	case CSN_COUNTER_FAILED:
		counts->failed[order] += more;
		break;
	}
}

/* The orders of one counter, node, zone and migratetype. */
static int take_orders(struct csn_buddy *buddy, const struct counters *counters,
		       enum csn_counter counter, const struct csn_pages *where)
{
	const struct csn_counters *head = &counters->head;
	struct csn_pages key = *where;
	struct csn_cell *cell = NULL;

	if (counter == CSN_COUNTER_FAILED) {
		/* There is one such table, not one a node and zone. */
		if (where->node || where->zone)
			return 0;
		key.node = CSN_NODE_NONE;
		key.zone = CSN_ZONE_NONE;
	}
	for (unsigned int order = 0; order < head->nr_orders; order++) {
		__u32 i = csn_counter_cell(head, counter, where->node, where->zone,
					   order, where->migratetype);
		__u64 more = counters->now[i] - counters->before[i];

		if (!more || order >= CSN_PAGES_ORDERS)
			continue;
		if (!cell)
			cell = csn_tally_cell(&buddy->series.tally, &key);
		if (!cell)
			return -ENOMEM;
		add_cell(&cell->counts, counter, order, more);
	}
	return 0;
}

static int take_counters(struct csn_buddy *buddy, struct counters *counters)
{
	const struct csn_counters *head = &counters->head;
	struct csn_pages where = { 0 };
	__u64 *now = counters->now;

	for (int n = 0; n < head->nr_nodes; n++)
		for (unsigned int z = 0; z < head->nr_zones; z++)
			for (unsigned int m = 0; m < head->nr_migratetypes; m++)
				for (int c = CSN_COUNTER_ALLOC; c <= CSN_COUNTER_FAILED; c++) {
					where.node = n;
					where.zone = z;
					where.migratetype = m;
					if (take_orders(buddy, counters, c, &where))
						return -ENOMEM;
				}
	buddy->beyond = head->beyond;
	counters->now = counters->before;
	counters->before = now;
	return 0;
}

/* Row after row until the count, an interrupt, or nobody reads them. */
static enum csn_exit count_on(struct csn_buddy *buddy, struct csn_device *device,
			      struct counters *counters)
{
	__u64 next = csn_wait_now(), step = buddy->settings->interval;
	enum csn_wait_result result;
	enum csn_exit status;

	csn_series_begin(&buddy->series, next);
	do {
		next += step;
		/* After a stop or a sleep: rows go on from now. */
		if (next < csn_wait_now())
			next = csn_wait_now();
		do {
			result = csn_wait_readable(-1, next);
		} while (result == CSN_WAIT_INTERRUPTED && !csn_wait_interrupted());
		if (result == CSN_WAIT_NO_OUTPUT)
			return CSN_EXIT_PIPE;
		status = read_counters(device, counters);
		if (status)
			return status;
		if (take_counters(buddy, counters))
			buddy->error = ENOMEM;
		else if (result != CSN_WAIT_INTERRUPTED)
			csn_series_close(&buddy->series, counters->head.ts);
	} while (result != CSN_WAIT_INTERRUPTED && !buddy->is_done && !buddy->error);
	return csn_buddy_finish(buddy, counters->head.ts,
				result == CSN_WAIT_INTERRUPTED);
}

/* What a live row needs to know, and a recording tells by itself. */
static void take_info(struct csn_buddy *buddy, const struct csn_info *info,
		      struct csn_record_zone_names *zones)
{
	struct timespec wall;

	memcpy(zones->name, info->zone_name, sizeof(zones->name));
	clock_gettime(CLOCK_REALTIME, &wall);
	buddy->rows.zones = zones;
	buddy->rows.nr_orders = info->nr_orders;
	buddy->rows.has_wall = true;
	buddy->rows.wall = wall.tv_sec * 1000000000ULL + wall.tv_nsec - csn_wait_now();
}

/**
 * csn_buddy_count() - live rows from the kernel's counters
 * @buddy: who counts.
 * @device: a session not yet started.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_count(struct csn_buddy *buddy, struct csn_device *device)
{
	struct csn_record_zone_names zones = { 0 };
	struct counters counters = { 0 };
	struct csn_config config = { 0 };
	enum csn_exit status;

	config.counters = wanted_classes(buddy->settings, &device->info);
	set_filter(buddy->settings, &config.filter);
	status = csn_device_start(device, &config);
	if (status)
		return status;
	take_info(buddy, &device->info, &zones);
	status = allocate_counters(device, &counters);
	if (!status && csn_rows_header(&buddy->rows))
		status = csn_exit_output(errno);
	if (!status)
		status = count_on(buddy, device, &counters);
	free(counters.now);
	free(counters.before);
	return status;
}

static int on_info(struct csn_reader *from)
{
	struct csn_buddy *buddy = from->context;

	csn_buddy_info(buddy, from);
	buddy->error = -csn_rows_header(&buddy->rows);
	return buddy->error;
}

static int on_event(struct csn_reader *from, const struct csn_group *group)
{
	return csn_buddy_group(from->context, group);
}

/* Records until an interrupt, or the count; a row when its time is over. */
static enum csn_stream_end stream_on(struct csn_buddy *buddy,
				     struct csn_stream *stream)
{
	struct csn_series *series = &buddy->series;
	enum csn_stream_end end;

	do {
		__u64 over = (series->has_start ? series->start : csn_wait_now()) +
			     series->step;

		stream->deadline = over + PATIENCE;
		end = csn_stream_run(stream);
		if (end == CSN_STREAM_TIME && csn_series_advance(series, over)) {
			stream->error = CSN_READER_STOPPED;
			end = CSN_STREAM_BAD;
		}
	} while (end == CSN_STREAM_TIME);
	return end;
}

/* From a running session to the last row; @live: until an interrupt. */
static enum csn_exit stream_records(struct csn_buddy *buddy,
				    struct csn_device *device, bool live)
{
	struct csn_stream stream = {
		.fd = device->fd,
		.sink = &csn_stream_reader_sink,
		.to = &reader,
	};
	enum csn_stream_end end = CSN_STREAM_INTERRUPTED;
	enum csn_exit status = CSN_EXIT_OK, finished;
	__u64 stopped = 0;

	reader.on_info = on_info;
	reader.on_event = on_event;
	reader.context = buddy;
	if (live)
		end = stream_on(buddy, &stream);
	if (end == CSN_STREAM_INTERRUPTED) {
		stopped = csn_wait_now();
		status = csn_device_stop(device);
		if (!status)
			end = csn_stream_drain(&stream);
	}
	if (!status)
		status = csn_recording_explain_end(&stream, end, CSN_DEVICE_PATH,
						   &reader, 0);
	if (status == CSN_EXIT_PIPE)
		return status;
	/* Nothing has happened since the last event. */
	if (!buddy->is_done && !buddy->error)
		csn_series_advance(&buddy->series, stopped);
	finished = csn_buddy_finish(buddy, buddy->settings->cumulative ? 0 : stopped,
				    !buddy->is_done);
	csn_reader_free(&reader);
	return status ?: finished;
}

/**
 * csn_buddy_trace() - live rows from records, which say who it was
 * @buddy: who counts.
 * @device: a session not yet started.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_trace(struct csn_buddy *buddy, struct csn_device *device)
{
	struct csn_config config = { 0 };
	enum csn_exit status;

	config.classes = wanted_classes(buddy->settings, &device->info);
	set_filter(buddy->settings, &config.filter);
	status = csn_device_start(device, &config);
	return status ?: stream_records(buddy, device, true);
}

/**
 * csn_buddy_boot() - rows from boot on
 * @buddy: who counts.
 * @device: any session; its place is taken by the one from boot.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_boot(struct csn_buddy *buddy, struct csn_device *device)
{
	enum csn_exit status = csn_device_take_boot(device);

	return status ?: stream_records(buddy, device,
					buddy->settings->has_interval);
}

static enum csn_reader_error copy(void *to, const void *data, size_t size)
{
	struct csn_buddy *buddy = to;

	if (fwrite(data, 1, size, buddy->rows.out) == size)
		return 0;
	buddy->error = errno;
	return CSN_READER_STOPPED;
}

static enum csn_reader_error flush_copy(void *to)
{
	struct csn_buddy *buddy = to;

	if (!fflush(buddy->rows.out))
		return 0;
	buddy->error = errno;
	return CSN_READER_STOPPED;
}

static enum csn_reader_error end_copy(void *to)
{
	(void)to;
	return 0;
}

static bool copy_holds(const void *to)
{
	(void)to;
	return false;
}

static const struct csn_sink copy_sink = {
	.feed = copy,
	.release = flush_copy,
	.flush = flush_copy,
	.end = end_copy,
	.holds = copy_holds,
};

static enum csn_exit copy_records(struct csn_buddy *buddy,
				  struct csn_device *device)
{
	struct csn_stream stream = {
		.fd = device->fd,
		.deadline = CSN_WAIT_FOREVER,
		.sink = &copy_sink,
		.to = buddy,
	};
	enum csn_stream_end end = csn_stream_run(&stream);
	enum csn_exit status = CSN_EXIT_OK;
	__u64 lost;

	if (end == CSN_STREAM_INTERRUPTED) {
		status = csn_device_stop(device);
		if (!status)
			end = csn_stream_drain(&stream);
	}
	lost = csn_device_lost(device);
	if (lost)
		csn_exit_note("%llu events are lost: record less, or load the module with a larger ring_kb",
			      lost);
	return status ?: csn_recording_explain_end(&stream, end, CSN_DEVICE_PATH,
						   &reader, buddy->error);
}

/**
 * csn_buddy_record() - keep all events in a file
 * @buddy: what is wanted.
 * @device: a session not yet started.
 *
 * Return: what to end with.
 */
enum csn_exit csn_buddy_record(struct csn_buddy *buddy, struct csn_device *device)
{
	const char *path = buddy->settings->record;
	struct csn_config config = { 0 };
	enum csn_exit status;
	int fd;

	if (strcmp(path, "-")) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		buddy->rows.out = fd < 0 ? NULL : fdopen(fd, "w");
		if (!buddy->rows.out)
			return csn_exit_fail(CSN_EXIT_ERROR, "cannot write %s: %s",
					     path, strerror(errno));
	}
	config.classes = wanted_classes(buddy->settings, &device->info);
	set_filter(buddy->settings, &config.filter);
	status = csn_device_start(device, &config);
	if (!status)
		status = copy_records(buddy, device);
	if (fclose(buddy->rows.out) && !status)
		status = csn_exit_output(errno);
	return status;
}
