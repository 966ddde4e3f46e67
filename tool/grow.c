// SPDX-License-Identifier: GPL-2.0-only
/* Arrays on the heap that grow by one at a time. */
#include <stdlib.h>

#include "grow.h"

/**
 * csn_grow() - make room for one more element
 * @list: the array, grown by this function alone; NULL: none yet.
 * @nr: elements in it.
 * @size: of an element, bytes.
 *
 * Its room is the power of two from @nr on, so it need not be kept.
 *
 * Return: the array, moved perhaps; NULL: no memory, and @list stays.
 */
void *csn_grow(void *list, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return list;
	return reallocarray(list, nr ? 2 * nr : 1, size);
}
