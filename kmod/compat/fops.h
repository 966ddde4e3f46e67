/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mapping beyond 4 GiB of a device on a 32-bit kernel: mmap() refuses that but
 * where offsets are said to be unsigned, since 6.12 by the file operations,
 * before by the file.
 */
#ifndef CSN_COMPAT_FOPS_H
#define CSN_COMPAT_FOPS_H

#include <linux/fs.h>

#ifdef FOP_UNSIGNED_OFFSET

#define CSN_FOPS_UNSIGNED_OFFSET	.fop_flags = FOP_UNSIGNED_OFFSET

static inline void csn_file_unsigned_offset(struct file *file)
{
}

#else

#define CSN_FOPS_UNSIGNED_OFFSET

/**
 * csn_file_unsigned_offset() - let all offsets of a file be mapped
 * @file: in .open.
 */
static inline void csn_file_unsigned_offset(struct file *file)
{
	file->f_mode |= FMODE_UNSIGNED_OFFSET;
}

#endif /* FOP_UNSIGNED_OFFSET */

#endif /* CSN_COMPAT_FOPS_H */
