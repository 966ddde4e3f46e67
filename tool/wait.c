// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for input, for a moment in time, and for the user's ^C. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "wait.h"

#define NSEC_PER_SEC	1000000000ULL

static atomic_bool interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = true;
}

/**
 * csn_wait_catch_signals() - let SIGINT and SIGTERM end the tool in good order
 *
 * The second one ends it at once, in case the output is stuck. Writing to a
 * closed pipe becomes an error that can be told from others.
 */
void csn_wait_catch_signals(void)
{
	struct sigaction action = {
		.sa_handler = on_signal,
		.sa_flags = SA_RESTART | SA_RESETHAND,
	};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
}

/**
 * csn_wait_interrupted() - whether the user wants the tool to end
 *
 * Return: true once SIGINT or SIGTERM came.
 */
bool csn_wait_interrupted(void)
{
	return interrupted;
}

/**
 * csn_wait_now() - the clock of all waits
 *
 * Return: CLOCK_MONOTONIC, ns.
 */
__u64 csn_wait_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static int poll_until(struct pollfd *fds, nfds_t nr, __u64 until)
{
	sigset_t ours, before;
	struct timespec left;
	__u64 now = csn_wait_now();
	int ready, error;

	if (until != CSN_WAIT_FOREVER && until > now) {
		left.tv_sec = (until - now) / NSEC_PER_SEC;
		left.tv_nsec = (until - now) % NSEC_PER_SEC;
	} else {
		left.tv_sec = 0;
		left.tv_nsec = 0;
	}

	/* A signal between the check and the sleep must not be slept over. */
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigprocmask(SIG_BLOCK, &ours, &before);
	if (interrupted) {
		ready = -1;
		errno = EINTR;
	} else {
		ready = ppoll(fds, nr, until == CSN_WAIT_FOREVER ? NULL : &left,
			      &before);
	}
	error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return ready;
}

/**
 * csn_wait_readable() - wait for something to read
 * @fd: from where.
 * @until: when to give up, as csn_wait_now() tells the time.
 *
 * Return: why the wait ended.
 */
enum csn_wait_result csn_wait_readable(int fd, __u64 until)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		/* No events: wakes up when the other end of a pipe is closed. */
		{ .fd = STDOUT_FILENO },
	};
	int ready = poll_until(fds, 2, until);

	if (ready < 0)
		return errno == EINTR ? CSN_WAIT_INTERRUPTED : CSN_WAIT_ERROR;
	if (fds[1].revents & POLLERR)
		return CSN_WAIT_NO_OUTPUT;
	return fds[0].revents ? CSN_WAIT_READY : CSN_WAIT_TIMEOUT;
}
