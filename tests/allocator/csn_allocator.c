// SPDX-License-Identifier: GPL-2.0-only
/*
 * For the tests: allocates pages of a given order when told to, in the task
 * that tells it, and nothing besides. So the numbers of allocations and frees
 * that a tracer has to show are known.
 *
 * Each line written to /dev/csn_allocator is a command; what an open file has
 * allocated is freed when it is closed:
 *
 *	alloc ORDER COUNT	COUNT blocks, that may wait for memory; ENOMEM if
 *				one could not be had
 *	atomic ORDER COUNT	as above, that may not wait
 *	exhaust ORDER		blocks of ZONE_DMA, which is small, until there is
 *				none, that may not wait; then the last has failed
 *	free			all of them, newest first
 *
 * A read gives "BLOCKS FAILED": how many blocks are held, and how many
 * allocations have failed since the file was opened.
 */
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/**
 * struct csn_allocator - one open file
 * @lock: guards the rest.
 * @pages: first pages of the blocks, by their lru; the order is in private.
 * @blocks: how many there are.
 * @failed: allocations that failed.
 */
struct csn_allocator {
	struct mutex lock;	/* one command at a time */
	struct list_head pages;
	unsigned long blocks;
	unsigned long failed;
};

static bool csn_allocator_one(struct csn_allocator *a, unsigned int order, gfp_t gfp)
{
	struct page *page = alloc_pages(gfp | __GFP_NOWARN, order);

	if (!page) {
		a->failed++;
		return false;
	}
	set_page_private(page, order);
	list_add(&page->lru, &a->pages);
	a->blocks++;
	return true;
}

static void csn_allocator_free(struct csn_allocator *a)
{
	struct page *page, *next;
	unsigned int order;

	list_for_each_entry_safe(page, next, &a->pages, lru) {
		order = page_private(page);
		set_page_private(page, 0);
		list_del(&page->lru);
		__free_pages(page, order);
	}
	a->blocks = 0;
}

static int csn_allocator_command(struct csn_allocator *a, char *line)
{
	unsigned int order = 0, count = 0;
	char word[12] = "";
	gfp_t gfp = GFP_KERNEL | __GFP_RETRY_MAYFAIL;
	int n = sscanf(line, "%11s %u %u", word, &order, &count);

	if (order >= ARRAY_SIZE(((struct zone *)0)->free_area))
		return -EINVAL;
	if (n == 1 && !strcmp(word, "free")) {
		csn_allocator_free(a);
		return 0;
	}
	if (n == 2 && !strcmp(word, "exhaust")) {
		while (csn_allocator_one(a, order, GFP_NOWAIT | __GFP_DMA))
			;
		return 0;
	}
	if (n != 3)
		return -EINVAL;
	if (!strcmp(word, "atomic"))
		gfp = GFP_ATOMIC;
	else if (strcmp(word, "alloc"))
		return -EINVAL;
	while (count--)
		if (!csn_allocator_one(a, order, gfp))
			return -ENOMEM;
	return 0;
}

static ssize_t csn_allocator_write(struct file *file, const char __user *buf,
				   size_t len, loff_t *pos)
{
	struct csn_allocator *a = file->private_data;
	char line[64];
	int err;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = '\0';
	mutex_lock(&a->lock);
	err = csn_allocator_command(a, line);
	mutex_unlock(&a->lock);
	return err ?: len;
}

static ssize_t csn_allocator_read(struct file *file, char __user *buf,
				  size_t len, loff_t *pos)
{
	struct csn_allocator *a = file->private_data;
	char text[48];
	int n = scnprintf(text, sizeof(text), "%lu %lu\n", a->blocks, a->failed);

	return simple_read_from_buffer(buf, len, pos, text, n);
}

static int csn_allocator_open(struct inode *inode, struct file *file)
{
	struct csn_allocator *a = kzalloc(sizeof(*a), GFP_KERNEL);

	if (!a)
		return -ENOMEM;
	mutex_init(&a->lock);
	INIT_LIST_HEAD(&a->pages);
	file->private_data = a;
	return 0;
}

static int csn_allocator_release(struct inode *inode, struct file *file)
{
	struct csn_allocator *a = file->private_data;

	csn_allocator_free(a);
	kfree(a);
	return 0;
}

static const struct file_operations csn_allocator_fops = {
	.owner = THIS_MODULE,
	.open = csn_allocator_open,
	.release = csn_allocator_release,
	.read = csn_allocator_read,
	.write = csn_allocator_write,
};

static struct miscdevice csn_allocator_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "csn_allocator",
	.fops = &csn_allocator_fops,
	.mode = 0600,
};
module_misc_device(csn_allocator_device);

MODULE_AUTHOR("The compactsnoop authors");
MODULE_DESCRIPTION("Allocate known numbers of pages, for the tests of compactsnoop");
MODULE_LICENSE("GPL");
