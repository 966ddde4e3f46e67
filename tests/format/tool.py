# SPDX-License-Identifier: GPL-2.0-only
"""Running the tool, on recordings and on a stand-in for the device."""

import os
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 30  # seconds that no run takes, however slow the machine


class Tool:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.directory = tempfile.TemporaryDirectory(prefix="csn-format-")
        self.stand_in = self._build_stand_in()

    def _build_stand_in(self):
        """The preloaded device, or None if the tool takes no such thing."""
        with open(self.path, "rb") as file:
            if b"/ld-linux" not in file.read():
                return None
        library = self.file("device.so")
        subprocess.run(
            [os.environ.get("HOSTCC", "cc"), "-Wall", "-Wextra", "-D_GNU_SOURCE",
             "-shared", "-fPIC", "-fno-builtin", "-I", os.path.join(HERE, "../../include/uapi"),
             "-o", library, os.path.join(HERE, "device.c"), "-ldl"], check=True)
        return library

    def file(self, name, content=None):
        path = os.path.join(self.directory.name, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def run(self, *arguments, stdin=b"", env=None):
        """Status, standard output and standard error."""
        try:
            done = subprocess.run(
                [self.path, *arguments], input=stdin, capture_output=True,
                timeout=LIMIT, env={**os.environ, **(env or {})}, check=False)
        except subprocess.TimeoutExpired:
            return "does not end", b"", b""
        return done.returncode, done.stdout, done.stderr

    def replay(self, recording, *arguments):
        return self.run("-i", "-", *arguments, stdin=recording)

    def environment(self, stream, **settings):
        return {**os.environ, "LD_PRELOAD": self.stand_in,
                "FAKE_STREAM": stream,
                "ASAN_OPTIONS": "verify_asan_link_order=0",
                **{f"FAKE_{name.upper()}": str(value)
                   for name, value in settings.items()}}

    def live(self, recording, *arguments, **settings):
        """As run(), with the stand-in; the stream ends by itself."""
        stream = self.file("stream", recording)
        return self.run(*arguments, env=self.environment(stream, **settings))

    def start(self, *arguments, stdout=subprocess.PIPE, **settings):
        """A live run that goes on; what is written to the file returned comes
        out of the device."""
        fifo = self.file("fifo")
        if os.path.exists(fifo):
            os.unlink(fifo)
        os.mkfifo(fifo)
        # For both, so that open() does not wait for the other side.
        source = open(os.open(fifo, os.O_RDWR), "wb", buffering=0)
        process = subprocess.Popen(
            [self.path, *arguments], stdout=stdout, stderr=subprocess.PIPE,
            env=self.environment(fifo, **settings))
        return process, source


def finish(process, source):
    """Status, what was not yet read of standard output, standard error."""
    out, err = process.communicate(timeout=LIMIT)
    source.close()
    return process.returncode, out, err


def seconds(function):
    """What a call returns and how long it took."""
    begin = time.monotonic()
    result = function()
    return result, time.monotonic() - begin


def measure(command):
    """Status, CPU seconds and peak memory in KiB of a command without output.
    Not ru_maxrss: that begins with what this process has."""
    peak = 0
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, stdout=null)
    while True:
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace") as file:
                peak = max([peak] + [int(line.split()[1]) for line in file
                                     if line.startswith("VmHWM:")])
        except OSError:
            pass
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_utime + usage.ru_stime, peak
        time.sleep(0.002)
