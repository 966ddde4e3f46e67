// SPDX-License-Identifier: GPL-2.0-only
/* How far a long file has been read, on standard error if that is a terminal. */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "progress.h"
#include "wait.h"

#define MIB		(1ULL << 20)
#define PERIOD_NS	500000000ULL	/* between two messages, and before the first */

static bool is_shown;
static __u64 next;

/**
 * csn_progress_show() - show it, if it is time to
 * @done: bytes read.
 * @size: of the file, 0 if it has none.
 */
void csn_progress_show(__u64 done, __u64 size)
{
	__u64 now = csn_wait_now();

	if (!next)
		next = now + PERIOD_NS;
	if (now < next || !isatty(STDERR_FILENO))
		return;
	next = now + PERIOD_NS;
	is_shown = true;
	fprintf(stderr, "\r%llu MiB", done / MIB);
	if (size)
		fprintf(stderr, " of %llu (%llu %%)", size / MIB, done * 100 / size);
	fputs(" read ", stderr);
}

/**
 * csn_progress_clear() - make room for what is printed now
 */
void csn_progress_clear(void)
{
	if (is_shown)
		fputs("\r\033[K", stderr);
	is_shown = false;
}
