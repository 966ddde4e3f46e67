// SPDX-License-Identifier: GPL-2.0-only
/*
 * From bytes to events in time order.
 *
 * The module hands out each CPU's groups in order and merges the CPUs as far
 * as it has them at the time of a read(). What is left to do: put groups
 * together that two reads split, and hold events back for a moment in a heap,
 * so that one which another CPU published a little later takes its place.
 */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static bool is_older(const struct csn_group *a, const struct csn_group *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	return a->arrival < b->arrival;
}

static void heap_swap(struct csn_group **heap, size_t i, size_t j)
{
	struct csn_group *group = heap[i];

	heap[i] = heap[j];
	heap[j] = group;
}

static void heap_push(struct csn_reader *reader, struct csn_group *group)
{
	struct csn_group **heap = reader->held;
	size_t i = reader->nr_held++;

	heap[i] = group;
	for (; i && is_older(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap_swap(heap, i, (i - 1) / 2);
}

static struct csn_group *heap_pop(struct csn_reader *reader)
{
	struct csn_group **heap = reader->held;
	struct csn_group *oldest = heap[0];
	size_t nr = --reader->nr_held;
	size_t i = 0, child;

	heap[0] = heap[nr];
	while ((child = 2 * i + 1) < nr) {
		if (child + 1 < nr && is_older(heap[child + 1], heap[child]))
			child++;
		if (!is_older(heap[child], heap[i]))
			break;
		heap_swap(heap, i, child);
		i = child;
	}
	return oldest;
}

static enum csn_reader_error release_oldest(struct csn_reader *reader)
{
	struct csn_group *group = heap_pop(reader);
	int stop = reader->on_event(reader, group);

	free(group);
	return stop ? CSN_READER_STOPPED : 0;
}

static enum csn_reader_error hold_group(struct csn_reader *reader,
					unsigned int parts)
{
	size_t size = parts * sizeof(union csn_record);
	struct csn_group *group;

	if (reader->nr_held == CSN_READER_MAX_HELD) {
		enum csn_reader_error error = release_oldest(reader);

		if (error)
			return error;
	}
	group = malloc(sizeof(*group) + size);
	if (!group)
		return CSN_READER_NO_MEMORY;
	group->ts = reader->part[0].base.ts;
	group->arrival = reader->arrivals++;
	group->parts = parts;
	memcpy(group->record, reader->part, size);
	if (group->ts > reader->newest)
		reader->newest = group->ts;
	heap_push(reader, group);
	return 0;
}

static enum csn_reader_error take_info(struct csn_reader *reader,
				       unsigned int parts)
{
	const union csn_record *part = reader->part;
	enum csn_reader_error error;

	/* A second recording behind the first: its clock may be another. */
	error = csn_reader_flush(reader);
	if (error)
		return error;
	reader->newest = 0;

	reader->info = part[0].info;
	memset(&reader->zones, 0, sizeof(reader->zones));
	memset(&reader->kernel, 0, sizeof(reader->kernel));
	for (unsigned int i = 1; i < parts; i++) {
		if (part[i].head.type == CSN_RECORD_ZONE_NAMES)
			reader->zones = part[i].zone_names;
		else if (part[i].head.type == CSN_RECORD_KERNEL)
			reader->kernel = part[i].kernel;
	}
	reader->has_info = true;
	return reader->on_info(reader) ? CSN_READER_STOPPED : 0;
}

static enum csn_reader_error check_info(const struct csn_record_info *info)
{
	if (info->magic == __builtin_bswap32(CSN_INFO_MAGIC))
		return CSN_READER_BYTE_ORDER;
	if (info->magic != CSN_INFO_MAGIC ||
	    info->head.type != CSN_RECORD_INFO || !info->abi_version)
		return CSN_READER_ALIEN;
	return info->abi_version > CSN_ABI_VERSION ? CSN_READER_NEWER : 0;
}

/* The record that has just become whole, the nth of its group. */
static enum csn_reader_error check_record(const struct csn_reader *reader,
					  size_t n)
{
	const struct csn_record_head *head = &reader->part[n].head;
	unsigned int parts = reader->part[0].head.parts;

	if (!n && (!reader->has_info || head->type == CSN_RECORD_INFO)) {
		enum csn_reader_error error = check_info(&reader->part[0].info);

		/* Only the first record can tell that all of it is alien. */
		if (error == CSN_READER_ALIEN && reader->has_info)
			return CSN_READER_DAMAGED;
		if (error)
			return error;
	}
	if (!head->type || head->part != n || head->parts != parts ||
	    !parts || parts > CSN_READER_MAX_PARTS)
		return CSN_READER_DAMAGED;
	return 0;
}

static enum csn_reader_error take_group(struct csn_reader *reader,
					unsigned int parts)
{
	switch (reader->part[0].head.type) {
	case CSN_RECORD_INFO:
		return take_info(reader, parts);
	case CSN_RECORD_LOST:
	case CSN_RECORD_COMPACTION:
	case CSN_RECORD_PAGE_ALLOC:
	case CSN_RECORD_PAGE_FREE:
	case CSN_RECORD_PAGE_EXTFRAG:
		return hold_group(reader, parts);
	default:
		/* A newer module's; by the ABI we may leave it out. */
		return 0;
	}
}

/**
 * csn_reader_feed() - take in the next bytes of a stream
 * @reader: the reader.
 * @data: the bytes; they may begin and end anywhere.
 * @size: how many.
 *
 * Return: 0 or what is wrong; then the stream is over for this reader.
 */
enum csn_reader_error csn_reader_feed(struct csn_reader *reader,
				      const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		size_t n = reader->filled / CSN_RECORD_SIZE;
		size_t part = CSN_RECORD_SIZE - reader->filled % CSN_RECORD_SIZE;
		enum csn_reader_error error;
		unsigned int parts;

		if (part > size)
			part = size;
		memcpy((char *)reader->part + reader->filled, from, part);
		reader->filled += part;
		from += part;
		size -= part;
		if (reader->filled % CSN_RECORD_SIZE)
			return 0;

		error = check_record(reader, n);
		if (error)
			return error;
		parts = reader->part[0].head.parts;
		if (n + 1 < parts)
			continue;
		error = take_group(reader, parts);
		if (error)
			return error;
		reader->offset += reader->filled;
		reader->filled = 0;
	}
	return 0;
}

/**
 * csn_reader_release() - hand out the events whose turn has come
 * @reader: the reader.
 *
 * To be called when the source has nothing more to read at the moment.
 *
 * Return: 0, or CSN_READER_STOPPED.
 */
enum csn_reader_error csn_reader_release(struct csn_reader *reader)
{
	enum csn_reader_error error = 0;

	while (!error && reader->nr_held &&
	       reader->newest - reader->held[0]->ts > CSN_READER_SLACK)
		error = release_oldest(reader);
	return error;
}

/**
 * csn_reader_flush() - hand out all events that are held
 * @reader: the reader.
 *
 * To be called when nothing has come for CSN_READER_SLACK, and at the end.
 *
 * Return: 0, or CSN_READER_STOPPED.
 */
enum csn_reader_error csn_reader_flush(struct csn_reader *reader)
{
	enum csn_reader_error error = 0;

	while (!error && reader->nr_held)
		error = release_oldest(reader);
	return error;
}

/**
 * csn_reader_end() - judge where the stream ended
 * @reader: the reader.
 *
 * Return: 0, CSN_READER_EMPTY, CSN_READER_ALIEN or CSN_READER_TRUNCATED.
 */
enum csn_reader_error csn_reader_end(struct csn_reader *reader)
{
	if (!reader->has_info && reader->filled < CSN_RECORD_SIZE)
		return reader->filled ? CSN_READER_ALIEN : CSN_READER_EMPTY;
	return reader->filled ? CSN_READER_TRUNCATED : 0;
}

/**
 * csn_reader_free() - let go of events that were not handed out
 * @reader: the reader.
 */
void csn_reader_free(struct csn_reader *reader)
{
	while (reader->nr_held)
		free(reader->held[--reader->nr_held]);
}

/**
 * csn_group_find() - find a continuation record
 * @group: where.
 * @type: CSN_RECORD_*.
 * @after: look behind this one; NULL: from the beginning.
 *
 * Return: the record, or NULL.
 */
const union csn_record *csn_group_find(const struct csn_group *group,
				       unsigned int type,
				       const union csn_record *after)
{
	size_t i = after ? after - group->record + 1 : 1;

	for (; i < group->parts; i++)
		if (group->record[i].head.type == type)
			return &group->record[i];
	return NULL;
}
