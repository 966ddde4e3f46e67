/* SPDX-License-Identifier: GPL-2.0-only */
/* What all records of events have in common. */
#ifndef CSN_RECORD_H
#define CSN_RECORD_H

#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/compactsnoop.h>
#include <asm/word-at-a-time.h>

/**
 * csn_put_head() - begin a record of this CPU
 * @head: filled in.
 * @type: enum csn_record_type.
 * @part: place in its group.
 * @parts: records in the group.
 *
 * Context: preemption off.
 */
static inline void csn_put_head(struct csn_record_head *head, u16 type, u8 part,
				u8 parts)
{
	head->type = type;
	head->part = part;
	head->parts = parts;
	head->cpu = smp_processor_id();
}

/**
 * csn_put_comm() - the name of the running thread
 * @comm: filled in, NUL-padded.
 *
 * By words, which strscpy_pad() does not do. Who is being renamed may have a bit
 * of both names.
 *
 * Context: any.
 */
static __always_inline void csn_put_comm(char comm[CSN_COMM_LEN])
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zero, keep = ~0UL;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < CSN_COMM_LEN; i += sizeof(word)) {
		/* Another thread may be renaming this one. */
		data_race(memcpy(&word, current->comm + i, sizeof(word)));
		word &= keep;
		if (keep && has_zero(word, &zero, &constants)) {
			zero = prep_zero_mask(word, zero, &constants);
			word &= zero_bytemask(create_zero_mask(zero));
			keep = 0;
		}
		memcpy(comm + i, &word, sizeof(word));
	}
	comm[CSN_COMM_LEN - 1] = '\0';
}

#endif /* CSN_RECORD_H */
