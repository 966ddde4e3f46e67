// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "boot.h"
#include "compat/fops.h"
#include "compat/mm.h"
#include "device.h"
#include "session.h"
#include "stack.h"
#include "stream.h"

static int csn_device_open(struct inode *inode, struct file *file)
{
	struct csn_session *session;

	/*
	 * Of the initial user namespace: it shows what every process does.
	 * security_locked_down() is not asked, as no memory of the kernel's and
	 * no address of it reaches the reader.
	 */
	if (!perfmon_capable())
		return -EPERM;
	session = csn_session_create(true);
	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	csn_session_touch(session);
	csn_file_unsigned_offset(file);
	return stream_open(inode, file);
}

static int csn_device_release(struct inode *inode, struct file *file)
{
	csn_session_destroy(file->private_data);
	return 0;
}

static ssize_t csn_device_read(struct file *file, char __user *buf,
			       size_t count, loff_t *pos)
{
	csn_session_touch(file->private_data);
	return csn_stream_read(file->private_data, buf, count,
			       file->f_flags & O_NONBLOCK);
}

static __poll_t csn_device_poll(struct file *file, poll_table *wait)
{
	struct csn_session *session = file->private_data;
	__poll_t events = 0;

	csn_session_touch(session);
	poll_wait(file, &session->wait, wait);
	smp_mb();	/* Pairs with the one in csn_ring_commit(). */
	/* read() does it for itself; a mapped ring's reader has only this. */
	if (READ_ONCE(session->reader) == CSN_READER_MMAP)
		csn_session_tell_lost(session);
	if (csn_stream_readable(session))
		events |= EPOLLIN | EPOLLRDNORM;
	if (csn_stream_ended(session))
		events |= EPOLLHUP;
	return events;
}

/* One piece of one ring, whole; see CSN_MMAP_OFFSET. */
static int csn_device_map_piece(struct vm_area_struct *vma,
				const struct csn_ring *ring, unsigned int piece)
{
	size_t len = PAGE_SIZE;
	void *mem;

	switch (piece) {
	case CSN_MMAP_HEAD:
		mem = ring->pub;
		break;
	case CSN_MMAP_TAIL:
		mem = ring->tail;
		break;
	case CSN_MMAP_DATA:
		mem = ring->slots;
		len = (size_t)ring->nr * CSN_RECORD_SIZE;
		break;
	default:
		return -EINVAL;
	}
	if (vma->vm_end - vma->vm_start != len)
		return -EINVAL;
	if (piece != CSN_MMAP_TAIL) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		csn_vm_flags_clear(vma, VM_MAYWRITE);
	}
	csn_vm_flags_clear(vma, VM_MAYEXEC);
	return remap_vmalloc_range(vma, mem, 0);
}

static int csn_device_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct csn_session *session = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 cpu = offset >> 32;
	unsigned int piece = (offset >> 30) & 3;
	struct csn_ring *ring;
	int err;

	csn_session_touch(session);
	/* VM_SHARED is not set for a file that is open for reading only. */
	if (!(vma->vm_flags & VM_MAYSHARE) || offset != CSN_MMAP_OFFSET(cpu, piece))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -ENXIO;
	err = csn_session_claim_mmap(session);
	if (err)
		return err;

	ring = per_cpu_ptr(session->rings, cpu);
	if (!csn_ring_ready(ring))
		return -ENXIO;
	return csn_device_map_piece(vma, ring, piece);
}

/* The user's struct, whose size is its first member, as we know it: @known bytes. */
static int csn_ioctl_copy_in(void *to, size_t known, void __user *from, u32 *size)
{
	if (get_user(*size, (u32 __user *)from))
		return -EFAULT;
	/* The first version of each struct is the one that we know. */
	if (*size < known)
		return -EINVAL;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(to, known, from, *size);
}

/* What lies behind @known of the @size bytes was zero when it came in. */
static int csn_ioctl_copy_out(void __user *to, const void *from, size_t known)
{
	return copy_to_user(to, from, known) ? -EFAULT : 0;
}

static int csn_ioctl_get_info(void __user *arg)
{
	struct csn_info info;
	u32 size;
	int err = csn_ioctl_copy_in(&info, sizeof(info), arg, &size);

	if (err)
		return err;
	csn_session_info(&info);
	info.boot = csn_boot_state();
	info.size = size;
	return csn_ioctl_copy_out(arg, &info, sizeof(info));
}

static int csn_ioctl_get_config(struct csn_session *session, void __user *arg)
{
	struct csn_config config;
	u32 size;
	int err = csn_ioctl_copy_in(&config, sizeof(config), arg, &size);

	if (err)
		return err;
	csn_session_get_config(session, &config);
	config.size = size;
	return csn_ioctl_copy_out(arg, &config, sizeof(config));
}

static int csn_ioctl_set_config(struct csn_session *session, void __user *arg)
{
	struct csn_config config;
	u32 size;
	int err = csn_ioctl_copy_in(&config, sizeof(config), arg, &size);

	return err ?: csn_session_set_config(session, &config);
}

static int csn_ioctl_get_stats(struct csn_session *session, void __user *arg)
{
	struct csn_stats stats;
	u32 size;
	int err = csn_ioctl_copy_in(&stats, sizeof(stats), arg, &size);

	if (!err)
		err = csn_session_stats(session, &stats);
	if (err)
		return err;
	stats.size = size;
	return csn_ioctl_copy_out(arg, &stats, sizeof(stats));
}

static int csn_ioctl_resolve(struct csn_session *session, void __user *arg)
{
	struct csn_symbol *symbol = kmalloc(sizeof(*symbol), GFP_KERNEL);
	u32 size;
	int err;

	if (!symbol)
		return -ENOMEM;
	err = csn_ioctl_copy_in(symbol, sizeof(*symbol), arg, &size);
	if (!err && symbol->reserved)
		err = -EINVAL;
	if (err)
		goto out;

	memset(symbol->name, 0, sizeof(symbol->name));
	err = csn_stack_resolve(symbol->handle, session->key, symbol->name,
				sizeof(symbol->name));
	if (!err)
		err = csn_ioctl_copy_out(arg, symbol, sizeof(*symbol));
out:
	kfree(symbol);
	return err;
}

static int csn_ioctl_get_counters(struct csn_session *session, void __user *arg)
{
	struct csn_counters counters;
	u32 size;
	int err = csn_ioctl_copy_in(&counters, sizeof(counters), arg, &size);

	if (!err)
		err = csn_session_counters(session, &counters);
	if (err)
		return err;
	counters.size = size;
	return csn_ioctl_copy_out(arg, &counters, sizeof(counters));
}

static const struct file_operations csn_device_fops;

/* A new file: no thread that uses the one asked has its session changed. */
static int csn_ioctl_take_boot(const struct file *asked)
{
	int flags = asked->f_flags & (O_ACCMODE | O_NONBLOCK);
	struct file *file;
	int fd;

	/* The one asked may come from somebody who could open it. */
	if (!perfmon_capable())
		return -EPERM;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	file = csn_boot_take(&csn_device_fops, flags);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	csn_session_touch(file->private_data);
	csn_file_unsigned_offset(file);
	stream_open(file_inode(file), file);
	fd_install(fd, file);
	return fd;
}

static long csn_device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct csn_session *session = file->private_data;
	void __user *to = (void __user *)arg;

	if (_IOC_TYPE(cmd) != CSN_IOC_MAGIC)
		return -ENOTTY;
	csn_session_touch(session);

	/* By number alone, so that structs may grow. */
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(CSN_IOC_GET_INFO):
		return csn_ioctl_get_info(to);
	case _IOC_NR(CSN_IOC_GET_CONFIG):
		return csn_ioctl_get_config(session, to);
	case _IOC_NR(CSN_IOC_SET_CONFIG):
		return csn_ioctl_set_config(session, to);
	case _IOC_NR(CSN_IOC_START):
		return csn_session_start(session);
	case _IOC_NR(CSN_IOC_STOP):
		csn_session_stop(session);
		return 0;
	case _IOC_NR(CSN_IOC_GET_STATS):
		return csn_ioctl_get_stats(session, to);
	case _IOC_NR(CSN_IOC_RESOLVE):
		return csn_ioctl_resolve(session, to);
	case _IOC_NR(CSN_IOC_GET_COUNTERS):
		return csn_ioctl_get_counters(session, to);
	case _IOC_NR(CSN_IOC_TAKE_BOOT):
		return csn_ioctl_take_boot(file);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations csn_device_fops = {
	.owner = THIS_MODULE,
	.open = csn_device_open,
	.release = csn_device_release,
	.read = csn_device_read,
	.poll = csn_device_poll,
	.mmap = csn_device_mmap,
	.unlocked_ioctl = csn_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	CSN_FOPS_UNSIGNED_OFFSET
};

static struct miscdevice csn_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = CSN_DEVICE_NAME,
	.fops = &csn_device_fops,
	.mode = 0600,
};

/**
 * csn_device_register() - show the device
 *
 * Context: may sleep; everything that a reader can reach is ready.
 * Return: 0 or a negative errno.
 */
int csn_device_register(void)
{
	return misc_register(&csn_device);
}

/**
 * csn_device_deregister() - take the device away
 *
 * Context: may sleep; nobody has it open, as the module is in use until then.
 */
void csn_device_deregister(void)
{
	misc_deregister(&csn_device);
}
