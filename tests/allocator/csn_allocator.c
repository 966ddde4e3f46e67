// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates as many blocks of pages of an order as it is told, in the calling
 * process, so that a test knows what is to be seen of it. Nothing else is
 * allocated on the way. For tests only.
 */
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "csn_allocator.h"

/* More than the buddy allocator of any kernel has. */
#define ORDERS	20

static DEFINE_MUTEX(blocks_lock);
static struct list_head blocks[ORDERS];	/* by page->lru */

static gfp_t gfp_of(u32 kind)
{
	switch (kind) {
	case CSN_ALLOCATE_MOVABLE:
		return GFP_HIGHUSER_MOVABLE;
	case CSN_ALLOCATE_RECLAIMABLE:
		return GFP_KERNEL | __GFP_RECLAIMABLE;
	case CSN_ALLOCATE_OR_FAIL:
		return __GFP_NOWARN;
	default:
		return GFP_KERNEL;
	}
}

static int put_pfn(const struct csn_allocate *a, const struct page *page)
{
	u64 __user *pfns = u64_to_user_ptr(a->pfns);

	return put_user((u64)page_to_pfn(page), pfns + a->allocated);
}

static int allocate(struct csn_allocate *a)
{
	int err = 0;

	a->allocated = 0;
	a->failed = 0;
	while (!err && a->allocated < a->count) {
		struct page *page = alloc_pages(gfp_of(a->kind), a->order);

		if (page) {
			list_add_tail(&page->lru, &blocks[a->order]);
			err = put_pfn(a, page);
			a->allocated++;
		} else if (++a->failed >= a->failures) {
			break;
		}
	}
	return err;
}

static void free_all(void)
{
	struct page *page, *next;
	unsigned int order;

	for (order = 0; order < ORDERS; order++) {
		list_for_each_entry_safe(page, next, &blocks[order], lru) {
			list_del(&page->lru);
			__free_pages(page, order);
		}
	}
}

static long allocator_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct csn_allocate a;
	int err = 0;

	mutex_lock(&blocks_lock);
	switch (cmd) {
	case CSN_ALLOCATOR_ALLOC:
		if (copy_from_user(&a, user, sizeof(a)))
			err = -EFAULT;
		else if (a.order >= ORDERS || a.kind > CSN_ALLOCATE_OR_FAIL)
			err = -EINVAL;
		if (!err)
			err = allocate(&a);
		if (!err && copy_to_user(user, &a, sizeof(a)))
			err = -EFAULT;
		break;
	case CSN_ALLOCATOR_FREE:
		free_all();
		break;
	default:
		err = -ENOTTY;
	}
	mutex_unlock(&blocks_lock);
	return err;
}

static const struct file_operations allocator_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = allocator_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice allocator = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = CSN_ALLOCATOR_NAME,
	.fops = &allocator_fops,
	.mode = 0600,
};

static int __init allocator_init(void)
{
	unsigned int order;

	for (order = 0; order < ORDERS; order++)
		INIT_LIST_HEAD(&blocks[order]);
	return misc_register(&allocator);
}

static void __exit allocator_exit(void)
{
	misc_deregister(&allocator);
	free_all();
}

module_init(allocator_init);
module_exit(allocator_exit);

MODULE_AUTHOR("The compactsnoop authors");
MODULE_DESCRIPTION("Allocate pages as a test says");
MODULE_LICENSE("GPL");
