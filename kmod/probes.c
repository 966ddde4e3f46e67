// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/compactsnoop.h>

#include "compat/migratetype.h"
#include "compat/tracepoints.h"
#include "fragindex.h"
#include "inflight.h"
#include "probes.h"
#include "stack.h"

/**
 * struct csn_probe - one tracepoint
 * @name: in the kernel.
 * @fn: our probe, with the tracepoint's own prototype.
 * @need: the CSN_NEED_* that it serves.
 * @tp: the tracepoint, NULL if this kernel does not have it. Module init.
 * @attached: whether @fn is called. The sessions' lock.
 */
struct csn_probe {
	const char *name;
	void *fn;
	u32 need;
	struct tracepoint *tp;
	bool attached;
};

/*
 * In the order of attaching, detached in reverse: a compaction whose begin is
 * seen is seen to the end, and one that can have left a note has.
 */
static struct csn_probe csn_probes[] = {
	{
		.name = "mm_compaction_suitable",
		.fn = csn_probe_suitable,
		.need = CSN_NEED_ZONE_STATE,
	}, {
		.name = "mm_compaction_end",
		.fn = CSN_PROBE_END,
		.need = CSN_NEED_COMPACTION,
	}, {
		.name = "mm_compaction_finished",
		.fn = csn_probe_finished,
		.need = CSN_NEED_COMPACTION,
	}, {
		.name = "mm_compaction_begin",
		.fn = CSN_PROBE_BEGIN,
		.need = CSN_NEED_COMPACTION,
	}, {
		.name = "mm_page_alloc",
		.fn = csn_probe_page_alloc,
		.need = CSN_NEED_PAGE_ALLOC,
	}, {
		.name = "mm_page_free",
		.fn = csn_probe_page_free,
		.need = CSN_NEED_PAGE_FREE,
	}, {
		.name = "mm_page_alloc_extfrag",
		.fn = csn_probe_page_extfrag,
		.need = CSN_NEED_EXTFRAG,
	},
};

/*
 * What the kernel has if it has all the tracepoints that serve a need, and the
 * class of events for which a session cannot do without.
 */
static const struct {
	u32 need;
	u32 feature;
	u32 class;
} csn_needs[] = {
	{ CSN_NEED_COMPACTION, CSN_FEATURE_COMPACTION, CSN_CLASS_COMPACTION },
	{ CSN_NEED_ZONE_STATE, CSN_FEATURE_SUITABLE, 0 },
	{ CSN_NEED_PAGE_ALLOC, CSN_FEATURE_PAGE_ALLOC, CSN_CLASS_PAGE_ALLOC },
	{ CSN_NEED_PAGE_FREE, CSN_FEATURE_PAGE_FREE, CSN_CLASS_PAGE_FREE },
	{ CSN_NEED_EXTFRAG, CSN_FEATURE_EXTFRAG, CSN_CLASS_EXTFRAG },
};

/* Comma-separated names of hooks not to use. Set at module init. */
static const char *csn_without;
static u32 csn_features;

/**
 * csn_probes_without() - whether the user wants a hook left alone
 * @name: of a tracepoint or function.
 *
 * Context: after csn_probes_init().
 * Return: true if it is in the list that was given to csn_probes_init().
 */
bool csn_probes_without(const char *name)
{
	size_t len = strlen(name);
	const char *p = csn_without;

	while (p && *p) {
		size_t n = strcspn(p, ",");

		if (n == len && !strncmp(p, name, n))
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}

static void csn_probes_find(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_probes); i++)
		if (!strcmp(tp->name, csn_probes[i].name) &&
		    !csn_probes_without(tp->name))
			csn_probes[i].tp = tp;
}

/* Every name in the list must be one that we know. */
static int csn_probes_check_without(void)
{
	const char *p = csn_without;
	unsigned int i;

	while (*p) {
		size_t n = strcspn(p, ",");
		bool known = n == strlen(CSN_FRAGINDEX_FUNCTION) &&
			     !strncmp(p, CSN_FRAGINDEX_FUNCTION, n);

		for (i = 0; i < ARRAY_SIZE(csn_probes); i++)
			known |= n == strlen(csn_probes[i].name) &&
				 !strncmp(p, csn_probes[i].name, n);
		if (!known) {
			pr_err("without: '%.*s' is not a hook that this module uses\n",
			       (int)n, p);
			return -EINVAL;
		}
		p += n + (p[n] == ',');
	}
	return 0;
}

/* All tracepoints that serve @need are there. */
static bool csn_probes_have(u32 need)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_probes); i++)
		if (csn_probes[i].need == need && !csn_probes[i].tp)
			return false;
	return true;
}

static void csn_probes_find_stack(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_probes); i++)
		if (csn_probes[i].tp && !strcmp(csn_probes[i].name, "mm_compaction_end"))
			csn_stack_init(csn_probes[i].tp->iterator);
}

/**
 * csn_probes_init() - find out which hooks this kernel has
 * @without: comma-separated names of those to leave alone; kept.
 *
 * Says in one line which are missing.
 *
 * Context: may sleep; module init.
 * Return: 0, or -EINVAL if @without names no hook of ours.
 */
int csn_probes_init(const char *without)
{
	unsigned int i;
	char missing[240] = "";
	int err;

	csn_without = without;
	err = csn_probes_check_without();
	if (err)
		return err;

	for_each_kernel_tracepoint(csn_probes_find, NULL);
	for (i = 0; i < ARRAY_SIZE(csn_probes); i++) {
		if (csn_probes[i].tp)
			continue;
		strlcat(missing, " ", sizeof(missing));
		strlcat(missing, csn_probes[i].name, sizeof(missing));
	}
	if (csn_fragindex_init()) {
		strlcat(missing, " ", sizeof(missing));
		strlcat(missing, CSN_FRAGINDEX_FUNCTION, sizeof(missing));
	} else {
		csn_features |= CSN_FEATURE_FRAGINDEX;
	}
	csn_probes_find_stack();

	for (i = 0; i < ARRAY_SIZE(csn_needs); i++)
		if (csn_probes_have(csn_needs[i].need))
			csn_features |= csn_needs[i].feature;
	if (CSN_CAN_READ_PAGEBLOCK)
		csn_features |= CSN_FEATURE_PAGEBLOCK;
	if (IS_ENABLED(CONFIG_STACKTRACE))
		csn_features |= CSN_FEATURE_STACK;
	if (IS_ENABLED(CONFIG_KALLSYMS))
		csn_features |= CSN_FEATURE_SYMBOLS;
	if (*missing)
		pr_info("doing without:%s\n", missing);
	return 0;
}

/**
 * csn_probes_features() - what this kernel has
 *
 * Context: any.
 * Return: CSN_FEATURE_*.
 */
u32 csn_probes_features(void)
{
	return csn_features;
}

/**
 * csn_probes_classes() - event classes that this kernel has
 *
 * Context: any.
 * Return: CSN_CLASS_*.
 */
u32 csn_probes_classes(void)
{
	u32 classes = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_needs); i++)
		if (csn_features & csn_needs[i].feature)
			classes |= csn_needs[i].class;
	return classes;
}

/**
 * csn_probes_needs() - what it takes to have some classes of events
 * @classes: CSN_CLASS_*.
 *
 * Context: any.
 * Return: CSN_NEED_*.
 */
u32 csn_probes_needs(u32 classes)
{
	u32 needs = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(csn_needs); i++)
		if (classes & csn_needs[i].class)
			needs |= csn_needs[i].need;
	return needs;
}

/**
 * csn_probes_flags() - configuration flags that can be asked for
 *
 * Context: any.
 * Return: CSN_FLAG_*.
 */
u32 csn_probes_flags(void)
{
	u32 flags = CSN_FLAG_ZONE_STATE | CSN_FLAG_FRAGINDEX_COMPUTE |
		    CSN_FLAG_OWN_PROCESS;

	if (csn_features & CSN_FEATURE_STACK)
		flags |= CSN_FLAG_STACK;
	return flags;
}

static int csn_probe_attach(struct csn_probe *probe)
{
	int err;

	if (probe->attached || !probe->tp)
		return 0;
	err = tracepoint_probe_register(probe->tp, probe->fn, NULL);
	probe->attached = !err;
	return err;
}

static bool csn_probe_detach(struct csn_probe *probe)
{
	if (!probe->attached)
		return false;
	tracepoint_probe_unregister(probe->tp, probe->fn, NULL);
	probe->attached = false;
	return true;
}

/**
 * csn_probes_attach() - have at least the probes that serve some needs
 * @needs: CSN_NEED_*.
 *
 * Context: may sleep; the sessions' lock held.
 * Return: 0; -ENODEV if the kernel lacks a tracepoint that cannot be done
 * without; what attaching said. On an error, probes beyond those that were
 * attached may be left, for csn_probes_trim().
 */
int csn_probes_attach(u32 needs)
{
	unsigned int i;
	int err;

	if (needs & csn_probes_needs(~csn_probes_classes()))
		return -ENODEV;
	/* Before the suitable event that takes its result; optional. */
	if ((needs & CSN_NEED_FRAGINDEX) && (csn_features & CSN_FEATURE_FRAGINDEX))
		csn_fragindex_attach();

	for (i = 0; i < ARRAY_SIZE(csn_probes); i++) {
		if (!(csn_probes[i].need & needs))
			continue;
		err = csn_probe_attach(&csn_probes[i]);
		if (err)
			return err;
	}
	return 0;
}

/**
 * csn_probes_trim() - have no more than the probes that serve some needs
 * @needs: CSN_NEED_*.
 *
 * No probe that was detached runs after the return.
 *
 * Context: may sleep; the sessions' lock held.
 */
void csn_probes_trim(u32 needs)
{
	unsigned int i = ARRAY_SIZE(csn_probes);
	bool detached = false;

	while (i--)
		if (!(csn_probes[i].need & needs))
			detached |= csn_probe_detach(&csn_probes[i]);
	if (!(needs & CSN_NEED_FRAGINDEX))
		csn_fragindex_detach();
	if (!detached)
		return;
	tracepoint_synchronize_unregister();
	/* What nobody goes on watching is void. */
	if (!(needs & CSN_NEED_ZONE_STATE))
		csn_inflight_forget_notes();
	if (!(needs & CSN_NEED_COMPACTION))
		csn_inflight_forget_passes();
}
