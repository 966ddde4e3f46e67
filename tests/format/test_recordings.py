# SPDX-License-Identifier: GPL-2.0-only
"""Recordings: whole, cut, damaged, alien; from files, pipes and slow pipes."""

import os
import random
import struct
import subprocess

import cases
import golden
import wire
from tool import LIMIT
from wire import Event

PREFIX = b"compactsnoop: "
NOT_OURS = PREFIX + b"standard input is not a recording of compactsnoop\n"


def _rows(tool, stream):
    """Rows, of which the tool is known to be right here."""
    return tool.replay(stream)[1]


def _message(tap, tool, name, stream, shown, message):
    """shown: the stream whose rows are to be there; None: not even a header."""
    wanted = b"" if shown is None else _rows(tool, shown)
    tap.equal(name, tool.replay(stream), (1, wanted, PREFIX + message))


def _alien(tap, tool):
    event = Event().encode()
    for name, stream in {
            "text": b"TIME(s) COMM\n" * 20,
            "a few bytes": b"abc",
            "zeroes": bytes(640),
            "records without an info record": event,
            "a short info record": wire.info()[:63],
            "ABI version 0": wire.info(abi=0) + event,
            "another magic": wire.info(magic=1) + event}.items():
        tap.equal(f"not a recording: {name}", tool.replay(stream),
                  (1, b"", NOT_OURS))
    _message(tap, tool, "an empty recording", b"", None,
             b"standard input is empty: not a recording of compactsnoop\n")
    order = ">" if struct.pack("=H", 1) == struct.pack("<H", 1) else "<"
    _message(tap, tool, "of the other byte order", wire.info(order=order), None,
             b"standard input was recorded on a machine of the other byte order:"
             b" print it on one of that order\n")
    _message(tap, tool, "of a newer ABI", wire.info(abi=2) + event, None,
             b"standard input has ABI version 2 at byte 0, this tool knows 1:"
             b" update the tool\n")


def _cut(tap, tool):
    """Cut at each place that is not between two groups."""
    events = [Event(ts=i, pid=i, stack=tuple(range(1, 9))) for i in (1, 2)]
    groups = [wire.info(flags=3)] + [event.encode() for event in events]
    whole = b"".join(groups)
    ends = [sum(map(len, groups[:n])) for n in range(1, len(groups) + 1)]
    for at in (65, 127, ends[0] + 1, ends[0] + 63, ends[0] + 64, ends[1] - 64,
               ends[1] - 1, ends[1] + 100, ends[2] - 1):
        start = max((end for end in ends if end < at), default=0)
        _message(tap, tool, f"cut off at byte {at}", whole[:at],
                 whole[:start] if start else None,
                 b"standard input is cut off within the event at byte %d:"
                 b" what comes before is shown\n" % start)
    for at in ends:
        tap.equal(f"ends between events, at byte {at}",
                  tool.replay(whole[:at])[::2], (0, b""))


def _damaged(tap, tool):
    info, first = wire.info(), Event(ts=1, pid=1).encode()
    rest = Event(ts=3, pid=3).encode()
    part = len(info) + len(first)

    def damage(name, record, at=part):
        _message(tap, tool, f"damaged: {name}", info + first + record + rest,
                 info + first,
                 b"standard input is damaged at byte %d: what comes before"
                 b" is shown\n" % at)

    event = Event(ts=2, pid=2).encode()
    damage("zeroes", bytes(64))
    damage("no parts", event[:3] + b"\0" + event[4:])
    damage("33 parts", event[:3] + b"\x21" + event[4:])
    damage("33 parts that agree", wire.group([(wire.COMPACTION, bytes(56))] * 33))
    damage("begins with part 1", event[:2] + b"\1" + event[3:])
    damage("a part of another number", event[:66] + b"\2" + event[67:])
    damage("parts that do not agree", event[:67] + b"\3" + event[68:])
    damage("a part of no type", event[:64] + b"\0\0" + event[66:])
    damage("a byte too many", b"\1" + event)
    damage("a byte too few", event[1:])
    damage("a second info record that is none", wire.info(magic=5))


def _damaged_at_random(tap, tool):
    """Whatever the bytes: an end, in good order, with one line at most."""
    rnd = random.Random(0)
    whole = wire.info(flags=3) + b"".join(
        Event(ts=i, stack=tuple(range(1, i))).encode() for i in range(1, 20))
    for number in range(300):
        bad = bytearray(whole)
        for _ in range(rnd.randint(1, 20)):
            bad[rnd.randrange(len(bad))] = rnd.choice((0, 1, 255, rnd.randrange(256)))
        del bad[rnd.choice((len(bad), rnd.randrange(len(bad)))):]
        status, _, err = tool.replay(bytes(bad), "-Te")
        lines = [line for line in err.splitlines() if b"lost" not in line]
        if status not in (0, 1) or len(lines) > 2:
            tap.fail(f"a recording damaged at random, number {number}",
                     f"status {status}\n{err.decode('utf-8', 'replace')}")
            return
    tap.ok("300 recordings damaged at random")


def _options(tap, tool):
    """Options that a recording cannot serve."""
    event = Event(stack=(1, 3))
    for flags, options, shown, message in (
            (0, ["-e"], [], b"the recording has no zone state: shown without -e\n"),
            (1, ["-K"], [], b"the recording has no stacks: shown without -K\n"),
            (1, ["-eK"], ["-e"], b"the recording has no stacks: shown without -K\n"),
            (3, ["-K"], [], b"stacks can be named while they are recorded only:"
             b" shown without -K\n")):
        stream = wire.info(flags=flags) + event.encode()
        tap.equal(f"{' '.join(options)} with flags {flags}",
                  tool.replay(stream, *options),
                  (0, tool.replay(stream, *shown)[1], PREFIX + message))
    stream = wire.info() + event.encode() + b"damaged" * 30
    tap.equal("-d ends before the damage", tool.replay(
        wire.info(ts=0) + b"".join(Event(ts=t).encode() for t in (
            5, 10**9, 10**9 + 1, 10**10)) + b"x" * 64, "-d1")[::2], (0, b""))


def _files(tap, tool):
    case = cases.all_cases()["merge"]
    wanted = golden.split_rows(golden.stored("merge.txt"))[()]
    tap.equal("-i FILE", tool.run("-i", tool.file("merge", case.stream)),
              (0, wanted, b""))
    tap.equal("-i of no file", tool.run("-i", "/nonexistent/x"),
              (1, b"", PREFIX + b"cannot open /nonexistent/x: "
               b"No such file or directory\n"))
    tap.equal("-i of a directory", tool.run("-i", "/"),
              (1, b"", PREFIX + b"cannot read /: Is a directory\n"))
    many = [Event(ts=10**9, pid=i + 1, state=None) for i in range(4200)]
    out = tool.replay(wire.info() + b"".join(e.encode() for e in many))[1]
    tap.equal("more events at one time than are held back",
              [int(line[15:22]) for line in out.splitlines()[1:]],
              list(range(1, 4201)))
    # Two by two the wrong way round; the pair at the end of a megabyte, after
    # which the tool hands out what it holds, comes in two reads.
    pairs = [Event(ts=10**9 + (i ^ 1) * 1000, pid=(i ^ 1) + 1)
             for i in range(9000)]
    out = tool.run("-i", tool.file("pairs", wire.info() + b"".join(
        e.encode() for e in pairs)))[1]
    tap.equal("events out of order where two reads meet",
              [int(line[15:22]) for line in out.splitlines()[1:]],
              list(range(1, 9001)))
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.path, "-i", "-"], input=case.stream,
                              stdout=full, stderr=subprocess.PIPE,
                              timeout=LIMIT, check=False)
    tap.equal("a full disk", (done.returncode, done.stderr),
              (1, PREFIX + b"cannot write: No space left on device\n"))
    done = subprocess.run(["sh", "-c", '"$0" -i - >&-', tool.path],
                          input=case.stream, stderr=subprocess.PIPE,
                          timeout=LIMIT, check=False)
    tap.equal("standard output closed", (done.returncode, done.stderr),
              (1, PREFIX + b"standard output is closed\n"))
    reader, writer = os.pipe()
    os.close(reader)
    for arguments in (["-i", "-"], ["-h"]):
        done = subprocess.run([tool.path, *arguments], input=case.stream,
                              stdout=writer, stderr=subprocess.PIPE,
                              timeout=LIMIT, check=False)
        tap.equal(f"nobody reads the output of {' '.join(arguments)}",
                  (done.returncode, done.stderr), (141, b""))
    os.close(writer)


def _slow_pipe(tap, tool):
    """A row comes out although nothing follows, and a split group too."""
    process = subprocess.Popen([tool.path, "-i", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, bufsize=0)
    event = Event(stack=tuple(range(1, 20))).encode()
    process.stdin.write(wire.info() + event[:77])
    head = process.stdout.readline()
    for at in range(77, len(event), 50):
        process.stdin.write(event[at:at + 50])
    row = process.stdout.readline()
    process.stdin.close()
    rest = process.stdout.read()
    tap.equal("a pipe that stays open: header and row come at once",
              (head[:4], row[:4], rest, process.wait(LIMIT)),
              (b"COMM", b"qemu", b"", 0))


def run(tap, tool):
    _alien(tap, tool)
    _cut(tap, tool)
    _damaged(tap, tool)
    _damaged_at_random(tap, tool)
    _options(tap, tool)
    _files(tap, tool)
    _slow_pipe(tap, tool)
