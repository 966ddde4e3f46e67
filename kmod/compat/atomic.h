/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Acquire and release of the u64 counters that a ring shares with its reader.
 */
#ifndef CSN_COMPAT_ATOMIC_H
#define CSN_COMPAT_ATOMIC_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>

#ifdef CONFIG_64BIT

/* Pairs with an acquire that the user names. */
#define csn_store_release_u64(p, v)	smp_store_release(p, v)
/* Pairs with a release that the user names. */
#define csn_load_acquire_u64(p)		smp_load_acquire(p)

#else

/*
 * A 32-bit kernel cannot store 64 bits at once. The halves are ordered so
 * that the low one, which moves with every slot, is whole and decides; a
 * reader can only be mistaken while the high one changes, once in 256 GiB of
 * records, and then sees a tail that makes no sense: a full ring.
 */
union csn_u64_halves {
	u64 v;
	struct {
#ifdef __BIG_ENDIAN
		u32 high, low;
#else
		u32 low, high;
#endif
	};
};

static inline void csn_store_release_u64(u64 *p, u64 v)
{
	union csn_u64_halves *h = (union csn_u64_halves *)p;
	union csn_u64_halves n = { .v = v };

	WRITE_ONCE(h->high, n.high);
	/* Pairs with the acquire below. */
	smp_store_release(&h->low, n.low);
}

static inline u64 csn_load_acquire_u64(const u64 *p)
{
	const union csn_u64_halves *h = (const union csn_u64_halves *)p;
	union csn_u64_halves n;

	/* Pairs with the release above. */
	n.low = smp_load_acquire(&h->low);
	n.high = READ_ONCE(h->high);
	return n.v;
}

#endif /* CONFIG_64BIT */

#endif /* CSN_COMPAT_ATOMIC_H */
