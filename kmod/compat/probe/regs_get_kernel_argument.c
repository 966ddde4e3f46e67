// SPDX-License-Identifier: GPL-2.0-only
/* Each architecture has its own, or none. */
#include <linux/ptrace.h>

unsigned long csn_probe(struct pt_regs *regs);
unsigned long csn_probe(struct pt_regs *regs)
{
	return regs_get_kernel_argument(regs, 0);
}
