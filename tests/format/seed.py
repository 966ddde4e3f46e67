# SPDX-License-Identifier: GPL-2.0-only
"""
The program that compactsnoop re-creates, as the judge of its output.

Its own print statements and add_argument calls are cut out of its source and
run, with stand-ins for what they would get from BPF. DIFFERENCES lists where
compactsnoop is not like it on purpose; each is applied here and nowhere else.
"""

import argparse
import ast
import functools
import io
import os
import re
import types

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.environ.get("BCC_COMPACTSNOOP", os.path.join(
    HERE, "../../../shared/seeds/compactsnoop.py"))

DIFFERENCES = """
control characters: in a comm they print as "?", for they would reach the
    terminal as commands.
symbols: printed as text; under Python 3 the seed prints b'compact_zone+0xa1f',
    since bcc hands out bytes.
zones: all have names; the seed knows three, of one architecture.
-d: takes decimals. A bad number is a usage error; the seed shows a traceback,
    and takes 0 as for ever.
-p: a bad number is a usage error; the seed compiles whatever it is given.
--ebpf: not there, as there is no BPF program to print. The seed hides it.
--plot: ours alone, and taken whole only: --p stays --pid.
program name: "compactsnoop", whatever the file is called.
"""

# What makes the header and the rows, in the order of the source.
WANTED_FUNCTIONS = ("zone_idx_to_str", "compact_result_to_str", "print_event")


def available():
    return os.path.exists(PATH)


@functools.lru_cache(maxsize=None)
def _source():
    with open(PATH, encoding="utf-8") as file:
        return ast.parse(file.read())


def _calls(node, name):
    return any(isinstance(n, ast.Call) and ast.unparse(n.func) == name
               for n in ast.walk(node))


def _compile(nodes):
    return compile(ast.Module(body=nodes, type_ignores=[]), PATH, "exec")


@functools.lru_cache(maxsize=None)
def _header_and_functions():
    header, functions = [], []
    for node in _source().body:
        if isinstance(node, ast.FunctionDef):
            if node.name in WANTED_FUNCTIONS:
                functions.append(node)
        elif "%-14s" in ast.unparse(node) or "FRAGIDX" in ast.unparse(node) \
                or "LAT(ms)" in ast.unparse(node):
            # The BPF program is an assignment; the header is not.
            if not isinstance(node, ast.Assign) and _calls(node, "print"):
                header.append(node)
    assert len(functions) == len(WANTED_FUNCTIONS) and len(header) == 4
    return _compile(header), _compile(functions)


def _without_control(comm):
    text = comm.split(b"\0")[0][:15].decode("utf-8", "replace")
    return re.sub("[\x00-\x1f\x7f-\x9f]", "?", text).encode("utf-8")


def rows(events, symbol, timestamp=False, extended=False, stack=False,
         machine="x86_64"):
    """What the seed prints for events, as bytes."""
    out = io.StringIO()
    table = types.SimpleNamespace(event=lambda event: event)
    bpf = type("BPF", (), {
        "__getitem__": lambda self, name: table,
        "ksym": lambda self, handle, show_offset: symbol(handle)})()
    space = {
        "args": argparse.Namespace(timestamp=timestamp, kernel_stack=stack,
                                   extended_fields=extended),
        "b": bpf,
        "stack_traces": types.SimpleNamespace(walk=lambda stack: stack),
        "initial_ts": 0,
        "platform": types.SimpleNamespace(machine=lambda: machine),
        "print": functools.partial(print, file=out),
        "sys": types.SimpleNamespace(stdout=out),
    }
    header, functions = _header_and_functions()
    exec(functions, space)
    exec(header, space)
    for event in events:
        fragindex, minimum, low, high, free = event.state or (0,) * 5
        space["print_event"](0, types.SimpleNamespace(
            pid=event.pid, tid=event.tid, nid=event.node, idx=event.zone,
            order=event.order, delta=event.delta, ts=event.ts // 1000,
            sync=event.sync, fragindex=fragindex, min=minimum, low=low,
            high=high, free=free, status=event.status, stack_id=event.stack,
            comm=_without_control(event.comm)), 0)
    return out.getvalue().encode("utf-8")


def _pid(value):
    if re.fullmatch("[0-9]+", value) and 1 <= int(value) <= 4194304:
        return int(value)
    raise argparse.ArgumentTypeError(
        f"{value!r} is not a process id (1 to 4194304)")


def _duration(value):
    if not re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", value):
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a number of seconds, such as 0.5")
    whole, _, fraction = value.partition(".")
    nanoseconds = int(whole or "0") * 10**9 + int(fraction[:9].ljust(9, "0"))
    if nanoseconds > 10**18:
        raise argparse.ArgumentTypeError(
            f"{value!r} is above 1000000000 seconds")
    if not nanoseconds:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not above 0 seconds")
    return nanoseconds


def _take_whole(made, name):
    """No shorter form of an option, as the seed takes it for another one."""
    shorter = made._get_option_tuples
    made._get_option_tuples = lambda text: [
        found for found in shorter(text) if found[1] != name]


def parser():
    """The seed's parser with the differences and our own options."""
    os.environ["COLUMNS"] = "80"
    nodes = []
    for node in _source().body:
        if not isinstance(node, (ast.Assign, ast.Expr)):
            continue
        text = ast.unparse(node)
        if text.startswith(("examples = ", "parser = ")):
            nodes.append(node)
        elif text.startswith("parser.add_argument(") and "--ebpf" not in text:
            nodes.append(node)
    space = {"argparse": argparse}
    exec(_compile(nodes), space)
    made = space["parser"]
    made.prog = "compactsnoop"
    for action in made._actions:
        if action.dest == "pid":
            action.type = _pid
        elif action.dest == "duration":
            action.type = _duration
    recordings = made.add_argument_group(
        "recordings",
        "cat /dev/compactsnoop > FILE records; the options above apply to it")
    recordings.add_argument("-i", "--input", metavar="FILE",
                            help="print a recording; - is standard input")
    plots = made.add_argument_group(
        "plots", "latency over time and its distribution, in place of the rows;"
        " with gnuplot")
    plots.add_argument("--plot", metavar="FILE", help="draw to a .svg, .png,"
                       " .pdf or .html; - is the terminal")
    _take_whole(made, "--plot")
    about = made.add_argument_group("about")
    with open(os.path.join(HERE, "../../VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    about.add_argument("--version", action="version",
                       version="compactsnoop " + version,
                       help="show the version and exit")
    return made
