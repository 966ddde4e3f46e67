# SPDX-License-Identifier: GPL-2.0-only
"""Drawing, and reading back what was drawn with other people's parsers."""

import os
import re
import struct
import subprocess
import tempfile
import xml.etree.ElementTree
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "../..")
LIMIT = 120  # seconds that no run takes, however slow the machine
SVG = "{http://www.w3.org/2000/svg}"


class Draw:
    """Runs the tools and, by draw.c, their code for plots."""

    def __init__(self, tools):
        self.tools = os.path.abspath(tools)
        self.directory = tempfile.TemporaryDirectory(prefix="csn-plot-")
        sources = [os.path.join(TOP, "tool", name) for name in (
            "plot.c", "plot_draw.c", "plot_scale.c", "plot_script.c", "exit.c",
            "grow.c", "utf8.c")]
        subprocess.run(
            [os.environ.get("HOSTCC", "cc"), "-Wall", "-Wextra", "-D_GNU_SOURCE",
             "-D__SANE_USERSPACE_TYPES__", "-I", os.path.join(TOP, "tool"),
             "-I", os.path.join(TOP, "include/uapi"), "-o", self.path("draw"),
             os.path.join(HERE, "draw.c"), *sources], check=True)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def file(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def there(self, name):
        return os.path.exists(self.path(name))

    def run(self, *arguments, stdin=b"", **env):
        """Status, standard output and error of a program, run where the
        files are. An empty PATH has no gnuplot."""
        done = subprocess.run(
            arguments, input=stdin, capture_output=True, timeout=LIMIT,
            cwd=self.directory.name, check=False,
            env={**os.environ, "TMPDIR": self.directory.name, **env})
        return done.returncode, done.stdout, done.stderr

    def tool(self, name, *arguments, stdin=b"", **env):
        return self.run(os.path.join(self.tools, name), *arguments,
                        stdin=stdin, **env)

    def draw(self, name, series, lost=(), style="lines", axes="", title="title",
             command="command", source="", **env):
        """series is a list of (name, [(x, y) or (x, y, note)])."""
        lines = []
        for number, (label, points) in enumerate(series):
            lines.append(["series", label, "0123456789abcdef"[number % 16]])
            lines += [["point", number, *point] for point in points]
        lines += [["lost", *span] for span in lost]
        text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
        return self.run(self.path("draw"), name, style, axes, title, command,
                        source, stdin=text.encode("utf-8", "surrogateescape"),
                        **env)

    def svg(self, *arguments, **options):
        """Of draw(): the picture, or None if there is none."""
        status, _, err = self.draw("picture.svg", *arguments, **options)
        if status:
            print("#", err.decode("utf-8", "replace"))
            return None
        return Svg(self.read("picture.svg"))

    def data(self, *arguments, **options):
        """Of draw(): what gnuplot is given, as script_data() says."""
        self.draw("data.svg", *arguments, PATH="", **options)
        return script_data(self.read("data.svg.gnuplot"))


def script_data(script):
    """The blocks of data in a script by name: lists of lists of numbers."""
    blocks = {}
    for name, body in re.findall(r"^\$(\w+) << EOD\n(.*?)^EOD$",
                                 script.decode(), re.M | re.S):
        blocks[name] = [[float(x) for x in re.sub('".*"', "", line).split()]
                        for line in body.splitlines()
                        if not line.startswith("#")]
    return blocks


class Svg:
    """What gnuplot drew."""

    def __init__(self, content):
        self.root = xml.etree.ElementTree.fromstring(content)

    def texts(self):
        return ["".join(node.itertext()) for node in self.root.iter(SVG + "text")]

    def series(self):
        """The groups that gnuplot makes of what it plots."""
        return [node for node in self.root.iter(SVG + "g")
                if re.fullmatch(r".*_plot_\d+[a-z]?", node.get("id", ""))]


def path_points(group):
    """Corners of the line in a group, in pixels. The sample in the legend is
    a piece of its own, and the first."""
    pieces = [piece for node in group.iter(SVG + "path")
              for piece in node.get("d").split("M")[1:]]
    return [tuple(map(float, pair)) for pair in
            re.findall(r"(-?[\d.]+),(-?[\d.]+)", pieces[-1])]


def markers(group):
    """Places of the points in a group, that of the legend, the last, left out."""
    places = []
    for node in group.iter(SVG + "use"):
        match = re.match(r"translate\(([-\d.]+),([-\d.]+)\)",
                         node.get("transform", ""))
        places.append((float(match.group(1)), float(match.group(2))))
    return places[:-1]


def png_size(content):
    """Width and height of a whole .png; None if it is none."""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    at, size, data, last = 8, None, b"", None
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack(
                ">I", content[at + 8 + length:at + 12 + length])[0]:
            return None
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        data += body if kind == b"IDAT" else b""
        at, last = at + 12 + length, kind
    return size if last == b"IEND" and zlib.decompress(data) else None


def orders(nr=11, length=30):
    """Series as buddystat has them, each of other numbers."""
    return [(f"order {n}", [(t, (t * 7919 + n * 104729) % (4 ** (11 - n)) + n)
                            for t in range(1, length + 1)]) for n in range(nr)]
