# SPDX-License-Identifier: GPL-2.0-only
"""Text that is cut, torn, endless or something else altogether."""

import subprocess

import counting
from tool import LIMIT, measure

PREFIX = b"buddystat: "
GOOD = counting.alloc(77.12, 3)


def skipped(count, first):
    return (b"buddystat: %d lines of standard input were skipped as they make no "
            b"sense, the first is line %d\n" % (count, first))


MALFORMED = (
    b"nonsense",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=x",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=3,5 m",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=-1",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=16",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=99999999999999999999",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc:",
    b"              sh-915   [000] .....    77120001: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-915   [000] .....    99999999999999.120001: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-915   [000] .....    77.: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-    [000] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-915   [abc] .....    77.120001: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-915",
    b"mm_page_alloc: page=1 pfn=0x1 order=3",
)


def _malformed(tap, tool):
    for line in MALFORMED:
        tap.equal(f"skipped: {line.decode()}",
                  tool.run("--csv", "-i", "-", stdin=GOOD + line + b"\n" + GOOD)[::2],
                  (0, skipped(1, 2)))
        tap.equal(f"not counted: {line.decode()}",
                  counting.total(tool, GOOD + line + b"\n" + GOOD), ({3: 2}, 0, 0))
    text = GOOD * 3 + b"nonsense\n" * 5 + GOOD + b"nonsense\n"
    tap.equal("said once", tool.run("--csv", "-i", "-", stdin=text)[::2],
              (0, skipped(6, 4)))


def _nothing(tap, tool):
    def said(lines):
        return (1, b"", PREFIX + b"no mm_page_alloc event in the %d lines of standard "
                b"input: neither a recording nor trace text with times in seconds\n" % lines)

    for name, text, lines in (
            ("nonsense", b"nonsense\n" * 7, 7), ("one byte", b"x", 1),
            ("one newline", b"\n", 1), ("blank lines", b"\n" * 100, 100),
            ("comments", b"# tracer: nop\n#\n", 2),
            ("other events", GOOD.replace(b"alloc:", b"alloc_zone_locked:"), 1),
            ("NUL bytes", bytes(100000), 1)):
        tap.equal(f"no event: {name}", tool.run("-i", "-", stdin=text), said(lines))
    tap.equal("an empty file", tool.run("-i", "-", stdin=b""),
              (1, b"", PREFIX + b"standard input is empty: not a recording of compactsnoop\n"))
    for name, head, words in (
            ("trace.dat", b"\x17\x08\x44tracing6\0", b"trace-cmd report -i"),
            ("perf.data", b"PERFILE2", b"perf script -i"),
            ("gzip", b"\x1f\x8b\x08", b"zcat"), ("xz", b"\xfd7zXZ\0", b"xzcat"),
            ("zstd", b"\x28\xb5\x2f\xfd", b"zstdcat")):
        status, out, err = tool.run("-i", "-", stdin=head + bytes(5000))
        tap.equal(f"a binary file: {name}",
                  (status, out, err.count(b"\n"), words in err), (1, b"", 1, True))
    status, out, err = tool.run("-i", "/nonexistent")
    tap.equal("no such file", (status, out, err),
              (1, b"", PREFIX + b"cannot open /nonexistent: No such file or directory\n"))
    status, _, err = tool.run("-i", tool.directory.name)
    tap.equal("a directory", (status, err.count(b"\n"), b"Is a directory" in err), (1, 1, True))


def _bytes(tap, tool):
    two = ({3: 2}, 0, 0)
    tap.equal("CRLF", counting.total(tool, (GOOD * 2).replace(b"\n", b"\r\n")), two)
    tap.equal("an order at the end of a line with CR",
              counting.total(tool, b"  sh-1 [000] 1.000000: mm_page_alloc: page=1 order=3\r\n"),
              ({3: 1}, 0, 0))
    tap.equal("no final newline", counting.total(tool, (GOOD * 2).rstrip(b"\n")), two)
    tap.equal("cut off in its last line",
              counting.total(tool, GOOD * 2 + GOOD[:100]), two)
    tap.equal("cut off in its last line: said",
              tool.run("-i", "-", stdin=GOOD * 2 + GOOD[:100])[2], skipped(1, 3))
    tap.equal("NUL bytes between lines", counting.total(tool, GOOD + bytes(5000) + b"\n" + GOOD), two)
    tap.equal("NUL bytes in a line",
              counting.total(tool, GOOD + GOOD.replace(b"gfp", b"g\0\0p")), two)
    for length in (4000, 4095, 4096, 4097, 70000, 3000000):
        text = GOOD + b"x" * length + b"\n" + GOOD
        tap.equal(f"a line of {length} bytes",
                  (counting.total(tool, text), tool.run("-i", "-", stdin=text)[2]),
                  (two, skipped(1, 2)))
    long = GOOD.rstrip(b"\n") + b"|x" * 100000 + b"\n"
    tap.equal("a long line that begins well", counting.total(tool, GOOD + long), two)
    source = bytes((i * 7919 + i // 256 * 104729) % 256 for i in range(200000))
    status, _, err = tool.run("-i", "-", stdin=GOOD + source)
    tap.equal("any bytes", (status, err.count(b"\n")), (0, 1))


def _pieces(tap, tool):
    """However the bytes come: the same."""
    text = b"".join(counting.alloc(1 + i / 7, i % 11, b"task %d" % i) for i in range(50))
    whole = tool.run("--csv", "-i", "-", stdin=text)
    for size in (1, 7, 27, 28, 29, 64, 100, 4096):
        process = subprocess.Popen([tool.path, "--csv", "-i", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for at in range(0, len(text), size):
            process.stdin.write(text[at:at + size])
            process.stdin.flush()
        out, err = process.communicate(timeout=LIMIT)
        tap.equal(f"in pieces of {size} bytes", (process.returncode, out, err), whole)
    path = tool.file("text", text)
    tap.equal("from a file", tool.run("--csv", "-i", path), whole)


def _memory(tap, tool):
    """100 MB take no more memory than 5 MB, but for what the reading of a row
    more or less takes."""
    def peak(megabytes):
        path = tool.file("long")
        line = counting.alloc(5, 2)
        with open(path, "wb") as file:
            for i in range(megabytes):
                file.write(line.replace(b"5.000", b"%d.000" % (5 + i)) * (2**20 // len(line)))
        status, _, kibibytes = measure([tool.path, "-i", path])
        return status, kibibytes

    small, large = peak(5), peak(100)
    tap.equal("memory stays flat",
              (small[0], large[0], 0 < small[1], large[1] <= small[1] + 512),
              (0, 0, True, True))


def run(tap, tool):
    for part in (_malformed, _nothing, _bytes, _pieces, _memory):
        part(tap, tool)
