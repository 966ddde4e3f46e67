# SPDX-License-Identifier: GPL-2.0-only
"""The events that rows are printed for, and the command lines."""

import dataclasses
import random

import wire
from wire import Event

MS = 1_000_000
SECOND = 1000 * MS


def symbol(handle):
    """What the stand-in for the module calls a stack frame (device.c)."""
    return f"frame_{handle:x}+0x{handle & 0xfff:x}" if handle & 1 \
        else "[unknown]"


@dataclasses.dataclass
class Case:
    """
    events are in the order in which they are to be printed, stream is what is
    read; stacks says whether it is worth printing with -K.
    """
    events: list
    stream: bytes = None
    stacks: bool = False
    machine: str = "x86_64"
    messages: bytes = b""

    def __post_init__(self):
        if self.stream is None:
            self.stream = wire.info() + b"".join(
                event.encode() for event in self.events)

    def options(self):
        """Each combination of -T, -e and -K that the case is for."""
        for bits in range(8 if self.stacks else 4):
            yield [name for i, name in enumerate(("-T", "-e", "-K"))
                   if bits >> i & 1]


COMMS = [
    b"sh", b"", b"fifteen-bytes-x", b"fourteen-bytes", b"kworker/0:1-mm_",
    b"a b  c", b" leading", b"trailing ", b"%s%d%n", b"'\"\\`$(x)",
    # control characters: C0, DEL, and C1 as UTF-8
    b"\x1b[31mred\x1b[0m", b"a\tb\nc\rd", b"\x01\x1f\x7f", b"\xc2\x9b31m\xc2\x80\xc2\x9f",
    b"\xc2\xa0nbsp",
    # whole characters of 2, 3 and 4 bytes; wide; combining
    "žluťoučký".encode(), "圧縮圧縮圧".encode(), "😀😀😀".encode(),
    "e\u0301e\u0301e\u0301".encode(), "\u202eabc".encode(), "\ufeffbom".encode(),
    # cut in the middle, as the kernel cuts names
    "žžžžžžžž".encode()[:15], "圧縮圧縮圧縮".encode()[:15],
    "ab圧縮圧縮圧".encode()[:15], "😀😀😀😀".encode()[:15],
    "😀😀😀😀".encode()[:14], "😀😀😀😀".encode()[:13],
    # alone: continuation, impossible, start
    b"\x80", b"\xbf\xbf", b"\xc0", b"\xc1\xbf", b"\xf5\x80\x80\x80", b"\xfe\xff",
    b"\xc2", b"\xe0", b"\xf0", b"\xe2\x82", b"\xf0\x9f", b"\xf0\x9f\x98",
    # cut short by another character
    b"\xc2x", b"\xe2\x82x", b"\xe2x", b"\xf0\x9f\x98x", b"\xf0\x9fx", b"\xf0x",
    b"\xe2\x82\xe2\x82\xac", b"\xf0\x9f\xc3\xa9",
    # overlong, surrogates, beyond U+10FFFF and the last before each
    b"\xc0\x80", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe0\xa0\x80",
    b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xee\x80\x80",
    b"\xed\xa0\xbd\xed\xb8\x80", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf",
    b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80", b"\xed", b"\xed\xa0", b"\xe0\x80", b"\xf4\x90",
    b"\xff" * 15, b"\x80" * 15, b"ab\xffcd\xe2\x82ef\xed\xa0\x80g",
]


def _awkward_comms():
    return Case([Event(ts=(i + 5) * MS, comm=comm, pid=i + 1,
                       stack=(0x1001 + 2 * i, 0x2000 + 2 * i))
                 for i, comm in enumerate(COMMS)], stacks=True,
                stream=None)


def _stacks():
    return Case([Event(ts=(depth + 1) * MS, state=state,
                       stack=tuple(range(0x8001, 0x8001 + depth)))
                 for depth in (0, 1, 6, 7, 8, 13, 14, 15, 126)
                 for state in [(500, 1, 2, 3, 4)]] +
                # The tool keeps these names in the same place.
                [Event(ts=200 * MS, stack=(0x8001, 0x8201, 0x8001))],
                stacks=True)


def _times():
    first = 12_345_678_901
    after = [0, 1, 98, 99, 100, 999, 1000, 1001, 500_000, 999_999, MS,
             SECOND - 1, SECOND, 3600 * SECOND, 2**32 * 1000 - 1,
             2**32 * 1000, 2**32 * 1000 + 1000, 99999 * 3600 * SECOND,
             2**63 // 2]
    return Case([Event(ts=first + t, delta=t) for t in after])


def _time_zero():
    return Case([Event(ts=t) for t in (0, 0, 999, 1000, 1999, 2000, 7 * MS)])


def _latencies():
    values = [0, 1, 499, 500, 501, 999, 1499, 1500, 1501, 2500, 3500, 4500,
              62_500, 187_500, 499_500, 500_500, 999_499, 999_500, 999_999,
              MS, MS + 500, 2 * MS + 500, 3 * MS + 1500, 123_456_789_500,
              2**53, 2**53 + 1, 2**63, 2**64 - 1]
    return Case([Event(ts=(i + 1) * MS, delta=d, sync=i & 1)
                 for i, d in enumerate(values)])


def _zone_state():
    values = [-1000, -999, -500, -1, 0, 1, 499, 500, 999, 1000, 2**31 - 1,
              -2**31]
    states = [(f, 0, 1, 99_999_999, 100_000_000) for f in values]
    states.append((1, 2**32, 2**53 + 1, 2**63, 2**64 - 1))
    return Case([Event(ts=(i + 1) * MS, state=s)
                 for i, s in enumerate(states)])


def _numbers():
    events = [Event(order=o, status=s, zone=z, node=n, pid=p, sync=o & 1)
              for o, s, z, n, p in zip(
                  list(range(-1, 11)), list(range(9)) + [9, 10, 255],
                  [0, 1, 2] * 4, [0, 1, 9, 10, 999, 1023, 9999, 10000] + [0] * 4,
                  [1, 99999, 999999, 1000000, 4194304, 2**32 - 1] + [7] * 6)]
    for i, event in enumerate(events):
        event.ts = (i + 1) * MS
    return Case(events)


def _other_zones():
    """Of a machine whose zones the seed knows as well."""
    events = [Event(ts=(i + 1) * MS, zone=i % 2) for i in range(4)]
    stream = wire.info(zones=(b"Normal", b"Movable")) + b"".join(
        event.encode() for event in events)
    return Case(events, stream, machine="ppc64le")


def _merge():
    """Four CPUs, each in order, the stream not; some at the same time."""
    rnd = random.Random(1)
    lanes = [[], [], [], []]
    for cpu, lane in enumerate(lanes):
        ts = 0
        for i in range(25):
            ts += rnd.choice((0, 1000, 50_000, MS))
            lane.append(Event(ts=ts + SECOND, cpu=cpu, comm=b"cpu%d" % cpu,
                              pid=i + 1))
    stream, order = wire.info(), []
    while any(lanes):
        # None is ever more than the slack behind the furthest.
        oldest = min(lane[0].ts for lane in lanes if lane)
        lane = rnd.choice([lane for lane in lanes
                           if lane and lane[0].ts < oldest + 9 * MS])
        order.append(lane.pop(0))
        stream += order[-1].encode()
    return Case(sorted(order, key=lambda event: event.ts), stream)


def _lost():
    """Between rows, from two CPUs, and more than 32 bits of them."""
    events = [Event(ts=(i + 1) * MS, pid=i + 1) for i in range(3)]
    stream = (wire.info() + events[0].encode() +
              wire.lost(3, MS + 500_000) + events[1].encode() +
              wire.lost(2**33, 2 * MS + 500_000, cpu=3) + events[2].encode())
    return Case(events, stream, messages=b"Possibly lost 3 samples\n"
                b"Possibly lost 8589934592 samples\n")


def _unknown_records():
    """Of a newer module, by the rule that lets it add types."""
    events = [Event(ts=(i + 1) * MS, pid=i + 1,
                    unknown=((67, b"\xff" * 56), (9999, bytes(56))))
              for i in range(2)]
    other = wire.group([(4, b"\xff" * 56)] + [(70, b"\xff" * 56)] * 31)
    return Case(events, wire.info() + other + events[0].encode() +
                wire.group([(63, bytes(56))]) + events[1].encode() + other)


def _two_recordings():
    """One behind the other, of two machines: names and clock begin anew."""
    first = [Event(ts=(i + 9) * SECOND, zone=1) for i in range(2)]
    second = [Event(ts=(i + 1) * SECOND, zone=1) for i in range(2)]
    return Case(first + second,
                wire.info() + b"".join(e.encode() for e in first) +
                wire.info() + b"".join(e.encode() for e in second))


def _more_than_held():
    """More at one time than the reader holds back."""
    events = [Event(ts=SECOND, pid=i + 1, state=None) for i in range(4200)]
    return Case(events, wire.info(flags=0) + b"".join(
        event.encode() for event in events))


def all_cases():
    return {
        "awkward-comms": _awkward_comms(),
        "stacks": _stacks(),
        "times": _times(),
        "time-zero": _time_zero(),
        "latencies": _latencies(),
        "zone-state": _zone_state(),
        "numbers": _numbers(),
        "other-zones": _other_zones(),
        "merge": _merge(),
        "lost": _lost(),
        "unknown-records": _unknown_records(),
        "two-recordings": _two_recordings(),
    }


def random_case(seed, nr=400):
    """Names of random bytes, most of them nearly UTF-8."""
    rnd = random.Random(seed)
    pieces = [b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xc3\xa9", b"\xed\xa0\x80",
              b"\xe0\x80", b"\xf4\x90", b"a", b" ", b"\x1b", b"\x80", b"\xff"]
    events = []
    for i in range(nr):
        comm = b""
        while len(comm) < 15 and rnd.random() > 0.05:
            comm += rnd.choice(pieces)[:rnd.randint(1, 4)] \
                if rnd.random() < 0.8 else bytes([rnd.randint(1, 255)])
        events.append(Event(
            ts=(i + 1) * MS + rnd.randrange(MS), comm=comm[:15],
            delta=rnd.randrange(2**rnd.randint(1, 63)),
            pid=rnd.randint(1, 4194304), order=rnd.randint(-1, 10),
            status=rnd.randrange(12), zone=rnd.randrange(3),
            sync=rnd.randrange(2),
            state=(rnd.randint(-1000, 1000),) +
            tuple(rnd.randrange(2**rnd.randint(1, 40)) for _ in range(4))))
    return Case(events)


# Command lines that are wrong, or ask for a text only.
COMMAND_LINES = [line.split("|") for line in """\
-h
--help
--he
-Th
-hT
-h|-X
--version
--vers
-X
--nothing
-X|--nothing|file
file
file|-T|other
-
-T|-
--
--|-T
-T|--|-e|x
-p
--pid
-p|-T
-p|--
-p|--|5
-Tp
-TKep
-hp
-d
--duration
-i
-p|abc
-pabc
-p=abc
-p=
-p|
--pid=
--pid=abc
--pid|abc
--pi|abc
--p=abc
-p|-1
-p|-0.5
-p|-.5
-p|-5x
-p|-x y
-p|0
-p|1.0
-p|1e3
-p|0x10
-p|4194305
-p|99999999999999999999999
-p|1 2
-p|it's
-p|it's "so"
-p|a\\b
-p|\x1b[31m
-p|tab\there
-p|žluť
-p|\udcff\udc80x
-d|abc
-d|-1
-d|-0.5
-d|inf
-d|nan
-d|1e3
-d|1.2.3
-d|.
-d|
-d|0
-d|0.0
-d|0.0000000001
-d|1000000001
-d|1000000000.5
-d|99999999999999999999999
-T=
-T=1
-Tx
-TKx
-T=x5
-K=1
--timestamp=
--timestamp=1
--timestamp=a'b
--help=1
-h=1
--extended-fields
--extended_fields=1
--kernel_stack
--time|x
--ebpf
--=
--=5
-T|--=5|-h
--x y
--pid x
--plo
--pl|5
--plot
--plot|-T
-5
-T|-5
-.5
-5x
-p5|6
--|--
-ž
-Tž
-\udcff
\udcff
""".splitlines()]

# Command lines that are right; the same recording is printed with each.
GOOD_COMMAND_LINES = [line.split("|") for line in """\
-T
-Te
-eT
-T|-T
-p|7
-p7
-p=7
-p07
-p|7|-p|8
-Tp|7
-Tp7
-Tep7
-T=p7
--pid=7
--pid|7
--pi|7
--p=7
--time
--t|--e
--extended_fields
--extended
--d|2
--dur=2
-d2
-d|0.0025
-d|.0025
-d|2.
-d=.0015
-Td1
-d|1000000000
""".splitlines()]
