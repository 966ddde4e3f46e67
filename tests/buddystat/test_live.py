# SPDX-License-Identifier: GPL-2.0-only
"""Live, with the stand-in for the device (../format/device.c)."""

import csv
import errno
import io
import os
import signal
import struct
import time

import wire
from tool import LIMIT, finish, seconds
from wire import Page

NODES, ZONES, ORDERS, TYPES = 2, 5, 11, 7
ALLOC, FREE, EXTFRAG, FAILED = range(4)
INFO = wire.info(ts=10**9, classes=0xe)


def snapshot(*cells):
    """The kernel's counters; a cell: counter, node, zone, order, type, count."""
    numbers = [0] * ((3 * NODES * ZONES + 1) * ORDERS * TYPES)
    for counter, node, zone, order, kind, count in cells:
        numbers[(((counter * NODES + node) * ZONES + zone) * ORDERS + order) * TYPES + kind] = count
    return struct.pack(f"={len(numbers)}Q", *numbers)


FIRST = snapshot((ALLOC, 0, 2, 0, 0, 100), (ALLOC, 0, 2, 0, 1, 10), (ALLOC, 1, 1, 9, 1, 3),
                 (FREE, 0, 2, 4, 0, 7), (EXTFRAG, 0, 2, 1, 1, 5), (FAILED, 0, 0, 10, 0, 2))
SECOND = snapshot((ALLOC, 0, 2, 0, 0, 101), (ALLOC, 0, 2, 0, 1, 10), (ALLOC, 1, 1, 9, 1, 3),
                  (FREE, 0, 2, 4, 0, 9), (EXTFRAG, 0, 2, 1, 1, 5), (FAILED, 0, 0, 10, 0, 2))


def table(out):
    return list(csv.DictReader(io.StringIO(out.decode(), newline="")))


def count(tool, *options, snapshots=FIRST + SECOND, **settings):
    path = tool.file("counters", snapshots)
    return tool.live(INFO, *options, counters=path, **settings)


def _rows(tap, tool):
    status, out, err = count(tool, "--csv", "0.05", "3")
    got = table(out)
    # The first reading is what the rows count from... the session starts at 0.
    tap.equal("three rows", (status, len(got), err), (0, 3, b""))
    tap.equal("what each interval added",
              [(row["order0"], row["order9"], row["failed"], row["fallback"]) for row in got],
              [("110", "3", "2", "5"), ("1", "0", "0", "0"), ("0", "0", "0", "0")])
    tap.equal("about as long as asked for",
              [0.04 < float(row["seconds"]) < LIMIT for row in got], [True] * 3)
    got = table(count(tool, "--csv", "--cumulative", "0.05", "2")[1])
    tap.equal("--cumulative", [(row["order0"], row["order10"], row["failed"]) for row in got],
              [("110", "2", "2"), ("111", "2", "2")])
    got = table(count(tool, "--csv", "--free", "0.05", "2")[1])
    tap.equal("--free", [(row["event"], row["order0"], row["order4"]) for row in got],
              [("alloc", "110", "0"), ("free", "0", "7"), ("alloc", "1", "0"), ("free", "0", "2")])
    got = table(count(tool, "--csv", "--migratetype", "0.05", "1")[1])
    tap.equal("--migratetype",
              [(row["migratetype"], row["order0"], row["order9"], row["failed"], row["fallback"])
               for row in got],
              [("Unmovable", "100", "0", "2", "0"), ("Movable", "10", "3", "0", "5")])
    got = table(count(tool, "--csv", "--zone", "--node", "0.05", "1")[1])
    tap.equal("--zone --node",
              [(row["node"], row["zone"], row["order0"], row["order9"], row["failed"])
               for row in got],
              [("", "", "0", "0", "2"), ("0", "ZONE_NORMAL", "110", "0", "0"),
               ("1", "ZONE_DMA32", "0", "3", "0")])
    status, out, err = count(tool, "0.05", "1", beyond=3)
    tap.equal("frees of gigantic pages",
              err, b"buddystat: 3 frees of gigantic pages are in no column\n")


def _table(tap, tool):
    out = count(tool, "0.05", "2")[1].decode().split("\n")
    tap.equal("a table", [line.split() for line in out[1:4]],
              [[str(n) for n in range(11)] + ["failed", "fallback"],
               ["110"] + ["0"] * 8 + ["3", "0", "2", "5"], ["1"] + ["0"] * 12])
    tap.equal("80 columns", max(map(len, out)) <= 80, True)


def _config(tap, tool):
    """What the module is asked for."""
    path = tool.file("config")
    for options, classes, counters, match in (
            ((), 0, 0xa, 0), (("--free",), 0, 0xe, 0), (("-p", str(os.getpid())), 0, 0xa, 1),
            (("--comm", "x"), 0, 0xa, 4), (("--by", "comm"), 0xa, 0, 0)):
        count(tool, *options, "0.05", "1", config_file=path)
        with open(path, "rb") as file:
            config = file.read()
        fields = struct.unpack_from("=7I", config)
        tap.equal(f"config for {' '.join(options) or 'no option'}",
                  (fields[0], fields[1], fields[5], fields[6]),
                  (len(config), classes, counters, match))


def _interrupt(tap, tool):
    for number in (signal.SIGINT, signal.SIGTERM):
        process, source = tool.start("1000", counters=tool.file("counters", FIRST))
        head = process.stdout.readline()
        process.stdout.readline()
        process.send_signal(number)
        status, out, err = finish(process, source)
        lines = [line.split() for line in out.decode().split("\n")]
        row = ["110"] + ["0"] * 8 + ["3", "0", "2", "5"]
        tap.equal(f"{number.name}: the row so far and the totals",
                  (status, b"allocations by order" in head, lines[0], lines[1][:2], lines[2], err),
                  (0, True, row, ["total", "of"], row, b""))
    process, source = tool.start("1000", counters=tool.file("counters", FIRST))
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    (status, _, err), took = seconds(lambda: finish(process, source))
    tap.equal("the output's reader leaves while nothing happens",
              (status, err, took < 10), (141, b"", True))


def _errors(tap, tool):
    for name, options, settings, status, words in (
            ("not loaded", (), {"open": errno.ENOENT}, 3, b"as root: modprobe compactsnoop"),
            ("no right to open", (), {"open": errno.EACCES}, 4, b"run it as root"),
            ("no tracepoints", (), {"start": errno.ENODEV, "features": 0}, 8, b"CONFIG_TRACEPOINTS"),
            ("no such process", ("-p", "4194304"), {"config": errno.ESRCH}, 5, b"no process"),
            ("no capture from boot", ("--boot",), {"take_boot": errno.ENOENT}, 1, b"boot_events="),
            ("a module without it", ("--boot",), {"take_boot": errno.ENOTTY}, 1, b"boot_events="),
            ("capture taken", ("--boot",), {"take_boot": errno.EBUSY}, 7, b"taken already")):
        got, out, err = count(tool, *options, **settings)
        tap.equal(f"error: {name}", (got, out, err.count(b"\n"), words in err),
                  (status, b"", 1, True))
    status, _, err = count(tool, "0.05", "1", "--free", classes=2)
    tap.equal("neither frees nor fallbacks on this kernel",
              (status, err), (0, b"buddystat: this kernel does not tell frees: they show as 0\n"
                              b"buddystat: this kernel does not tell fallbacks: they show as 0\n"))


def _records(tap, tool):
    """--by: rows by the records' own time; idle intervals too."""
    process, source = tool.start("--by", "comm", "--csv", "-p", str(os.getpid()), "0.2", "4")
    start = time.monotonic_ns()
    pid = os.getpid()
    source.write(wire.info(ts=start, classes=0xe) +
                 b"".join(Page(start + 1000 * n, pid=pid, comm=b"x" if n % 3 else b"y").encode()
                          for n in range(9)))
    status, out, err = finish(process, source)
    got = table(out)
    tap.equal("--by comm, live", (status, err,
                                  [(row["comm"], row["order0"]) for row in got]),
              (0, b"", [("x", "6"), ("y", "3"), ("", "0"), ("", "0"), ("", "0")]))


def _boot(tap, tool):
    """From the first record up to now, and then no further, or live."""
    start = time.monotonic_ns() - 5 * 10**9
    stream = wire.info(ts=start, classes=0xe) + b"".join(
        Page(start + n * 10**8, order=n % 3).encode() for n in range(25))
    wanted = [("4", "3", "3"), ("3", "4", "3"), ("2", "1", "2"), ("0",) * 3, ("0",) * 3]

    def orders(out):
        return [(row["order0"], row["order1"], row["order2"]) for row in table(out)]

    status, out, err = count(tool, "--boot", "--csv", boot=tool.file("boot", stream))
    got = orders(out)
    tap.equal("--boot: from the first record up to now, idle seconds too",
              (status, err, got[:5], set(got[5:]) <= {("0",) * 3}), (0, b"", wanted, True))
    process, source = tool.start("--boot", "--csv", "1", "9", boot=tool.file("fifo"))
    source.write(stream)
    status, out, err = finish(process, source)
    tap.equal("--boot 1 9: and on, until there are 9 rows",
              (status, err, orders(out)), (0, b"", wanted + [("0",) * 3] * 4))


def _record(tap, tool):
    stream = INFO + Page(10**9 + 5).encode() * 100
    path = tool.file("made.rec")
    for file in (path, "-"):
        status, out, err = tool.live(stream, "record", file)
        if file == path:
            with open(path, "rb") as made:
                out = made.read()
        tap.equal(f"record {'-' if file == '-' else 'FILE'}", (status, out == stream, err),
                  (0, True, b""))
    status, _, err = tool.live(stream, "record", "/nonexistent/x")
    tap.equal("record: no such directory", (status, err),
              (1, b"buddystat: cannot write /nonexistent/x: No such file or directory\n"))
    status, _, err = tool.live(stream, "record", "/dev/full")
    tap.equal("record: the disk is full", (status, err),
              (1, b"buddystat: cannot write: No space left on device\n"))
    status, _, err = tool.live(stream, "record", path, lost=5)
    tap.equal("record: events lost", (status, err),
              (0, b"buddystat: 5 events are lost: record less, or load the module with a larger ring_kb\n"))


def run(tap, tool):
    if not tool.stand_in:
        tap.skip("live, with a stand-in for the device", "the tool is static")
        return
    for part in (_rows, _table, _config, _interrupt, _errors, _records, _boot, _record):
        part(tap, tool)
