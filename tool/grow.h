/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_GROW_H
#define CSN_GROW_H

#include <stddef.h>

void *csn_grow(void *list, size_t nr, size_t size);

#endif
