# SPDX-License-Identifier: GPL-2.0-only
"""Every layout of trace text that has been seen: one line of each, and whole
files that kernels, trace-cmd and perf wrote."""

import lzma
import os

import counting

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data")

# name, line, order or None (no allocation), task, pid, time as it is printed
EVENTS = (
    ("kernel 6.x",
     b"    web worker 3-20417   [002] d.s1.   812.004512: mm_page_alloc: page=00000000a1b2c3d4 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_NOWARN|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512000"),
    ("kernel with four flags, a real pointer and a decimal pfn",
     b"          dd-gen-915   [000] ....    77.120001: mm_page_alloc: page=ffffea0004aa1f40 pfn=1221757 order=0 migratetype=2 gfp_flags=GFP_HIGHUSER_MOVABLE",
     0, "dd-gen", 915, "77.120001000"),
    ("kernel without flags",
     b"          dd-gen-915     [000]     77.120001: mm_page_alloc: page=000000000badcafe pfn=0x12a47d order=1 migratetype=1 gfp_flags=GFP_USER",
     1, "dd-gen", 915, "77.120001000"),
    ("kernel 2.6.x, two blanks after a short pid",
     b"              sh-915   [000]  77.120001: mm_page_alloc: page=c1a2b3c4 pfn=1221757 order=2 migratetype=1 gfp_flags=GFP_USER",
     2, "sh", 915, "77.120001000"),
    ("no pfn",
     b"          dd-gen-915   [000] ....    77.120001: mm_page_alloc: page=ffffea0004aa1f40 order=4 migratetype=2 gfp_flags=0",
     4, "dd-gen", 915, "77.120001000"),
    ("process id not known",
     b"           <...>-915     (-------) [000] ..... 702113.250417: mm_page_alloc: page=0000000012345678 pfn=0x2 order=0 migratetype=0 gfp_flags=0",
     0, "<...>", 915, "702113.250417000"),
    ("process id known",
     b"           sshd-1207    (   1200) [003] ..... 702113.250417: mm_page_alloc: page=0000000012345678 pfn=0x2 order=5 migratetype=0 gfp_flags=0",
     5, "sshd", 1200, "702113.250417000"),
    ("process id of five places",
     b"           sshd-1207  ( 1200) [003] ...1 702113.250417: mm_page_alloc: page=0000000012345678 pfn=0x2 order=5 migratetype=0 gfp_flags=0",
     5, "sshd", 1200, "702113.250417000"),
    ("more than 999 CPUs",
     b"              sh-915   [1023] d.s1.   812.004512: mm_page_alloc: page=00000000a1b2c3d4 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "sh", 915, "812.004512000"),
    ("pid of seven places",
     b"              sh-4194304 [001] d.s1.   812.004512: mm_page_alloc: page=00000000a1b2c3d4 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "sh", 4194304, "812.004512000"),
    ("trace-cmd report",
     b"    web worker 3-20417 [002]   812.004512: mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report with flags",
     b"    web worker 3-20417 [002] d.s1.   812.004512: mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report -t",
     b"    web worker 3-20417 [002]   812.004512345: mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512345"),
    ("trace-cmd report --ts-diff",
     b"    web worker 3-20417 [002]   812.004512: (+27841) mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report --ts-diff, padded",
     b"    web worker 3-20417 [002]   812.004512: (+5    ) mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report --ts-diff, first line",
     b"    web worker 3-20417 [002]   812.004512:          mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report -l",
     b"web work-20417   2d.s1.   812.004512: mm_page_alloc:        page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web work", 20417, "812.004512000"),
    ("trace-cmd report -R",
     b"    web worker 3-20417 [002]   812.004512: mm_page_alloc:         pfn=0x1f0a2 order=3 gfp_flags=0x440dc0 migratetype=0",
     3, "web worker 3", 20417, "812.004512000"),
    ("trace-cmd report of a format that it does not know",
     b"    web worker 3-20417 [002]   812.004512: mm_page_alloc:        [FAILED TO PARSE] pfn=0x1f0a2 order=3 gfp_flags=0x440dc0 migratetype=0",
     3, "web worker 3", 20417, "812.004512000"),
    ("perf script",
     b"    web worker 3 20417 [002]   812.004512: kmem:mm_page_alloc: page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512000"),
    ("perf script --ns",
     b"    web worker 3 20417 [002]   812.004512345: kmem:mm_page_alloc: page=0x1f0a2 pfn=127138 order=3 migratetype=0 gfp_flags=GFP_ATOMIC|__GFP_COMP",
     3, "web worker 3", 20417, "812.004512345"),
    ("perf script with pid and tid",
     b"    web worker 3 20400/20417 [002]   812.004512: kmem:mm_page_alloc: page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20400, "812.004512000"),
    ("perf script without CPU",
     b"    web worker 3 20417   812.004512: kmem:mm_page_alloc: page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20417, "812.004512000"),
    ("perf script with the period",
     b"    web worker 3 20417 [002]   812.004512:          1 kmem:mm_page_alloc: page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_ATOMIC",
     3, "web worker 3", 20417, "812.004512000"),
    ("perf script, a kernel thread with a long name",
     b"kworker/u8:3-events_unbound   142 [000]   812.004512: kmem:mm_page_alloc: page=0x1f0a2 pfn=0x1f0a2 order=3 migratetype=0 gfp_flags=GFP_KERNEL",
     3, "kworker/u8:3-ev", 142, "812.004512000"),
    ("an order above 10",
     b"              sh-915   [000] ....    77.120001: mm_page_alloc: page=ffffea0004aa1f40 pfn=1221757 order=13 migratetype=2 gfp_flags=0",
     13, "sh", 915, "77.120001000"),
    ("unknown pairs in front and behind",
     b"              sh-915   [000] ....    77.120001: mm_page_alloc: nid=0 border=7 page=ffffea0004aa1f40 pfn=1221757 order=2 reorder=9 migratetype=2 gfp_flags=0 node=3",
     2, "sh", 915, "77.120001000"),
)

FAILED = (
    ("nil pointer of the kernel",
     b"              sh-915   [000] .....    77.120001: mm_page_alloc: page=0000000000000000 pfn=0x0 order=9 migratetype=0 gfp_flags=GFP_KERNEL"),
    ("(null) and pfn 0",
     b"              sh-915   [000] ....    77.120001: mm_page_alloc: page=(null) pfn=0 order=9 migratetype=0 gfp_flags=GFP_KERNEL"),
    ("(null) and a pfn made of it",
     b"              sh-915   [000] ....    77.120001: mm_page_alloc: page=          (null) pfn=18446719884453740544 order=9 migratetype=0 gfp_flags=GFP_KERNEL"),
    ("(nil) of trace-cmd",
     b"              sh-915   [000]    77.120001: mm_page_alloc:        page=(nil) pfn=0x0 order=9 migratetype=0 gfp_flags=GFP_KERNEL"),
    ("0x0", b"              sh-915   [000]    77.120001: mm_page_alloc:        page=0x0 pfn=0x0 order=9 migratetype=0 gfp_flags=GFP_KERNEL"),
    ("all bits of the pfn, raw",
     b"              sh-915   [000]    77.120001: mm_page_alloc:         pfn=0xffffffffffffffff order=9 gfp_flags=0xcc0 migratetype=0"),
)

# Lines that are no allocation, and no reason to complain either.
OTHERS = (
    b"              sh-915   [000] .....    77.120001: mm_page_alloc_zone_locked: page=00000000a1b2c3d4 pfn=0x1f0a2 order=0 migratetype=1 cpu=0 percpu_refill=1",
    b"              sh-915   [000] .....    77.120001: mm_page_free: page=00000000a1b2c3d4 pfn=0x1f0a2 order=2",
    b"              sh-915   [000] .....    77.120001: mm_page_free_batched: page=00000000a1b2c3d4 pfn=0x1f0a2 order=0",
    b"              sh-915   [000] .....    77.120001: mm_page_pcpu_drain: page=00000000a1b2c3d4 pfn=0x1f0a2 order=0 migratetype=1",
    b"              sh-915   [000] .....    77.120001: kmalloc: call_site=mm_page_alloc: order=3 ptr=1",
    b"              sh-915   [000] .....    77.120001: tracing_mark_write: sh-1 [000] .... 1.000000: mm_page_alloc: page=1 pfn=0x1 order=3",
    b"              sh-915   [000] .....    77.120001: my_mm_page_alloc: order=3",
    b"              sh-915   [000] .....    77.120001: mm_page_alloc <-get_page",
    b"              sh-915   [000] .....    77.120001: <stack trace>",
    b" => mm_page_alloc: order=3", b" => get_page_from_freelist",
    b"              sh-915   [000] .....    77.120001: kmem_cache_free: call_site=f+0x1/0x2 ptr=1 name=mm_page_alloc: order=1",
    b"              sh   915 [000]    77.120001: kmem:mm_page_alloc_zone_locked: page=0x1 pfn=0x1 order=0 migratetype=1 cpu=0 percpu_refill=1",
    b"\tffffffff8123abcd __traceiter_mm_page_alloc+0x3d ([kernel.kallsyms])",
    b"            7f12ab34cd56 malloc+0x12 (/usr/lib/x86_64-linux-gnu/libc.so.6)",
    b"", b"   ", b"# tracer: nop", b"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION",
    b"# mm_page_alloc: order=3", b"cpus=2", b"version = 6", b"CPU 1 is empty",
    b"# entries-in-buffer/entries-written: 466/466   #P:2",
)


def _events(tap, tool):
    last = counting.alloc(10**7).rstrip(b"\n")
    for name, line, order, comm, pid, time in EVENTS:
        got = counting.objects(tool, line + b"\n", "--by", "pid")
        wanted = [0] * max(11, order + 1)
        wanted[order] = 1
        tap.equal(f"layout: {name}",
                  [(row["comm"], row["pid"], row["orders"], row["failed"])
                   for row in got], [(comm, pid, wanted, 0)])
        # The row ends a second after the event.
        ours = counting.rows(tool, line + b"\n" + last)
        seconds, _, rest = time.partition(".")
        tap.equal(f"time: {name}", ours[0]["time"], f"{int(seconds) + 1}.{rest}")
    for name, line in FAILED:
        tap.equal(f"failed: {name}", counting.total(tool, line), ({}, 1, 0))
        tap.equal(f"failed, counted on as the seed does: {name}",
                  counting.total(tool, line, "--cumulative"), ({9: 1}, 1, 0))


def _others(tap, tool):
    event = counting.alloc(77.12, 3)
    for line in OTHERS:
        status, out, err = tool.run("--csv", "-i", "-", stdin=line + b"\n" + event)
        tap.equal(f"no allocation: {line.decode()}",
                  (status, out.count(b"\n"), out.count(b",1,"), err), (0, 2, 1, b""))
    extfrag = (b"              sh-915   [000] .....    77.120001: mm_page_alloc_extfrag: "
               b"page=00000000a1b2c3d4 pfn=0x1f0a2 alloc_order=0 fallback_order=9 "
               b"pageblock_order=9 alloc_migratetype=0 fallback_migratetype=1 "
               b"fragmenting=0 change_ownership=1\n")
    tap.equal("a fallback is no allocation", counting.total(tool, extfrag + event),
              ({3: 1}, 0, 1))
    free = OTHERS[1] + b"\n"
    got = counting.rows(tool, event + free, "--free")
    tap.equal("frees have rows of their own",
              [(row["event"], counting.by_order(row), row["failed"]) for row in got],
              [("alloc", {3: 1}, "0"), ("free", {2: 1}, "")])
    tap.equal("no frees at all", tool.run("--csv", "--free", "-i", "-", stdin=event)[2],
              b"buddystat: no mm_page_free event in standard input: frees show as 0\n")
    gigantic = free.replace(b"order=2", b"order=18")
    status, out, err = tool.run("--csv", "--free", "-i", "-", stdin=event + gigantic)
    tap.equal("a free of a gigantic page",
              (status, out.count(b"\n"), err),
              (0, 3, b"buddystat: 1 frees of gigantic pages are in no column\n"))


def _migratetypes(tap, tool):
    text = b"".join(counting.alloc(1, 0, migratetype=n) for n in (0, 1, 1, 2, 3, 4, 9))
    got = counting.rows(tool, text, "--migratetype")
    tap.equal("migratetypes", [(row["migratetype"], row["order0"]) for row in got],
              [("Unmovable", "1"), ("Movable", "2"), ("Reclaimable", "1"),
               ("HighAtomic", "1"), ("CMA", "1"), ("other", "1")])


# Allocations by order, failed and fallbacks, counted with grep, sort and uniq.
FILES = {
    "ftrace-kmem-compaction-6.1": ({0: 422, 1: 3}, 0, 0),
    "trace-cmd-report-boot-6.1": ({0: 1410, 1: 71, 2: 4, 3: 6, 4: 8}, 0, 0),
    "trace-cmd-report-run-6.1": ({0: 4193, 1: 41, 2: 21, 3: 2, 9: 30}, 0, 0),
}


def _files(tap, tool):
    for name, wanted in FILES.items():
        with lzma.open(os.path.join(DATA, f"{name}.txt.xz")) as file:
            text = file.read()
        tap.equal(f"{name} counted by hand", counting.total(tool, text), wanted)
        ours = counting.our_series(counting.rows(tool, text, "--cumulative"))
        theirs = counting.seed_series(counting.seed_events(text))
        tap.equal(f"{name}: the seed's series",
                  counting.same_points(ours, theirs), True)


# What samples.sh made on Linux 6.1 (Debian 12: trace-cmd 3.1.6, perf 6.1),
# counted with grep as above: allocations by order, frees, allocations of the
# task "x order=9" (cut off as that format does), lines that are no trace text.
SAMPLES = {
    "plain": ({0: 33, 1: 2}, 23, 23, 0),
    "irq-info": ({0: 24, 1: 1}, 39, 25, 0),
    "record-tgid": ({0: 21, 1: 1}, 36, 22, 0),
    "record-cmd": ({0: 22, 1: 1}, 35, 0, 0),
    "latency-format": ({0: 20, 1: 1}, 31, 21, 0),
    "latency-verbose": ({0: 20, 1: 1}, 40, 21, 0),
    "stacktrace": ({0: 4, 1: 1}, 0, 5, 0),
    "userstacktrace": ({0: 19, 1: 1}, 0, 20, 0),
    "hash-ptr": ({0: 23, 1: 1}, 34, 24, 0),
    "clock-tai": ({0: 22, 1: 1}, 35, 23, 0),
    "trace-cmd": ({0: 27, 1: 2, 3: 1}, 39, 0, 0),
    "trace-cmd-t": ({0: 27, 1: 2, 3: 1}, 39, 0, 0),
    "trace-cmd-l": ({0: 27, 1: 2, 3: 1}, 39, 0, 0),
    "trace-cmd-ts-diff": ({0: 27, 1: 2, 3: 1}, 39, 0, 0),
    "trace-cmd-raw": ({0: 27, 1: 2, 3: 1}, 39, 0, 0),
    "trace-cmd-two": ({0: 12, 1: 2, 3: 2}, 52, 0, 2),
    "trace-cmd-stack": ({0: 7, 1: 1}, 0, 0, 0),
    "perf": ({0: 44, 1: 2}, 24, 0, 0),
    "perf-ns": ({0: 44, 1: 2}, 24, 0, 0),
    "perf-fields": ({0: 44, 1: 2}, 24, 0, 7),
    "perf-no-cpu": ({0: 44, 1: 2}, 24, 0, 7),
    "perf-stack": ({0: 5}, 0, 0, 0),
}
# These have no time in seconds, or none at all.
WITHOUT_SECONDS = ("clock-counter", "clock-uptime", "clock-x86-tsc", "context-info", "raw", "hex")


def _samples(tap, tool):
    def sample(name):
        with open(os.path.join(DATA, f"samples-6.1/{name}.txt"), "rb") as file:
            return file.read()

    for name, (orders, frees, named, malformed) in SAMPLES.items():
        text = sample(name)
        got = counting.rows(tool, text, "--free", "1000000")
        tap.equal(f"sample {name}: allocations", counting.by_order(got[0]), orders)
        tap.equal(f"sample {name}: frees", sum(counting.by_order(got[1]).values()), frees)
        comm = "x order=" if name == "latency-format" else "x order=9"
        got = counting.rows(tool, text, "--comm", comm, "1000000")
        tap.equal(f"sample {name}: allocations of {comm}",
                  sum(counting.by_order(got[0]).values()), named)
        err = tool.run("-i", "-", stdin=text)[2]
        tap.equal(f"sample {name}: lines that are none", err.split(b" lines")[0],
                  b"buddystat: %d" % malformed if malformed else b"")
    for name in WITHOUT_SECONDS:
        status, out, err = tool.run("-i", "-", stdin=sample(name))
        tap.equal(f"sample {name}: refused",
                  (status, out, b"trace text with times in seconds" in err), (1, b"", True))


def run(tap, tool):
    for part in (_events, _others, _migratetypes, _files, _samples):
        part(tap, tool)
