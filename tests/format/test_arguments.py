# SPDX-License-Identifier: GPL-2.0-only
"""The command line, against argparse with the seed's options."""

import json
import random

import cases
import golden
import seed
import wire
from wire import Event

TOKENS = ["-T", "-K", "-e", "-p", "-d", "-i", "-h", "--", "-", "-p7", "-p=8",
          "-Te", "-Tp", "-d1", "-TKx", "-T=", "-T=p7", "--time", "--timestamp=",
          "--pid", "--pid=7", "--p", "--dur", "--d=2", "--ext", "--kern=3",
          "--version", "--plo", "--pl=1", "--=", "--e", "--i=-", "--input", "7", "8", "0", "-1",
          "-.5", "2", "x y", "-x y", "-x", "", "--no=1", "a'b", "ž", "\udcff"]


def _wrong(tap, tool):
    for wanted in json.loads(golden.stored("command-lines.json")):
        status, out, err = tool.run(*wanted["arguments"])
        tap.equal(f"arguments {wanted['arguments']!r}".replace("#", "\\#"),
                  (status, out.decode(), err.decode()),
                  (wanted["status"], wanted["stdout"], wanted["stderr"]))


def _right_stream():
    events = [Event(ts=1_000_000 + (i + 1) * 500_000, pid=7 + i % 2,
                    comm=b"e%d" % i) for i in range(8)]
    return events, wire.info() + b"".join(e.encode() for e in events)


def _rows_for(result, events):
    """What a replay prints with what argparse made of the command line."""
    events = [e for e in events
              if (not result.pid or e.pid == result.pid) and
              (not result.duration or e.ts <= 1_000_000 + result.duration)]
    return seed.rows(events, cases.symbol, result.timestamp,
                     result.extended_fields)


def _right(tap, tool):
    events, stream = _right_stream()
    for arguments in cases.GOOD_COMMAND_LINES:
        name = f"arguments {arguments!r}"
        if not seed.available():
            tap.skip(name, f"no {seed.PATH}")
            continue
        result = seed.parser().parse_args(arguments)
        tap.equal(name, tool.replay(stream, *arguments),
                  (0, _rows_for(result, events), b""))


def _random(tap, tool):
    """Command lines of random tokens: judged the same, right or wrong."""
    name = "1000 random command lines"
    if not seed.available() or not golden.parses_as_debian_12():
        tap.skip(name, "needs the seed and Python 3.11")
        return
    rnd = random.Random(0)
    events, stream = _right_stream()
    recording = tool.file("right", stream)
    parser = seed.parser()
    for _ in range(1000):
        arguments = [rnd.choice(TOKENS) for _ in range(rnd.randint(1, 5))]
        wanted = golden.command_line(arguments)
        if not wanted["status"] and not wanted["stdout"]:
            result = parser.parse_args(arguments)
            if result.input not in (None, "-"):
                continue
            note = b"" if not result.kernel_stack else \
                b"compactsnoop: the recording has no stacks: shown without -K\n"
            wanted = (0, _rows_for(result, events), note)
            if result.input is None:
                arguments += ["-i", recording]
        else:
            wanted = tuple(wanted[key] if key == "status" else
                           wanted[key].encode() for key in
                           ("status", "stdout", "stderr"))
        got = tool.run(*arguments, stdin=stream)
        if got != wanted:
            tap.equal(f"random arguments {arguments!r}", got, wanted)
            return
    tap.ok(name)


def run(tap, tool):
    _wrong(tap, tool)
    _right(tap, tool)
    _random(tap, tool)
