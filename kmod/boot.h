/* SPDX-License-Identifier: GPL-2.0-only */
/* The capture from boot: a session that begins with the module and waits for a reader. */
#ifndef CSN_BOOT_H
#define CSN_BOOT_H

#include <linux/types.h>

struct csn_session;

int csn_boot_init(const char *events, u32 ring_bytes, const char *keep);
void csn_boot_exit(void);
u8 csn_boot_state(void);
struct csn_session *csn_boot_take(void);

#endif /* CSN_BOOT_H */
