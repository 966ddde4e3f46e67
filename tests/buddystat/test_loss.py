# SPDX-License-Identifier: GPL-2.0-only
"""What a trace says is missing, and which seconds that touches."""

import counting

LOST = {
    "kernel": b"CPU:%d [LOST %d EVENTS]\n",
    "trace-cmd": b"CPU:%d [%d EVENTS DROPPED]\n",
}
UNKNOWN = {
    "kernel": b"CPU:%d [LOST EVENTS]\n",
    "trace-cmd": b"CPU:%d [EVENTS DROPPED]\n",
}


def second(at, cpu=0, count=3):
    """A second's events on a CPU."""
    return b"".join(counting.alloc(at + i / 10, 0, cpu=cpu) for i in range(count))


def marks(got):
    return [(row["lower_bound"], row["lost"]) for row in got]


def note(count):
    unknown = b"" if count else b"it is not known how many, "
    return (b"buddystat: events are missing: %s%d are known to be lost; what is marked "
            b"lower_bound is a lower bound\n" % (unknown, count))


def _seconds(tap, tool):
    for name in LOST:
        for lost, count in ((LOST[name] % (0, 12), 12), (UNKNOWN[name] % 0, 0)):
            what = f"{name}, {'number known' if count else 'number not known'}"
            # All on one CPU: between 1.2 and 2.0, so both seconds.
            text = second(1) + lost + second(2) + second(3)
            tap.equal(f"{what}: both seconds",
                      marks(counting.rows(tool, text)),
                      [("1", "0"), ("1", str(count)), ("0", "0")])
            # CPU 1 was heard of in second 1 and then in 4.
            text = (counting.alloc(0.0) + second(1, 1) + second(2) + second(3) +
                    lost.replace(b"CPU:0", b"CPU:1") + second(4, 1) + second(5))
            tap.equal(f"{what}: seconds since the CPU's last event",
                      marks(counting.rows(tool, text)),
                      [("0", "0"), ("1", "0"), ("1", "0"), ("1", "0"), ("1", str(count)),
                       ("0", "0")])
            status, _, err = tool.run("--csv", "-i", tool.file("text", text))
            tap.equal(f"{what}: said once", (status, err), (0, note(count)))
    # The marker's line belongs to the next event of that CPU, of any kind.
    text = (second(1) + LOST["kernel"] % (0, 5) +
            counting.alloc(1.5, event=b"kmalloc") + second(2))
    tap.equal("another event ends the loss", marks(counting.rows(tool, text)),
              [("1", "5"), ("0", "0")])
    text = second(1) + LOST["kernel"] % (0, 5)
    tap.equal("a loss at the end", marks(counting.rows(tool, text)), [("1", "5")])
    text = LOST["kernel"] % (0, 5) + second(1) + second(2)
    tap.equal("a loss at the beginning", marks(counting.rows(tool, text)),
              [("1", "5"), ("0", "0")])
    text = second(1) + LOST["kernel"] % (0, 5) + LOST["kernel"] % (1, 7) + second(2) + second(2, 1)
    tap.equal("two CPUs at once", marks(counting.rows(tool, text)), [("1", "0"), ("1", "12")])


def _perf(tap, tool):
    lost = b"              sh   915 [001]    77.120001: PERF_RECORD_LOST lost 8\n"
    text = (counting.alloc(75, cpu=1) + counting.alloc(76.5) + lost + counting.alloc(79))
    got = counting.rows(tool, text)
    # From CPU 1's last event, at 75, to the record at 77.12.
    tap.equal("perf's lost records",
              [(row["time"][:2], row["lower_bound"], row["lost"]) for row in got],
              [("76", "1", "0"), ("77", "1", "0"), ("78", "1", "8"), ("79", "0", "0"),
               ("80", "0", "0")])


def _overwritten(tap, tool):
    head = b"# tracer: nop\n#\n# entries-in-buffer/entries-written: 6/%d   #P:2\n#\n"
    body = second(1) + second(2)
    tap.equal("nothing overwritten", marks(counting.rows(tool, head % 6 + body)),
              [("0", "0"), ("0", "0")])
    tap.equal("the beginning overwritten", marks(counting.rows(tool, head % 1006 + body)),
              [("1", "1000"), ("0", "0")])
    started = b"##### CPU %d buffer started ####\n"
    text = (head % 1006 + started % 0 + second(1) + second(2) + started % 1 +
            counting.alloc(2.5, cpu=1) + second(3))
    tap.equal("until the last CPU's buffer has started",
              marks(counting.rows(tool, text)), [("1", "1000"), ("1", "0"), ("0", "0")])
    latency = b"# latency: 0 us, #6/1006, CPU#0 | (M:server VP:0, KP:0, SP:0 HP:0 #P:2)\n"
    tap.equal("latency format", marks(counting.rows(tool, latency + body)),
              [("1", "1000"), ("0", "0")])


def _table(tap, tool):
    text = second(1) + LOST["kernel"] % (0, 5) + counting.alloc(1.5, 3) + second(2)
    _, out, err = tool.run("-i", "-", stdin=text)
    lines = out.decode().split("\n")
    tap.equal("a table's mark", [line.endswith(" +") for line in lines[2:6]],
              [True, False, False, True])
    lines = tool.run("-T", "-i", "-", stdin=text)[1].decode().split("\n")
    tap.equal("80 columns, mark and time included", max(map(len, lines)) <= 80, True)
    tap.equal("and what it means", b"what is marked + is a lower bound" in err, True)


def _cumulative(tap, tool):
    text = second(1) + LOST["kernel"] % (0, 5) + second(3) + second(6)
    tap.equal("cumulative counts stay lower bounds",
              [row["lower_bound"] for row in counting.rows(tool, text, "--cumulative")],
              ["1", "1", "1"])


def _held(tap, tool):
    """From a file rows wait for what makes them lower bounds; from a pipe they
    do not, and it is said that they may be."""
    text = (counting.alloc(0.0) + second(1, 1) + second(2) + second(3) +
            UNKNOWN["kernel"] % 1 + second(4, 1))
    piped = tool.run("--csv", "-i", "-", stdin=text)
    filed = tool.run("--csv", "-i", tool.file("text", text))
    tap.equal("a file's rows are marked", [line[-1:] for line in filed[1].split(b"\n")[1:-1]],
              [b"0", b"1", b"1", b"1", b"1"])
    tap.equal("a file: said once", filed[2], note(0))
    tap.equal("a pipe: some rows were out",
              (piped[2].count(b"\n"), b"printed before it was known" in piped[2]), (2, True))


def run(tap, tool):
    for part in (_seconds, _perf, _overwritten, _table, _cumulative, _held):
        part(tap, tool)
