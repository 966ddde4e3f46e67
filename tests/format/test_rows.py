# SPDX-License-Identifier: GPL-2.0-only
"""Rows, against the seed's."""

import cases
import golden
import seed
import wire


def _replay(tap, tool, name, case):
    """Rows of a recording; names of stack frames cannot be had there."""
    for options, wanted in golden.split_rows(golden.stored(name + ".txt")).items():
        if "-K" not in options:
            tap.equal(f"{name}, recorded {' '.join(options)}",
                      tool.replay(case.stream, *options),
                      (0, wanted, case.messages))


def _live(tap, tool, name, case):
    for options, wanted in golden.split_rows(golden.stored(name + ".txt")).items():
        title = f"{name}, live {' '.join(options)}"
        if tool.stand_in:
            tap.equal(title, tool.live(case.stream, *options),
                      (0, wanted, case.messages))
        else:
            tap.skip(title, "the tool is static")


def _random(tap, tool):
    for number in range(5):
        name = f"400 random events, number {number}"
        if not seed.available():
            tap.skip(name, f"no {seed.PATH}")
            continue
        case = cases.random_case(number)
        wanted = seed.rows(case.events, cases.symbol, True, True)
        tap.equal(name, tool.replay(case.stream, "-Te"), (0, wanted, b""))


def _no_zone_state(tap, tool):
    """A row that the recording session asked nothing more for."""
    stream = wire.info() + wire.Event(state=None).encode()
    status, out, err = tool.replay(stream, "-e")
    tap.equal("a row without zone state shows dashes",
              (status, out.splitlines()[1], err),
              (0, b"qemu-system-x8 24376  0    ZONE_NORMAL  9     SYNC    "
               b"-        -        -        -        -            3.913          success",
               b""))


def _zone_names(tap, tool):
    """Zones that the seed has no name for, and names that are damaged."""
    events = b"".join(wire.Event(ts=i, zone=i).encode() for i in range(1, 9))
    stream = wire.info(zones=(b"DMA", b"Movable", b"Device", b"Highmem8",
                              b"a\x1bb\x7f\xffc", b"", b"HighMem")) + events
    zones = [line[27:39] for line in tool.replay(stream)[1].splitlines()[1:]]
    tap.equal("names of all zones", zones,
              [b"ZONE_MOVABLE", b"ZONE_DEVICE ", b"ZONE_HIGHMEM",
               b"ZONE_A?B??C ", b"5           ", b"ZONE_HIGHMEM",
               b"7           ", b"8           "])


def run(tap, tool):
    for name, case in cases.all_cases().items():
        _replay(tap, tool, name, case)
        _live(tap, tool, name, case)
    _random(tap, tool)
    _no_zone_state(tap, tool)
    _zone_names(tap, tool)
