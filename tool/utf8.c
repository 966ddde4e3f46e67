// SPDX-License-Identifier: GPL-2.0-only
/* UTF-8, decoded as strictly as Python does, and how wide it shows. */
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

/**
 * csn_utf8_width() - the columns that a character takes on a terminal
 * @ch: a code point that is no control character, or CSN_UTF8_INVALID.
 *
 * By the blocks of Unicode that are wide or combining throughout, or nearly so:
 * wcwidth() would need a locale, which a small system does not have.
 *
 * Return: 2 of what is written for East Asia and of emoji; 0 of what stands on
 * the character before it or is not seen; else 1.
 */
unsigned int csn_utf8_width(__u32 ch)
{
	static const struct {
		__u32 first, last;
		unsigned int width;
	} blocks[] = {
		{ 0x300, 0x36f, 0 },		/* combining marks */
		{ 0x1100, 0x115f, 2 },		/* Hangul, leading consonants */
		{ 0x1ab0, 0x1aff, 0 },
		{ 0x1dc0, 0x1dff, 0 },
		{ 0x200b, 0x200f, 0 },		/* joiners, directions */
		{ 0x202a, 0x202e, 0 },
		{ 0x2060, 0x206f, 0 },
		{ 0x20d0, 0x20ff, 0 },
		{ 0x2e80, 0x303e, 2 },		/* CJK radicals, punctuation */
		{ 0x3041, 0x4dbf, 2 },		/* kana to ideographs */
		{ 0x4e00, 0xa4cf, 2 },		/* ideographs, Yi */
		{ 0xa960, 0xa97f, 2 },
		{ 0xac00, 0xd7a3, 2 },		/* Hangul */
		{ 0xf900, 0xfaff, 2 },
		{ 0xfe00, 0xfe0f, 0 },		/* variation selectors */
		{ 0xfe20, 0xfe2f, 0 },
		{ 0xfe30, 0xfe6f, 2 },
		{ 0xfeff, 0xfeff, 0 },
		{ 0xff01, 0xff60, 2 },		/* full-width forms */
		{ 0xffe0, 0xffe6, 2 },
		{ 0x17000, 0x18cff, 2 },	/* Tangut */
		{ 0x1b000, 0x1b2ff, 2 },	/* more kana, Nushu */
		{ 0x1f300, 0x1f320, 2 },	/* emoji */
		{ 0x1f32d, 0x1f335, 2 },
		{ 0x1f337, 0x1f37c, 2 },
		{ 0x1f37e, 0x1f393, 2 },
		{ 0x1f3a0, 0x1f3ca, 2 },
		{ 0x1f3e0, 0x1f3f0, 2 },
		{ 0x1f3f8, 0x1f43e, 2 },
		{ 0x1f440, 0x1f440, 2 },
		{ 0x1f442, 0x1f4fc, 2 },
		{ 0x1f4ff, 0x1f53d, 2 },
		{ 0x1f550, 0x1f567, 2 },
		{ 0x1f5fb, 0x1f64f, 2 },
		{ 0x1f680, 0x1f6c5, 2 },
		{ 0x1f90c, 0x1f93a, 2 },
		{ 0x1f93c, 0x1f945, 2 },
		{ 0x1f947, 0x1f9ff, 2 },
		{ 0x20000, 0x3fffd, 2 },	/* ideographs */
		{ 0xe0100, 0xe01ef, 0 },
	};

	for (unsigned int i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		if (ch >= blocks[i].first && ch <= blocks[i].last)
			return blocks[i].width;
	return 1;
}
