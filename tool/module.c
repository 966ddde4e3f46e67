// SPDX-License-Identifier: GPL-2.0-only
/* Loading the kernel module, and why it does not load. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/compactsnoop.h>

#include "module.h"

#define NODE_TRIES	200	/* 2 s, for a udevd that makes the node */
#define NODE_PAUSE_NS	10000000

/* The first line says it all; what is longer than @words, nobody needs. */
static void read_words(int fd, char words[CSN_MODULE_WORDS])
{
	size_t length = 0;
	ssize_t got;

	while (length < CSN_MODULE_WORDS - 1) {
		got = read(fd, words + length, CSN_MODULE_WORDS - 1 - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		length += got;
	}
	words[length] = '\0';
	words[strcspn(words, "\n")] = '\0';
}

/* Its standard error comes in @words, as English as its messages are. */
static bool run_modprobe(const char *path, char words[CSN_MODULE_WORDS])
{
	char * const argv[] = { "modprobe", CSN_DEVICE_NAME, NULL };
	posix_spawn_file_actions_t actions;
	int error, status, fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return false;
	setenv("LC_ALL", "C", 1);
	error = posix_spawn_file_actions_init(&actions);
	if (!error) {
		posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
		error = posix_spawn(&pid, path, &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	if (!error)
		read_words(fds[0], words);
	close(fds[0]);
	if (error)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Whether a small file in /proc or /sys has @text in it. */
static bool file_has(const char *path, const char *text)
{
	char buffer[128];
	ssize_t length;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	length = read(fd, buffer, sizeof(buffer) - 1);
	close(fd);
	if (length < 0)
		return false;
	buffer[length] = '\0';
	return strstr(buffer, text);
}

/* The kernel has one answer, EPERM, to three reasons. */
static enum csn_module_state why_not_permitted(void)
{
	static const char lockdown[] = "/sys/kernel/security/lockdown";

	if (file_has("/proc/sys/kernel/modules_disabled", "1"))
		return CSN_MODULE_DISABLED;
	if (file_has(lockdown, "[integrity]") || file_has(lockdown, "[confidentiality]"))
		return CSN_MODULE_LOCKED_DOWN;
	return CSN_MODULE_FORBIDDEN;
}

/* Modprobe has but one status; the words are kmod's and busybox's. */
static enum csn_module_state why_failed(const char *words)
{
	static const struct {
		const char *words;
		enum csn_module_state state;
	} reasons[] = {
		{ " not found in ",		CSN_MODULE_MISSING },
		{ "Key was rejected",		CSN_MODULE_REJECTED },
		{ "Required key not available",	CSN_MODULE_REJECTED },
		{ "Exec format error",		CSN_MODULE_FOREIGN },
		{ "nvalid module format",	CSN_MODULE_FOREIGN },
		{ "wrong symbol version",	CSN_MODULE_FOREIGN },
	};

	if (strstr(words, "Operation not permitted"))
		return why_not_permitted();
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strstr(words, reasons[i].words))
			return reasons[i].state;
	return CSN_MODULE_FAILED;
}

/**
 * csn_module_load() - load the module, if we may
 * @node: the device node that shows that it is ready.
 * @words: what modprobe said, one line; empty if nothing.
 *
 * Return: what came of it.
 */
enum csn_module_state csn_module_load(const char *node,
				      char words[CSN_MODULE_WORDS])
{
	static const char * const paths[] = { "/sbin/modprobe", "/usr/sbin/modprobe" };
	const struct timespec pause = { .tv_nsec = NODE_PAUSE_NS };
	const char *path = NULL;

	words[0] = '\0';
	for (int i = 1; i >= 0; i--)
		if (!access(paths[i], X_OK))
			path = paths[i];
	if (geteuid() || !path)
		return CSN_MODULE_NOT_TRIED;
	if (!run_modprobe(path, words))
		return why_failed(words);
	for (int i = 0; i < NODE_TRIES; i++) {
		if (!access(node, F_OK))
			return CSN_MODULE_LOADED;
		nanosleep(&pause, NULL);
	}
	return CSN_MODULE_NO_NODE;
}
