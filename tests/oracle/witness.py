# SPDX-License-Identifier: GPL-2.0-only
"""
The kernel's own account: its trace of the events that both programs watch.

From it follows, for each compaction, what the seed's program must print for it
(its map of notes is replayed here) and what DESIGN 5 says that we print. An
explanation of a difference has to agree with both.
"""

import re

LINE = re.compile(r"\s*(?P<comm>.*)-(?P<tid>\d+)\s+\[\d+\]\s+(?P<flags>\S+)\s+"
                  r"(?P<s>\d+)\.(?P<us>\d{6}): (?P<event>\w+): (?P<rest>.*)")
SUITABLE = re.compile(r"node=(\d+) zone=(\S+)\s+order=(-?\d+) ret=(\w+)")
END = re.compile(r".*mode=(\w+) status=(\w+)")
FRAGINDEX = re.compile(r".*value=(-?\d+)")

NO_INDEX = -1000


class Check:
    """What a suitability check left for a compaction."""

    def __init__(self, node, zone, order, fragindex, own):
        self.node, self.zone, self.order = node, zone, order
        self.fragindex = fragindex
        self.own = own      # whether fragindex was computed for this check


class Pass:
    """One compaction, begin to end; times in microseconds."""

    def __init__(self, tid, begin, end, mode, status, seed, ours):
        self.tid, self.begin, self.end = tid, begin, end
        self.mode, self.status = mode, status
        self.seed = seed    # the Check that the seed's map held; None: no row
        self.ours = ours    # the Check before begin; None: there was none
        self.rows = {}      # name of a program: its row of it


class _Task:
    def __init__(self):
        self.seed = None        # the seed's note
        self.unclaimed = False  # its index is of the check that comes next
        self.fragindex = None   # the index of the check that comes next
        self.check = None
        self.begin = None


def _suitable(task, in_task, rest):
    node, zone, order, ret = SUITABLE.match(rest).groups()
    own, task.unclaimed = task.unclaimed, False
    if ret == "continue":
        if task.seed is None:
            task.seed = Check(node, zone, order, NO_INDEX, True)
        else:
            task.seed = Check(node, zone, order, task.seed.fragindex, own)
    if in_task:
        index, task.fragindex = task.fragindex, None
        task.check = None
        if ret == "continue":
            task.check = Check(node, zone, order,
                               NO_INDEX if index is None else index, True)


def read(lines):
    """The compactions in the order of their ends."""
    tasks, passes = {}, []
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        task = tasks.setdefault(match["tid"], _Task())
        now = int(match["s"]) * 1000000 + int(match["us"])
        in_task = match["flags"][2] == "."
        event, rest = match["event"], match["rest"]
        if event == "fragmentation_index":
            index = int(FRAGINDEX.match(rest)[1])
            task.seed = Check(None, None, None, index, True)
            task.unclaimed = True
            if in_task:
                task.fragindex = index
        elif event == "mm_compaction_suitable":
            _suitable(task, in_task, rest)
        elif event == "mm_compaction_begin":
            task.begin = now
        elif event == "mm_compaction_end" and task.begin is not None:
            mode, status = END.match(rest).groups()
            seed, task.seed = task.seed, None
            passes.append(Pass(match["tid"], task.begin, now, mode.upper(),
                               status, seed, task.check))
            task.begin = task.check = None
    return passes
