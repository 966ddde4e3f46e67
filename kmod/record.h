/* SPDX-License-Identifier: GPL-2.0-only */
/* What all records of events have in common. */
#ifndef CSN_RECORD_H
#define CSN_RECORD_H

#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/compactsnoop.h>

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
 * Context: any.
 */
static inline void csn_put_comm(char comm[CSN_COMM_LEN])
{
	strscpy_pad(comm, current->comm, CSN_COMM_LEN);
}

#endif /* CSN_RECORD_H */
