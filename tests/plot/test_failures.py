# SPDX-License-Identifier: GPL-2.0-only
"""No gnuplot, one that fails, files that cannot be written."""

import os
import re

from plots import Svg, script_data

SERIES = [("order 0", [(1, 5), (2, 7)])]
MISSING = b"draw: there is no gnuplot here to draw with: install the package" \
    b" gnuplot-nox (or gnuplot)\n"


def _gnuplot(draw, script):
    """A gnuplot that is a shell script; the PATH to find it."""
    directory = draw.path("bin")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "gnuplot"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script)
    os.chmod(os.path.join(directory, "gnuplot"), 0o755)
    return directory


def _missing(tap, draw):
    status, out, err = draw.draw("m.svg", SERIES, PATH="")
    tap.equal("no gnuplot: status, messages", (status, out, err), (
        1, b"", MISSING + b"draw: the plot's data are kept; gnuplot draws them"
        b" with: gnuplot m.svg.gnuplot > m.svg\n"))
    tap.equal("no gnuplot: no empty picture", draw.there("m.svg"), False)
    tap.equal("no gnuplot: the data are kept",
              script_data(draw.read("m.svg.gnuplot"))["data0_0"],
              [[1, 0, 5], [2, 0, 7]])
    _, out, err = draw.run("gnuplot", "m.svg.gnuplot")
    tap.equal("what is kept can be drawn elsewhere",
              (len(Svg(out).series()), err), (1, b""))
    draw.file("old.svg", b"an older picture")
    draw.draw("old.svg", SERIES, PATH="")
    tap.equal("no gnuplot: an older picture stays", draw.read("old.svg"),
              b"an older picture")
    status, out, err = draw.draw("-", SERIES, PATH="")
    kept = re.search(rb"draws them with: gnuplot (\S+)\n", err)
    tap.equal("no gnuplot for the terminal: status, messages",
              (status, out, err.startswith(MISSING), bool(kept)),
              (1, b"", True, True))
    _, out, _ = draw.run("gnuplot", kept.group(1).decode())
    tap.equal("what is kept draws in the terminal", b"0  order 0" in out, True)


def _failing(tap, draw):
    path = _gnuplot(draw, "printf '\\nplot x\\n ^\\n\"stdin\" line 1: out of ink\\n\\n'"
                    " >&2\n[ \"$2\" = --version ] || exit 3\n")
    status, out, err = draw.draw("f.png", SERIES, PATH=path)
    tap.equal("gnuplot fails: status, its own words, and where the data are",
              (status, out, err), (
                  1, b"", b"draw: gnuplot failed: \"stdin\" line 1: out of ink\n"
                  b"draw: the plot's data are kept; gnuplot draws them with:"
                  b" gnuplot f.png.gnuplot > f.png\n"))
    tap.equal("gnuplot fails: no half picture",
              (draw.there("f.png"), draw.there("f.png.gnuplot")), (False, True))
    path = _gnuplot(draw, '[ "$2" = --version ] || kill -9 $$\n')
    status, _, err = draw.draw("f.png", SERIES, PATH=path)
    tap.equal("gnuplot is killed: says so", (status, err.splitlines()[0]),
              (1, b"draw: gnuplot failed: it did not say why"))


def _files(tap, draw):
    for name in ("x.jpg", "x", "svg", "x.svg.gz", ""):
        status, _, err = draw.draw(name, SERIES)
        tap.equal(f"unknown format {name!r}", (status, err), (
            2, b'draw: cannot tell from the name "%s" what to draw: it has to'
            b" end in .svg, .png, .pdf or .html; - draws in the terminal\n"
            % name.encode()))
    tap.equal("no such directory", draw.draw("none/x.svg", SERIES), (
        1, b"", b"draw: cannot write none/x.svg: No such file or directory\n"))
    os.symlink("/dev/full", draw.path("full.svg"))
    tap.equal("a full disk", draw.draw("full.svg", SERIES), (
        1, b"", b"draw: cannot write full.svg: No space left on device\n"))
    draw.file("long.svg", b"x" * 1000000)
    draw.draw("long.svg", SERIES)
    tap.equal("a longer picture is replaced as a whole",
              len(Svg(draw.read("long.svg")).series()), 1)
    draw.file(".gnuplot", b"set terminal unknown\n")
    tap.equal("the user's own gnuplot settings do not matter",
              (draw.draw("h.svg", SERIES, HOME=draw.directory.name)[0],
               len(Svg(draw.read("h.svg")).series())), (0, 1))
    name = "a b'c\"d$(touch hacked)`touch hacked`;\\n.svg"
    tap.equal("a file name that a shell would take apart",
              (draw.draw(name, SERIES), draw.there(name), draw.there("hacked")),
              ((0, b"", b""), True, False))


def run(tap, draw):
    _missing(tap, draw)
    _failing(tap, draw)
    _files(tap, draw)
