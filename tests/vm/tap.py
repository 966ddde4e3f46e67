#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Sum up the TAP of several programs: a filter whose last line is
"N passed, N failed" or "N passed, N failed, N skipped".

Each program's output stands between "### begin NAME" and "### end STATUS".
Only lines at the margin count: the harness indents or comments what is within
a test. What a program leaves out counts as failed: results that its plan
promised, the plan itself, a good exit status after good results.
"""

import re
import sys

RESULT = re.compile(r"(not )?ok\b[^#]*(?:#\s*(\w+))?", re.IGNORECASE)
PLAN = re.compile(r"1\.\.(\d+)\b\s*(#\s*skip)?", re.IGNORECASE)
KSFT_SKIP = 4


class Program:
    def __init__(self, name):
        self.name = name
        self.passed = self.failed = self.skipped = 0
        self.plan = None
        self.skips_all = False
        self.bailed_out = False

    def results(self):
        return self.passed + self.failed + self.skipped

    def line(self, line):
        plan = PLAN.match(line)
        result = RESULT.match(line)
        if plan:
            self.plan = int(plan[1])
            self.skips_all = bool(plan[2])
        elif line.startswith("Bail out!"):
            self.bailed_out = True
        elif result and result[1]:
            self.failed += 1
        elif result and (result[2] or "").upper().startswith("SKIP"):
            self.skipped += 1
        elif result:
            self.passed += 1

    def end(self, status):
        """What is wrong with it as a whole: a list of (count, why)."""
        wrong = []
        if self.plan == 0 and self.skips_all and status in (0, KSFT_SKIP):
            self.skipped += 1
        elif self.plan is None:
            wrong.append((1, "no plan"))
        elif self.results() < self.plan:
            wrong.append((self.plan - self.results(),
                          f"{self.results()} results of {self.plan}"))
        elif self.results() > self.plan or self.plan == 0:
            wrong.append((1, f"{self.results()} results, plan of {self.plan}"))
        if self.bailed_out:
            wrong.append((1, "bailed out"))
        all_skipped = status == KSFT_SKIP and self.skipped == self.results()
        if status != 0 and not all_skipped and not self.failed and not wrong:
            wrong.append((1, "all well"))
        self.failed += sum(count for count, _ in wrong)
        ended = "did not end" if status is None else f"ended with {status}"
        return [f"{why}; {ended}" for _, why in wrong]


def main():
    passed = failed = skipped = 0
    program = None
    bad = []

    def close(status):
        nonlocal passed, failed, skipped, program
        wrong = program.end(status)
        for why in wrong:
            print(f"# {program.name}: {why}")
        passed += program.passed
        failed += program.failed
        skipped += program.skipped
        if program.failed:
            bad.append(f"# failed: {program.name}: {program.failed}")
        program = None

    for line in sys.stdin.buffer:
        line = line.decode(errors="replace").rstrip("\r\n")
        print(line, flush=True)
        words = line.split()
        if words[:2] == ["###", "begin"]:
            if program:
                close(None)
            program = Program(" ".join(words[2:]))
        elif words[:2] == ["###", "end"] and program:
            close(int(words[2]))
        elif program:
            program.line(line)
    if program:
        close(None)
    for line in bad:
        print(line)
    print(f"{passed} passed, {failed} failed" +
          (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
