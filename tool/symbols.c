// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of stack frames, from the module: it knows what a handle stands for,
 * and /proc/kallsyms shows nothing where kptr_restrict forbids it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "symbols.h"

/**
 * csn_symbols_find() - name a stack frame
 * @symbols: where names are kept.
 * @handle: from a stack record; not 0.
 *
 * Return: "symbol+0xoffset", or "[unknown]"; valid until the next call.
 */
const char *csn_symbols_find(struct csn_symbols *symbols, __u64 handle)
{
	static const char unknown[] = "[unknown]";
	/* Handles differ in all bits: they are addresses plus a random key. */
	size_t i = (handle ^ handle >> 17 ^ handle >> 34) % CSN_SYMBOLS_CACHED;
	struct csn_symbol *last = &symbols->last;

	if (symbols->cached[i].name && symbols->cached[i].handle == handle)
		return symbols->cached[i].name;

	memset(last, 0, sizeof(*last));
	last->size = sizeof(*last);
	last->handle = handle;
	if (ioctl(symbols->fd, CSN_IOC_RESOLVE, last))
		memcpy(last->name, unknown, sizeof(unknown));
	last->name[CSN_SYMBOL_LEN - 1] = '\0';

	free(symbols->cached[i].name);
	symbols->cached[i].name = strdup(last->name);
	symbols->cached[i].handle = handle;
	return last->name;
}

/**
 * csn_symbols_free() - let go of the names
 * @symbols: where they are kept.
 */
void csn_symbols_free(struct csn_symbols *symbols)
{
	for (size_t i = 0; i < CSN_SYMBOLS_CACHED; i++)
		free(symbols->cached[i].name);
}
