/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel stacks of events, and the names of their frames. */
#ifndef CSN_STACK_H
#define CSN_STACK_H

#include <linux/types.h>

void csn_stack_init(const void *iterator);
unsigned int csn_stack_save(unsigned long *frames, unsigned int max);
int csn_stack_resolve(u64 handle, u64 key, char *name, size_t len);

/**
 * csn_stack_handle() - what user space gets for an address
 * @addr: in the kernel.
 * @key: the session's.
 *
 * Context: any.
 * Return: a number that only csn_stack_resolve() with the same key can use;
 * never 0.
 */
static inline u64 csn_stack_handle(unsigned long addr, u64 key)
{
	return (addr + key) ?: 1;
}

#endif /* CSN_STACK_H */
