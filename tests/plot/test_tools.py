# SPDX-License-Identifier: GPL-2.0-only
"""What compactsnoop and buddystat have drawn, against counts of our own."""

import os
import re

import counting
import wire
from plots import HERE, Svg, markers, script_data
from tool import Tool
from wire import Event, Page

MS = 1_000_000
SECOND = 1000 * MS
SUCCESS, CONTENDED, SKIPPED, COMPLETE = 8, 7, 6, 5
TRACE = os.path.join(HERE, "../../../shared/data/traces/trace-cmd-report-run-6.1.txt")


def _compactions():
    """Statuses by turns, latencies from 1 us to 3 s."""
    statuses = (SUCCESS, COMPLETE, SKIPPED, SUCCESS, 255)
    return [Event(ts=(i + 5) * SECOND, status=statuses[i % 5], pid=7 + i % 2,
                  comm=b"e'\"<%d>" % i, delta=1000 + i ** 4 * 4561)
            for i in range(160)]


def _scripts(draw, tool, *arguments, stdin=b""):
    """The data that a tool would have drawn, and its title."""
    draw.tool(tool, *arguments, "--plot", "tool.svg", stdin=stdin, PATH="")
    script = draw.read("tool.svg.gnuplot")
    return script_data(script), re.search(rb'set label 1 "(.*?)"', script).group(1)


def _latency(tap, draw):
    events = _compactions()
    stream = wire.info() + b"".join(e.encode() for e in events)
    data, title = _scripts(draw, "compactsnoop", "-i", "-", stdin=stream)
    by_status = {}
    for event in events:
        by_status.setdefault(event.status, []).append(event)
    shown = sorted(by_status)
    tap.equal("compactsnoop: each compaction is a point of its status", [
        [(round(x, 6), round(top, 6)) for x, _, top in data[f"data0_{i}"]]
        for i in range(len(shown))],
        [[((e.ts - events[0].ts) / SECOND, round(e.delta / MS, 6))
          for e in by_status[status]] for status in shown])
    counts = []
    for i, status in enumerate(shown):
        steps = data[f"data1_{i}"]
        counts.append([sum(top - base for x, base, top in steps[::2]),
                       all(abs(a[0] * 2 - b[0]) < 1e-9 and a[1:] == b[1:]
                           for a, b in zip(steps[::2], steps[1::2]))])
    tap.equal("compactsnoop: the distribution has all of them, by powers of two",
              counts, [[len(by_status[status]), True] for status in shown])
    edges = [x for x, base, top in data["data1_0"][::2] if top > base]
    lone = [e.delta / MS for e in by_status[shown[0]]]
    tap.equal("compactsnoop: where the distribution begins and ends",
              (edges[0] <= min(lone) < 2 * edges[0],
               edges[-1] <= max(lone) < 2 * edges[-1]), (True, True))
    deltas = sorted(e.delta / MS for e in events)
    # The smallest that half of them, and 99 % of them, do not exceed.
    tap.equal("compactsnoop: the title", title.decode(),
              "160 compactions: half within %.3f ms, 99 %% within %.3f,"
              " longest %.3f ms" % (deltas[79], deltas[158], deltas[159]))

    status, out, err = draw.tool("compactsnoop", "-i", "-", "-p", "8", "-d",
                                 "100", "--plot", "c.svg", stdin=stream)
    picture = Svg(draw.read("c.svg"))
    wanted = [e for e in events if e.pid == 8 and e.ts <= MS + 100 * SECOND]
    tap.equal("compactsnoop: with -p and -d, no rows",
              (status, out, err,
               sum(len(markers(g)) for g in picture.series()[:4])),
              (0, b"", b"", len(wanted)))
    tap.equal("compactsnoop: command and date are below the title",
              "compactsnoop -i - -p 8 -d 100 --plot c.svg"
              "  (recorded 2001-09-09 01:46:40 UTC)" in picture.texts(), True)


def _latency_losses(tap, draw):
    stream = wire.info() + Event(ts=2 * SECOND).encode() + wire.lost(
        3, 3 * SECOND) + Event(ts=5 * SECOND).encode()
    data, _ = _scripts(draw, "compactsnoop", "-i", "-", stdin=stream)
    (_, _, start, end, _, _), = data["lost0"]
    tap.equal("compactsnoop: losses are marked", start < 1 < end, True)
    for name, stream, shown in (
            ("an empty recording", wire.info(), b"No compactions"),
            ("a damaged recording", stream + b"x" * 64, b"2 compactions"),
            ("a recording of one", wire.info() + Event(delta=0).encode(),
             b"1 compactions")):
        _, title = _scripts(draw, "compactsnoop", "-i", "-", stdin=stream)
        tap.equal(f"compactsnoop: {name} is drawn", title[:len(shown)], shown)
    status, _, _ = draw.tool("compactsnoop", "-i", "-", "--plot", "no.svg",
                             stdin=b"no recording")
    tap.equal("compactsnoop: of no recording there is no picture",
              (status, draw.there("no.svg"), draw.there("no.svg.gnuplot")),
              (1, False, False))


def _kernel(tap, draw):
    """A recording's kernel, in a name as long as there is room for, too."""
    date = "recorded 2001-09-09 01:46:41 UTC"
    for release in (b"6.1.0-44-amd64", b"r" * 56):
        named = f"  (Linux {release.decode()}, {date})"
        for name, events in (("compactsnoop", Event(ts=2 * SECOND).encode()),
                             ("buddystat", Page(ts=2 * SECOND).encode())):
            stream = wire.info(ts=SECOND, classes=0xf, release=release) + events
            status, _, _ = draw.tool(name, "-i", "-", "--plot", "k.svg",
                                     stdin=stream)
            lines = [text for text in Svg(draw.read("k.svg")).texts()
                     if text.endswith(named)]
            tap.equal(f"{name}: a recording's kernel of {len(release)} bytes",
                      (status, lines),
                      (0, [f"{name} -i - --plot k.svg{named}"]))


def _trace():
    """12 s of six processes, with a second that is idle."""
    lines = []
    for i in range(3000):
        at = 100 + i * 0.004 + (i > 1500)
        lines.append(counting.alloc(at, order=(i * i) % 11, pid=900 + i % 6,
                                    comm=b"task%d" % (i % 6),
                                    migratetype=i % 3))
    return b"".join(lines)


def _orders(tap, draw, text, name):
    events = counting.seed_events(text)
    data, title = _scripts(draw, "buddystat", "-i", "-", stdin=text)
    first = events[0][0]
    seconds = int(events[-1][0] - first) + 1
    counts = [[0] * seconds for _ in range(11)]
    for ts, order in events:
        # As decimals: a double can be a little less than a whole second.
        counts[order][int(round(ts - first, 6))] += 1
    tap.equal(f"buddystat, {name}: allocations by order and second", [
        [round(top, 6) for _, _, top in data[f"data0_{n}"]] for n in range(11)],
        counts)
    tap.equal(f"buddystat, {name}: drawn at the end of each second",
              [round(x, 6) for x, _, _ in data["data0_0"]],
              [round(first + n + 1, 6) for n in range(seconds)])
    tap.equal(f"buddystat, {name}: the title", title,
              b"Page allocations by order: %d in %d s" % (len(events), seconds))
    data, _ = _scripts(draw, "buddystat", "-i", "-", "--cumulative", stdin=text)
    points = counting.seed_series(events, 11)
    tap.equal(f"buddystat, {name}: --cumulative, as parse.py plots it", [
        [(round(x, 6), top) for x, _, top in data[f"data0_{n}"]]
        for n in range(11)],
        [[(round(ts, 6), c[n]) for ts, c in points] for n in range(11)])


def _kept_apart(tap, draw):
    text = _trace()
    for options, names in (
            (["--by", "comm"], [f"task{n}" for n in range(6)]),
            (["--by", "pid"], [f"{900 + n} task{n}" for n in range(6)]),
            (["--migratetype"], ["Unmovable", "Movable", "Reclaimable"])):
        draw.tool("buddystat", "-i", "-", "--plot", "t.svg", *options, stdin=text)
        texts = Svg(draw.read("t.svg")).texts()
        tap.equal(f"buddystat {' '.join(options)}: a line each",
                  sorted(set(names) - set(texts)), [])
    many = b"".join(counting.alloc(100 + i * 0.001, comm=b"c%d" % (i % 40),
                                   pid=i % 40 + 1) for i in range(400)) + \
        b"".join(counting.alloc(101, comm=b"c7", pid=8) for i in range(5))
    data, _ = _scripts(draw, "buddystat", "-i", "-", "--by", "comm", stdin=many)
    shown = [row for name, row in data.items() if name.startswith("data")]
    tap.equal("buddystat: of 40 tasks, those with the most, and the others",
              ([len(shown), sum(r[0][2] for r in shown), shown[0]]),
              [12, 400, [[101, 0, 10], [102, 0, 5]]])
    idle = wire.info(ts=SECOND, classes=0xe) + b"".join(
        Page(ts=ts * SECOND + 1, pid=7, comm=b"who").encode() for ts in (1, 4))
    data, _ = _scripts(draw, "buddystat", "-i", "-", "--by", "pid", "--free",
                       stdin=idle)
    tap.equal("buddystat: no line for nobody in an idle second, nor for frees of none",
              [name for name in data if name.startswith("data")], ["data0_0"])
    draw.tool("buddystat", "-i", "-", "--plot", "t.svg", "--stacked", stdin=text)
    tap.equal("buddystat --stacked", len(Svg(draw.read("t.svg")).series()), 11)
    lossy = text + b"CPU:0 [LOST 12 EVENTS]\n" + counting.alloc(113.5)
    data, _ = _scripts(draw, "buddystat", "-i", "-", stdin=lossy)
    tap.equal("buddystat: seconds that are lower bounds are marked",
              "lost0" in data, True)


def _live(tap, draw):
    """With the stand-in for the device: what ends, is drawn, and says of which
    kernel it is."""
    kernel = f"(Linux {os.uname().release} {os.uname().machine})"
    for name, options, stream, shown in (
            ("compactsnoop", [], wire.info() + Event(status=COMPLETE).encode(),
             "complete"),
            ("buddystat", ["--by", "comm"], wire.info(ts=SECOND, classes=0xe) +
             b"".join(Page(ts=SECOND + i * MS, comm=b"who").encode()
                      for i in range(9)), "who")):
        tool = Tool(os.path.join(draw.tools, name))
        status, out, err = tool.live(stream, *options, "--plot",
                                     draw.path("live.svg"))
        texts = Svg(draw.read("live.svg")).texts()
        tap.equal(f"{name}, live: drawn at the end, with the kernel below",
                  (status, out, err, shown in texts,
                   [text for text in texts if text.endswith(kernel)] != []),
                  (0, b"", b"", True, True))


def _usage(tap, draw):
    stream = wire.info() + Event().encode()
    for tool, arguments, message in (
            ("compactsnoop", ["-T"], "argument --plot: not allowed with -T, -K"
             " and -e, which are about rows"),
            ("buddystat", ["--csv"], "argument --plot: not allowed with -T, -n,"
             " --csv and --json: no rows"),
            ("buddystat", ["--log", "--stacked"], "argument --log: not allowed"
             " with argument --stacked: areas show sums")):
        status, out, err = draw.tool(tool, "-i", "-", "--plot", "u.svg",
                                     *arguments, stdin=stream)
        tap.equal(f"{tool} --plot {' '.join(arguments)}",
                  (status, out, err.decode().splitlines()[-1], draw.there("u.svg")),
                  (2, b"", f"{tool}: error: {message}", False))
    for option in ("--stacked", "--log"):
        status, _, err = draw.tool("buddystat", "-i", "-", option)
        tap.equal(f"buddystat {option} without a plot",
                  (status, err.decode().splitlines()[-1]),
                  (2, "buddystat: error: arguments --stacked and --log: only"
                   " with argument --plot"))


def run(tap, draw):
    _latency(tap, draw)
    _latency_losses(tap, draw)
    _orders(tap, draw, _trace(), "made-up trace")
    if os.path.exists(TRACE):
        with open(TRACE, "rb") as file:
            _orders(tap, draw, file.read(), "trace-cmd's")
    else:
        tap.skip("buddystat, trace-cmd's", f"no {TRACE}")
    _kept_apart(tap, draw)
    _live(tap, draw)
    _kernel(tap, draw)
    _usage(tap, draw)
