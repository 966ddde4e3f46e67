/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_ROWS_H
#define CSN_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include "series.h"

/* How rows are printed. */
enum csn_rows_format {
	CSN_ROWS_TABLE	= 0,
	CSN_ROWS_CSV	= 1,
	CSN_ROWS_JSON	= 2,
};

/**
 * struct csn_rows - how intervals are printed
 * @out: where to.
 * @format: how.
 * @timestamp: with a column of the time of day, or of the trace's own time.
 * @one_header: of a table: do not repeat the header.
 * @with_free: with rows of frees.
 * @cumulative: the counts are.
 * @by: CSN_BY_*: with these columns.
 * @nr_orders: with columns for the orders below. Grows in a table and in
 *	JSON when the source does not tell the kernel's largest order.
 * @zones: their names; NULL: none are known.
 * @kernel: the kernel that wrote the recording; NULL: it is none.
 * @has_wall: the time of day is known.
 * @wall: time of day at 0 of the source's clock, ns.
 *
 * private: the rest.
 */
struct csn_rows {
	FILE *out;
	enum csn_rows_format format;
	bool timestamp;
	bool one_header;
	bool with_free;
	bool cumulative;
	unsigned int by;
	unsigned int nr_orders;
	const struct csn_record_zone_names *zones;
	const struct csn_record_kernel *kernel;
	bool has_wall;
	__u64 wall;

	/* private: */
	bool has_header;
	unsigned int since_header;	/* lines */
};

int csn_rows_header(struct csn_rows *rows);
int csn_rows_print(struct csn_rows *rows, const struct csn_interval *interval);

/* For those who print. */
__u64 csn_rows_count(const struct csn_rows *rows, const struct csn_row *row,
		     bool is_free, unsigned int order);
__u64 csn_rows_failed(const struct csn_row *row);
void csn_export_header(struct csn_rows *rows);
void csn_export_interval(struct csn_rows *rows,
			 const struct csn_interval *interval);
void csn_table_header(struct csn_rows *rows);
void csn_table_interval(struct csn_rows *rows,
			const struct csn_interval *interval);

#endif
