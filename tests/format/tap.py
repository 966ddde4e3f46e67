# SPDX-License-Identifier: GPL-2.0-only
"""The Test Anything Protocol, as kselftest speaks it."""

import sys


class Tap:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        print("TAP version 13")

    def _line(self, words):
        print(words)
        sys.stdout.flush()

    def _number(self):
        return self.passed + self.failed + self.skipped

    def ok(self, name):
        self.passed += 1
        self._line(f"ok {self._number()} - {name}")

    def skip(self, name, why):
        self.skipped += 1
        self._line(f"ok {self._number()} - {name} # SKIP {why}")

    def fail(self, name, why):
        self.failed += 1
        self._line(f"not ok {self._number()} - {name}")
        for line in why.splitlines():
            self._line("# " + line)

    def equal(self, name, got, wanted):
        """Pass if got is wanted; else show the first line that differs."""
        if got == wanted:
            self.ok(name)
            return
        if isinstance(got, bytes) and isinstance(wanted, bytes):
            lines = zip(got.split(b"\n") + [None], wanted.split(b"\n") + [None])
            for i, (ours, theirs) in enumerate(lines):
                if ours != theirs:
                    self.fail(name, f"line {i + 1}: got    {ours!r}\n"
                              f"line {i + 1}: wanted {theirs!r}")
                    return
        self.fail(name, f"got    {got!r}\nwanted {wanted!r}")

    def end(self):
        self._line(f"1..{self._number()}")
        self._line(f"# Totals: pass:{self.passed} fail:{self.failed} "
                   f"skip:{self.skipped}")
        return 1 if self.failed else 0
