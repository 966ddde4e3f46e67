/* SPDX-License-Identifier: GPL-2.0-only */
/* The capture from boot: a session that begins with the module and waits for a reader. */
#ifndef CSN_BOOT_H
#define CSN_BOOT_H

#include <linux/fs.h>
#include <linux/types.h>

int csn_boot_init(const char *events, u32 ring_bytes, const char *keep);
void csn_boot_exit(void);
u8 csn_boot_state(void);
struct file *csn_boot_take(const struct file_operations *fops, int flags);

#endif /* CSN_BOOT_H */
