# SPDX-License-Identifier: GPL-2.0-only
"""Counts over time: intervals, idle ones, cumulative ones as the seed has them."""

import random

import counting


def times(got):
    return [(row["time"], counting.by_order(row)) for row in got]


def _intervals(tap, tool):
    # 10.5 is the start of the second row, to the microsecond.
    text = (counting.alloc(9.5) + counting.alloc(10.499999, 1) + counting.alloc(10.5, 2) +
            counting.alloc(11.4, 3))
    tap.equal("intervals of a second", times(counting.rows(tool, text)),
              [("10.500000000", {0: 1, 1: 1}), ("11.500000000", {2: 1, 3: 1})])
    tap.equal("intervals of 0.25 s", times(counting.rows(tool, text, "0.25")),
              [("9.750000000", {0: 1}), ("10.000000000", {}), ("10.250000000", {}),
               ("10.500000000", {1: 1}), ("10.750000000", {2: 1}), ("11.000000000", {}),
               ("11.250000000", {}), ("11.500000000", {3: 1})])
    tap.equal("intervals of 5 s", times(counting.rows(tool, text, "5")),
              [("14.500000000", {0: 1, 1: 1, 2: 1, 3: 1})])
    tap.equal("count", times(counting.rows(tool, text, "0.25", "3")),
              [("9.750000000", {0: 1}), ("10.000000000", {}), ("10.250000000", {})])


def _idle(tap, tool):
    text = counting.alloc(1) + counting.alloc(5.5, 3)
    tap.equal("idle seconds are zeros", times(counting.rows(tool, text)),
              [("2.000000000", {0: 1}), ("3.000000000", {}), ("4.000000000", {}),
               ("5.000000000", {}), ("6.000000000", {3: 1})])
    # Others' events do not count, but their time does.
    text = counting.alloc(1, comm=b"x") + counting.alloc(3.5, comm=b"y")
    tap.equal("idle by --comm", times(counting.rows(tool, text, "--comm", "x")),
              [("2.000000000", {0: 1}), ("3.000000000", {}), ("4.000000000", {})])
    got = counting.rows(tool, text, "--by", "comm")
    tap.equal("idle by process", [(row["time"][0], row["comm"], row["order0"]) for row in got],
              [("2", "x", "1"), ("3", "", "0"), ("4", "y", "1")])
    got = counting.rows(tool, text.replace(b"migratetype=0", b"migratetype=1", 1),
                        "--migratetype")
    tap.equal("idle by migratetype",
              [(row["time"][0], row["migratetype"], row["order0"]) for row in got],
              [("2", "Movable", "1"), ("3", "Movable", "0"), ("4", "Unmovable", "1"),
               ("4", "Movable", "0")])
    status, out, err = tool.run("--csv", "-i", "-",
                                stdin=counting.alloc(1) + counting.alloc(10**9))
    tap.equal("a clock that jumps by 31 years",
              (status, out.count(b"\n"), err),
              (0, 3, b"buddystat: the time jumps: 999999998 rows without an event are left out\n"))


def _late(tap, tool):
    text = counting.alloc(1) + counting.alloc(2.5, 1) + counting.alloc(1.5, 2) + counting.alloc(3.2)
    tap.equal("an event out of order counts where it comes", times(counting.rows(tool, text)),
              [("2.000000000", {0: 1}), ("3.000000000", {1: 1, 2: 1}), ("4.000000000", {0: 1})])
    tap.equal("and is told of", tool.run("-i", "-", stdin=text)[2],
              b"buddystat: 1 events came after later ones: counted in the row that they came in\n")


def _cumulative(tap, tool):
    """The seed's numbers, recomputed; and what it did not do."""
    # By hand: 1.0 starts; 2.0 is not more than a second later, 2.1 is; then
    # nothing until 9.0, which ends the quantum of 2.1.
    text = (counting.alloc(1) + counting.alloc(2, 1) + counting.alloc(2.1, 2) +
            counting.alloc(9, 3))
    tap.equal("cumulative by hand", times(counting.rows(tool, text, "--cumulative")),
              [("2.000000000", {0: 1, 1: 1}), ("3.100000000", {0: 1, 1: 1, 2: 1}),
               ("10.000000000", {0: 1, 1: 1, 2: 1, 3: 1})])
    # start + 1 < t in binary: not for 0.1 and 1.1, but for 4.35 and 5.35.
    source = random.Random(7)
    for number in range(30):
        ts, lines, events = source.randrange(10**9), [], []
        for _ in range(300):
            ts += source.choice((0, 1, 1000, 999999, 1000000, 1000001, 250000, 3000000))
            order = source.randrange(14)
            lines.append(counting.alloc(0, order).replace(
                b"    0.000000", b"%5d.%06d" % (ts // 10**6, ts % 10**6)))
            events.append((float("%d.%06d" % (ts // 10**6, ts % 10**6)), order))
        text = b"".join(lines)
        ours = counting.our_series(counting.rows(tool, text, "--cumulative"))
        tap.equal(f"the seed's series of random events, {number}",
                  (len(ours), counting.same_points(ours, counting.seed_series(events))),
                  (len(ours), True))
        tap.equal(f"the seed finds these events, {number}",
                  counting.seed_events(text), events)


def _orders(tap, tool):
    """A table makes room for an order that turns up."""
    text = counting.alloc(1, 10) + counting.alloc(2.5, 13) + counting.alloc(3.5, 0)
    lines = tool.run("-i", "-", stdin=text)[1].decode().split("\n")
    tap.equal("columns for order 13",
              [len(line.split()) for line in lines[1:7] if "allocations" not in line],
              [13, 13, 16, 16, 16])


def _widths(tap, tool):
    """Moderate numbers fit 80 columns, and the columns stay straight."""
    text = b"".join(counting.alloc(1, order) for order in range(11) for _ in range(10))
    for option in ((), ("-T",)):
        lines = tool.run("-i", "-", *option, stdin=text)[1].decode().split("\n")
        tap.equal(f"ends of columns with {option or 'no option'}",
                  _ends(lines[2])[1:], _ends(lines[1])[-13:] if option else _ends(lines[1])[1:])
    plain = tool.run("-i", "-", stdin=text)[1].decode().split("\n")
    tap.equal("80 columns", max(map(len, plain)) <= 80, True)
    wide = counting.alloc(1, 4) * 123456 + counting.alloc(1, 10)
    wide = tool.run("-i", "-", stdin=wide)[1].decode().split("\n")
    tap.equal("a wide number moves only some of the columns behind it",
              _ends(wide[2])[-3:], _ends(wide[1])[-3:])


def _ends(line):
    ends, at = [], 0
    for word in line.split():
        at = line.index(word, at) + len(word)
        ends.append(at)
    return ends


def _header(tap, tool):
    """As vmstat: again when it has left a terminal of 24 lines, -n: once."""
    text = b"".join(counting.alloc(i) for i in range(1, 100))
    for options, wanted in (((), 5), (("-n",), 1)):
        out = tool.run("-i", "-", *options, stdin=text)[1]
        tap.equal(f"headers with {' '.join(options) or 'no option'}",
                  out.count(b"allocations by order"), wanted)


def run(tap, tool):
    for part in (_intervals, _idle, _late, _cumulative, _orders, _widths, _header):
        part(tap, tool)
