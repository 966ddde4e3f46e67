#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Insmod and read: a machine with busybox alone records, another one prints.
What the rows must say comes from that machine's /proc and shell.
"""

import os
import re
import subprocess
import sys
import tempfile

VM = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.join(VM, "..", "..")
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))
TOOL = os.path.join(BUILD, "tool", "compactsnoop")

sys.path.insert(0, os.path.join(VM, "..", "format"))
from tap import Tap  # noqa: E402


def record(kernel):
    """The guest's words: who compacted, the zones, the recording."""
    krel = subprocess.check_output(
        [os.path.join(VM, "kernel.sh"), kernel, "KREL"], text=True).strip()
    module = os.path.join(BUILD, krel, "compactsnoop.ko")
    out = subprocess.run(
        [os.path.join(VM, "run.sh"), "--kernel", kernel,
         "--file", module + ":/compactsnoop.ko",
         "--file", os.path.join(VM, "guest", "record") + ":/vm/record",
         "--", "sh", "/vm/record", "/compactsnoop.ko"],
        stdout=subprocess.PIPE, check=True).stdout
    facts, recording = out.split(b"\n", 1)
    pid, *zones = facts.decode().split()
    return pid, zones, recording


def run(*options, stdin=None):
    done = subprocess.run([TOOL, *options], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


def check(tap, kernel):
    pid, zones, recording = record(kernel)
    wanted = [["sh", pid, "0", "ZONE_" + zone.upper(), "-1", "SYNC"]
              for zone in zones]
    with tempfile.NamedTemporaryFile() as file:
        file.write(recording)
        file.flush()
        status, text = run("-i", file.name)
        extended = run("-T", "-e", "-i", file.name)
    rows = [line.split() for line in text.splitlines()[1:]]
    tap.equal(f"{kernel}: the machine has zones", bool(zones), True)
    tap.equal(f"{kernel}: a row a zone", [row[:6] for row in rows], wanted)
    tap.equal(f"{kernel}: status", status, 0)
    tap.equal(f"{kernel}: from standard input with -T -e, too",
              run("-T", "-e", "-i", "-", stdin=recording), extended)
    state = re.compile(r"SYNC +-1\.000 +\d+ +\d+ +\d+ +\d+ ")
    tap.equal(f"{kernel}: every row with the zone's state",
              len(state.findall(extended[1])), len(zones))


BUILT = ["debian-6.1", "debian-6.12"]


def main():
    tap = Tap()
    # Those that are built by now; other machines run tool_live.sh.
    kernels = os.environ.get("KERNELS", BUILT[0]).split()
    for kernel in [name for name in BUILT if name in kernels] or BUILT[:1]:
        check(tap, kernel)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
