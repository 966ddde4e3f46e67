/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_MODULE_H
#define CSN_MODULE_H

/**
 * enum csn_module_state - what came of loading the kernel module
 * @CSN_MODULE_LOADED: the node is there.
 * @CSN_MODULE_NOT_TRIED: we may not, or there is no modprobe.
 * @CSN_MODULE_NO_NODE: modprobe succeeded, but no device node came.
 * @CSN_MODULE_MISSING: it is not installed for the running kernel.
 * @CSN_MODULE_REJECTED: its signature is missing or of a key not trusted.
 * @CSN_MODULE_LOCKED_DOWN: it is not signed, and the kernel is locked down.
 * @CSN_MODULE_DISABLED: the kernel takes no modules until the next boot.
 * @CSN_MODULE_FORBIDDEN: we may not, though root: in a container, say.
 * @CSN_MODULE_FOREIGN: it is built for another kernel.
 * @CSN_MODULE_FAILED: modprobe failed with words of its own.
 */
enum csn_module_state {
	CSN_MODULE_LOADED,
	CSN_MODULE_NOT_TRIED,
	CSN_MODULE_NO_NODE,
	CSN_MODULE_MISSING,
	CSN_MODULE_REJECTED,
	CSN_MODULE_LOCKED_DOWN,
	CSN_MODULE_DISABLED,
	CSN_MODULE_FORBIDDEN,
	CSN_MODULE_FOREIGN,
	CSN_MODULE_FAILED,
};

#define CSN_MODULE_WORDS	256

enum csn_module_state csn_module_load(const char *node,
				      char words[CSN_MODULE_WORDS]);

#endif
