# SPDX-License-Identifier: GPL-2.0-only
"""Tracing, with a stand-in for the device (device.c)."""

import errno
import os
import signal
import struct

import wire
from tool import LIMIT, finish, seconds
from wire import Event

PREFIX = b"compactsnoop: "
INFO = wire.info()
CONFIG = "=6I3I16s4I2Bb1BQ"  # struct csn_config with its filter


def _errors(tap, tool):
    """Each failure: its own status and one line that says what to do."""
    for name, settings, status, words in (
            ("not loaded", {"open": errno.ENOENT}, 3, b"as root: modprobe compactsnoop"),
            ("a node without a module", {"open": errno.ENXIO}, 3, b"as root: modprobe"),
            ("modprobe fails", {"open": errno.ENOENT, "modprobe": 2}, 3,
             b"modprobe cannot load the module (it does not say why); see dmesg"),
            ("no right to open", {"open": errno.EACCES}, 4, b"run it as root"),
            ("no capability", {"open": errno.EPERM}, 4, b"CAP_PERFMON"),
            ("busy at open", {"open": errno.EBUSY}, 7, b"max_sessions"),
            ("no memory at open", {"open": errno.ENOMEM}, 9, b"no memory"),
            ("too many files", {"open": errno.EMFILE}, 1, b"Too many open files"),
            ("another device", {"info": errno.ENOTTY}, 6, b"not of a module that this tool knows"),
            ("an old module", {"abi": 0}, 6, b"too old (its ABI is version 0, this tool's is 1): update the module"),
            ("a new module", {"abi": 2}, 6, b"too new (its ABI is version 2, this tool's is 1): update the tool"),
            ("no tracepoints", {"start": errno.ENODEV, "features": 0}, 8, b"CONFIG_COMPACTION"),
            ("something else missing", {"start": errno.ENODEV}, 8, b"dmesg"),
            ("no memory for rings", {"start": errno.ENOMEM}, 9, b"ring_kb"),
            ("busy at start", {"start": errno.EBUSY}, 7, b"is busy"),
            ("no right to start", {"start": errno.EPERM}, 4, b"run it as root"),
            ("no such process", {"config": errno.ESRCH}, 5, b"no process has the id"),
            ("a config refused", {"config": errno.EINVAL}, 1, b"Invalid argument")):
        got, out, err = tool.live(INFO, **settings)
        tap.equal(f"error: {name}",
                  (got, out, err.count(b"\n"), err.startswith(PREFIX),
                   words in err), (status, b"", 1, True, True))
    got, out, err = tool.live(INFO, read=errno.EIO)
    tap.equal("error: reading fails", (got, out.count(b"\n"), err),
              (1, 1, PREFIX + b"cannot read /dev/compactsnoop: Input/output error\n"))
    tap.equal("error: -p of no process",
              tool.live(INFO, "-p", "4194304"),
              (5, b"", PREFIX + b"no process has the id 4194304\n"))
    tap.equal("modprobe loads the module",
              tool.live(INFO, open=errno.ENOENT, modprobe=1)[::2], (0, b""))


def _modprobe(tap, tool):
    """Why the module does not load, and what to do about it."""
    kmod = "modprobe: ERROR: could not insert 'compactsnoop': "
    busybox = "modprobe: can't load module compactsnoop (extra/compactsnoop.ko): "
    root = tool.file("root")
    for lockdown, disabled, said, words in (
            ("", "0", "modprobe: FATAL: Module compactsnoop not found in directory "
             "/lib/modules/6.1.0\n", b"not installed for this kernel: make dkms-install"),
            ("", "0", "modprobe: module compactsnoop not found in modules.dep\n",
             b"not installed for this kernel: make dkms-install"),
            ("[none]", "0", kmod + "Key was rejected by service", b"mokutil --import"),
            ("[none]", "0", kmod + "Required key not available", b"mokutil --import"),
            ("none [integrity] confidentiality", "0",
             kmod + "Operation not permitted", b"is locked down"),
            ("none integrity [confidentiality]", "0",
             busybox + "Operation not permitted", b"is locked down"),
            ("none integrity [confidentiality]", "1", kmod + "Operation not permitted",
             b"kernel.modules_disabled"),
            ("[none] integrity confidentiality", "0",
             kmod + "Operation not permitted", b"in a container: load it on the host"),
            ("", "0", busybox + "Operation not permitted", b"in a container"),
            ("", "0", kmod + "Exec format error\nand more", b"of another kernel"),
            ("", "0", busybox + "invalid module format", b"of another kernel"),
            ("", "0", kmod + "Cannot allocate memory\nand more",
             f"modprobe cannot load the module ({kmod}Cannot allocate memory); see dmesg".encode()),
            ("", "0", "x" * 100000, b"(" + b"x" * 255 + b"); see dmesg")):
        for path, content in (("sys/kernel/security/lockdown", lockdown),
                              ("proc/sys/kernel/modules_disabled", disabled)):
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(content + "\n")
        got, out, err = tool.live(INFO, open=errno.ENOENT, modprobe=2, says=said, root=root)
        tap.equal(f"modprobe: {lockdown} {disabled} {said[:90]!r}",
                  (got, out, err.count(b"\n"), err.startswith(PREFIX), words in err),
                  (3, b"", 1, True, True))


def _config(tap, tool):
    """What the module is asked for."""
    path = tool.file("config")
    pid = os.getpid()
    for options, flags, match, wanted_pid in (
            ([], 0, 0, 0), (["-e"], 1, 0, 0), (["-K"], 2, 0, 0),
            (["-TeK", "-p", str(pid)], 3, 1, pid)):
        tool.live(INFO, *options, config_file=path)
        with open(path, "rb") as file:
            config = file.read()
        wanted = struct.pack(CONFIG, len(config), 1, flags, 0, 0, 0, match,
                             wanted_pid, 0, bytes(16), 0, 0, 0, 0, 0, 0, 0, 0, 0)
        tap.equal(f"config for {' '.join(options) or 'no option'}", config, wanted)
    tool.live(INFO, "-K", config_file=path, features=7)
    with open(path, "rb") as file:
        tap.equal("no stacks asked for where there are none",
                  struct.unpack_from("=3I", file.read())[2], 0)


def _features(tap, tool):
    """What the kernel lacks is said once, and the rest is done."""
    stream = INFO + Event().encode()
    plain = tool.live(stream)[1]
    extended = tool.live(stream, "-e")[1]
    for missing, options, rows, words in (
            (4, "-e", extended, b"FRAGIDX is computed, not probed"),
            (2, "-e", extended, b"as of the beginning"),
            (8, "-K", plain, b"no stacks"),
            (16, "-K", plain + b"\n", b"[unknown]"),
            (8, "-e", extended, b""), (6, "-K", plain + b"\n", b"")):
        status, out, err = tool.live(stream, options, features=31 & ~missing)
        tap.equal(f"{options} without feature {missing}",
                  (status, out, err.count(b"\n"), words in err),
                  (0, rows, 1 if words else 0, True))


def _lost(tap, tool):
    """What the stream did not tell is told at the end."""
    stream = INFO + wire.lost(5)
    for lost, wanted in ((0, b"Possibly lost 5 samples\n"),
                         (5, b"Possibly lost 5 samples\n"),
                         (12, b"Possibly lost 5 samples\nPossibly lost 7 samples\n")):
        tap.equal(f"{lost} lost, 5 of them told in the stream",
                  tool.live(stream, lost=lost)[2], wanted)


def _duration(tap, tool):
    """Ends on time, with no event, one event, and events without an end."""
    for name, events in (("no event", 0), ("one event", 1)):
        process, source = tool.start("-d", "0.5")
        source.write(INFO + Event().encode() * events)
        (status, out, err), took = seconds(lambda: finish(process, source))
        tap.equal(f"-d 0.5 with {name}",
                  (status, out.count(b"\n"), err, 0.3 < took < 5),
                  (0, 1 + events, b"", True))
    (status, out, err), took = seconds(lambda: tool.live(
        INFO + Event().encode() * 100, "-d0.5", endless=len(INFO)))
    tap.equal("-d 0.5 with events without an end",
              (status, out.count(b"\n") > 100, err, 0.3 < took < LIMIT),
              (0, True, b"", True))


def _interrupt(tap, tool):
    for number in (signal.SIGINT, signal.SIGTERM):
        process, source = tool.start("-T")
        head = process.stdout.readline()
        source.write(INFO + Event(ts=10**9).encode())
        row = process.stdout.readline()
        # What the device still holds when the signal comes is printed too.
        process.send_signal(signal.SIGSTOP)
        source.write(Event(ts=10**9 + 1000).encode())
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        status, out, err = finish(process, source)
        tap.equal(f"{number.name} ends quietly after the last row",
                  (status, head[:4], row[:11], out.count(b"\n"), err),
                  (0, b"TIME", b"0.000000000", 1, b""))
    process, source = tool.start()
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    (status, _, err), took = seconds(lambda: finish(process, source))
    tap.equal("the output's reader leaves while nothing happens",
              (status, err, took < 5), (141, b"", True))


def _order(tap, tool):
    """An event that comes a moment after a younger one goes before it."""
    process, source = tool.start()
    process.stdout.readline()
    source.write(INFO + Event(ts=2 * 10**6, pid=2).encode() +
                 Event(ts=10**6, pid=1).encode())
    rows = [process.stdout.readline()[15:16] for _ in range(2)]
    source.write(Event(ts=3 * 10**6, pid=3).encode())
    rows.append(process.stdout.readline()[15:16])
    process.terminate()
    tap.equal("live rows in the order of time",
              (rows, finish(process, source)), ([b"1", b"2", b"3"], (0, b"", b"")))


def _damaged(tap, tool):
    status, out, err = tool.live(INFO + Event().encode() + bytes(64))
    tap.equal("a damaged stream", (status, out.count(b"\n"), err),
              (1, 2, PREFIX + b"/dev/compactsnoop is damaged at byte 256: "
               b"what comes before is shown\n"))


def run(tap, tool):
    if not tool.stand_in:
        tap.skip("tracing with a stand-in for the device", "the tool is static")
        return
    for part in (_errors, _modprobe, _config, _features, _lost, _duration, _interrupt,
                 _order, _damaged):
        part(tap, tool)
