// SPDX-License-Identifier: GPL-2.0-only
/* Intervals as rows, in whichever format. */
#include <errno.h>

#include "rows.h"

static int flush(FILE *out)
{
	return fflush(out) || ferror(out) ? -(errno ?: EIO) : 0;
}

/**
 * csn_rows_count() - the number in the column of an order
 * @rows: how it is printed.
 * @row: the row.
 * @is_free: of frees.
 * @order: of the column.
 *
 * Allocations that failed are counted apart; but of cumulative counts each
 * is one of its order too, as in the program that those agree with.
 *
 * Return: the number.
 */
__u64 csn_rows_count(const struct csn_rows *rows, const struct csn_row *row,
		     bool is_free, unsigned int order)
{
	if (is_free)
		return row->counts.free[order];
	return row->counts.alloc[order] +
	       (rows->cumulative ? row->counts.failed[order] : 0);
}

/**
 * csn_rows_failed() - count the allocations that got no pages
 * @row: the row.
 *
 * Return: how many.
 */
__u64 csn_rows_failed(const struct csn_row *row)
{
	__u64 sum = 0;

	for (size_t i = 0; i < CSN_PAGES_ORDERS; i++)
		sum += row->counts.failed[i];
	return sum;
}

/* Columns for all orders that occur. */
static bool grow(struct csn_rows *rows, const struct csn_interval *interval)
{
	unsigned int before = rows->nr_orders;

	for (size_t i = 0; i < interval->nr_rows; i++) {
		const struct csn_counts *counts = &interval->row[i].counts;

		for (unsigned int n = rows->nr_orders; n < CSN_PAGES_ORDERS; n++)
			if (counts->alloc[n] || counts->failed[n] ||
			    (rows->with_free && counts->free[n]))
				rows->nr_orders = n + 1;
	}
	return rows->nr_orders != before;
}

static void print_header(struct csn_rows *rows)
{
	if (rows->format == CSN_ROWS_TABLE)
		csn_table_header(rows);
	else
		csn_export_header(rows);
	rows->has_header = true;
}

/**
 * csn_rows_header() - print the names of the columns, unless they are there
 * @rows: how.
 *
 * Return: 0, or -errno if the output takes no more.
 */
int csn_rows_header(struct csn_rows *rows)
{
	if (rows->has_header)
		return 0;
	errno = 0;
	print_header(rows);
	return flush(rows->out);
}

/**
 * csn_rows_print() - print an interval
 * @rows: how.
 * @interval: what.
 *
 * Return: 0, or -errno if the output takes no more.
 */
int csn_rows_print(struct csn_rows *rows, const struct csn_interval *interval)
{
	bool grew = rows->format != CSN_ROWS_CSV && grow(rows, interval);

	errno = 0;
	if (!rows->has_header || grew)
		print_header(rows);
	if (rows->format == CSN_ROWS_TABLE)
		csn_table_interval(rows, interval);
	else if (!interval->is_total)
		csn_export_interval(rows, interval);
	return flush(rows->out);
}
