// SPDX-License-Identifier: GPL-2.0-only
/* UTF-8, decoded as strictly as Python does. */
#include "utf8.h"

/**
 * csn_utf8_next() - decode one character
 * @pos: where it begins; moved behind it.
 * @end: end of the text, above *@pos.
 *
 * Bytes that are no character are passed over as Python's decoder does: the
 * longest start of a possible character is one error, any other byte too.
 *
 * Return: the code point, or CSN_UTF8_INVALID.
 */
__u32 csn_utf8_next(const char **pos, const char *end)
{
	const unsigned char *s = (const unsigned char *)*pos;
	unsigned char first = *s++, low = 0x80, high = 0xbf;
	unsigned int more = 1 + (first >= 0xe0) + (first >= 0xf0);
	__u32 ch = first & (0x3f >> more);

	*pos = (const char *)s;
	if (first < 0x80)
		return first;
	if (first < 0xc2 || first > 0xf4)
		return CSN_UTF8_INVALID;

	/* The second byte decides: overlong, a surrogate, beyond U+10FFFF? */
	if (first == 0xe0)
		low = 0xa0;
	else if (first == 0xed)
		high = 0x9f;
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f;

	while (more--) {
		if (*pos == end || *s < low || *s > high)
			return CSN_UTF8_INVALID;
		ch = ch << 6 | (*s++ & 0x3f);
		*pos = (const char *)s;
		low = 0x80;
		high = 0xbf;
	}
	return ch;
}
