# SPDX-License-Identifier: GPL-2.0-only
"""Each format is a whole file of its kind and shows what was put in."""

import re

from plots import Svg, markers, orders, path_points, png_size

TITLE = "Page allocations"
LOST = [(3, 5), (9, 9), (4, 6)]


def _fits(pixels, numbers):
    """Whether pixels are a linear function of the numbers, to a fifth of one."""
    low, high = min(numbers), max(numbers)
    at = {n: p for n, p in zip(numbers, pixels)}
    scale = (at[high] - at[low]) / (high - low)
    return all(abs(at[low] + (n - low) * scale - p) < 0.2
               for n, p in zip(numbers, pixels))


def _svg(tap, draw):
    series = orders()
    picture = draw.svg(series, lost=LOST, title=TITLE, source="Linux 1.2.3")
    groups = picture.series()
    tap.equal(".svg: a group for each series and one for what was lost",
              len(groups), len(series) + 1)
    texts = picture.texts()
    tap.equal(".svg: title, subtitle, axes and legend are there",
              [text for text in [TITLE, "command  (Linux 1.2.3)", "Time (s)",
                                 "Pages", "events lost"] +
               [name for name, _ in series] if text not in texts], [])
    wrong = []
    for group, (name, points) in zip(groups[1:], series):
        corners = path_points(group)
        if len(corners) != len(points) or not _fits(
                [x for x, _ in corners], [x for x, _ in points]) or not _fits(
                    [y for _, y in corners], [y for _, y in points]):
            wrong.append(name)
    tap.equal(".svg: each line has its points where they belong", wrong, [])
    looks = [(re.search(r"color='(rgb[^']*)'|stroke='(rgb[^']*)'", text).group(),
              "dasharray" in text) for text in map(_source, groups[1:])]
    tap.equal(".svg: no two lines look the same", len(set(looks)), len(series))


def _source(group):
    return " ".join(f"{key}='{value}'" for node in group.iter()
                    for key, value in node.attrib.items()
                    if key in ("stroke", "stroke-dasharray") and
                    value not in ("currentColor", "none", "black"))


def _stacked(tap, draw):
    """What is drawn for a series begins where the one below ends."""
    series = [("a", [(1, 5), (2, 1)]), ("b", [(1, 0), (2, 7)]),
              ("c", [(1, 2), (2, 0)])]
    tap.equal("stacked: areas lie upon each other",
              {name: rows for name, rows in draw.data(
                  series, style="stacked").items() if name.startswith("data")},
              {"data0_0": [[1, 0, 5], [2, 0, 1]],
               "data0_1": [[1, 5, 5], [2, 1, 8]],
               "data0_2": [[1, 5, 7], [2, 8, 8]]})
    picture = draw.svg(series, style="stacked")
    tap.equal("stacked: an area each", len(picture.series()), 3)


def _points(tap, draw):
    points = [(1, 10), (2, 30), (3, 20), (1.5, 25)]
    group = draw.svg([("dots", points)], style="points").series()[0]
    places = markers(group)
    tap.equal("points: one each, where it belongs",
              (len(places), _fits([x for x, _ in places], [x for x, _ in points]),
               _fits([y for _, y in places], [y for _, y in points])),
              (4, True, True))


def _others(tap, draw):
    series = orders()
    draw.draw("a.png", series)
    tap.equal(".png: whole, of the size that is documented",
              png_size(draw.read("a.png")), (1000, 560))
    for name, drawn in (("\u65e5\u672c x", "?? x"), ("\U0001f427", "?"),
                        ("\xe9\u0434\u20ac", "\xe9\u0434\u20ac")):
        for other, wanted in ((drawn, True), ("!" * len(drawn), False)):
            # The longest name, as it sets the width of the legend.
            longest = ("order 123456789", [(1, 1), (3, 2)])
            draw.draw("glyphs.png", [(name, [(1, 2), (3, 4)]), longest])
            draw.draw("drawn.png", [(other, [(1, 2), (3, 4)]), longest])
            tap.equal(f".png: {ascii(name)} is drawn as {ascii(other)}: {wanted}",
                      draw.read("glyphs.png") == draw.read("drawn.png"), wanted)
    draw.draw("a.pdf", series)
    pdf = draw.read("a.pdf")
    tap.equal(".pdf: one page, whole",
              (pdf[:5], pdf.rstrip()[-5:], len(re.findall(b"/Type /Page\\b", pdf))),
              (b"%PDF-", b"%%EOF", 1))
    draw.draw("a.SVG", series)
    tap.equal("the suffix can be in capitals",
              len(Svg(draw.read("a.SVG")).series()), 11)
    # A .svg is often looked at by what runs no scripts, or must not.
    tap.equal(".svg: no script", b"<script" in draw.read("a.SVG"), False)


def _terminal(tap, draw):
    series = [("up", [(t, t) for t in range(60)]),
              ("down", [(t, 60 - t) for t in range(60)])]
    status, out, err = draw.draw("-", series, lost=[(20, 30)], title=TITLE)
    lines = out.decode().splitlines()
    tap.equal("terminal: status and messages", (status, err), (0, b""))
    tap.equal("terminal: no line longer than 80 columns, no escapes",
              (max(map(len, lines)) <= 80, b"\x1b" in out, b"\f" in out),
              (True, False, False))
    text = out.decode()
    tap.equal("terminal: title, axes and legend are there",
              [word for word in (TITLE, "command", "Pages", "Time (s)",
                                 "0  up", "1  down", "!  events lost")
               if word not in text], [])
    rows = [line[:60] for line in lines if line[:60].count("|") or "+" in line]
    up = [(row, line.index("0", 10)) for row, line in enumerate(rows)
          if "0" in line[10:]]
    tap.equal("terminal: what rises, rises",
              (len(up) > 8, [x for _, x in up] == sorted(
                  (x for _, x in up), reverse=True)), (True, True))


def _log(tap, draw):
    """Zero is below the smallest number, and says that it is zero."""
    points = [(21, 0), (22, 1), (23, 10), (24, 100000), (25, 0)]
    picture = draw.svg([("a", points)], axes="y")
    y = [y for _, y in path_points(picture.series()[0])]
    tap.equal("logarithmic: in order, and equal steps for equal factors",
              (y[0] > y[1] > y[2] > y[3], y[0] == y[4],
               abs((y[2] - y[3]) - 4 * (y[1] - y[2])) < 0.5), (True, True, True))
    tap.equal("logarithmic: the numbers at the axis",
              [text for text in picture.texts()
               if re.fullmatch("0|10*k?", text)],
              ["0", "1", "10", "100", "1000", "10k", "100k"])


def run(tap, draw):
    _svg(tap, draw)
    _stacked(tap, draw)
    _points(tap, draw)
    _others(tap, draw)
    _terminal(tap, draw)
    _log(tap, draw)
