/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compactsnoop.ko from a test: load, unload, and what the kernel shows of the
 * hooks it has in place.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>

#define MODULE_NAME	"compactsnoop"

/* A test's own module, that allocates pages as it is told: see allocator/. */
#define MODULE_ALLOCATOR	"csn_allocator"

/*
 * The .ko: $COMPACTSNOOP_KO, or among the running kernel's modules or in /lib.
 * NULL if it is not there.
 */
const char *module_path(void);
bool module_loaded(void);
/* 0 or a negative errno, as the kernel gave it. */
int module_load(const char *parameters);
int module_unload(void);
/* MODULE_ALLOCATOR, which lies beside the .ko; -ENOENT if it does not. */
int module_load_allocator(void);
int module_unload_allocator(void);
/* As of lsmod; an error if it is not loaded. */
int module_users(void);

/* Is there a kprobe on @symbol? An error if the kernel does not say. */
int module_kprobe_on(const char *symbol);

/*
 * How many probes hold the kernel's tracepoint @name enabled: the count in
 * its static key, read from /proc/kcore. An error where that cannot be read.
 */
int module_tracepoint_users(const char *name);

/* Lines of the kernel log since @mark that have @text in them. */
int module_log_mark(void);
int module_log_lines(int mark, const char *text);

#endif /* MODULE_H */
