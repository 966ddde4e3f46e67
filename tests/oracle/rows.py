# SPDX-License-Identifier: GPL-2.0-only
"""The rows of compactsnoop -T -e -K, the seed's or ours, read back from text."""

import re

# As the seed's print statements lay them out. A comm can hold spaces, so its
# column is taken by width; everything up to LAT can be as wide as it wants.
ROW = re.compile(
    r"(?P<time>-?\d+\.\d{9}) {1,4}(?P<comm>.{14}) (?P<pid>\d+) +(?P<node>\d+) +"
    r"(?P<zone>\S+) +(?P<order>-?\d+) +(?P<mode>A?SYNC) +"
    r"(?P<fragidx>-?\d+\.\d{3}) +(?P<min>-?\d+) +(?P<low>-?\d+) +"
    r"(?P<high>-?\d+) +(?P<free>-?\d+) +(?P<lat>\d+\.\d{3}) +(?P<status>\S+)$")

# Compared as printed; TIME and LAT are each program's own clock readings.
FIELDS = ("comm", "pid", "node", "zone", "order", "mode", "fragidx", "min",
          "low", "high", "free", "status")

# Under Python 3 the seed prints bytes as Python writes them.
BYTES = re.compile(r"b'(.*)'")
# With several probes on a tracepoint the kernel calls them from a function of
# its own, innermost in the seed's stack; ours begins at the tracepoint.
ITERATOR = re.compile(r"__traceiter_mm_compaction_end\+0x[0-9a-f]+")


class Row:
    """One row with its stack; time and lat are in microseconds."""

    def __init__(self, match, line):
        for field in FIELDS:
            setattr(self, field, match[field])
        self.line = line
        # The row without the two times, to see that the spaces agree, too.
        self.text = line[match.start("comm"):match.end("free")] + "|" + \
            line[match.end("lat"):]
        self.time = round(float(match["time"]) * 1000000)
        self.lat = round(float(match["lat"]) * 1000)
        self.stack = []

    @property
    def kind(self):
        """What brought it about, as far as a row tells."""
        by_kcompactd = self.comm.startswith("kcompactd")
        if self.order == "-1":
            return "proactive" if by_kcompactd else "manual"
        if by_kcompactd:
            return "kcompactd"
        return "direct " + self.mode.lower()


def read(lines):
    """The rows of a program's output, in its order, and the lines that are
    nothing such a program prints."""
    rows, strange, header = [], [], None
    for line in lines:
        match = ROW.match(line)
        if match:
            rows.append(Row(match, line))
        elif line.startswith("TIME(s) ") and header is None and not rows:
            header = line
        elif line.startswith("\t") and rows:
            name = BYTES.fullmatch(line[1:])
            name = name[1] if name else line[1:]
            if rows[-1].stack or not ITERATOR.fullmatch(name):
                rows[-1].stack.append(name)
        elif line:
            strange.append(line)
    if header is None:
        strange.append("(no header)")
    return rows, strange
