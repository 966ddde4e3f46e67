#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Tests of plots: run.py [DIRECTORY of the tools]. They need gnuplot and, for
pages, Chromium; neither the module nor root.
"""

import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../format"),
                os.path.join(HERE, "../buddystat")]

# pylint: disable=wrong-import-position
import test_failures
import test_formats
import test_odd
import test_page
import test_tools
from plots import Draw
from tap import Tap


def main():
    tools = sys.argv[1] if len(sys.argv) > 1 else \
        os.path.join(HERE, "../../build/tool")
    for name in ("compactsnoop", "buddystat"):
        if not os.access(os.path.join(tools, name), os.X_OK):
            sys.exit(f"run.py: no {name} in {tools}: make tool, or name it")
    if not shutil.which("gnuplot"):
        sys.exit("run.py: no gnuplot: tests/vm/packages.sh plots installs it")
    tap, draw = Tap(), Draw(tools)
    for area in (test_formats, test_odd, test_failures, test_tools, test_page):
        area.run(tap, draw)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
