/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_DEVICE_H
#define CSN_DEVICE_H

#include <linux/compactsnoop.h>

#include "exit.h"

#define CSN_DEVICE_PATH	"/dev/" CSN_DEVICE_NAME

/**
 * struct csn_device - a session with the module
 * @fd: the open device; reads do not block.
 * @info: what the module and this kernel can do.
 */
struct csn_device {
	int fd;
	struct csn_info info;
};

enum csn_exit csn_device_open(struct csn_device *device);
enum csn_exit csn_device_start(struct csn_device *device,
			       struct csn_config *config);
enum csn_exit csn_device_take_boot(struct csn_device *device);
enum csn_exit csn_device_stop(struct csn_device *device);
__u64 csn_device_lost(struct csn_device *device);
void csn_device_close(struct csn_device *device);

#endif
