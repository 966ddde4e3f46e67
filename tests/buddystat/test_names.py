# SPDX-License-Identifier: GPL-2.0-only
"""Tasks named like any part of a line of trace text. A name is 15 bytes."""

import random

import counting

NAMES = (
    b"x order=9", b"a [001] 1-2", b"a-1 [001]", b"a-1 [001] d..1", b"a-1", b"1-2",
    b"-1", b"--", b"-", b"1", b"a 1", b"a 1 [001]", b"a 1  1.0: b:", b"a-1 1.5: x:",
    b"mm_page_alloc:", b"mm_page_alloc: ", b"1.5: mm_page_a", b"CPU:0 [LOST 5",
    b"CPU:0 [LOST 5 E", b"# comment", b"=> frame", b"kworker/0:1-ev", b"[kthreadd]",
    b"(sd-pam)", b"Web Content", b"a  b", b"cpus=2", b"a,b\"c", b"x: y=1", b"<...>",
    b"<idle>", b"100% cpu", b"a-1 (-------)", b"a 20400/20417", b"\xc3\xa4\xff\x80",
    b"a\tb", b"a\rb", b"\x1b[2J", b"kmem:mm_page_al", b"a order=9 1-2 [", b"0-0 [000] 0.0:",
    b"2d.s1. 812.004:", b"a-1  2.000000:", b"a 1  2.000000:")


def lines(name, pid):
    """The allocation of a task in the layouts that show its name whole."""
    yield "kernel", counting.alloc(812.004512, 3, name, pid, 2)
    yield "kernel without flags", (
        b"%16s-%-7d [002]   812.004512: mm_page_alloc: page=1 pfn=0x1 order=3 "
        b"migratetype=0 gfp_flags=0\n" % (name, pid))
    yield "kernel with process id", (
        b"%16s-%-7d (%7d) [002] ..... 812.004512: mm_page_alloc: page=1 pfn=0x1 "
        b"order=3 migratetype=0 gfp_flags=0\n" % (name, pid, pid))
    yield "kernel with unknown process id", (
        b"%16s-%-7d (-------) [002] ..... 812.004512: mm_page_alloc: page=1 pfn=0x1 "
        b"order=3 migratetype=0 gfp_flags=0\n" % (name, pid))
    yield "trace-cmd", (
        b"%16s-%-5d [002]   812.004512: mm_page_alloc:        page=0x1 pfn=0x1 "
        b"order=3 migratetype=0 gfp_flags=0\n" % (name, pid))
    yield "perf", (
        b"%16s %5d [002]   812.004512: kmem:mm_page_alloc: page=0x1 pfn=0x1 order=3 "
        b"migratetype=0 gfp_flags=0\n" % (name, pid))
    yield "perf without CPU", (
        b"%16s %5d   812.004512: kmem:mm_page_alloc: page=0x1 pfn=0x1 order=3 "
        b"migratetype=0 gfp_flags=0\n" % (name, pid))


def shown(name):
    """Blanks at either end cannot be told from those that pad the column."""
    return name.strip(b" \t").decode("utf-8", "replace")


def _named(tap, tool):
    for name in NAMES:
        for layout, line in lines(name, 915):
            # perf's column says where a name ends that ends in a blank and a
            # number; the kernel's "-" does not occur there.
            got = counting.objects(tool, line, "--by", "pid")
            tap.equal(f"{layout}: {name!r}",
                      [(row["comm"].strip(" \t"), row["pid"], row["orders"][3],
                        sum(row["orders"]), row["time"]) for row in got],
                      [(shown(name), 915, 1, 1, 813.004512)])


def _random(tap, tool):
    """Names of the pieces that lines are made of, in all layouts."""
    pieces = [b" ", b"-", b"1", b"20417", b"[001]", b"[", b"]", b"1.5", b"1.5:", b": ",
              b"order=9", b"mm_page_alloc", b"x", b"d..1", b"(", b")", b"#", b"CPU:1 ",
              b"\xff", b"=>", b"\"", b","]
    source = random.Random(4)
    for number in range(20):
        text, wanted = b"", 0
        for i in range(100):
            name = b"".join(source.choices(pieces, k=source.randint(1, 8)))[:15]
            for _, line in lines(name, 1000 + i):
                text += line
                wanted += 1
        tap.equal(f"700 lines of random names, {number}",
                  counting.total(tool, text), ({3: wanted}, 0, 0))


def _newline(tap, tool):
    """A name with a newline breaks its line in two; the second counts."""
    status, out, err = tool.run("--csv", "-i", "-", stdin=b"".join(
        line for _, line in lines(b"a\nb", 915)))
    tap.equal("a name with a newline",
              (status, out.count(b"\n"), b",7," in out, err),
              (0, 2, True, b"buddystat: 7 lines of standard input were skipped as they "
               b"make no sense, the first is line 1\n"))


def _filters(tap, tool):
    text = (counting.alloc(1, 0, b"a [001] 1-2", 7) + counting.alloc(1, 1, b"a", 8) +
            counting.alloc(1, 2, b"a [001] 1-2", 9))
    tap.equal("--comm", counting.total(tool, text, "--comm", "a [001] 1-2"),
              ({0: 1, 2: 1}, 0, 0))
    tap.equal("-p", counting.total(tool, text, "-p", "8"), ({1: 1}, 0, 0))
    tap.equal("--comm and -p", counting.total(tool, text, "-p", "9", "--comm", "a"),
              ({}, 0, 0))


def _nobody(tap, tool):
    """Zeros alone do not tell a quiet process from a misspelt one."""
    text = counting.alloc(1, 0, b"a", 7)
    for options, what in ((("-p", "8"), b"process"), (("--comm", "b"), b"thread name"),
                          (("--comm", "b", "-p", "7"), b"thread name")):
        tap.equal(f"nobody: {' '.join(options)}",
                  tool.run("--csv", "-i", "-", *options, stdin=text)[2],
                  b"buddystat: standard input has no event of the %s asked for\n" % what)
    for options in (("-p", "7"), ("--comm", "a"), ()):
        tap.equal(f"somebody: {' '.join(options)}",
                  tool.run("--csv", "-i", "-", *options, stdin=text)[2], b"")


def _top(tap, tool):
    """The ten with the most, and the rest in one row."""
    text = b"".join(counting.alloc(1, 0, b"task %d" % pid, pid)
                    for pid in range(1, 31) for _ in range(pid))
    got = counting.rows(tool, text, "--by", "pid")
    tap.equal("--by pid", [(row["pid"], row["comm"], int(row["order0"])) for row in got],
              [(str(pid), f"task {pid}", pid) for pid in range(30, 20, -1)] +
              [("", "", sum(range(21)))])
    got = counting.objects(tool, text.replace(b"task 7-", b"task 8-"), "--by", "comm")
    tap.equal("--by comm", [row["orders"][0] for row in got][:10], list(range(30, 20, -1)))


def run(tap, tool):
    for part in (_named, _random, _newline, _filters, _nobody, _top):
        part(tap, tool)
