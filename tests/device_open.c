// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may open the device, and what a stack handle gives away: nothing.
 */
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "csn_harness.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

FIXTURE(device_open)
{
	mode_t mode;
};

FIXTURE_SETUP(device_open)
{
	struct stat st;

	CSN_NEEDS_DEVICE();
	CSN_NEEDS_ROOT();
	ASSERT_EQ(0, stat(CSN_DEVICE, &st));
	self->mode = st.st_mode & 07777;
}

FIXTURE_TEARDOWN(device_open)
{
	EXPECT_EQ(0, chmod(CSN_DEVICE, self->mode));
}

/* What open() gives in a child that first does @prepare; >= 0: it opened. */
static int open_after(int (*prepare)(__u64 arg), __u64 arg)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child) {
		int fd = prepare(arg) ? -ENOTSUP : csn_open(O_RDONLY);

		_exit(fd < 0 ? -fd : 0);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

static int become_nobody(__u64 unused)
{
	return setgroups(0, NULL) || setgid(65534) || setuid(65534);
}

static int keep_capabilities(__u64 capabilities)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = capabilities, .permitted = capabilities },
		{ .effective = capabilities >> 32,
		  .permitted = capabilities >> 32 },
	};

	return syscall(SYS_capset, &header, data);
}

static int enter_user_namespace(__u64 unused)
{
	char map[] = "0 0 1";

	return unshare(CLONE_NEWUSER) ||
	       machine_write("/proc/self/uid_map", map);
}

TEST_F(device_open, node_is_for_root)
{
	struct stat st;

	ASSERT_EQ(0, stat(CSN_DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0600, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
	EXPECT_EQ(-EACCES, open_after(become_nobody, 0));
}

/* The mode may have been changed; the capability is asked for all the same. */
TEST_F(device_open, mode_is_not_enough)
{
	ASSERT_EQ(0, chmod(CSN_DEVICE, 0666));
	EXPECT_EQ(-EPERM, open_after(become_nobody, 0));
}

TEST_F(device_open, capabilities)
{
	EXPECT_EQ(-EPERM, open_after(keep_capabilities, 0));
	EXPECT_EQ(-EPERM, open_after(keep_capabilities,
				     ~(1ULL << CAP_PERFMON |
				       1ULL << CAP_SYS_ADMIN) &
				     ((1ULL << 41) - 1)));
	EXPECT_EQ(0, open_after(keep_capabilities, 1ULL << CAP_PERFMON));
	EXPECT_EQ(0, open_after(keep_capabilities, 1ULL << CAP_SYS_ADMIN));
}

/* Every capability there, but over that namespace only. */
TEST_F(device_open, user_namespace)
{
	int ret;

	if (access("/proc/self/ns/user", F_OK))
		SKIP(return, "kernel without user namespaces");
	ret = open_after(enter_user_namespace, 0);
	if (ret == -ENOTSUP)
		SKIP(return, "user namespaces may not be made here");
	EXPECT_EQ(-EPERM, ret);
}

/* "name+0xoffset", and the name is a word of C or of the compiler's. */
static bool looks_like_symbol(const char *name)
{
	size_t word = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
	const char *offset = name + word;

	return word && !(name[0] >= '0' && name[0] <= '9') &&
	       !strncmp(offset, "+0x", 3) && offset[3] &&
	       strspn(offset + 3, "0123456789abcdef") == strlen(offset + 3);
}

FIXTURE(device_resolve)
{
	struct csn_log log;
	int fd;
};

FIXTURE_SETUP(device_resolve)
{
	csn_log_init(&self->log);
	self->fd = -1;
	CSN_NEEDS_DEVICE();
	CSN_NEEDS_STACKS();
	self->fd = csn_open_self(CSN_FLAG_STACK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, machine_compact());
	ASSERT_EQ(0, csn_log_drain(&self->log, self->fd));
	EXPECT_INTACT(&self->log);
	ASSERT_LT(0, self->log.nr_events);
	ASSERT_LT(0, self->log.event[0].nr_handles);
}

FIXTURE_TEARDOWN(device_resolve)
{
	csn_log_free(&self->log);
	if (self->fd >= 0)
		close(self->fd);
}

TEST_F(device_resolve, every_handle_has_a_name)
{
	const struct csn_event *e = &self->log.event[0];
	char name[CSN_SYMBOL_LEN];
	unsigned int i;

	for (i = 0; i < e->nr_handles; i++) {
		memset(name, 0xff, sizeof(name));
		ASSERT_EQ(0, csn_resolve(self->fd, e->handle[i], name));
		ASSERT_GT(sizeof(name), strnlen(name, sizeof(name)));
		EXPECT_TRUE(looks_like_symbol(name))
			TH_LOG("handle %u is \"%s\"", i, name);
	}
}

/* Where the kernel knows no name there is none: above all no address. */
static void expect_unknown(struct __test_metadata *_metadata, int fd,
			   __u64 handle)
{
	char name[CSN_SYMBOL_LEN];

	EXPECT_EQ(-ENOENT, csn_resolve(fd, handle, name))
		TH_LOG("handle %#llx gave \"%.100s\"", handle, name);
	EXPECT_TRUE(memmem(name, sizeof(name), "0x", 2) == NULL);
}

TEST_F(device_resolve, garbage)
{
	__u64 handle = self->log.event[0].handle[0];
	unsigned int bit;

	expect_unknown(_metadata, self->fd, 0);
	expect_unknown(_metadata, self->fd, 1);
	expect_unknown(_metadata, self->fd, ~0ULL);
	expect_unknown(_metadata, self->fd, (__u64)(uintptr_t)&handle);
	/* What a kernel text address looks like is no handle of one. */
	expect_unknown(_metadata, self->fd, 0xffffffff81000000);
	/* One bit off in the upper half is no kernel text any more. */
	for (bit = 32; bit < 64; bit++)
		expect_unknown(_metadata, self->fd, handle ^ 1ULL << bit);
}

TEST_F(device_resolve, handle_of_another_session)
{
	int other = csn_open_self(CSN_FLAG_STACK);

	ASSERT_LE(0, other);
	expect_unknown(_metadata, other, self->log.event[0].handle[0]);
	close(other);
}

TEST_F(device_resolve, arguments)
{
	struct csn_symbol symbol = {
		.size = sizeof(symbol),
		.handle = self->log.event[0].handle[0],
	};

	EXPECT_EQ(0, csn_ioctl(self->fd, CSN_IOC_RESOLVE, &symbol));
	symbol.reserved = 1;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_RESOLVE, &symbol));
	symbol.reserved = 0;
	symbol.size = sizeof(symbol) - 1;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_RESOLVE, &symbol));
	symbol.size = 0;
	EXPECT_EQ(-EINVAL, csn_ioctl(self->fd, CSN_IOC_RESOLVE, &symbol));
}

CSN_HARNESS_MAIN
