// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "boot.h"
#include "events.h"
#include "probes.h"
#include "session.h"

/* Guards who has the session, and whether there is one. Outside all of session.h. */
static DEFINE_MUTEX(csn_boot_lock);
static struct csn_session *csn_boot_session;
static u8 csn_boot_now = CSN_BOOT_NONE;

static int csn_boot_parse_events(const char *names, u32 *classes)
{
	int err = csn_events_parse("boot_events", names, classes);
	u32 missing;

	if (err)
		return err;
	missing = *classes & ~csn_probes_classes();
	if (!missing)
		return 0;
	pr_err("boot_events: %s cannot be had from this kernel\n",
	       csn_events_name(missing));
	return -ENODEV;
}

static int csn_boot_parse_keep(const char *keep, bool *newest)
{
	*newest = !strcmp(keep, "newest");
	if (*newest || !strcmp(keep, "oldest"))
		return 0;
	pr_err("boot_keep=%s is neither newest nor oldest\n", keep);
	return -EINVAL;
}

static int csn_boot_start(struct csn_session *session, u32 classes,
			  u32 ring_bytes, bool newest)
{
	struct csn_config config = {};
	int err;

	csn_session_get_config(session, &config);
	config.classes = classes;
	config.ring_bytes = ring_bytes;
	err = csn_session_set_config(session, &config);
	if (err)
		return err;
	csn_session_await_reader(session, newest);
	return csn_session_start(session);
}

/**
 * csn_boot_init() - begin the capture from boot
 * @events: comma-separated names of event classes; empty: no capture.
 * @ring_bytes: of each CPU; a valid size.
 * @keep: "newest" or "oldest": which events to have when there are more than
 *	fit.
 *
 * Says in the kernel log why it fails.
 *
 * Context: may sleep; module init, before anybody can open the device.
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
		pr_err("boot_events=%s cannot be captured: error %d\n", events, err);
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
 * Context: may sleep; nobody can open the device.
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
 * csn_boot_take() - a file of the capture, which goes on running
 * @fops: of the file; its release destroys the session in private_data.
 * @flags: O_*: how it is opened.
 *
 * From the return on, the session is as any other.
 *
 * Context: may sleep.
 * Return: the file; ERR_PTR(-ENOENT) if there was no capture, ERR_PTR(-EBUSY)
 * if it was taken before; what making a file said, and then it still waits.
 */
struct file *csn_boot_take(const struct file_operations *fops, int flags)
{
	struct file *file;

	mutex_lock(&csn_boot_lock);
	if (csn_boot_session)
		file = anon_inode_getfile("[" CSN_DEVICE_NAME "]", fops,
					  csn_boot_session, flags);
	else
		file = ERR_PTR(csn_boot_now == CSN_BOOT_TAKEN ? -EBUSY : -ENOENT);
	if (!IS_ERR(file)) {
		csn_session_hand_over(csn_boot_session);
		csn_boot_session = NULL;
		WRITE_ONCE(csn_boot_now, CSN_BOOT_TAKEN);
	}
	mutex_unlock(&csn_boot_lock);
	return file;
}
