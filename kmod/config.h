/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a configuration makes sense on this machine. */
#ifndef CSN_CONFIG_H
#define CSN_CONFIG_H

#include <linux/compactsnoop.h>

#define CSN_RING_BYTES_MAX	(64U << 20)

int csn_config_check(const struct csn_config *config);
int csn_config_resolve_pids(struct csn_filter *filter);

#endif /* CSN_CONFIG_H */
