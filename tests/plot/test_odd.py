# SPDX-License-Identifier: GPL-2.0-only
"""Data and texts that gnuplot would stumble over."""

from plots import path_points

ODD = {
    "no series": [],
    "a series without a point": [("a", [])],
    "some with points, some without": [("a", []), ("b", [(1, 2), (2, 3)])],
    "one point": [("a", [(5, 7)])],
    "one point of zero": [("a", [(5, 0)])],
    "all zero": [("a", [(1, 0), (2, 0)]), ("b", [(1, 0), (2, 0)])],
    "all the same": [("a", [(1, 1000), (2, 1000)])],
    "huge": [("a", [(1, 1), (2, 18446744073709551615)])],
    "far beyond": [("a", [(1e9, 1e300), (1e9 + 1, 1)])],
    "tiny": [("a", [(1, 1e-9), (2, 3e-9)])],
    "not a number": [("a", [(1, "nan"), (2, "inf"), (3, 4), ("nan", 1)])],
    "thirteen series": [(f"s{n}", [(1, n), (2, 2 * n)]) for n in range(13)],
}

# Of gnuplot, of a shell, of printf, of XML and JavaScript; not UTF-8; control.
TEXTS = [
    "plain", "it's", "''", "'a'' ''b'", '"quoted"', "back\\slash \\n \\101",
    "`touch hacked`", "$(touch hacked)", "@macro", "{/*2 big}", "a_b^c", "~a", "&amp;",
    "%d %s %n", "# comment", "<b>&</b>", "</script><script>hacked()//",
    "');hacked('", "EOD", "žluťoučký 圧縮 😀", "title \"a\" . system('touch hacked')",
]
CHANGED = [("a\x01b\x1b[31m", "a?b?[31m"), ("\udcff\udc80", "??"),
           ("a]]>b", "a]]?b"), ("\u0085", "?")]


def _data(tap, draw):
    for name, series in ODD.items():
        for style, axes in (("lines", ""), ("lines", "y"), ("stacked", ""),
                            ("points", "xy")):
            picture = draw.svg(series, style=style, axes=axes)
            tap.equal(f"{name}: {style}, axes {axes!r}",
                      picture and len(picture.series()), len(series) or 1)
    for name in ("no series", "one point of zero", "huge"):
        status, out, err = draw.draw("-", ODD[name])
        tap.equal(f"{name}: in a terminal", (status, err, b"Time (s)" in out),
                  (0, b"", True))
    for name in ("no series", "a series without a point"):
        tap.equal(f"{name}: the picture says so",
                  "nothing recorded" in draw.svg(ODD[name]).texts(), True)
    group = draw.svg(ODD["not a number"] + [("b", [(3, 4), (4, 5)])]).series()[1]
    tap.equal("not a number: the others are there", len(path_points(group)), 2)


def _texts(tap, draw):
    points = [(1, 2), (2, 3)]
    texts = draw.svg([(text, points) for text in TEXTS]).texts()
    tap.equal("names of series come as they are",
              [text for text in TEXTS if text not in texts], [])
    texts = draw.svg([(text, points) for text, _ in CHANGED]).texts()
    tap.equal("names with what cannot be shown are harmless",
              [shown for _, shown in CHANGED if shown not in texts], [])
    # The first character of a title is a case of its own.
    for part in range(4):
        title = " ".join(TEXTS[part::4])
        texts = draw.svg([("a", points)], title=title, command=title[::-1],
                         source=title[:20]).texts()
        tap.equal(f"title {title!r}".replace("#", "\\#"),
                  (title in texts, f"{title[::-1]}  ({title[:20]})" in texts),
                  (True, True))
    tap.equal("no text is run as a command", draw.there("hacked"), False)
    long = draw.svg([("n" * 500, points)], title="t" * 500, command="c" * 500,
                    source="Linux 1.2.3").texts()
    tap.equal("long texts are cut, but for where it is from",
              (max(map(len, long)) < 200,
               [text for text in long if text.endswith("...  (Linux 1.2.3)")] != []),
              (True, True))


def _many(tap, draw):
    """Spans of losses that meet are one, and short ones can be seen."""
    blocks = draw.data([("a", [(0, 1), (1000, 1)])],
                       lost=[(10, 20), (20, 30), (500, 500), (15, 35)])
    spans = [(row[2], row[3]) for row in blocks["lost0"]]
    tap.equal("losses: those that meet are one",
              (len(spans), spans[0], spans[1][0] < 500 < spans[1][1]),
              (3, (10, 30), True))
    picture = draw.svg([("a", [(t, t % 97) for t in range(100000)])])
    tap.equal("100000 points", len(path_points(picture.series()[0])) > 1000, True)


def run(tap, draw):
    _data(tap, draw)
    _texts(tap, draw)
    _many(tap, draw)
