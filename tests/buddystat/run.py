#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Tests of buddystat: run.py [TOOL]. They need neither the module nor root.
Numbers are counted by hand where a case is small, and by Python code of its
own (counting.py) where it is not.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../format"))

# pylint: disable=wrong-import-position
import test_damage
import test_export
import test_layouts
import test_live
import test_loss
import test_names
import test_options
import test_records
import test_samples
import test_series
from tap import Tap
from tool import Tool


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(
        "BUDDYSTAT", os.path.join(HERE, "../../build/tool/buddystat"))
    if not os.access(path, os.X_OK):
        sys.exit(f"run.py: no tool at {path}: make tool, or name it")
    tap, tool = Tap(), Tool(path)
    for area in (test_layouts, test_names, test_damage, test_loss, test_series,
                 test_export, test_records, test_samples, test_options, test_live):
        area.run(tap, tool)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
