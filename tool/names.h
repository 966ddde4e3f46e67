/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_NAMES_H
#define CSN_NAMES_H

#include <stdio.h>
#include <linux/compactsnoop.h>

#define CSN_NAMES_MAX	16	/* longest name made here, NUL included */

const char *csn_names_zone(const struct csn_record_zone_names *zones,
			   unsigned int zone, char buffer[CSN_NAMES_MAX]);
const char *csn_names_status(unsigned int status, char buffer[CSN_NAMES_MAX]);
const char *csn_names_migratetype(unsigned int type);
void csn_names_print_comm(FILE *out, const char *comm, unsigned int width,
			  unsigned int (*width_of)(__u32 ch));

#endif
