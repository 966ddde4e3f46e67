// SPDX-License-Identifier: GPL-2.0-only
/* Names of the things that records give as numbers. */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "utf8.h"

static const char *name_by_number(unsigned int number, char *buffer)
{
	snprintf(buffer, CSN_NAMES_MAX, "%u", number);
	return buffer;
}

/**
 * csn_names_zone() - name a zone as the kernel's enum zone_type does
 * @zones: the names in the stream.
 * @zone: number of the zone.
 * @buffer: room for the name.
 *
 * Return: the name, the number if there is none.
 */
const char *csn_names_zone(const struct csn_record_zone_names *zones,
			   unsigned int zone, char buffer[CSN_NAMES_MAX])
{
	char *to = buffer + strlen("ZONE_");
	const char *from;
	size_t length;

	if (zone >= CSN_MAX_ZONES || !zones->name[zone][0])
		return name_by_number(zone, buffer);
	from = zones->name[zone];
	length = strnlen(from, CSN_ZONE_NAME_LEN);
	memcpy(buffer, "ZONE_", strlen("ZONE_"));
	/* Not toupper(): a damaged recording can hold any byte. */
	for (; length--; from++) {
		if (*from >= 'a' && *from <= 'z')
			*to++ = *from - 'a' + 'A';
		else
			*to++ = *from > ' ' && *from <= '~' ? *from : '?';
	}
	*to = '\0';
	return buffer;
}

/**
 * csn_names_status() - name the way a compaction ended
 * @status: enum csn_status.
 * @buffer: room for the name.
 *
 * Return: the name, the number if it is not known.
 */
const char *csn_names_status(unsigned int status, char buffer[CSN_NAMES_MAX])
{
	static const char * const names[] = {
		[CSN_STATUS_NOT_SUITABLE_ZONE]	= "not_suitable_zone",
		[CSN_STATUS_SKIPPED]		= "skipped",
		[CSN_STATUS_DEFERRED]		= "deferred",
		[CSN_STATUS_NO_SUITABLE_PAGE]	= "no_suitable_page",
		[CSN_STATUS_CONTINUE]		= "continue",
		[CSN_STATUS_COMPLETE]		= "complete",
		[CSN_STATUS_PARTIAL_SKIPPED]	= "partial_skipped",
		[CSN_STATUS_CONTENDED]		= "contended",
		[CSN_STATUS_SUCCESS]		= "success",
	};

	static_assert(sizeof(names) / sizeof(*names) == CSN_NR_STATUSES,
		      "a name for every status");
	if (status < CSN_NR_STATUSES)
		return names[status];
	return name_by_number(status, buffer);
}

/**
 * csn_names_migratetype() - name a migratetype as /proc/pagetypeinfo does
 * @type: enum csn_migratetype.
 *
 * Return: the name.
 */
const char *csn_names_migratetype(unsigned int type)
{
	static const char * const names[] = {
		[CSN_MIGRATETYPE_UNMOVABLE]	= "Unmovable",
		[CSN_MIGRATETYPE_MOVABLE]	= "Movable",
		[CSN_MIGRATETYPE_RECLAIMABLE]	= "Reclaimable",
		[CSN_MIGRATETYPE_HIGHATOMIC]	= "HighAtomic",
		[CSN_MIGRATETYPE_CMA]		= "CMA",
		[CSN_MIGRATETYPE_ISOLATE]	= "Isolate",
	};

	static_assert(sizeof(names) / sizeof(*names) == CSN_MIGRATETYPE_OTHER,
		      "a name for every migratetype");
	return type < CSN_MIGRATETYPE_OTHER ? names[type] : "other";
}

/**
 * csn_names_print_comm() - print the name of a thread in a column
 * @out: where to.
 * @comm: the name, NUL-padded.
 * @width: of the column.
 * @width_of: what a character takes of it; NULL: one each.
 *
 * Widths do not count bytes. A name may hold anything, so what would move the
 * cursor or speak to the terminal shows as "?".
 */
void csn_names_print_comm(FILE *out, const char *comm, unsigned int width,
			  unsigned int (*width_of)(__u32 ch))
{
	const char *end = comm + strnlen(comm, CSN_COMM_LEN);
	unsigned int left = width;

	while (comm < end) {
		const char *start = comm;
		__u32 ch = csn_utf8_next(&comm, end);
		bool is_control = ch < 0x20 || (ch >= 0x7f && ch < 0xa0);
		unsigned int needed = !width_of || is_control ? 1 : width_of(ch);

		if (needed > left)
			break;
		left -= needed;
		if (ch == CSN_UTF8_INVALID)
			fputs("\xef\xbf\xbd", out);	/* U+FFFD */
		else if (is_control)
			fputc('?', out);
		else
			fwrite(start, 1, comm - start, out);
	}
	fprintf(out, "%*s", (int)left, "");
}
