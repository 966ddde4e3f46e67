// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "boot.h"
#include "config.h"
#include "device.h"
#include "events.h"
#include "inflight.h"
#include "probes.h"
#include "session.h"

static unsigned int ring_kb = 256;
module_param(ring_kb, uint, 0444);
MODULE_PARM_DESC(ring_kb, "Ring of each CPU and session, KiB, unless the reader says otherwise: a power of two, from a page to 65536 (default 256)");

static unsigned int max_sessions = 16;
module_param(max_sessions, uint, 0444);
MODULE_PARM_DESC(max_sessions, "How often the device can be open at once: 1 to 64 (default 16)");

static unsigned int in_flight = 1024;
module_param(in_flight, uint, 0444);
MODULE_PARM_DESC(in_flight, "Compactions that can be followed at once: 1 to 65536, rounded up to a power of two (default 1024)");

static bool zone_state = true;
module_param(zone_state, bool, 0444);
MODULE_PARM_DESC(zone_state, "Whether a reader that configures nothing gets watermarks and fragmentation index (default Y)");

static char *events = "compaction";
module_param(events, charp, 0444);
MODULE_PARM_DESC(events, "Comma-separated event classes that a reader who configures nothing gets: compaction, page_alloc, page_free, page_alloc_extfrag (default compaction)");

static char *boot_events = "";
module_param(boot_events, charp, 0444);
MODULE_PARM_DESC(boot_events, "Comma-separated event classes to record from now on, for the reader that takes them: compaction, page_alloc, page_free, page_alloc_extfrag (default none)");

static unsigned int boot_ring_kb = 4096;
module_param(boot_ring_kb, uint, 0444);
MODULE_PARM_DESC(boot_ring_kb, "Ring of each CPU for boot_events, KiB: a power of two, from a page to 65536 (default 4096)");

static char *boot_keep = "oldest";
module_param(boot_keep, charp, 0444);
MODULE_PARM_DESC(boot_keep, "Which events to keep when boot_events are more than fit: oldest or newest (default oldest)");

static char *without = "";
module_param(without, charp, 0444);
MODULE_PARM_DESC(without, "Comma-separated tracepoints and functions to do without, if this kernel's misbehave (default none)");

static int __init csn_check_range(const char *name, unsigned int value,
				  unsigned int min, unsigned int max)
{
	if (value >= min && value <= max)
		return 0;
	pr_err("%s=%u is not between %u and %u\n", name, value, min, max);
	return -EINVAL;
}

static int __init csn_check_ring(const char *name, unsigned int kb)
{
	int err = csn_check_range(name, kb, PAGE_SIZE / SZ_1K,
				  CSN_RING_BYTES_MAX / SZ_1K);

	if (err || is_power_of_2(kb))
		return err;
	pr_err("%s=%u is not a power of two\n", name, kb);
	return -EINVAL;
}

static int __init csn_check_parameters(u32 *classes)
{
	int err;

	err = csn_events_parse("events", events, classes);
	if (!err && !*classes) {
		pr_err("events= names no event\n");
		err = -EINVAL;
	}
	if (!err)
		err = csn_check_ring("ring_kb", ring_kb);
	if (!err)
		err = csn_check_ring("boot_ring_kb", boot_ring_kb);
	if (!err)
		err = csn_check_range("max_sessions", max_sessions, 1, 64);
	if (!err)
		err = csn_check_range("in_flight", in_flight, 1, 65536);
	return err;
}

static int __init csn_init(void)
{
	u32 classes;
	int err = csn_check_parameters(&classes);

	if (err)
		return err;
	err = csn_inflight_init(in_flight);
	if (err)
		return err;
	err = csn_probes_init(without);
	if (err)
		goto exit_inflight;
	err = csn_session_init(max_sessions, classes, ring_kb * SZ_1K, zone_state);
	if (err)
		goto exit_inflight;
	/* From here to the device's opening, nothing may be lost. */
	err = csn_boot_init(boot_events, boot_ring_kb * SZ_1K, boot_keep);
	if (err)
		goto exit_session;
	err = csn_device_register();
	if (err)
		goto exit_boot;
	return 0;

exit_boot:
	csn_boot_exit();
exit_session:
	csn_session_exit();
exit_inflight:
	csn_inflight_exit();
	return err;
}

static void __exit csn_exit(void)
{
	csn_device_deregister();
	csn_boot_exit();
	csn_session_exit();
	csn_inflight_exit();
}

module_init(csn_init);
module_exit(csn_exit);

MODULE_AUTHOR("The compactsnoop authors");
MODULE_DESCRIPTION("Trace memory compaction: who, where, how long");
MODULE_LICENSE("GPL");
MODULE_VERSION(CSN_VERSION);
