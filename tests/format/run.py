#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Tests of what compactsnoop prints: run.py [TOOL]. They need neither the module
nor root. Expected rows and usage errors are the seed's (see seed.py).
"""

import os
import sys

import golden
import seed
import test_arguments
import test_live
import test_recordings
import test_rows
from tap import Tap
from tool import Tool


def check_golden(tap):
    """golden/ is what the seed gives today."""
    if not seed.available():
        tap.skip("golden files are the seed's", f"no {seed.PATH}")
        return
    for name, text in golden.generate().items():
        tap.equal(f"golden/{name} is the seed's", golden.stored(name), text)
    if not golden.parses_as_debian_12():
        tap.skip("golden/command-lines.json is the seed's",
                 "argparse is not that of Python 3.11")


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(
        "COMPACTSNOOP",
        os.path.join(seed.HERE, "../../build/tool/compactsnoop"))
    if not os.access(path, os.X_OK):
        sys.exit(f"run.py: no tool at {path}: make tool, or name it")
    tap, tool = Tap(), Tool(path)
    check_golden(tap)
    for area in (test_rows, test_arguments, test_recordings, test_live):
        area.run(tap, tool)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
