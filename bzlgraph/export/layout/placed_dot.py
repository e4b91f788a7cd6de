"""Picture and page -> dot text in which everything has its place already: Graphviz (``nop2``) draws and does not think.

Its y grows upwards, so heights are counted from the bottom of the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bzlgraph.export.layout.edge_labels import LABEL_SIZE
from bzlgraph.export.layout.page import FRAME_SIZE, NAME_SIZE, SMALL_SIZE, Page, Text
from bzlgraph.export.layout.placed import Frame, Point, Rectangle
from bzlgraph.export.pictures.dot import FONT, arrow_width, escaped, head, link, quote, two_lines
from bzlgraph.export.pictures.palette import ARROWS, FRAME, LOOKS, QUIET
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture
from bzlgraph.export.pictures.text_width import shorten_label

ARROW_LENGTH = 6.5
INCH = 72
LEFT = r"\l"
"""Ends a line that is set to the left. Graphviz must be given none that is empty: it crashes."""
WIDE_FONTS = 1.5
"""How much wider than in Helvetica a text may be in the font of whoever looks."""


def to_placed_dot(picture: Picture, page: Page, *, letters: float = 1.0, halo: bool = False) -> str:
    """The dot text, ending with a newline.

    ``letters`` makes them smaller where they would be wider than Helvetica's and nothing says how wide they must be (in
    SVG something does); with ``halo`` words on lines have the page behind them, which SVG has by its style sheet.
    """
    writer = _Writer(page, letters, halo=halo)
    lines = ["digraph bzlgraph {", *writer.settings()]
    for number, frame in enumerate(page.frames):
        lines += writer.frame(number, frame)
    for box, area, names in zip(picture.boxes, page.boxes, page.names, strict=True):
        lines.append(writer.box(box, area, names))
    for arrow, route, middle in zip(picture.arrows, page.routes, page.numbers, strict=True):
        lines.append(writer.arrow(arrow, route.points, middle))
    lines += [writer.text(number, text) for number, text in enumerate(page.texts) if text.text]
    lines += [writer.swatch(family, area) for family, area in page.swatches]
    return "\n".join([*lines, "}", ""])


class _Writer:
    """Elements in the coordinates of Graphviz."""

    def __init__(self, page: Page, letters: float, *, halo: bool) -> None:
        self.page = page
        self.halo = halo
        self.name, self.small, self.label = (f"{size * letters:.2f}" for size in (NAME_SIZE, SMALL_SIZE, LABEL_SIZE))
        self.letters = letters

    def at(self, x: float, y: float) -> str:
        return f"{x:.2f},{self.page.height - y:.2f}"

    def settings(self) -> Iterator[str]:
        corner, opposite = self.at(0, self.page.height), self.at(self.page.width, 0)
        yield f'  graph [bgcolor="white", fontname="{FONT}", pad=0, splines=true];'
        yield f'  node [fontname="{FONT}", fontsize={self.name}, penwidth=1.1, fixedsize=true, margin=0];'
        yield f'  edge [fontname="{FONT}", fontsize={self.label}, arrowsize=0.65];'
        # An empty frame as large as the page makes Graphviz keep its margins.
        yield f'  subgraph cluster_page {{ bb="{corner},{opposite}"; color="#ffffff00"; class="page"; tooltip=" " }}'

    def frame(self, number: int, frame: Frame) -> Iterator[str]:
        area = frame.area
        corner, opposite = self.at(area.x, area.bottom), self.at(area.right, area.y)
        name = shorten_label(frame.name, FRAME_SIZE, area.width - 12)
        yield (
            f'  subgraph cluster_{number} {{ bb="{corner},{opposite}"; style="rounded,filled"; color="{FRAME[0]}"; '
            f'fillcolor="{FRAME[1]}"; tooltip={quote(frame.name)} }}'
        )
        if name:
            yield self.text(f"f{number}", Text(area.x + 6, area.y + 8.5, name, FRAME_SIZE, QUIET), "caption")

    def box(self, box: Box, area: Rectangle, names: tuple[str, str]) -> str:
        look = LOOKS[box.family]
        label = two_lines(*names, self.small, strong=box.strong)
        width = ", penwidth=2.6" if box.root else ""
        return (
            f'  {quote(box.id)} [label={label}, shape={look.shape}, style="{look.style}", '
            f'fillcolor="{look.fill}", color="{look.border}"{width}, tooltip={quote(box.tooltip or box.id)}, '
            f"{self._place(area)}{link(box)}];"
        )

    def _place(self, area: Rectangle) -> str:
        middle = self.at(area.x + area.width / 2, area.y + area.height / 2)
        return f'pos="{middle}", width={area.width / INCH:.4f}, height={area.height / INCH:.4f}'

    def arrow(self, arrow: Arrow, route: Sequence[Point], middle: Point | None) -> str:
        look, tooltip = ARROWS[arrow.style], quote(arrow.tooltip)
        points = list(route[::-1] if arrow.style is ArrowStyle.UPWARD else route)
        ends = []
        if look.head == "both":
            ends.append(f"s,{self.at(*points[0])}")
            points[0] = _before(points[0], points[1])
        ends.append(f"e,{self.at(*points[-1])}")
        points[-1] = _before(points[-1], points[-2])
        spline = " ".join([*ends, *(self.at(*point) for point in points)])
        label = ""
        if arrow.text and middle is not None:
            label = f', label={self._on_line(arrow.text)}, fontcolor={quote(look.color)}, lp="{self.at(*middle)}"'
        return (
            f'  {quote(arrow.source)} -> {quote(arrow.target)} [style={look.line}, color="{look.color}"{head(look)}, '
            f'penwidth={arrow_width(arrow):.2f}{label}, edgetooltip={tooltip}, labeltooltip={tooltip}, pos="{spline}"];'
        )

    def _on_line(self, text: str) -> str:
        if not self.halo:
            return quote(text)
        lines = escaped(text).replace("\n", "<br/>")
        return f'<<table border="0" cellborder="0" cellpadding="1" bgcolor="white"><tr><td>{lines}</td></tr></table>>'

    def text(self, number: int | str, text: Text, kind: str = "text") -> str:
        """A text that begins at its place, whatever fonts there are: one set in the middle would begin before it where
        they are wide. Its node is as wide as that, but for the end of the page, which it must not push out."""
        font = ', fontname="Helvetica-Bold"' if text.bold else ""
        width = min(text.width * WIDE_FONTS, self.page.width - text.x - 1)
        area = Rectangle(text.x, text.y - text.size / 2, width, text.size)
        label = quote(text.text)[:-1] + LEFT + '"'
        return (
            f'  "text {number}" [class="{"aside" if text.id else kind}", label={label}{font}, shape=none, '
            f'fontsize={text.size * self.letters:.2f}, fontcolor="{text.color}", tooltip={quote(text.id or " ")}, '
            f"{self._place(area)}];"
        )

    def swatch(self, family: str, area: Rectangle) -> str:
        look = LOOKS[family]
        return (
            f'  {quote(f"look {family}")} [class="text", label="", shape=box, style="{look.style}", '
            f'fillcolor="{look.fill}", color="{look.border}", tooltip={quote(family)}, {self._place(area)}];'
        )


def _before(end: Point, control: Point) -> Point:
    """Where a curve has to stop for the head of its arrow."""
    run, rise = end[0] - control[0], end[1] - control[1]
    length = math.hypot(run, rise)
    if not length:
        return end
    return end[0] - run * ARROW_LENGTH / length, end[1] - rise * ARROW_LENGTH / length
