/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_MODULE_H
#define CSN_MODULE_H

/**
 * enum csn_module_state - what came of loading the kernel module
 * @CSN_MODULE_NOT_TRIED: we may not, or there is no modprobe.
 * @CSN_MODULE_FAILED: modprobe failed.
 * @CSN_MODULE_NO_NODE: modprobe succeeded, but no device node came.
 * @CSN_MODULE_LOADED: the node is there.
 */
enum csn_module_state {
	CSN_MODULE_NOT_TRIED,
	CSN_MODULE_FAILED,
	CSN_MODULE_NO_NODE,
	CSN_MODULE_LOADED,
};

enum csn_module_state csn_module_load(const char *node);

#endif
