# SPDX-License-Identifier: GPL-2.0-only
"""Recordings as include/uapi/linux/compactsnoop.h describes them."""

import dataclasses
import struct
import typing

MAGIC = 0x43534E50
PAGE_ALLOC, PAGE_FREE, PAGE_EXTFRAG = 4, 5, 6
PFN_NONE, NODE_NONE, ZONE_NONE = 2**64 - 1, -1, 255
INFO, LOST, COMPACTION, ZONE_NAMES, ZONE_STATE, STACK, KERNEL = 1, 2, 3, 64, 65, 66, 67
FLAG_ZONE_STATE, FLAG_STACK = 1, 2
FEATURES_ALL = 0x1F
STACK_PER_RECORD = 7
PC_ZONES = (b"DMA", b"DMA32", b"Normal", b"Movable", b"Device")


@dataclasses.dataclass
class Event:
    """A compaction; what the C struct calls the same is the same."""
    ts: int = 5_000_000
    pid: int = 24376
    tid: int = 24377
    comm: bytes = b"qemu-system-x86"
    delta: int = 3_912_500
    node: int = 0
    zone: int = 2
    order: int = 9
    sync: int = 1
    status: int = 8
    origin: int = 0
    cpu: int = 0
    # fragindex, min, low, high, free
    state: typing.Optional[tuple] = (-1000, 11331, 14163, 16995, 56123)
    stack: tuple = ()
    # type and bytes of records that this version does not know
    unknown: tuple = ()

    def parts(self):
        body = struct.pack("=QII16sQiBbBBB7x", self.ts, self.pid, self.tid,
                           self.comm, self.delta, self.node, self.zone,
                           self.order, self.sync, self.status, self.origin)
        parts = [(COMPACTION, body)]
        if self.state is not None:
            parts.append((ZONE_STATE, struct.pack("=iI4Q16x", self.state[0],
                                                  1, *self.state[1:])))
        for i in range(0, len(self.stack), STACK_PER_RECORD):
            some = self.stack[i:i + STACK_PER_RECORD]
            some += (0,) * (STACK_PER_RECORD - len(some))
            parts.append((STACK, struct.pack("=7Q", *some)))
        return parts + list(self.unknown)

    def encode(self):
        return group(self.parts(), self.cpu)


@dataclasses.dataclass
class Page:
    """An allocation, a free or a fallback; fields as in the C struct."""
    ts: int = 5_000_000
    type: int = PAGE_ALLOC
    pid: int = 24376
    comm: bytes = b"qemu-system-x86"
    pfn: int = 0x1f0a2
    node: int = 0
    zone: int = 2
    order: int = 0
    migratetype: int = 0
    cpu: int = 0

    def encode(self):
        body = struct.pack("=QII16sQIi6B2x", self.ts, self.pid, self.pid, self.comm,
                           self.pfn, 0xcc0, self.node, self.zone, self.order,
                           self.migratetype, 0, 0, 0)
        return group([(self.type, body)], self.cpu)


def failed(**fields):
    """An allocation that got no pages."""
    return Page(pfn=PFN_NONE, node=NODE_NONE, zone=ZONE_NONE, **fields)


def group(parts, cpu=0, order="="):
    """The records of one event; parts are (type, 56 bytes)."""
    return b"".join(
        struct.pack(order + "HBBI", kind, i, len(parts), cpu) + body
        for i, (kind, body) in enumerate(parts))


def info(ts=1_000_000, flags=FLAG_ZONE_STATE, zones=PC_ZONES, abi=1,
         magic=MAGIC, features=FEATURES_ALL, classes=1, order="=", release=b""):
    """The group that every stream begins with; of no release, as from a
    module that does not tell it."""
    head = struct.pack(order + "QQIHHIIIIIHBBQ", ts, ts + 10**18, magic, abi,
                       62, 4096, features, classes, flags, 4, 1, len(zones), 11, 0)
    names = b"".join(struct.pack("8s", name) for name in zones)
    parts = [(INFO, head), (ZONE_NAMES, names.ljust(56, b"\0"))]
    if release:
        parts.append((KERNEL, release.ljust(56, b"\0")))
    return group(parts, order=order)


def lost(count, ts=5_000_000, cpu=0):
    return group([(LOST, struct.pack("=QQQQ24x", ts, count, ts, ts))], cpu)
