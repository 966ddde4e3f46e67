/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_CURSOR_H
#define CSN_CURSOR_H

#include <stdbool.h>
#include <string.h>
#include <linux/types.h>

/*
 * Taking a line apart from left to right. What takes something returns
 * whether it was there; if not, the cursor may have moved. Inline: there are
 * a hundred million lines in a trace.
 */

/**
 * struct cursor - what is still to be read of a line
 * @at: the next byte.
 * @end: behind the last one.
 */
struct cursor {
	const char *at;
	const char *end;
};

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* At a blank or at the end of the line. */
static inline bool at_boundary(const struct cursor *cursor)
{
	return cursor->at == cursor->end || is_blank(*cursor->at);
}

static inline bool at_digit(const struct cursor *cursor)
{
	return cursor->at < cursor->end && is_digit(*cursor->at);
}

static inline void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
}

/* Up to the next @c, or to the end of the line. */
static inline void skip_to(struct cursor *cursor, char c)
{
	cursor->at = memchr(cursor->at, c, cursor->end - cursor->at) ?: cursor->end;
}

static inline bool take_char(struct cursor *cursor, char c)
{
	if (cursor->at == cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

static inline bool take_bytes(struct cursor *cursor, const char *bytes,
			      size_t size)
{
	if ((size_t)(cursor->end - cursor->at) < size ||
	    memcmp(cursor->at, bytes, size))
		return false;
	cursor->at += size;
	return true;
}

#define TAKE(cursor, literal) take_bytes(cursor, literal, sizeof(literal) - 1)

/* At most 18 digits, so that it cannot overflow. */
static inline bool take_decimal(struct cursor *cursor, __u64 *value)
{
	const char *start = cursor->at;

	*value = 0;
	while (at_digit(cursor))
		*value = *value * 10 + (*cursor->at++ - '0');
	return cursor->at > start && cursor->at - start <= 18;
}

static inline int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool take_hex(struct cursor *cursor, __u64 *value)
{
	const char *start = cursor->at;

	*value = 0;
	while (cursor->at < cursor->end && hex_value(*cursor->at) >= 0)
		*value = *value << 4 | hex_value(*cursor->at++);
	return cursor->at > start && cursor->at - start <= 16;
}

/* A number up to a blank or the end of the line. */
static inline bool take_number(struct cursor *cursor, __u64 *value)
{
	bool valid = TAKE(cursor, "0x") ? take_hex(cursor, value) :
					  take_decimal(cursor, value);

	return valid && at_boundary(cursor);
}

#endif
