// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "account.h"
#include "boot.h"
#include "session.h"

/* Guards who has the session, and whether there is one. */
static DEFINE_MUTEX(csn_boot_lock);
static struct csn_session *csn_boot_session;
static u8 csn_boot_now = CSN_BOOT_NONE;

static const struct {
	const char *name;
	u32 class;
} csn_boot_classes[] = {
	{ "compaction", CSN_CLASS_COMPACTION },
	{ "page_alloc", CSN_CLASS_PAGE_ALLOC },
	{ "page_free", CSN_CLASS_PAGE_FREE },
	{ "extfrag", CSN_CLASS_EXTFRAG },
};

/* Comma-separated names of classes; -EINVAL if one is none. */
static int csn_boot_parse_events(const char *p, u32 *classes)
{
	unsigned int i;

	*classes = 0;
	while (*p) {
		size_t n = strcspn(p, ",");

		for (i = 0; i < ARRAY_SIZE(csn_boot_classes); i++)
			if (n == strlen(csn_boot_classes[i].name) &&
			    !strncmp(p, csn_boot_classes[i].name, n))
				break;
		if (i == ARRAY_SIZE(csn_boot_classes)) {
			pr_err("boot_events: '%.*s' is not one of compaction, page_alloc, page_free, extfrag\n",
			       (int)n, p);
			return -EINVAL;
		}
		*classes |= csn_boot_classes[i].class;
		p += n + (p[n] == ',');
	}
	return 0;
}

static int csn_boot_parse_keep(const char *keep, bool *newest)
{
	*newest = !strcmp(keep, "newest");
	if (*newest || !strcmp(keep, "oldest"))
		return 0;
	pr_err("boot_keep=%s is neither newest nor oldest\n", keep);
	return -EINVAL;
}

static int csn_boot_start(struct csn_session *session, u32 classes, u32 ring_bytes,
			  bool newest)
{
	struct csn_config config = {};
	unsigned int cpu;
	int err;

	csn_session_get_config(session, &config);
	config.classes = classes;
	config.ring_bytes = ring_bytes;
	err = csn_session_set_config(session, &config);
	if (err)
		return err;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(session->rings, cpu)->overwrite = newest;
	return csn_session_start(session);
}

/**
 * csn_boot_init() - begin the capture from boot
 * @events: comma-separated names of event classes; empty: no capture.
 * @ring_bytes: of each CPU; a valid size.
 * @keep: "newest" or "oldest": which records to have when there are more than
 *	fit.
 *
 * Says in the kernel log why it fails.
 *
 * Context: may sleep; module init.
 * Return: 0; -EINVAL; -ENODEV if the kernel lacks what @events need; -ENOMEM;
 * what attaching a probe said.
 */
int csn_boot_init(const char *events, u32 ring_bytes, const char *keep)
{
	struct csn_session *session;
	bool newest;
	u32 classes;
	int err;

	err = csn_boot_parse_events(events, &classes);
	if (!err)
		err = csn_boot_parse_keep(keep, &newest);
	if (err || !classes)
		return err;

	/* Not one of max_sessions: it would keep out whoever is to take it. */
	session = csn_session_create(false);
	if (IS_ERR(session))
		return PTR_ERR(session);
	err = csn_boot_start(session, classes, ring_bytes, newest);
	if (err) {
		pr_err("cannot capture %s from boot: error %d\n", events, err);
		csn_session_destroy(session);
		return err;
	}
	csn_boot_session = session;
	csn_boot_now = CSN_BOOT_WAITING;
	return 0;
}

/**
 * csn_boot_exit() - end a capture that nobody took
 *
 * Context: may sleep; the device is gone.
 */
void csn_boot_exit(void)
{
	if (csn_boot_session)
		csn_session_destroy(csn_boot_session);
}

/**
 * csn_boot_state() - what became of the capture
 *
 * Context: any.
 * Return: CSN_BOOT_*.
 */
u8 csn_boot_state(void)
{
	return READ_ONCE(csn_boot_now);
}

/**
 * csn_boot_take() - give the capture to its reader
 *
 * It goes on running; its rings are as any session's from the return on.
 *
 * Context: may sleep.
 * Return: the session, the caller's to destroy; ERR_PTR(-ENOENT) if there was
 * none; ERR_PTR(-EBUSY) if it has been taken.
 */
struct csn_session *csn_boot_take(void)
{
	struct csn_session *session;

	mutex_lock(&csn_boot_lock);
	session = csn_boot_session;
	csn_boot_session = NULL;
	if (session)
		WRITE_ONCE(csn_boot_now, CSN_BOOT_TAKEN);
	mutex_unlock(&csn_boot_lock);
	if (!session)
		return ERR_PTR(csn_boot_state() == CSN_BOOT_TAKEN ? -EBUSY : -ENOENT);
	csn_account_hand_over(session);
	return session;
}
