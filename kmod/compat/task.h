/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of the running task. */
#ifndef CSN_COMPAT_TASK_H
#define CSN_COMPAT_TASK_H

#include <linux/sched.h>
#include <linux/string.h>
#include <linux/version.h>
#include <linux/compactsnoop.h>

/**
 * csn_copy_comm() - the name of the running task
 * @to: filled in, NUL-padded.
 *
 * Context: any. A name that is just being changed may come mixed.
 */
static __always_inline void csn_copy_comm(char to[CSN_COMM_LEN])
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0)
	/* The kernel pads it there. */
	memcpy(to, current->comm, CSN_COMM_LEN);
	to[CSN_COMM_LEN - 1] = '\0';
#else
	strscpy_pad(to, current->comm, CSN_COMM_LEN);
#endif
}

#endif /* CSN_COMPAT_TASK_H */
