// SPDX-License-Identifier: GPL-2.0-only
/* One line of trace text: an event, a loss, or what else there is. */
#include "cursor.h"
#include "traceline.h"
#include "traceprefix.h"

/* "(nil)", "(null)", "0x0", "0000000000000000": no page. */
static bool is_nil(struct cursor value)
{
	if (TAKE(&value, "(nil)") || TAKE(&value, "(null)"))
		return true;
	take_char(&value, '0');
	take_char(&value, 'x');
	while (take_char(&value, '0'))
		;
	return at_boundary(&value);
}

/* Raw text has the kernel's own mark for "no page": all bits set. */
static void take_pfn(struct cursor value, struct csn_traceline *line)
{
	__u64 pfn;

	if (take_number(&value, &pfn))
		line->failed |= !pfn || pfn == ~0ULL || pfn == ~0U;
}

/* Gigantic pages are freed in an order that they cannot be allocated in. */
static bool take_order(struct cursor value, struct csn_traceline *line,
		       enum csn_traceline_kind kind, bool *found)
{
	unsigned int limit = kind == CSN_TRACELINE_FREE ? 63 : CSN_PAGES_ORDERS - 1;
	__u64 order;

	if (*found)
		return true;
	if (!take_number(&value, &order) || order > limit)
		return false;
	line->order = order;
	*found = true;
	return true;
}

static bool take_migratetype(struct cursor value, struct csn_traceline *line)
{
	__u64 type;

	if (!take_number(&value, &type) || type > 255)
		return false;
	line->migratetype = type;
	return true;
}

/* One "key=value"; what is not known is passed over. */
static bool take_pair(struct cursor pair, struct csn_traceline *line,
		      enum csn_traceline_kind kind, bool *found)
{
	bool extfrag = kind == CSN_TRACELINE_EXTFRAG;

	switch (*pair.at) {
	case 'o':
		if (!extfrag && TAKE(&pair, "order="))
			return take_order(pair, line, kind, found);
		break;
	case 'a':
		if (extfrag && TAKE(&pair, "alloc_order="))
			return take_order(pair, line, kind, found);
		if (extfrag && TAKE(&pair, "alloc_migratetype="))
			return take_migratetype(pair, line);
		break;
	case 'm':
		if (TAKE(&pair, "migratetype="))
			return take_migratetype(pair, line);
		break;
	case 'p':
		if (TAKE(&pair, "pfn="))
			take_pfn(pair, line);
		else if (TAKE(&pair, "page="))
			line->failed |= is_nil(pair);
		break;
	}
	return true;
}

static enum csn_traceline_kind take_pairs(struct cursor *cursor,
					  struct csn_traceline *line,
					  enum csn_traceline_kind kind)
{
	bool found = false;

	line->migratetype = -1;
	line->failed = false;
	for (;;) {
		struct cursor pair;

		skip_blanks(cursor);
		if (cursor->at == cursor->end)
			break;
		pair = *cursor;
		while (!at_boundary(cursor))
			cursor->at++;
		pair.end = cursor->at;
		if (!take_pair(pair, line, kind, &found))
			return CSN_TRACELINE_MALFORMED;
	}
	return found ? kind : CSN_TRACELINE_MALFORMED;
}

/* "PERF_RECORD_LOST lost 8" */
static bool take_perf_lost(struct cursor *cursor, struct csn_traceline *line)
{
	if (!TAKE(cursor, "PERF_RECORD_LOST"))
		return false;
	TAKE(cursor, "_SAMPLES");
	skip_blanks(cursor);
	TAKE(cursor, "lost");
	skip_blanks(cursor);
	if (!take_decimal(cursor, &line->lost))
		line->lost = 0;
	line->has_ts = true;
	return true;
}

/* What trace-cmd and perf put between the time and the event's name. */
static void skip_extras(struct cursor *cursor)
{
	struct cursor start;
	__u64 period;

	skip_blanks(cursor);
	if (take_char(cursor, '(')) {	/* time since the one before */
		skip_to(cursor, ')');
		take_char(cursor, ')');
		skip_blanks(cursor);
	}
	start = *cursor;
	if (!take_decimal(cursor, &period) || !at_boundary(cursor))
		*cursor = start;
	skip_blanks(cursor);
}

static enum csn_traceline_kind parse_event(struct cursor *cursor,
					   struct csn_traceline *line)
{
	enum csn_traceline_kind kind;

	skip_extras(cursor);
	if (take_perf_lost(cursor, line))
		return CSN_TRACELINE_LOST;
	TAKE(cursor, "kmem:");
	if (TAKE(cursor, "mm_page_alloc:"))
		kind = CSN_TRACELINE_ALLOC;
	else if (TAKE(cursor, "mm_page_free:"))
		kind = CSN_TRACELINE_FREE;
	else if (TAKE(cursor, "mm_page_alloc_extfrag:"))
		kind = CSN_TRACELINE_EXTFRAG;
	else
		return CSN_TRACELINE_OTHER;
	if (!at_boundary(cursor))
		return CSN_TRACELINE_OTHER;
	return take_pairs(cursor, line, kind);
}

/* "CPU:0 [LOST 12 EVENTS]", "CPU:3 [5120 EVENTS DROPPED]", both without number */
static bool parse_lost(struct cursor cursor, struct csn_traceline *line)
{
	__u64 cpu;
	bool lost;

	if (!TAKE(&cursor, "CPU:") || !take_decimal(&cursor, &cpu) ||
	    cpu > CSN_TRACELINE_MAX_CPU || !TAKE(&cursor, " ["))
		return false;
	line->cpu = cpu;
	lost = TAKE(&cursor, "LOST ");
	if (at_digit(&cursor) &&
	    (!take_decimal(&cursor, &line->lost) || !take_char(&cursor, ' ')))
		return false;
	if (!TAKE(&cursor, "EVENTS"))
		return false;
	return lost ? take_char(&cursor, ']') : TAKE(&cursor, " DROPPED]");
}

/* "##### CPU 2 buffer started ####" */
static bool parse_started(struct cursor cursor, struct csn_traceline *line)
{
	__u64 cpu;

	if (!TAKE(&cursor, "##### CPU ") || !take_decimal(&cursor, &cpu) ||
	    cpu > CSN_TRACELINE_MAX_CPU)
		return false;
	line->cpu = cpu;
	return TAKE(&cursor, " buffer started ####");
}

/*
 * "# entries-in-buffer/entries-written: 466/12242   #P:2", or of the latency
 * format "# latency: 0 us, #466/12242, CPU#1 | ...".
 */
static bool parse_overwritten(struct cursor cursor, struct csn_traceline *line)
{
	__u64 kept, written;

	if (TAKE(&cursor, "# latency: ")) {
		skip_to(&cursor, ',');
		if (!TAKE(&cursor, ", #"))
			return false;
	} else if (!TAKE(&cursor, "# entries-in-buffer/entries-written: ")) {
		return false;
	}
	if (!take_decimal(&cursor, &kept) || !take_char(&cursor, '/') ||
	    !take_decimal(&cursor, &written) || written <= kept)
		return false;
	line->lost = written - kept;
	return true;
}

/* "ffffffff81234567 get_page_from_freelist+0x1 ([kernel.kallsyms])", perf's */
static bool is_perf_frame(struct cursor cursor)
{
	__u64 address;

	return take_hex(&cursor, &address) && take_char(&cursor, ' ') &&
	       cursor.end[-1] == ')';
}

/* "cpus=2", "version = 6", "CPU 1 is empty": trace-cmd's about the file. */
static bool is_about_file(struct cursor cursor)
{
	__u64 number;

	if (TAKE(&cursor, "cpus=") || TAKE(&cursor, "version = "))
		return take_number(&cursor, &number);
	return TAKE(&cursor, "CPU ") && take_decimal(&cursor, &number) &&
	       TAKE(&cursor, " is empty");
}

/* A line that is no event. */
static enum csn_traceline_kind parse_other(struct cursor cursor,
					   struct csn_traceline *line)
{
	struct cursor start = cursor;

	skip_blanks(&start);
	if (start.at == start.end)
		return CSN_TRACELINE_NOISE;
	if (parse_lost(start, line))
		return CSN_TRACELINE_LOST;
	if (*start.at == '#') {
		if (parse_started(start, line))
			return CSN_TRACELINE_STARTED;
		if (parse_overwritten(start, line))
			return CSN_TRACELINE_OVERWRITTEN;
		return CSN_TRACELINE_NOISE;
	}
	if (TAKE(&start, "=> ") || is_about_file(start))
		return CSN_TRACELINE_NOISE;
	/* Frames are indented. */
	if (start.at > cursor.at && is_perf_frame(start))
		return CSN_TRACELINE_NOISE;
	return CSN_TRACELINE_MALFORMED;
}

/**
 * csn_traceline_parse() - take a line of trace text apart
 * @line: filled in, as far as it means something for what is returned.
 * @text: the line; any byte can be in it.
 * @size: bytes, without the newline.
 *
 * Return: what it is.
 */
enum csn_traceline_kind csn_traceline_parse(struct csn_traceline *line,
					    const char *text, size_t size)
{
	struct cursor cursor = { text, text + size };

	line->lost = 0;
	line->has_ts = false;
	if (size && text[size - 1] == '\r')
		cursor.end--;
	if (csn_traceprefix_take(&cursor, line))
		return parse_event(&cursor, line);
	cursor.at = text;
	line->cpu = -1;
	return parse_other(cursor, line);
}
