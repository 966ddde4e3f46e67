# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of the device, by -i."""

import itertools
import re
import unicodedata

import counting
import wire
from wire import Page

SECOND = 10**9
CLASSES = 0xe  # allocations, frees, fallbacks
INFO = wire.info(ts=SECOND, classes=CLASSES)


def at(seconds):
    return int(seconds * SECOND)


def _rows(tap, tool):
    stream = INFO + b"".join(page.encode() for page in (
        Page(at(1.1)), Page(at(1.2), order=3), Page(at(1.3), order=10, comm=b"sh", pid=7),
        wire.failed(ts=at(1.4), order=9), Page(at(1.5), type=wire.PAGE_FREE, order=4),
        Page(at(1.6), type=wire.PAGE_EXTFRAG, order=2),
        Page(at(4.5), zone=1, node=1, migratetype=1)))
    got = counting.rows(tool, stream)
    tap.equal("orders, failed, fallback, and idle seconds from the session's start",
              [(row["time"], row["order0"], row["order3"], row["order10"], row["failed"],
                row["fallback"], row["lower_bound"]) for row in got],
              [("2.000000000", "1", "1", "1", "1", "1", "0"),
               ("3.000000000", "0", "0", "0", "0", "0", "0"),
               ("4.000000000", "0", "0", "0", "0", "0", "0"),
               ("5.000000000", "1", "0", "0", "0", "0", "0")])
    tap.equal("orders are the kernel's", "order11" in got[0], False)
    got = counting.rows(tool, stream, "--cumulative", "9")
    tap.equal("cumulative: a failed one is of its order, too",
              [(row["order9"], row["failed"]) for row in got], [("1", "1")])
    got = counting.rows(tool, stream, "--free", "9")
    tap.equal("--free", [(row["event"], row["order4"], row["failed"]) for row in got],
              [("alloc", "0", "1"), ("free", "1", "")])
    got = counting.rows(tool, stream, "--zone", "--node", "9")
    tap.equal("--zone --node",
              [(row["node"], row["zone"], row["order0"], row["failed"]) for row in got],
              [("", "", "0", "1"), ("0", "ZONE_NORMAL", "1", "0"), ("1", "ZONE_DMA32", "1", "0")])
    got = counting.rows(tool, stream, "--by", "pid", "9")
    tap.equal("--by pid", [(row["pid"], row["comm"], row["order0"]) for row in got],
              [("24376", "qemu-system-x86", "2"), ("7", "sh", "0")])
    got = counting.rows(tool, stream, "-p", "7", "9")
    tap.equal("-p", [(row["order0"], row["order10"]) for row in got], [("0", "1")])
    got = counting.rows(tool, stream, "-T", "9")
    tap.equal("-T: wall time at the end of the row", got[0]["date"], "2001-09-09T01:46:50.000000Z")


def _time(tap, tool):
    """Events of two CPUs come in the order of time."""
    stream = INFO + Page(at(2.001)).encode() + Page(at(1.9999), order=1, cpu=1).encode()
    got = counting.rows(tool, stream)
    tap.equal("merged by time", [(row["order0"], row["order1"]) for row in got],
              [("0", "1"), ("1", "0")])


def _lost(tap, tool):
    lost = wire.lost(5, at(3.5))
    stream = INFO + Page(at(1.5)).encode() + lost + Page(at(4.5)).encode()
    got = counting.rows(tool, stream)
    tap.equal("lost events mark the second in which they were lost",
              [(row["lower_bound"], row["lost"]) for row in got],
              [("0", "0"), ("0", "0"), ("1", "5"), ("0", "0")])


def _ends(line):
    """Where the words of a line end."""
    return [match.end() for match in re.finditer(r"\S+", line)]


def _top(tap, tool):
    """--by in a terminal of 80 columns: the widest names and numbers that
    columns are made for, a name that speaks to the terminal, and losses."""
    names = (b"123456789012345", b"\x1b[2J\r\n\tx", b"\xc3\xa4 b", b"a")
    stream = INFO + b"".join(
        Page(at(1.1) + n, pid=4194300 + i, comm=name, order=order).encode() * (9 >> i)
        for i, name in enumerate(names) for n, order in enumerate(range(11)))
    stream += (Page(at(1.2)).encode() * 9999 + wire.lost(5, at(1.5)) +
               Page(at(2.5), comm=b"later", pid=7).encode())
    file = tool.file("top", stream)
    for by, before in (("comm", 0), ("pid", 8)):
        for options in ((), ("-T",)):
            status, out, err = tool.run("--by", by, "-i", file, *options)
            lines = out.decode().split("\n")[:-1]
            what = " ".join(("--by", by) + options)
            tap.equal(f"{what}: fits in 80 columns",
                      (status, err.count(b"\n"), max(map(len, lines)) <= 80), (0, 1, True))
            end = next(n for n, line in enumerate(lines) if line.startswith("total of"))
            rows = [line for line in lines[:end] if line[before:before + 15].strip() in (
                "qemu-system-x86", "123456789012345", "?[2J???x", "\u00e4 b", "a", "later")]
            tap.equal(f"{what}: most first, in each second; control bytes escaped",
                      [line[before:before + 16] for line in rows],
                      [f"{name:16}" for name in ("qemu-system-x86", "123456789012345",
                                                 "?[2J???x", "\u00e4 b", "a", "later")])
            tap.equal(f"{what}: numbers stand below their names",
                      {tuple(_ends(line.rstrip(" +"))[-13:]) for line in rows},
                      {tuple(_ends(lines[1])[-13:])})
            tap.equal(f"{what}: the counts",
                      [line.split()[-14:-3] for line in rows[:1] if line.endswith(" +")],
                      [["9999"] + ["0"] * 10])
            between = lines[lines.index(rows[-2]) + 1]
            tap.equal(f"{what}: seconds stand apart", bool(re.fullmatch(
                r"\d\d:\d\d:\d\d" if options else "", between)), True)


def _fits(tap, tool):
    """Whatever the split, a row is of 80 columns, frees and time included."""
    stream = INFO + b"".join(
        Page(at(1.1) + n, pid=4194300, order=order, node=node, zone=zone,
             migratetype=migratetype, **kind).encode() * count
        for n, (order, node, zone, migratetype) in enumerate(
            itertools.product((0, 9, 10), (0, 1), (1, 2), (1, 2)))
        for kind, count in (({}, 9), ({"type": wire.PAGE_FREE}, 7)))
    stream += wire.lost(5, at(1.5)) + Page(at(2.5)).encode()
    file = tool.file("fits", stream)
    splits = ("--node", "--zone", "--migratetype")
    for options in ([s for n in range(4) for s in itertools.combinations(splits, n)] +
                    [("--by", "comm"), ("--by", "pid")]):
        for more in ((), ("--free",), ("-T",), ("-T", "--free")):
            status, out, _ = tool.run("-n", "-i", file, *options, *more)
            lines = out.decode().split("\n")[:-1]
            rows = [line for line in lines[2:] if len(line.split()) > 12]
            what = " ".join(options + more)
            tap.equal(f"80 columns: {what}", (status, max(map(len, lines)) <= 80), (0, True))
            tap.equal(f"numbers below their names: {what}",
                      {tuple(_ends(line.rstrip(" +"))[-13:-2]) for line in rows},
                      {tuple(_ends(lines[1])[-13:-2])})
            frees = [line for line in rows
                     if line.startswith("  frees" if options else "free") or " free  " in line]
            tap.equal(f"half of the rows are of frees: {what}", 2 * len(frees),
                      len(rows) if "--free" in more else 0)


def _cells(name):
    """Columns of a terminal, by Python's Unicode data."""
    return sum(0 if unicodedata.category(ch) in ("Mn", "Me", "Cf") else
               2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in name)


def _wide(tap, tool):
    """Names that take more or fewer columns than they have characters."""
    names = ("\u65e5\u672c\u8a9e", "\u65e5\u672c\u8a9eabc", "\ud55c\uad6d\uc5b4 x",
             "e\u0301te\u0301", "\U0001f427 tux", "\uff21\uff22\uff23", "\u30ab\u30bf",
             "\u65e5\u672c\u8a9e\u65e5\u672c", "\u200bx", "\ufb01 \u20ac", "\u0440\u0443\u0441")
    stream = INFO + b"".join(Page(at(1.1) + n, pid=10 + n, comm=name.encode(), order=3).encode()
                             for n, name in enumerate(names))
    file = tool.file("wide", stream)
    lines = tool.run("--by", "pid", "-i", file)[1].decode().split("\n")
    tap.equal("names of wide and of combining characters shift nothing",
              {name: _cells(line) for name in names for line in lines if f" {name} " in line},
              {name: len(lines[1]) for name in names})


def _refused(tap, tool):
    event = Page(at(1.5)).encode()
    status, out, err = tool.run("-i", "-", stdin=wire.info() + wire.Event().encode())
    tap.equal("a recording of compactions only", (status, out, err),
              (1, b"", b"buddystat: standard input holds no page allocations: make one "
               b"with buddystat record\n"))
    status, out, err = tool.run("-i", "-", "--csv", "--free",
                                stdin=wire.info(ts=SECOND, classes=2) + event)
    tap.equal("a recording without frees", (status, out.count(b"\n"), err),
              (0, 3, b"buddystat: the recording has no frees: they show as 0\n"))
    status, out, err = tool.run("-i", "-", "--csv", stdin=INFO + event + bytes(64))
    tap.equal("a damaged recording", (status, out.count(b"\n"), b"is damaged at byte 192" in err),
              (1, 2, True))
    status, out, err = tool.run("-i", "-", "--csv", stdin=(INFO + event)[:-1])
    tap.equal("a recording cut off", (status, out.count(b"\n"), b"is cut off" in err), (1, 2, True))
    order = ">" if INFO[:2] == b"\1\0" else "<"
    status, out, err = tool.run("-i", "-", stdin=wire.info(order=order))
    tap.equal("of the other byte order", (status, out, b"other byte order" in err), (1, b"", True))
    status, out, err = tool.run("-i", "-", "--zone", stdin=counting.alloc(1))
    tap.equal("zones of trace text", (status, out, err.count(b"\n")), (2, b"", 1))


def run(tap, tool):
    for part in (_rows, _time, _lost, _top, _fits, _wide, _refused):
        part(tap, tool)
