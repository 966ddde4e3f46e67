// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module, and the kernel's own view of its hooks.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "machine.h"
#include "module.h"

#define KPROBES_LIST	"/sys/kernel/debug/kprobes/list"
/* SYSLOG_ACTION_READ_ALL */
#define LOG_READ_ALL	3
#define LOG_BYTES	(1 << 20)

const char *module_path(void)
{
	static char path[256];
	const char *given = getenv("COMPACTSNOOP_KO");
	struct utsname kernel;

	if (given)
		return access(given, R_OK) ? NULL : given;
	uname(&kernel);
	snprintf(path, sizeof(path), "/lib/modules/%s/" MODULE_NAME ".ko",
		 kernel.release);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "/lib/" MODULE_NAME ".ko");
	return access(path, R_OK) ? NULL : path;
}

bool module_loaded(void)
{
	return !access("/sys/module/" MODULE_NAME, F_OK);
}

static int module_load_from(const char *path, const char *parameters)
{
	int err = 0;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = -errno;
	close(fd);
	return err;
}

int module_load(const char *parameters)
{
	const char *path = module_path();

	return path ? module_load_from(path, parameters) : -ENOENT;
}

int module_unload(void)
{
	return syscall(SYS_delete_module, MODULE_NAME, O_NONBLOCK) ? -errno : 0;
}

int module_load_allocator(void)
{
	const char *path = module_path();
	char beside[300];

	if (!path)
		return -ENOENT;
	snprintf(beside, sizeof(beside), "%.*s/" MODULE_ALLOCATOR ".ko",
		 (int)(strrchr(path, '/') - path), path);
	return module_load_from(beside, "");
}

int module_unload_allocator(void)
{
	return syscall(SYS_delete_module, MODULE_ALLOCATOR, O_NONBLOCK) ? -errno : 0;
}

int module_users(void)
{
	char text[16];
	int err = machine_read("/sys/module/" MODULE_NAME "/refcnt", text,
			       sizeof(text));

	return err ? err : atoi(text);
}

int module_kprobe_on(const char *symbol)
{
	char line[256];
	int found = 0;
	FILE *f = fopen(KPROBES_LIST, "re");

	if (!f) {
		mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
		f = fopen(KPROBES_LIST, "re");
	}
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f))
		found |= strstr(line, symbol) != NULL;
	fclose(f);
	return found;
}

static __u64 find_address(const char *symbol)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t len = strlen(symbol);
	__u64 found = 0;
	char line[640];

	while (f && !found && fgets(line, sizeof(line), f)) {
		/* "address type name", or "... name [module]" */
		const char *name = strchr(line, ' ');

		name = name ? strchr(name + 1, ' ') : NULL;
		if (name && !strncmp(name + 1, symbol, len) &&
		    (name[1 + len] == '\n' || name[1 + len] == '\t'))
			found = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
	return found;
}

/* /proc/kallsyms takes an emulated machine a second to go through. */
static __u64 address_of(const char *symbol)
{
	static struct {
		char name[128];
		__u64 address;
	} known[8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known) && known[i].address; i++)
		if (!strcmp(known[i].name, symbol))
			return known[i].address;
	i %= ARRAY_SIZE(known);
	known[i].address = find_address(symbol);
	snprintf(known[i].name, sizeof(known[i].name), "%s", symbol);
	return known[i].address;
}

/* Kernel memory, by the ELF segments that /proc/kcore has for it. */
static int read_kernel(__u64 address, void *buf, size_t len)
{
	int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	int err = -EFAULT;
	Elf64_Ehdr elf;
	Elf64_Phdr segment;
	unsigned int i;

	if (fd < 0)
		return -errno;
	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    elf.e_ident[EI_CLASS] != ELFCLASS64)
		elf.e_phnum = 0;
	for (i = 0; i < elf.e_phnum; i++) {
		off_t at = elf.e_phoff + i * sizeof(segment);

		if (pread(fd, &segment, sizeof(segment), at) != sizeof(segment))
			break;
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_memsz)
			continue;
		at = segment.p_offset + (address - segment.p_vaddr);
		if (pread(fd, buf, len, at) == (ssize_t)len)
			err = 0;
		break;
	}
	close(fd);
	return err;
}

/*
 * struct tracepoint begins with a pointer to the name and a static key, whose
 * first word is the count; so from 3.x to 7.x.
 */
int module_tracepoint_users(const char *name)
{
	char symbol[128];
	__u64 address;
	int count;
	int err;

	snprintf(symbol, sizeof(symbol), "__tracepoint_%s", name);
	address = address_of(symbol);
	if (!address)
		return -ENOENT;
	err = read_kernel(address + sizeof(__u64), &count, sizeof(count));
	return err ? err : count;
}

/* The log grows at its end; a mark is how many lines it had. */
static int log_lines(int skip, const char *text)
{
	char *log = malloc(LOG_BYTES);
	int found = 0;
	char *line;
	int n;

	if (!log)
		return -ENOMEM;
	n = klogctl(LOG_READ_ALL, log, LOG_BYTES - 1);
	log[n > 0 ? n : 0] = '\0';
	for (line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
		if (skip-- <= 0)
			found += strstr(line, text) != NULL;
	free(log);
	return n < 0 ? -errno : found;
}

int module_log_mark(void)
{
	return log_lines(0, "");
}

int module_log_lines(int mark, const char *text)
{
	return log_lines(mark, text);
}
