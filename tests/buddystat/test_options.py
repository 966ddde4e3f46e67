# SPDX-License-Identifier: GPL-2.0-only
"""The command line."""

import counting

TEXT = counting.alloc(1)


def _errors(tap, tool):
    for arguments, words in (
            (("x",), b"argument interval: 'x' is not a number of seconds, such as 0.5"),
            (("0",), b"argument interval: '0' is not above 0 seconds"),
            (("-1",), b"argument interval: '-1' is not a number of seconds"),
            (("1", "x"), b"argument count: 'x' is not a number of rows, from 1"),
            (("1", "0"), b"argument count: '0' is not a number of rows, from 1"),
            (("1", "2", "3"), b"unrecognized arguments: 3"),
            (("--nonsense",), b"unrecognized arguments: --nonsense"),
            (("-x", "1"), b"unrecognized arguments: -x"),
            (("--by", "zone"), b"argument --by: 'zone' is neither comm nor pid"),
            (("--comm", "0123456789abcdef"), b"is longer than the 15 bytes"),
            (("-p", "0"), b"argument -p/--pid: '0' is not a process id"),
            (("-i",), b"argument -i/--input: expected one argument"),
            (("--csv", "--json"), b"not allowed with argument --csv"),
            (("--boot", "-i", "-"), b"not allowed with argument -i/--input"),
            (("record",), b"the following arguments are required: FILE"),
            (("record", "f", "g"), b"unrecognized arguments: g"),
            (("--csv", "record", "f"), b"record takes -p, --comm and --free only"),
            (("--cum", "--c", "x"), b"ambiguous option: --c could match --comm, --cumulative, --csv")):
        status, out, err = tool.run(*arguments)
        tap.equal(f"usage error: {' '.join(arguments)}",
                  (status, out, err.startswith(b"usage: buddystat "),
                   words in err.split(b"error: ")[-1], err.count(b"error: ")),
                  (2, b"", True, True, 1))


def _accepted(tap, tool):
    plain = tool.run("-i", "-", stdin=TEXT)
    for arguments in (("1",), ("1.0",), ("--", "1"), ("1", "--"), ("--in", "-", "1"), ("1", "1")):
        options = arguments if "--in" in arguments else ("-i", "-", *arguments)
        got = tool.run(*options, stdin=TEXT)
        wanted = plain
        if arguments == ("1", "1"):  # ended by the count: no totals
            wanted = (0, plain[1].split(b"total")[0], b"")
        tap.equal(f"accepted: {' '.join(arguments)}", got, wanted)


def _help(tap, tool):
    status, out, err = tool.run("--help")
    lines = out.decode().split("\n")
    tap.equal("--help", (status, out.startswith(b"usage: buddystat"), err), (0, True, b""))
    tap.equal("--help fits 80 columns", max(map(len, lines)) < 80, True)
    tap.equal("-h is --help", tool.run("-h"), (status, out, err))
    status, out, err = tool.run("--version")
    tap.equal("--version", (status, out.split()[0], err), (0, b"buddystat", b""))
    tap.equal("every option is explained",
              [name for name in ("--pid", "--comm", "--by", "--free", "--migratetype", "--zone",
                                 "--node", "--cumulative", "--timestamp", "--one-header", "--csv",
                                 "--json", "--input", "--boot", "--plot", "--version", "--help")
               if f"  {name}" not in "\n".join(lines) and f", {name}" not in "\n".join(lines)], [])


def run(tap, tool):
    for part in (_errors, _accepted, _help):
        part(tap, tool)
