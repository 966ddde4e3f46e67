// SPDX-License-Identifier: GPL-2.0-only
/* /dev/compactsnoop, and what to tell the user when it does not do. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"
#include "module.h"

static enum csn_exit explain_module(enum csn_module_state module,
				    const char *words)
{
	static const char * const texts[] = {
		[CSN_MODULE_NOT_TRIED] =
			"the module is not loaded; as root: modprobe compactsnoop, or insmod compactsnoop.ko",
		[CSN_MODULE_NO_NODE] =
			"no /dev/compactsnoop; make it: mknod -m 600 /dev/compactsnoop c 10 MINOR (see /proc/misc)",
		[CSN_MODULE_MISSING] =
			"the module is not installed for this kernel: make dkms-install, or insmod compactsnoop.ko",
		[CSN_MODULE_REJECTED] =
			"the kernel rejects the module, as no key that it trusts has signed it: enrol the key that DKMS signs with (mokutil --import /var/lib/dkms/mok.pub, then reboot), or sign it with a trusted one",
		[CSN_MODULE_LOCKED_DOWN] =
			"the kernel is locked down and rejects the module, as no key that it trusts has signed it: enrol the key that DKMS signs with (mokutil --import /var/lib/dkms/mok.pub, then reboot), or sign it with a trusted one",
		[CSN_MODULE_DISABLED] =
			"the kernel takes no more modules until it is booted again (kernel.modules_disabled is 1)",
		[CSN_MODULE_FORBIDDEN] =
			"no permission to load the module, even as root; in a container: load it on the host",
		[CSN_MODULE_FOREIGN] =
			"the module that is installed is of another kernel: build it for this one (make dkms-install)",
	};

	if (module < sizeof(texts) / sizeof(texts[0]) && texts[module])
		return csn_exit_fail(CSN_EXIT_NO_DEVICE, "%s", texts[module]);
	return csn_exit_fail(CSN_EXIT_NO_DEVICE,
			     "modprobe cannot load the module (%s); see dmesg",
			     *words ? words : "it does not say why");
}

static enum csn_exit explain_open(int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		return csn_exit_fail(CSN_EXIT_PERMISSION,
				     "no permission: run it as root, or with CAP_PERFMON and access to /dev/compactsnoop");
	case EBUSY:
		return csn_exit_fail(CSN_EXIT_BUSY,
				     "/dev/compactsnoop is busy: close one, or load it with a larger max_sessions");
	case ENOMEM:
		return csn_exit_fail(CSN_EXIT_MEMORY,
				     "the kernel has no memory for a session");
	default:
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot open "
				     CSN_DEVICE_PATH ": %s", strerror(error));
	}
}

static enum csn_exit read_info(struct csn_device *device)
{
	memset(&device->info, 0, sizeof(device->info));
	device->info.size = sizeof(device->info);
	if (ioctl(device->fd, CSN_IOC_GET_INFO, &device->info))
		return csn_exit_fail(CSN_EXIT_ABI,
				     "/dev/compactsnoop is not of a module that this tool knows (%s)",
				     strerror(errno));
	if (device->info.abi_version == CSN_ABI_VERSION)
		return CSN_EXIT_OK;
	return csn_exit_fail(CSN_EXIT_ABI,
			     "the loaded module is too %s (its ABI is version %u, this tool's is %u): update the %s",
			     device->info.abi_version < CSN_ABI_VERSION ? "old" : "new",
			     device->info.abi_version, CSN_ABI_VERSION,
			     device->info.abi_version < CSN_ABI_VERSION ? "module" : "tool");
}

/**
 * csn_device_open() - begin a session, loading the module if need be
 * @device: filled in.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_device_open(struct csn_device *device)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
	char words[CSN_MODULE_WORDS];
	enum csn_module_state module;
	enum csn_exit status;

	device->fd = open(CSN_DEVICE_PATH, flags);
	if (device->fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV)) {
		module = csn_module_load(CSN_DEVICE_PATH, words);
		if (module != CSN_MODULE_LOADED)
			return explain_module(module, words);
		device->fd = open(CSN_DEVICE_PATH, flags);
	}
	if (device->fd < 0)
		return explain_open(errno);

	status = read_info(device);
	if (status)
		csn_device_close(device);
	return status;
}

static enum csn_exit explain_start(const struct csn_device *device,
				   const struct csn_config *config, int error)
{
	switch (error) {
	case ENODEV:
		if ((config->classes | config->counters) & CSN_CLASS_PAGE_ALLOC &&
		    !(device->info.features & CSN_FEATURE_PAGE_ALLOC))
			return csn_exit_fail(CSN_EXIT_UNSUPPORTED,
					     "this kernel has no page allocation events to count; it needs CONFIG_TRACEPOINTS");
		if (config->classes & CSN_CLASS_COMPACTION &&
		    !(device->info.features & CSN_FEATURE_COMPACTION))
			return csn_exit_fail(CSN_EXIT_UNSUPPORTED,
					     "this kernel has no compaction events to trace; it needs CONFIG_COMPACTION and CONFIG_TRACEPOINTS");
		return csn_exit_fail(CSN_EXIT_UNSUPPORTED,
				     "this kernel lacks what tracing needs; dmesg says what");
	case ESRCH:
		return csn_exit_fail(CSN_EXIT_NO_PROCESS, "no process has the id %u",
				     config->filter.pid);
	case EBUSY:
		return csn_exit_fail(CSN_EXIT_BUSY,
				     "/dev/compactsnoop is busy: end what else uses it");
	case ENOMEM:
		return csn_exit_fail(CSN_EXIT_MEMORY,
				     "the kernel has no memory for the rings; load the module with a smaller ring_kb");
	case EPERM:
	case EACCES:
		return csn_exit_fail(CSN_EXIT_PERMISSION,
				     "no permission to trace: run it as root, or with CAP_PERFMON");
	default:
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot start tracing: %s",
				     strerror(error));
	}
}

/**
 * csn_device_start() - have events flow
 * @device: the session.
 * @config: what is wanted; its size is filled in.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_device_start(struct csn_device *device,
			       struct csn_config *config)
{
	config->size = sizeof(*config);
	if (ioctl(device->fd, CSN_IOC_SET_CONFIG, config) ||
	    ioctl(device->fd, CSN_IOC_START))
		return explain_start(device, config, errno);
	return CSN_EXIT_OK;
}

/**
 * csn_device_take_boot() - change over to the session that runs since boot
 * @device: any session; ended.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_device_take_boot(struct csn_device *device)
{
	int fd = ioctl(device->fd, CSN_IOC_TAKE_BOOT);

	if (fd >= 0) {
		close(device->fd);
		device->fd = fd;
		return CSN_EXIT_OK;
	}
	switch (errno) {
	case ENOENT:
	case ENOTTY:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "nothing was captured from boot: the module was loaded without boot_events=page_alloc");
	case EBUSY:
		return csn_exit_fail(CSN_EXIT_BUSY,
				     "the capture from boot has been taken already");
	default:
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "cannot take the capture from boot: %s",
				     strerror(errno));
	}
}

/**
 * csn_device_stop() - have no more events; reading comes to an end
 * @device: the session.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_device_stop(struct csn_device *device)
{
	if (ioctl(device->fd, CSN_IOC_STOP))
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot stop tracing: %s",
				     strerror(errno));
	return CSN_EXIT_OK;
}

/**
 * csn_device_lost() - count the events that a session lost
 * @device: the session.
 *
 * Return: how many on all CPUs, for whatever reason; 0 if not to be had.
 */
__u64 csn_device_lost(struct csn_device *device)
{
	struct csn_stats stats = { .size = sizeof(stats), .cpu = CSN_CPU_ALL };

	if (ioctl(device->fd, CSN_IOC_GET_STATS, &stats))
		return 0;
	return stats.lost_full + stats.lost_nested + stats.lost_table +
	       stats.lost_ring;
}

/**
 * csn_device_close() - end a session
 * @device: the session.
 */
void csn_device_close(struct csn_device *device)
{
	close(device->fd);
	device->fd = -1;
}
