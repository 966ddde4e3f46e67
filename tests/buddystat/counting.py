# SPDX-License-Identifier: GPL-2.0-only
"""
What buddystat is held against: rows read back from its CSV and JSON by
Python's own parsers, and counts made by other means than its own.
"""

import csv
import io
import json
import re

ORDERS = 16  # columns of CSV that is made of trace text


def rows(tool, text, *options):
    """The rows of a text as dicts, from CSV; none after an error."""
    status, out, _ = tool.run("--csv", "-i", tool.file("rows", text), *options)
    if status:
        return []
    return list(csv.DictReader(io.StringIO(out.decode(), newline="")))


def objects(tool, text, *options):
    """The same from JSON."""
    status, out, _ = tool.run("--json", "-i", tool.file("rows", text), *options)
    if status:
        return []
    return [json.loads(line) for line in out.decode().split("\n") if line]


def by_order(row):
    """The orders of a row of CSV that occur."""
    counts = {n: int(row[f"order{n}"]) for n in range(ORDERS)}
    return {n: count for n, count in counts.items() if count}


def total(tool, text, *options):
    """Counts by order, failed and fallback of a whole text."""
    got = rows(tool, text, *options)
    orders = {}
    for row in got:
        for n, count in by_order(row).items():
            orders[n] = orders.get(n, 0) + count
    return (orders, sum(int(row["failed"] or 0) for row in got),
            sum(int(row["fallback"] or 0) for row in got))


def tasks(tool, text):
    """(name, pid, how often) of each allocation's task, most often first."""
    return [(row["comm"], row["pid"], sum(row["orders"]) + row["failed"])
            for row in objects(tool, text, "--by", "pid", "1000000")]


def seed_events(text):
    """(time, order) as parse.py of the seed finds them, for text in which
    no other event and no task looks like mm_page_alloc."""
    events = []
    for line in text.decode("latin-1").split("\n"):
        if "mm_page_alloc:" not in line:
            continue
        before, after = line.split("mm_page_alloc", 1)
        stamp = re.search(r"[0-9]+\.[0-9]+", before).group(0)
        events.append((float(stamp), int(re.search("order=([0-9]+)", after).group(1))))
    return events


def seed_series(events, orders=ORDERS):
    """The points that parse.py plots, and a last one for what is left over:
    (time, counts by order so far)."""
    start, counts, points = None, [0] * orders, []
    for ts, order in events:
        if start is None:
            start = ts
        if start + 1 < ts:
            points.append((start + 1, list(counts)))
            start = ts
        counts[order] += 1
    if start is not None:
        points.append((start + 1, list(counts)))
    return points


def our_series(got):
    """Rows of --cumulative --csv, in the same shape."""
    return [(float(row["time"]), [int(row[f"order{n}"]) for n in range(ORDERS)])
            for row in got]


def same_points(ours, theirs):
    """Equal to the microsecond, which is what trace text has."""
    return ([(round(ts, 6), counts) for ts, counts in ours] ==
            [(round(ts, 6), counts) for ts, counts in theirs])


def alloc(ts, order=0, comm=b"sh", pid=915, cpu=0, failed=False, migratetype=0,
          event=b"mm_page_alloc"):
    """A line of the kernel's own format."""
    page, pfn = (b"0000000000000000", b"0x0") if failed else (b"00000000a1b2c3d4", b"0x1f0a2")
    key = b"alloc_order" if event == b"mm_page_alloc_extfrag" else b"order"
    return (b"%16s-%-7d [%03d] ..... %s: %s: page=%s pfn=%s %s=%d migratetype=%d"
            b" gfp_flags=GFP_KERNEL\n" % (
                comm, pid, cpu, b"%12.6f" % ts, event, page, pfn, key, order,
                migratetype))
