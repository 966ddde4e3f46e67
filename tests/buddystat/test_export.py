# SPDX-License-Identifier: GPL-2.0-only
"""CSV and JSON as other people's parsers read them."""

import csv
import io
import json
import shutil
import subprocess

import counting

HOSTILE = (b"a,b", b'a"b', b'"', b'"",""', b"a\\b", b"\\", b"\\u0041", b"\x1b[31m", b"\x01\x7f",
           b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f\x90\xa7", b"\xc3", b"=1+1", b"'", b"a;b",
           b"null", b"true", b"{}", b"]", b"a\tb", b"</script>", b"a\rb")
FIELDS = ["time", "seconds", "failed", "fallback", "lost", "lower_bound"]
OPTIONS = ((), ("--free",), ("--migratetype",), ("--by", "comm"), ("--by", "pid"), ("-T",),
           ("--cumulative",), ("--by", "pid", "--migratetype", "--free", "-T"))


def _names(tap, tool):
    text = b"".join(counting.alloc(1, 0, name, 100 + i) * (i + 1)
                    for i, name in enumerate(HOSTILE[:10]))
    text += b"".join(counting.alloc(3, 0, name, 100 + i) * (i + 1)
                     for i, name in enumerate(HOSTILE[10:20]))
    text += b"".join(counting.alloc(5, 0, name, 100 + i) * (i + 1)
                     for i, name in enumerate(HOSTILE[20:]))
    wanted = {name.decode("utf-8", "replace") for name in HOSTILE}
    for by in ("comm", "pid"):
        got = counting.rows(tool, text, "--by", by)
        tap.equal(f"CSV: hostile names by {by}",
                  {row["comm"] for row in got if row["comm"]}, wanted)
        got = counting.objects(tool, text, "--by", by)
        tap.equal(f"JSON: hostile names by {by}",
                  {row["comm"] for row in got if row["comm"]}, wanted)
    out = tool.run("--json", "--by", "comm", "-i", "-", stdin=text)[1]
    tap.equal("JSON: no control characters", [byte for byte in out if byte < 32 and byte != 10], [])
    out = tool.run("--by", "comm", "-i", "-", stdin=text)[1]
    tap.equal("table: no control characters",
              [byte for byte in out if byte < 32 and byte != 10], [])


def _fields(tap, tool):
    text = counting.alloc(1) + counting.alloc(2.5, 3, failed=True)
    for options in OPTIONS:
        name = " ".join(options) or "no option"
        out = tool.run("--csv", "-i", "-", *options, stdin=text)[1].decode()
        table = list(csv.reader(io.StringIO(out, newline=""), strict=True))
        tap.equal(f"CSV: as many fields in each row, {name}",
                  {len(row) for row in table}, {len(table[0])})
        tap.equal(f"CSV: no field twice, {name}", len(set(table[0])), len(table[0]))
        extra = [field for field, option in (("date", "-T"), ("migratetype", "--migratetype"),
                                             ("pid", "pid"), ("comm", "--by"), ("event", "--free"))
                 if option in options]
        fields = FIELDS[:2] + extra
        tap.equal(f"CSV: fields, {name}", table[0],
                  fields + [f"order{n}" for n in range(16)] + FIELDS[2:])
        got = counting.objects(tool, text, *options)
        tap.equal(f"JSON: fields, {name}", {tuple(row) for row in got},
                  {tuple(fields + ["orders"] + FIELDS[2:])})
        rows = counting.rows(tool, text, *options)
        tap.equal(f"CSV and JSON say the same, {name}",
                  [[str(row[field]) for field in ("failed", "lost")] + row["orders"]
                   for row in got],
                  [[(row["failed"] or "None"), row["lost"]] +
                   [int(row[f"order{n}"]) for n in range(11)] for row in rows])
    types = {"time": float, "seconds": float, "orders": list, "failed": int, "fallback": int,
             "lost": int, "lower_bound": bool}
    row = counting.objects(tool, text)[0]
    tap.equal("JSON: types", {name: type(value) for name, value in row.items()}, types)


def _jq(tap, tool):
    if not shutil.which("jq"):
        tap.skip("jq reads it", "no jq: install it")
        return
    text = b"".join(counting.alloc(1 + i, i % 3, name) for i, name in enumerate(HOSTILE))
    out = tool.run("--json", "--by", "comm", "-i", "-", stdin=text)[1]
    done = subprocess.run(["jq", "-c", "[.comm, (.orders | add), .seconds]"], input=out,
                          capture_output=True, check=False)
    tap.equal("jq reads it", (done.returncode, [json.loads(line) for line in done.stdout.split(b"\n")
                                                if line]),
              (0, [[name.decode("utf-8", "replace"), 1, 1] for name in HOSTILE]))


def _locale(tap, tool):
    text = counting.alloc(1.5)
    plain = tool.run("--csv", "-i", "-", stdin=text)
    tap.equal("no locale's decimal comma",
              tool.run("--csv", "-i", "-", stdin=text, env={"LC_ALL": "de_DE.UTF-8"}), plain)


def run(tap, tool):
    for part in (_names, _fields, _jq, _locale):
        part(tap, tool)
