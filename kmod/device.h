/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/compactsnoop. */
#ifndef CSN_DEVICE_H
#define CSN_DEVICE_H

int csn_device_register(void);
void csn_device_deregister(void);

#endif /* CSN_DEVICE_H */
