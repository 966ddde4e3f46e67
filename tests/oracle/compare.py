#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compare the rows of the seed with ours, by what guest.sh put out.
usage: compare.py FILE   (TAP; status 1 if anything is unexplained)

Each row is laid to the compaction in the kernel's own trace that it is of, so
rows are paired by what happened and not by how alike they look. A pair that
differs, or a row that one program lacks, must be explained by a rule below.

Rules, each checked against the kernel's trace:
stale-fragindex: the seed's FRAGIDX is the index of an earlier check of the
    task; this compaction's check computed none, and we print -1.000.
no-note: the seed has no row, as its map had no note of the task: no suitable
    event came before begin (Linux 6.5 and later, order -1).
zone-number: the seed prints the number of a zone that it has no name for.
stopped-between: LAT is further apart than MARGIN because the virtual CPU did
    not run between two probes of one event. The end times of the two rows are
    as far apart as LAT is, or the kernel's own times agree with one of the
    LATs. A slow clock would touch all rows, so this is believed of few.
"""

import collections
import os
import statistics
import sys

import rows
import witness

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../format"))
from tap import Tap  # noqa: E402

# Both programs stamp begin and end from probes on the same tracepoints, so LAT
# differs by what runs between their clock readings there: the other's probe and
# the kernel's own trace. Measured under emulation, with six tasks for every core
# of the host: 0.04 to 0.7 ms for 65 pairs of 72, 0.1 in the median.
MARGIN = 1000
# The median is not moved by the rare row; so a clock that is off shows.
MEDIAN_MARGIN = MARGIN / 2
# Of how many pairs "stopped-between" is believed: one in so many.
STOPPED_SHARE = 3

KINDS = ("direct async", "direct sync", "kcompactd", "manual")
# x86_64, where the seed knows 0 to 2.
ZONE_NUMBERS = {"3": "ZONE_MOVABLE", "4": "ZONE_DEVICE"}


def sections(lines):
    """guest.sh's lines by the name before them."""
    found = collections.defaultdict(list)
    for line in lines:
        name, bar, rest = line.rstrip("\n").partition("|")
        if bar and name.replace(".", "").isalpha():
            found[name].append(rest)
    return found


def align(times, ends):
    """For each of times the index of its end, or None: in order, and together
    as near as can be. As many are paired as there are of the fewer."""
    swapped = len(times) > len(ends)
    few, many = (ends, times) if swapped else (times, ends)
    # best[j]: cost of pairing the first i of few within the first j of many
    best = [(0, ())] * (len(many) + 1)
    for i, at in enumerate(few):
        row = [(float("inf"), ())] * (len(many) + 1)
        for j in range(i, len(many)):
            cost, chosen = best[j]
            paired = (cost + abs(at - many[j]), chosen + (j,))
            row[j + 1] = min(row[j], paired, key=lambda entry: entry[0])
        best = row
    chosen = best[-1][1]
    if not swapped:
        return list(chosen)
    result = [None] * len(times)
    for i, j in enumerate(chosen):
        result[j] = i
    return result


class Comparison:
    def __init__(self, lines):
        self.unexplained = []                   # lines for people
        self.explained = collections.Counter()  # rows, by their rule
        self.matched = collections.Counter()    # pairs, by their kind
        self.covered = collections.Counter()    # and those that were stopped
        self.differences = []                   # LAT, seed's less ours
        self.from_kernel = []                   # LAT, ours less the trace's
        self.stopped = 0
        self.part = sections(lines)
        self.passes = witness.read(self.part["witness"])
        self.base = {}
        self.rows = {}
        for program in ("seed", "ours"):
            self.rows[program], strange = rows.read(self.part[program])
            for line in strange:
                self.blame(f"{program}: not a row: {line!r}")
        self.pair()
        for one in self.passes:
            self.judge(one)
        if self.differences and abs(self.median()) > MEDIAN_MARGIN:
            self.blame(f"LAT differs by {self.median()} us in the median")
        pairs = len(self.differences)
        if self.stopped * STOPPED_SHARE > pairs:
            self.blame(f"LAT off by more than {MARGIN} us in {self.stopped} "
                       f"of {pairs} pairs: that is no chance")

    def median(self):
        """Of LAT, the seed's less ours."""
        return statistics.median(self.differences)

    def blame(self, what):
        self.unexplained.append(what)

    def window(self):
        """The compactions from the first canary's to the last one's."""
        tids = [self.part[name][0] for name in ("begin", "end")
                if self.part[name]]
        inside = [one for one in self.passes if one.tid in tids]
        if len(tids) < 2 or {one.tid for one in inside} != set(tids):
            self.blame("a canary is missing")
            return []
        first, last = inside[0], inside[-1]
        return [one for one in self.passes
                if first.end <= one.end <= last.end]

    def pair(self):
        """Lays each row to its pass, and drops what is outside the window."""
        everything, self.passes = self.passes, self.window()
        if not self.passes:
            return
        canary = [one for one in self.passes if one.tid == self.passes[0].tid]
        for program, its_rows in self.rows.items():
            seen = [row for row in its_rows if row.pid == canary[0].tid]
            if len(seen) != len(canary):
                self.blame(f"{program}: {len(seen)} rows of the first canary, "
                           f"not {len(canary)}")
                continue
            base = round(statistics.median(
                one.end - row.time for one, row in zip(canary, seen)))
            self.lay(program, base, everything)
        # Canaries are few, and may have been stopped; the median is not.
        apart = [self.ends_apart(one.rows["seed"], one.rows["ours"])
                 for one in self.passes if len(one.rows) == 2]
        if apart:
            self.base["seed"] -= round(statistics.median(apart))

    def ends_apart(self, seed, ours):
        return seed.time + self.base["seed"] - ours.time - self.base["ours"]

    def lay(self, program, base, everything):
        self.base[program] = base
        by_task = collections.defaultdict(list)
        for row in sorted(self.rows[program], key=lambda row: row.time):
            by_task[row.pid].append(row)
        first, last = self.passes[0].end, self.passes[-1].end
        for pid, its_rows in by_task.items():
            ends = [one for one in everything if one.tid == pid]
            places = align([row.time + base for row in its_rows],
                           [one.end for one in ends])
            for row, place in zip(its_rows, places):
                if place is not None:
                    ends[place].rows[program] = row
                elif first <= row.time + base <= last:
                    self.blame(f"{program}: no such compaction: {row.line}")

    def judge(self, one):
        seed, ours = one.rows.get("seed"), one.rows.get("ours")
        if seed and ours:
            self.judge_pair(one, seed, ours)
        elif seed:
            self.blame(f"only the seed has: {seed.line}")
        elif ours and one.seed is None:
            self.explained["no-note"] += 1
        elif ours:
            self.blame(f"only we have: {ours.line}")
        else:
            self.blame(f"neither has the compaction of task {one.tid} "
                       f"that ended at {one.end} us: {one.status}")

    def judge_pair(self, one, seed, ours):
        rules, wrong = set(), []
        for field in rows.FIELDS:
            theirs, mine = getattr(seed, field), getattr(ours, field)
            if theirs != mine:
                rule = self.explain(one, field, theirs, mine)
                (rules.add(rule) if rule else wrong.append(field.upper()))
        if not rules and not wrong and seed.text != ours.text:
            wrong.append("spaces")
        # What both agree on has to be what the kernel says, too.
        if (ours.mode, ours.status) != (one.mode, one.status):
            wrong.append("not the kernel's MODE, STATUS")
        if one.ours and (ours.order, ours.node) != (one.ours.order,
                                                    one.ours.node):
            wrong.append("not the kernel's ORDER, NODE")
        own = one.ours.fragindex if one.ours else witness.NO_INDEX
        if ours.fragidx != f"{own / 1000:.3f}":
            wrong.append("not the kernel's FRAGIDX")
        if seed.stack != ours.stack:
            wrong.append(f"stack {seed.stack} {ours.stack}")

        apart = seed.lat - ours.lat
        self.differences.append(apart)
        self.from_kernel.append(ours.lat - (one.end - one.begin))
        if abs(apart) > MARGIN:
            if self.was_stopped(one, seed, ours):
                self.stopped += 1
                rules.add("stopped-between")
            else:
                wrong.append("LAT")
        if wrong:
            self.blame(f"{', '.join(wrong)}:\n  seed {seed.line}\n"
                       f"  ours {ours.line}")
        elif rules:
            self.explained["+".join(sorted(rules))] += 1
        else:
            self.matched[seed.kind] += 1
        if not wrong and rules <= {"stopped-between"}:
            self.covered[seed.kind] += 1

    @staticmethod
    def explain(one, field, theirs, mine):
        """The rule by which a field may differ, or None."""
        if field == "fragidx" and one.seed and not one.seed.own and \
                int(one.seed.order) <= 3 and mine == "-1.000" and \
                theirs == f"{one.seed.fragindex / 1000:.3f}":
            return "stale-fragindex"
        if field == "zone" and ZONE_NUMBERS.get(theirs) == mine:
            return "zone-number"
        return None

    def was_stopped(self, one, seed, ours):
        apart = seed.lat - ours.lat
        kernel = one.end - one.begin
        return min(abs(apart - self.ends_apart(seed, ours)),
                   abs(seed.lat - kernel), abs(ours.lat - kernel)) <= MARGIN

    def summary(self):
        rules = ", ".join(f"{rule} {count}"
                          for rule, count in sorted(self.explained.items()))
        return (f"matched {self.matched.total()}, "
                f"explained {self.explained.total()}"
                f"{f' ({rules})' if rules else ''}, "
                f"unexplained {len(self.unexplained)}")


def report(compared, tap):
    part = compared.part
    if compared.unexplained:
        tap.fail("every row has its twin or an explanation",
                 "\n".join(compared.unexplained))
    else:
        tap.ok("every row has its twin or an explanation")
    for kind in KINDS:
        if compared.covered[kind]:
            tap.ok(f"rows matched: {kind}")
        else:
            tap.fail(f"rows matched: {kind}", "none")
    if compared.covered["proactive"]:
        tap.ok("rows matched: proactive")
    else:
        tap.skip("rows matched: proactive", "none came")
    # A program that lost some, or a hole in the kernel's trace, proves nothing.
    noise = part["ours.err"] + part["seed.err"] + \
        [line for line in part["witness.stats"] if not line.endswith(": 0")]
    tap.equal("neither they nor the kernel's trace lost anything", noise, [])
    for what, apart in (("the seed's less ours", compared.differences),
                        ("ours less the kernel's", compared.from_kernel)):
        if apart:
            print(f"# LAT, {what}: median "
                  f"{statistics.median(apart) / 1000:.3f} ms, "
                  f"{min(apart) / 1000:.3f} to {max(apart) / 1000:.3f} ms")
    print(f"# LAT may differ by {MARGIN / 1000:.3f} ms, "
          f"in the median by {MEDIAN_MARGIN / 1000:.3f} ms")
    print("# matched by origin:", ", ".join(
        f"{kind} {count}" for kind, count in sorted(compared.matched.items())))
    print("#", compared.summary())


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: compare.py FILE")
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        compared = Comparison(file)
    tap = Tap()
    report(compared, tap)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
