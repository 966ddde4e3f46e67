#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What is expected, kept in golden/ for where the seed is not. Run, this writes
those files anew from the seed; it never looks at our own output.
"""

import contextlib
import io
import json
import os
import sys

import cases
import seed

DIRECTORY = os.path.join(seed.HERE, "golden")
MARK = b"$ compactsnoop"


def rows(case):
    """The seed's rows for each combination of options, with a title each."""
    text = b""
    for options in case.options():
        text += b" ".join([MARK, *(o.encode() for o in options)]) + b"\n"
        text += seed.rows(case.events, cases.symbol, "-T" in options,
                          "-e" in options, "-K" in options, case.machine)
    return text


def split_rows(text):
    """The rows by options, as a tuple."""
    found = {}
    for part in text.split(MARK)[1:]:
        title, _, body = part.partition(b"\n")
        found[tuple(title.decode().split())] = body
    return found


def command_line(arguments):
    """What argparse prints for arguments and ends with, or its result."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            seed.parser().parse_args(arguments)
        except SystemExit as end:
            status = end.code
    # Standard error of a Python program shows what is no text this way.
    return {"arguments": arguments, "status": status, "stdout": out.getvalue(),
            "stderr": err.getvalue().encode("utf-8", "backslashreplace")
            .decode("utf-8")}


def command_lines():
    """All of them, as JSON."""
    return json.dumps([command_line(a) for a in cases.COMMAND_LINES],
                      indent=1).encode() + b"\n"


def parses_as_debian_12():
    return sys.version_info[:2] == (3, 11)


def generate():
    """Names and contents of the files."""
    files = {name + ".txt": rows(case)
             for name, case in cases.all_cases().items()}
    if parses_as_debian_12():
        files["command-lines.json"] = command_lines()
    return files


def stored(name):
    with open(os.path.join(DIRECTORY, name), "rb") as file:
        return file.read()


def main():
    if not seed.available():
        sys.exit(f"golden.py: {seed.PATH} is not there: set BCC_COMPACTSNOOP")
    os.makedirs(DIRECTORY, exist_ok=True)
    for name, text in generate().items():
        with open(os.path.join(DIRECTORY, name), "wb") as file:
            file.write(text)


if __name__ == "__main__":
    main()
