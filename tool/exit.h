/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_EXIT_H
#define CSN_EXIT_H

#ifndef __printf
#define __printf(format, args) \
	__attribute__((__format__(__printf__, format, args)))
#endif

/**
 * enum csn_exit - how a tool ends, for scripts
 * @CSN_EXIT_OK: done, time over, or interrupted.
 * @CSN_EXIT_ERROR: anything not listed below; a damaged recording.
 * @CSN_EXIT_USAGE: the command line makes no sense.
 * @CSN_EXIT_NO_DEVICE: the module is not loaded and could not be loaded.
 * @CSN_EXIT_PERMISSION: the caller may not open the device.
 * @CSN_EXIT_NO_PROCESS: no process has the id given with -p.
 * @CSN_EXIT_ABI: tool and module are of versions that do not fit together.
 * @CSN_EXIT_BUSY: the device says that something else is using it.
 * @CSN_EXIT_UNSUPPORTED: this kernel lacks what was asked for.
 * @CSN_EXIT_MEMORY: no memory, here or in the kernel.
 * @CSN_EXIT_PIPE: nobody reads the output any more; what a shell shows for
 *	a program that SIGPIPE ended.
 */
enum csn_exit {
	CSN_EXIT_OK		= 0,
	CSN_EXIT_ERROR		= 1,
	CSN_EXIT_USAGE		= 2,
	CSN_EXIT_NO_DEVICE	= 3,
	CSN_EXIT_PERMISSION	= 4,
	CSN_EXIT_NO_PROCESS	= 5,
	CSN_EXIT_ABI		= 6,
	CSN_EXIT_BUSY		= 7,
	CSN_EXIT_UNSUPPORTED	= 8,
	CSN_EXIT_MEMORY		= 9,
	CSN_EXIT_PIPE		= 141,
};

/* Set by each tool's main(): the name its messages begin with. */
extern const char *csn_exit_program;

void csn_exit_note(const char *format, ...)
	__printf(1, 2);
enum csn_exit csn_exit_fail(enum csn_exit status, const char *format, ...)
	__printf(2, 3);
enum csn_exit csn_exit_output(int error);
enum csn_exit csn_exit_print(const char *text);

#endif
