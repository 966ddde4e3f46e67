// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/compactsnoop.h>

#include "events.h"

static const struct {
	const char *name;
	u32 class;
} csn_events[] = {
	{ "compaction", CSN_CLASS_COMPACTION },
	{ "page_alloc", CSN_CLASS_PAGE_ALLOC },
	{ "page_free", CSN_CLASS_PAGE_FREE },
	{ "page_alloc_extfrag", CSN_CLASS_EXTFRAG },
};

/* The class that @len characters name, 0 if none. */
static u32 csn_events_class(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_events); i++)
		if (len == strlen(csn_events[i].name) &&
		    !strncmp(name, csn_events[i].name, len))
			return csn_events[i].class;
	return 0;
}

/**
 * csn_events_parse() - classes from their names
 * @parameter: the module parameter, for the message.
 * @names: comma-separated; empty: none.
 * @classes: set to CSN_CLASS_*.
 *
 * Says in the kernel log why it fails.
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int csn_events_parse(const char *parameter, const char *names, u32 *classes)
{
	size_t n;
	u32 class;

	*classes = 0;
	if (!*names)
		return 0;
	do {
		n = strcspn(names, ",");
		class = csn_events_class(names, n);
		if (!class) {
			pr_err("%s: '%.*s' is not one of compaction, page_alloc, page_free, page_alloc_extfrag\n",
			       parameter, (int)n, names);
			return -EINVAL;
		}
		*classes |= class;
		names += n;
	} while (*names++ == ',');
	return 0;
}

/**
 * csn_events_name() - the name of a class
 * @classes: CSN_CLASS_*, at least one.
 *
 * Context: any.
 * Return: that of the lowest.
 */
const char *csn_events_name(u32 classes)
{
	unsigned int i = 0;

	while (!(classes & csn_events[i].class))
		i++;
	return csn_events[i].name;
}
