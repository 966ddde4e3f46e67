# SPDX-License-Identifier: GPL-2.0-only
"""A page in a browser: the legend hides lines, points say what they are, the
wheel zooms, and names in it stay names."""

import os

import browser
import wire
from plots import orders
from wire import Event

HOSTILE = ["</script><script>hacked=1//", "');hacked=1;('", "<img src=x onerror=hacked=1>",
           "\"onload=hacked=1 x=\"", "&#39;);hacked=1;//", "]]>"]


# The points that say what they are, in the group of the line they belong to.
HOVERS = "[id^=csn_plot]:not([id$=keyentry]) use"


def _visibility(page, selector):
    return page.evaluate("(e => e ? getComputedStyle(e).visibility : 'missing')"
                         f"(document.querySelector('{selector}'))")


def _legend(tap, page):
    """Of the line that is third in the legend, events lost being first."""
    line, other = "#line3", "#line4"
    hover = f"#csn_plot_3a {HOVERS}"
    entry = page.centre("#csn_plot_3a_keyentry text")

    def seen():
        return [_visibility(page, what) for what in (line, hover, other)]

    tap.equal("page: at first all lines can be seen", seen(), ["visible"] * 3)
    page.click(entry)
    tap.equal("page: a click in the legend hides its line, and no other",
              seen(), ["hidden", "hidden", "visible"])
    tap.equal("page: the entry itself stays",
              _visibility(page, "#csn_plot_3a_keyentry text"), "visible")
    page.click(entry)
    tap.equal("page: another click shows it again", seen(), ["visible"] * 3)


def _hover(tap, page, where, wanted):
    page.mouse("mouseMoved", page.centre(where))
    tap.equal("page: the mouse at a point shows its numbers",
              (page.evaluate("document.getElementById('hypertext').textContent"),
               _visibility(page, "#hypertext")), (wanted, "visible"))
    page.mouse("mouseMoved", [5, 5])
    tap.equal("page: away from it they go", _visibility(page, "#hypertext"),
              "hidden")


def _zoom(tap, page):
    def view():
        return page.evaluate("document.querySelector('svg').viewBox.baseVal.width")

    before, centre = view(), page.centre("svg")
    page.mouse("mouseWheel", centre, deltaX=0, deltaY=100)
    tap.equal("page: the wheel zooms", view() < before, True)
    for kind in ("mousePressed", "mouseReleased"):
        page.mouse(kind, centre, button="right", clickCount=1)
    tap.equal("page: the right button resets", view(), before)


def _orders(tap, draw, page):
    series = orders(length=12)
    draw.draw("page.html", series, lost=[(3, 4)], title="<Pages> & more")
    page.open(draw.path("page.html"))
    tap.equal("page: nothing comes from elsewhere",
              [url for url in page.requests[1:] if not url.startswith("data:")], [])
    tap.equal("page: its title", page.evaluate("document.title"), "<Pages> & more")
    # Of a group's paths the last is the line; the legend's sample comes first.
    tap.equal("page: a line each", page.evaluate(
        "[...Array(11).keys()].map(n => n + 2).filter(n => {"
        " const path = [...document.querySelectorAll(`#csn_plot_${n}a path`)].pop();"
        " path.id = `line${n}`;"
        " return path.getAttribute('d').match(/L/g).length > 10; }).length"),
              len(series))
    _legend(tap, page)
    x, y = series[1][1][4]
    page.evaluate(f"document.querySelectorAll('#csn_plot_3a {HOVERS}')"
                  "[4].id = 'wanted'")
    _hover(tap, page, "#wanted", f"order 1: {y} at {x}.000 s")
    _zoom(tap, page)
    tap.equal("page: no script complains", page.errors, [])


def _hostile(tap, draw, page):
    draw.draw("hostile.html", [(name, [(1, 2, name), (2, 3, name)])
                               for name in HOSTILE],
              title="</title><script>hacked=1</script>", command=HOSTILE[0])
    page.open(draw.path("hostile.html"))
    for number in range(len(HOSTILE)):
        page.mouse("mouseMoved", page.centre(
            f"#csn_plot_{number + 1}a {HOVERS}"))
        page.click(page.centre(f"#csn_plot_{number + 1}a_keyentry text"))
    tap.equal("page: hostile names run nothing and break nothing",
              (page.evaluate("typeof hacked"), page.errors,
               page.evaluate("document.images.length")), ("undefined", [], 0))


def _latency(tap, draw, page):
    events = [Event(ts=(i + 1) * 10**9, delta=(i + 1) * 10**6, status=5 + i % 4)
              for i in range(12)]
    stream = wire.info() + b"".join(event.encode() for event in events)
    draw.tool("compactsnoop", "-i", "-", "--plot", "latency.html", stdin=stream)
    page.open(draw.path("latency.html"))
    _hover(tap, page, f"#csn_plot_4a {HOVERS}",
           "success: 4 ms at 3.000 s, qemu-system-x86 24376, ZONE_NORMAL,"
           " order 9, SYNC")
    for panel in "ab":
        page.click(page.centre(f"#csn_plot_2{panel}_keyentry text"))
    tap.equal("page: each panel has a legend that works",
              [_visibility(page, f"#csn_plot_{n}{panel}") for panel in "ab"
               for n in (1, 2)], ["visible", "hidden"] * 2)
    tap.equal("page of compactions: no script complains", page.errors, [])


def run(tap, draw):
    if not browser.find():
        tap.skip("page", "no Chromium: tests/vm/packages.sh plots installs it")
        return
    page = browser.Browser()
    try:
        _orders(tap, draw, page)
        _hostile(tap, draw, page)
        _latency(tap, draw, page)
    finally:
        kept = os.environ.get("PAGE_PICTURE")
        if kept:
            page.picture(kept)
        page.close()
