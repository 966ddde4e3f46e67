#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Whether compare.py can fail: it gets a made-up run that is all right, and then
the same with one thing wrong. Prints TAP.
"""

import os
import sys

import compare

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../format"))
from tap import Tap  # noqa: E402

HEADER = "TIME(s)        COMM           PID    NODE ZONE         ORDER MODE    " \
         "FRAGIDX  MIN      LOW      HIGH     FREE       LAT(ms)           STATUS"
STACK = ["\tcompact_zone+0xa1f", "\tentry_SYSCALL_64_after_hwframe+0x6e"]
ITERATOR = ["\t__traceiter_mm_compaction_end+0x4a"]


class Run:
    """What guest.sh puts out, built up compaction by compaction."""

    def __init__(self):
        self.now = 100000000
        self.part = {"seed": [HEADER], "ours": [HEADER], "witness": []}
        self.start = None

    def event(self, comm, tid, text, flags="....."):
        self.now += 100
        self.part["witness"].append(
            f"{comm:>16}-{tid:<7} [000] {flags} "
            f"{self.now // 1000000:5d}.{self.now % 1000000:06d}: {text}")

    def check(self, comm, tid, order, index=None, ret="continue", zone="DMA32"):
        if index is not None:
            self.event(comm, tid, "fragmentation_index: (x <- y) "
                       f"value={index}")
        self.event(comm, tid, f"mm_compaction_suitable: node=0 zone={zone:<8} "
                   f"order={order} ret={ret}")

    def compaction(self, comm, tid, order, mode, index=None, check=True,
                   status="complete", seed_index=None, seed_zone="ZONE_DMA32",
                   zone="ZONE_DMA32", seed=True):
        if check:
            self.check(comm, tid, order, index, zone=zone[5:])
        self.event(comm, tid, "mm_compaction_begin: zone_start=0x1000 "
                   f"zone_end=0x40000, mode={mode.lower()}")
        self.now += 5000
        self.event(comm, tid, "mm_compaction_end: zone_start=0x1000 "
                   f"zone_end=0x40000, mode={mode.lower()} status={status}")
        self.start = self.start or self.now
        shown = -1000 if index is None else index
        if seed:
            self.row("seed", comm, tid, seed_zone, order, mode,
                     shown if seed_index is None else seed_index, 5.4, status,
                     [f"\tb'{name[1:]}'" for name in ITERATOR + STACK])
        self.row("ours", comm, tid, zone, order, mode, shown, 5.1, status,
                 STACK)

    def row(self, program, comm, tid, zone, order, mode, index, lat, status,
            stack):
        time = f"{(self.now - self.start) / 1000000:.9f}"
        self.part[program] += [
            f"{time:<14} {comm:<14.14} {tid:<6} {0:<4} {zone:<12} {order:<5} "
            f"{mode:<7} {index / 1000:<8.3f} {506:<8} {879:<8} {1252:<8} "
            f"{2166:<8} {lat:9.3f} {status:>16}", *stack, ""]

    def whole(self):
        """A run with every origin and every thing that is explained."""
        self.compaction("canary", 50, -1, "SYNC")
        for index in range(970, 981):
            self.compaction("workload", 60, 9, "ASYNC", index)
        self.compaction("workload", 60, 9, "SYNC", 985, status="partial_skipped")
        self.compaction("kcompactd0", 33, 9, "SYNC", 990, status="success")
        self.compaction("kcompactd0", 33, -1, "SYNC")
        self.check("workload", 60, 9, 998)
        self.compaction("workload", 60, -1, "SYNC", seed_index=998)
        self.compaction("workload", 61, 3, "ASYNC", zone="ZONE_MOVABLE",
                        seed_zone="3")
        self.compaction("workload", 62, -1, "SYNC", check=False, seed=False)
        self.compaction("canary", 70, -1, "SYNC")
        return self

    def lines(self):
        yield "begin|50\n"
        yield "end|70\n"
        for name, lines in self.part.items():
            for line in lines:
                yield f"{name}|{line}\n"

    def find(self, program, *words):
        """Where the first row is that has the words."""
        return next(i for i, line in enumerate(self.part[program])
                    if all(word in line.split() for word in words))

    def drop(self, program, *words):
        at = self.find(program, *words)
        del self.part[program][at:self.part[program].index("", at) + 1]

    def change(self, program, old, new, *words):
        at = self.find(program, *words)
        line = self.part[program][at]
        assert old in line
        self.part[program][at] = line.replace(old, new, 1)


def check(tap, name, run, summary, because=""):
    compared = compare.Comparison(run.lines())
    said = "\n".join(compared.unexplained)
    if compared.summary() != summary or because not in said:
        tap.fail(name, f"{compared.summary()}\nwanted: {summary}\n{said}")
    else:
        tap.ok(name)


def at_fault(tap, name, run):
    compared = compare.Comparison(run.lines())
    if compared.unexplained:
        tap.ok(name)
    else:
        tap.fail(name, compared.summary())


GOOD = ("matched 16, explained 3 (no-note 1, stale-fragindex 1, zone-number 1), "
        "unexplained {}")
LESS = ("matched 15, explained 3 (no-note 1, stale-fragindex 1, zone-number 1), "
        "unexplained {}")

# A field of the kcompactd row: as it is, and wrong, of the same width.
FIELDS = (("COMM", "kcompactd0", "kcompactd1"), ("NODE", " 0    Z", " 1    Z"),
          ("ZONE", "ZONE_DMA32 ", "ZONE_NORMAL"), ("ORDER", " 9 ", " 8 "),
          ("MODE", "SYNC ", "ASYNC"), ("FRAGIDX", "0.990", "0.991"),
          ("MIN", "506", "507"), ("LOW", "879", "880"),
          ("HIGH", "1252", "1253"), ("FREE", "2166", "2167"),
          ("STATUS", " success", "complete"), ("spaces", "SYNC    ", "SYNC   "))


def main():
    tap = Tap()
    check(tap, "a good run", Run().whole(), GOOD.format(0))

    for program in ("seed", "ours"):
        for field, old, new in FIELDS:
            run = Run().whole()
            run.change(program, old, new, "kcompactd0", "success")
            check(tap, f"another {field} in {program}", run, LESS.format(1), field)
        run = Run().whole()
        run.change(program, "33 ", "34 ", "kcompactd0", "success")
        check(tap, f"another PID in {program}", run, LESS.format(2),
              f"{program}: no such compaction")
        run = Run().whole()
        run.part[program][run.find(program, "success") + 2] = "\tother+0x1"
        check(tap, f"another stack in {program}", run, LESS.format(1), "stack")
        run = Run().whole()
        at = run.find(program, "success")
        end = run.part[program].index("", at) + 1
        run.part[program][at:at] = run.part[program][at:end]
        check(tap, f"a row twice in {program}", run, GOOD.format(1),
              f"{program}: no such compaction")
        run = Run().whole()
        run.part[program].insert(3, "Traceback (most recent call last):")
        check(tap, f"a line that is no row in {program}", run, GOOD.format(1),
              "not a row")

    run = Run().whole()
    run.drop("ours", "kcompactd0", "success")
    check(tap, "a row that only the seed has", run, LESS.format(1),
          "only the seed has")
    run = Run().whole()
    run.drop("seed", "kcompactd0", "success")
    check(tap, "a row that only we have", run, LESS.format(1), "only we have")
    run.drop("ours", "kcompactd0", "success")
    check(tap, "a compaction that neither has", run, LESS.format(1),
          "neither has")

    # Both LATs changed by the same do agree; one alone does not.
    for program, old in (("seed", "5.400"), ("ours", "5.100")):
        run = Run().whole()
        run.change(program, old, "9.000", "kcompactd0", "success")
        check(tap, f"LAT of {program} later, as if stopped there", run,
              LESS.format(0).replace("explained 3", "explained 4").replace(
                  "zone", "stopped-between 1, zone"))
    for program in ("seed", "ours"):
        # Within the margin of each row, but the same way in all of them.
        run = Run().whole()
        for i, line in enumerate(run.part[program]):
            run.part[program][i] = line.replace(" 5.400 ", " 6.000 ").replace(
                " 5.100 ", " 6.900 ")
        at_fault(tap, f"LAT of {program} off a little in every row", run)
        run = Run().whole()
        for i, line in enumerate(run.part[program]):
            run.part[program][i] = line.replace(" 5.400 ", " 9.000 ").replace(
                " 5.100 ", " 9.000 ")
        at_fault(tap, f"LAT of {program} off in every row", run)

    # Rules must not reach further than what they explain.
    run = Run().whole()
    run.change("seed", "0.998", "0.997", "workload", "-1")
    check(tap, "a stale FRAGIDX that no check left", run,
          "matched 16, explained 2 (no-note 1, zone-number 1), unexplained 1",
          "FRAGIDX")
    run = Run().whole()
    run.change("ours", "-1.000", "0.998 ", "workload", "60", "-1")
    check(tap, "our own FRAGIDX stale", run,
          "matched 16, explained 2 (no-note 1, zone-number 1), unexplained 1",
          "kernel's FRAGIDX")
    run = Run().whole()
    run.change("seed", " 3   ", " 4   ", "workload", "61")
    check(tap, "the number of another zone", run,
          "matched 16, explained 2 (no-note 1, stale-fragindex 1), unexplained 1",
          "ZONE")
    for canary in ("50", "70"):
        run = Run().whole()
        run.drop("ours", "canary", canary)
        at_fault(tap, f"no row of ours of canary {canary}", run)
    run = Run().whole()
    run.part["witness"] = []
    at_fault(tap, "no trace by the kernel", run)
    run = Run().whole()
    run.part["seed"] = []
    at_fault(tap, "no output of the seed's", run)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
