# SPDX-License-Identifier: GPL-2.0-only
"""
Traces of Linux 6.1 (Debian 12: trace-cmd 3.1.6, perf 6.1) that names-guest
made, of processes with hostile names and with losses, against what the kernel
counted at the same time: its histogram by process and order.
"""

import lzma
import os
import re

import counting

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data/names-6.1")


def _read(name):
    with lzma.open(os.path.join(DATA, f"{name}.txt.xz")) as file:
        return file.read()


def _histogram(name):
    """{pid: {order: count}}"""
    counts = {}
    for pid, order, count in re.findall(
            rb"\{ common_pid: +(\d+), order: +(\d+) \} hitcount: +(\d+)", _read(name)):
        counts.setdefault(int(pid), {})[int(order)] = int(count)
    return counts


def _ids(name):
    """{pid: the name as the kernel cut it off}; blanks that a column of the
    trace can hide are left out."""
    return {int(pid): comm[:15].strip().decode() for pid, comm in
            re.findall(rb"^(\d+) (.*)\|$", _read(name), re.M)}


def _counted(tool, text, pids):
    """{pid: {order: count}} and {pid: name} by a run for each process, as
    --by shows ten only."""
    counts, names = {}, {}
    for pid in pids:
        (row,) = counting.objects(tool, text, "--by", "pid", "-p", str(pid), "1000000")
        counts[pid] = {n: count for n, count in enumerate(row["orders"]) if count}
        names[pid] = (row["comm"] or "").strip()
    return counts, names


def _names(tap, tool):
    ids = _ids("names-ids")
    wanted = _histogram("names-hist")
    tap.equal("there are twelve names, all in the histogram",
              (len(ids), sorted(set(ids) - set(wanted))), (12, []))
    for sample in ("names-trace", "names-trace-cmd"):
        text = _read(sample)
        counts, names = _counted(tool, text, sorted(wanted))
        tap.equal(f"{sample}: each process and order as the kernel counted", counts, wanted)
        tap.equal(f"{sample}: names", {pid: names[pid] for pid in ids}, ids)
        sums = {}
        for orders in wanted.values():
            for order, count in orders.items():
                sums[order] = sums.get(order, 0) + count
        tap.equal(f"{sample}: all together", counting.total(tool, text), (sums, 0, 0))


def _perf(tap, tool):
    """Each process has one allocation of order 0 that the histogram has and
    perf did not record: by the stacks that ftrace showed of another run (6.1),
    the page in which exit_mmap() gathers what it unmaps, GFP_NOWAIT, when
    do_exit() has taken the memory from the task. Why perf leaves it out is not
    known. What is in the text is counted by the ids, too."""
    text, ids = _read("names-perf"), _ids("names-perf-ids")
    made, found = _histogram("names-perf-hist"), {}
    for pid in ids:
        orders = re.findall(rb" %d \[\d+\] .* pfn=0x[0-9a-f]+ order=(\d+) migratetype=" % pid, text)
        found[pid] = {int(order): orders.count(order) for order in orders}
    counts, names = _counted(tool, text, sorted(ids))
    tap.equal("names-perf: twelve processes", len(ids), 12)
    tap.equal("names-perf: each process and order as found by its id", counts, found)
    tap.equal("names-perf: as the kernel counted, but for one each",
              {pid: {**orders, 0: orders[0] + 1} for pid, orders in counts.items()},
              {pid: made[pid] for pid in ids})
    tap.equal("names-perf: names", names, ids)


def _losses(tap, tool):
    """The histogram has what the ring lost, too."""
    for sample, marker in (("lost-pipe", rb"^CPU:\d+ \[LOST (\d+) EVENTS\]$"),
                           ("lost-trace-cmd", rb"^CPU:\d+ \[(\d+) EVENTS DROPPED\]$")):
        text = _read(sample)
        made = sum(sum(orders.values()) for orders in _histogram(f"{sample}-hist").values())
        markers = re.findall(marker, text, re.M)
        status, _, err = tool.run("--csv", "-i", tool.file("text", text), "1000000")
        (row,) = counting.rows(tool, text, "1000000")
        counted = sum(counting.by_order(row).values())
        tap.equal(f"{sample}: there are losses, and the text is whole",
                  (len(markers) > 0, status, b"skipped" in err), (True, 0, False))
        tap.equal(f"{sample}: counted and lost are what the kernel counted",
                  (counted + int(row["lost"]), row["lower_bound"]), (made, "1"))
        tap.equal(f"{sample}: lost as the markers say", int(row["lost"]), sum(map(int, markers)))


def _perf_loss(tap, tool):
    """perf record -m 1: a shell that forks 300 times. Its lost records are of
    forks and exits, too, so the kernel's count is between two numbers."""
    text = _read("lost-perf")
    made = _histogram("lost-perf-hist")[124]
    status, _, err = tool.run("--csv", "-i", tool.file("text", text), "1000000")
    (row,) = counting.rows(tool, text, "1000000")
    counted = counting.by_order(row)
    tap.equal("lost-perf: the text is whole, the marker is reported",
              (status, b"skipped" in err, row["lost"], row["lower_bound"]),
              (0, False, "418", "1"))
    tap.equal("lost-perf: counted as the lines are",
              sum(counted.values()), text.count(b"kmem:mm_page_alloc:"))
    tap.equal("lost-perf: the kernel's count is between counted and counted and lost",
              (all(count <= made[order] for order, count in counted.items() if count),
               sum(made.values()) <= sum(counted.values()) + 418), (True, True))


def run(tap, tool):
    for part in (_names, _perf, _losses, _perf_loss):
        part(tap, tool)
