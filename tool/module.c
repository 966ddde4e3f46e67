// SPDX-License-Identifier: GPL-2.0-only
/* Loading the kernel module. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/compactsnoop.h>

#include "module.h"

#define NODE_TRIES	200	/* 2 s, for a udevd that makes the node */
#define NODE_PAUSE_NS	10000000

/* Silent: our own message says what to do, and the kernel's log why. */
static bool run_modprobe(const char *path)
{
	char * const argv[] = { "modprobe", "-q", CSN_DEVICE_NAME, NULL };
	posix_spawn_file_actions_t actions;
	int error, status;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions))
		return false;
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	error = posix_spawn(&pid, path, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/**
 * csn_module_load() - load the module, if we may
 * @node: the device node that shows that it is ready.
 *
 * Return: what came of it.
 */
enum csn_module_state csn_module_load(const char *node)
{
	static const char * const paths[] = { "/sbin/modprobe", "/usr/sbin/modprobe" };
	const struct timespec pause = { .tv_nsec = NODE_PAUSE_NS };
	const char *path = NULL;

	for (int i = 1; i >= 0; i--)
		if (!access(paths[i], X_OK))
			path = paths[i];
	if (geteuid() || !path)
		return CSN_MODULE_NOT_TRIED;
	if (!run_modprobe(path))
		return CSN_MODULE_FAILED;
	for (int i = 0; i < NODE_TRIES; i++) {
		if (!access(node, F_OK))
			return CSN_MODULE_LOADED;
		nanosleep(&pause, NULL);
	}
	return CSN_MODULE_NO_NODE;
}
