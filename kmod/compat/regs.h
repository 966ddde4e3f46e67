/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments and return value of a probed function. */
#ifndef CSN_COMPAT_REGS_H
#define CSN_COMPAT_REGS_H

#include <linux/ptrace.h>

/* Arguments of a probed call can be had: the module can probe functions. */
#if defined(CONFIG_KRETPROBES) && (defined(CSN_HAVE_REGS_GET_KERNEL_ARGUMENT) || \
				   defined(CONFIG_ARM) || defined(CONFIG_PPC))
#define CSN_CAN_PROBE_CALLS

/**
 * csn_regs_argument() - an integer or pointer argument at a function's entry
 * @regs: at the entry.
 * @n: 0 for the first, at most 3.
 *
 * 32-bit ARM has no regs_get_kernel_argument(), powerpc had none at first.
 *
 * Context: kprobe handler.
 * Return: the argument as the register has it.
 */
static inline unsigned long csn_regs_argument(struct pt_regs *regs, unsigned int n)
{
#if defined(CSN_HAVE_REGS_GET_KERNEL_ARGUMENT)
	return regs_get_kernel_argument(regs, n);
#elif defined(CONFIG_ARM)
	return regs->uregs[n];
#else
	return regs->gpr[3 + n];
#endif
}

/**
 * csn_regs_int_return() - what a function that returns an int returned
 * @regs: at the return.
 *
 * powerpc's regs_return_value() negates the value after what it takes for a
 * failed system call, so the register is read there.
 *
 * Context: kretprobe handler.
 * Return: the value.
 */
static inline int csn_regs_int_return(struct pt_regs *regs)
{
#ifdef CONFIG_PPC
	return (int)regs->gpr[3];
#else
	return (int)regs_return_value(regs);
#endif
}

#endif /* CSN_CAN_PROBE_CALLS */

#endif /* CSN_COMPAT_REGS_H */
