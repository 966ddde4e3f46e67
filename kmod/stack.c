// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/stacktrace.h"
#include "stack.h"

/* Frames to look at for our own and the tracepoint's; there are two or three. */
#define CSN_STACK_OWN_MAX	8

/*
 * The function through which a tracepoint calls its probes when it has several:
 * it, too, lies between the probe and the function that holds the tracepoint.
 * Set at module init.
 */
static unsigned long csn_iterator_start;
static unsigned long csn_iterator_end;

/**
 * csn_stack_init() - know the tracepoint's own frame
 * @iterator: of the tracepoint whose probe saves stacks; NULL: there is none.
 *
 * Its size comes from the symbol table; where there is none, no frame has a
 * name and there is nothing to trim by.
 *
 * Context: may sleep; module init.
 */
void csn_stack_init(const void *iterator)
{
	char *symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned long size;
	const char *slash;

	if (symbol && iterator) {
		csn_iterator_start = (unsigned long)iterator;
		csn_iterator_end = csn_iterator_start;
		/* "name+0x0/0x5a" */
		sprint_symbol(symbol, csn_iterator_start);
		slash = strrchr(symbol, '/');
		if (slash && !kstrtoul(slash + 1, 16, &size))
			csn_iterator_end += size;
	}
	kfree(symbol);
}

#ifdef CONFIG_STACKTRACE

static bool csn_stack_is_own(unsigned long addr)
{
	return within_module_core(addr, THIS_MODULE) ||
	       (addr > csn_iterator_start && addr <= csn_iterator_end);
}

/**
 * csn_stack_save() - the kernel stack, from the function that holds the tracepoint on
 * @frames: filled with return addresses, innermost first.
 * @max: room in @frames, more than CSN_STACK_OWN_MAX.
 *
 * Context: a probe; any context that csn_stack_trace_save() allows.
 * Return: number of frames, at most @max.
 */
unsigned int csn_stack_save(unsigned long *frames, unsigned int max)
{
	unsigned int nr = csn_stack_trace_save(frames, max);
	unsigned int i, own = 0;

	for (i = 0; i < nr && i < CSN_STACK_OWN_MAX; i++)
		if (csn_stack_is_own(frames[i]))
			own = i + 1;
	memmove(frames, frames + own, (nr - own) * sizeof(*frames));
	return nr - own;
}

#else

unsigned int csn_stack_save(unsigned long *frames, unsigned int max)
{
	return 0;
}

#endif /* CONFIG_STACKTRACE */

/**
 * csn_stack_resolve() - the name of a frame
 * @handle: from csn_stack_handle(), or anything else.
 * @key: the session's.
 * @name: set to "symbol+0xoffset", cut to fit.
 * @len: room in @name.
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if the kernel knows no name; -ENOMEM.
 */
int csn_stack_resolve(u64 handle, u64 key, char *name, size_t len)
{
	unsigned long addr = handle - key;
	char *symbol;
	int err = 0;

	/* On a 32-bit kernel most handles are none. */
	if (addr != handle - key)
		return -ENOENT;
	symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	if (!symbol)
		return -ENOMEM;
	/*
	 * "name+0x1f/0x5a [module]"; a return address may lie behind the end
	 * of a function that does not return, which %pB knows. Without a name
	 * it prints the address, which must not get out.
	 */
	snprintf(symbol, KSYM_SYMBOL_LEN, "%pB", (void *)addr);
	if (strstarts(symbol, "0x") || !strchr(symbol, '/'))
		err = -ENOENT;
	else
		snprintf(name, len, "%.*s", (int)strcspn(symbol, "/"), symbol);
	kfree(symbol);
	return err;
}
