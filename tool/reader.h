/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_READER_H
#define CSN_READER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/compactsnoop.h>

#define CSN_READER_MAX_PARTS	32	/* records in a group, by the ABI */
/*
 * How far apart in time two events may reach us in the wrong order and still
 * come out in the right one, ns. The CPUs publish within microseconds.
 */
#define CSN_READER_SLACK	10000000ULL
/*
 * Groups waiting for their turn; the oldest goes when one more arrives. With
 * the longest stacks that is 8 MiB.
 */
#define CSN_READER_MAX_HELD	4096

/* One record, whichever it is. */
union csn_record {
	struct csn_record_head head;
	struct csn_record_base base;
	struct csn_record_info info;
	struct csn_record_zone_names zone_names;
	struct csn_record_lost lost;
	struct csn_record_compaction compaction;
	struct csn_record_zone_state zone_state;
	struct csn_record_stack stack;
	struct csn_record_page page;
	struct csn_record_kernel kernel;
	char bytes[CSN_RECORD_SIZE];
};

static_assert(sizeof(union csn_record) == CSN_RECORD_SIZE,
	      "a record is 64 bytes");

/**
 * struct csn_group - the records of one event
 * @ts: when, CLOCK_MONOTONIC ns.
 * @arrival: keeps events of the same time in the order of the stream.
 * @parts: how many records.
 * @record: the records, base record first.
 */
struct csn_group {
	__u64 ts;
	__u64 arrival;
	unsigned int parts;
	union csn_record record[];
};

/**
 * enum csn_reader_error - what can be wrong with a stream
 * @CSN_READER_STOPPED: not an error: the consumer wants no more.
 * @CSN_READER_NO_MEMORY: out of memory.
 * @CSN_READER_EMPTY: it ended before its first record.
 * @CSN_READER_ALIEN: it does not begin with an info record.
 * @CSN_READER_BYTE_ORDER: a machine of the other byte order wrote it.
 * @CSN_READER_NEWER: its ABI is newer than this reader.
 * @CSN_READER_DAMAGED: there is no valid record at csn_reader.offset.
 * @CSN_READER_TRUNCATED: it ends within the group at csn_reader.offset.
 */
enum csn_reader_error {
	CSN_READER_STOPPED	= 1,
	CSN_READER_NO_MEMORY,
	CSN_READER_EMPTY,
	CSN_READER_ALIEN,
	CSN_READER_BYTE_ORDER,
	CSN_READER_NEWER,
	CSN_READER_DAMAGED,
	CSN_READER_TRUNCATED,
};

/**
 * struct csn_reader - turns a stream of records into events in time order
 * @on_info: called for each info group, before any event after it. What it
 *	is given stays valid as @info, @zones and @kernel.
 * @on_event: called for each event, oldest first. Nonzero from either: stop.
 * @context: handed to both.
 * @info: the info record in force.
 * @zones: the zone names in force.
 * @kernel: the kernel that wrote them; zeroes if it did not say.
 * @has_info: an info group has been read.
 * @offset: where in the stream the group begins that is read next, bytes.
 *
 * Zeroed and the first three set, it is ready. private: the rest.
 */
struct csn_reader {
	int (*on_info)(struct csn_reader *reader);
	int (*on_event)(struct csn_reader *reader,
			const struct csn_group *group);
	void *context;

	struct csn_record_info info;
	struct csn_record_zone_names zones;
	struct csn_record_kernel kernel;
	bool has_info;
	__u64 offset;

	/* private: */
	size_t filled;		/* bytes in part[] */
	union csn_record part[CSN_READER_MAX_PARTS];
	struct csn_group *held[CSN_READER_MAX_HELD];	/* heap, oldest first */
	size_t nr_held;
	__u64 arrivals;
	__u64 newest;
};

enum csn_reader_error csn_reader_feed(struct csn_reader *reader,
				      const void *data, size_t size);
enum csn_reader_error csn_reader_release(struct csn_reader *reader);
enum csn_reader_error csn_reader_flush(struct csn_reader *reader);
enum csn_reader_error csn_reader_end(struct csn_reader *reader);
void csn_reader_free(struct csn_reader *reader);

const union csn_record *csn_group_find(const struct csn_group *group,
				       unsigned int type,
				       const union csn_record *after);

#endif
