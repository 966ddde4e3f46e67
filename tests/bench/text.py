#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
How fast and in how much memory buddystat reads trace text, beside the steps
of the program that it re-creates, run by this Python: text.py [MEGABYTES]
"""

import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../format"))

# pylint: disable=wrong-import-position
from tool import measure

TOOL = os.path.join(HERE, "../../build/tool/buddystat")
LINES_PER_SECOND = 40000  # of the machine that was traced
NAMES = (b"kworker/u8:3", b"Web Content", b"cc1", b"<idle>", b"systemd-journal", b"sh")
SEED = "the seed's steps"
FLAGS = (b"GFP_KERNEL", b"GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO",
         b"GFP_KERNEL_ACCOUNT|__GFP_ZERO", b"GFP_ATOMIC|__GFP_NOWARN|__GFP_COMP")


def write_text(path, megabytes):
    """A busy machine's trace; returns the number of lines."""
    source = random.Random(1)
    second = b"".join(
        b"%16s-%-7d [%03d] ..... @@@@@.%06d: mm_page_alloc: page=%016x pfn=0x%x order=%d "
        b"migratetype=%d gfp_flags=%s\n" % (
            source.choice(NAMES), source.randrange(1, 30000), source.randrange(8),
            i * 1000000 // LINES_PER_SECOND, source.randrange(1 << 32),
            source.randrange(1, 1 << 22),
            source.choices(range(11), weights=[2.0 ** -n for n in range(11)])[0],
            source.randrange(3), source.choice(FLAGS))
        for i in range(LINES_PER_SECOND))
    lines = 0
    with open(path, "wb") as file:
        for n in range(max(1, megabytes * 1000000 // len(second))):
            file.write(second.replace(b"@@@@@", b"%5d" % (100 + n)))
            lines += LINES_PER_SECOND
    return lines


def seed(path):
    """The seed's steps: per line a search for the event, a split, and a search
    each for time, name and order; then its counts."""
    event, stamp = re.compile("mm_page_alloc"), re.compile(r"[0-9]+\.[0-9]+")
    name, order = re.compile("([^ ].+)[-]"), re.compile("order=([0-9]+)")
    events = []
    with open(path, encoding="latin-1") as file:
        for line in file:
            if event.search(line):
                before, after = event.split(line, maxsplit=2)
                events.append([float(stamp.search(before).group(0)),
                               name.search(before).group(1),
                               int(order.search(after).group(1))])
    start, counts = None, [0] * 11
    for when, _, which in events:
        if start is None or start + 1 < when:
            start = when
        counts[which] += 1


def main():
    if sys.argv[1:2] == ["--seed"]:
        seed(sys.argv[2])
        return
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print("trace text           MB     lines  CPU s   lines/s  memory MB", flush=True)
    speed = {}
    with tempfile.TemporaryDirectory(prefix="csn-bench-") as directory:
        path = os.path.join(directory, "trace.txt")
        for size in (max(1, megabytes // 10), megabytes):
            lines = write_text(path, size)
            for what, command in (
                    ("buddystat", [TOOL, "-i", path, "--csv"]),
                    (SEED, [sys.executable, __file__, "--seed", path])):
                status, seconds, memory = measure(command)
                if status:
                    sys.exit(f"{command[0]} ended with {status}")
                speed[what] = lines / seconds
                print(f"{what:17s} {size:5d} {lines:9d} {seconds:6.2f} {speed[what]:9.0f} "
                      f"{memory / 1024:10.1f}", flush=True)
            os.unlink(path)
    print(f"buddystat is {speed['buddystat'] / speed[SEED]:.1f} "
          "times as fast", flush=True)


if __name__ == "__main__":
    main()
