# SPDX-License-Identifier: GPL-2.0-only
"""
Run a Python program with its memory locked.
usage: locked.py PROGRAM [ARGUMENT]...

The workload takes all memory that is available. To the kernel that includes
what is mapped of bcc's compiler; it would be read back again and again while
events wait, and in the end the kernel would run out of memory.
"""

import ctypes
import runpy
import sys

MCL_CURRENT, MCL_FUTURE, MCL_ONFAULT = 1, 2, 4

if ctypes.CDLL(None).mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT):
    sys.exit("locked.py: mlockall failed")
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
