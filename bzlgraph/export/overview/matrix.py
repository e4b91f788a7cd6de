"""Overview -> dependency structure matrix, as SVG: what a drawing with too many lines hides is a place here.

Rows and columns are the same parts in the same order, from the top level down. A number in column C of row R: C depends
on R, through so many edges (Lattix's reading). So what follows the levels is below the diagonal, and what is above it
in colour closes a cycle. Every edge is in it: nothing is reduced, no hub is set apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from bzlgraph.base import links
from bzlgraph.base.words import printable, visible
from bzlgraph.export.overview.model import Bundle, Overview, Part
from bzlgraph.export.pictures.palette import ARROWS, DARK, FRAME, INK, LOOKS, QUIET
from bzlgraph.export.pictures.picture import ArrowStyle
from bzlgraph.export.pictures.text_width import shorten, shorten_label, text_width

CELL, NAME_SIZE, SMALL_SIZE, TITLE_SIZE = 19.0, 10.5, 9.0, 15.0
MARGIN, NAME_ROOM, DETAIL_ROOM = 20.0, 230.0, 62.0
SHADES = ("#eaf1f8", "#c9dcee", "#9fc1e0")
"""Below the diagonal: one edge, up to ten, more."""
CYCLE_SHADES = ("#f9dfea", "#f3bfd6", "#e795bb")
_FONT = "Helvetica,Arial,sans-serif"


@dataclass(frozen=True, slots=True)
class Matrix:
    """The parts in their order, and ``cells[row, column]``: what leads from the column's part to the row's."""

    title: str
    notes: tuple[str, ...]
    parts: tuple[Part, ...]
    levels: tuple[int, ...]
    cells: dict[tuple[int, int], Bundle]

    @property
    def above(self) -> int:
        """How many cells close a cycle."""
        return sum(column > row for row, column in self.cells)


def matrix_of(seen: Overview, notes: tuple[str, ...]) -> Matrix:
    """The matrix of an overview that was made without hubs: ``Shape(hubs=False)``."""
    cells: dict[tuple[int, int], Bundle] = {}
    for line in seen.lines:
        if line.down:
            cells[line.lower, line.upper] = line.down
        if line.up:
            cells[line.upper, line.lower] = line.up
    for source, target, bundle in seen.implied:
        cells[target, source] = bundle
    return Matrix(seen.title, notes, seen.parts, seen.levels, cells)


def matrix_svg(matrix: Matrix) -> str:
    """One SVG, light or dark as its reader wants; each cell says its reasons when pointed at."""
    count = len(matrix.parts)
    left = MARGIN + NAME_ROOM + DETAIL_ROOM + 28
    top = MARGIN + 62
    lines = _wrapped(matrix.notes, max(left + count * CELL - MARGIN, 480.0))
    top += 14 * (len(lines) - 1)
    width = max(left + count * CELL + MARGIN, 480.0 + 2 * MARGIN)
    height = top + count * CELL + MARGIN + 52
    return "\n".join(
        [
            _opened(matrix.title, width, height),
            _style(),
            f'<rect class="page" width="{width:.0f}" height="{height:.0f}" fill="white"/>',
            _text(
                MARGIN,
                MARGIN + 12,
                shorten(matrix.title, TITLE_SIZE, width - 2 * MARGIN, bold=True),
                TITLE_SIZE,
                bold=True,
            ),
            *(_text(MARGIN, MARGIN + 30 + 14 * at, line, SMALL_SIZE + 0.5, QUIET) for at, line in enumerate(lines)),
            *_grid(matrix, left, top),
            *_cells(matrix, left, top),
            *_legend(matrix, top + count * CELL + 22),
            "</svg>\n",
        ]
    )


def _opened(title: str, width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{_FONT}" role="img" '
        f"aria-label={quoteattr(printable(title))}>"
    )


def _wrapped(notes: tuple[str, ...], room: float) -> list[str]:
    lines = [""]
    for note in notes:
        longer = f"{lines[-1]} · {note}" if lines[-1] else note
        if lines[-1] and text_width(longer, SMALL_SIZE + 0.5) > room:
            lines.append(note)
        else:
            lines[-1] = longer
    return lines


def _text(
    x: float, y: float, text: str, size: float, color: str = INK, *, anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight} '
        f'textLength="{text_width(text, size, bold=bold):.1f}" lengthAdjust="spacingAndGlyphs">{_escape(text)}</text>'
    )


def _escape(text: str) -> str:
    return escape(printable(text))


def _grid(matrix: Matrix, left: float, top: float) -> Iterator[str]:
    """Names at the left, numbers at the left and above, the diagonal, a line where a level ends."""
    size = len(matrix.parts) * CELL
    for at, part in enumerate(matrix.parts):
        y = top + at * CELL
        middle = y + CELL / 2 + 3.5
        look = LOOKS[part.family]
        name = shorten_label(part.name, NAME_SIZE, NAME_ROOM - 16, bold=part.root)
        yield f'<g class="node"><title>{_escape(part.name)}</title>'
        yield (
            f'<rect x="{MARGIN}" y="{y + 4:.1f}" width="10" height="{CELL - 8:.1f}" rx="2" fill="{look.fill}" '
            f'stroke="{look.border}"/>'
        )
        address = links.current().address_of(part.place)
        shown = _text(MARGIN + 16, middle, name, NAME_SIZE, bold=part.root)
        yield f'<a href={quoteattr(address)} target="_top">{shown}</a>' if address else shown
        detail = shorten(part.detail, SMALL_SIZE, DETAIL_ROOM)
        yield _text(MARGIN + NAME_ROOM + DETAIL_ROOM, middle, detail, SMALL_SIZE, QUIET, anchor="end")
        yield _text(left - 8, middle, str(at + 1), SMALL_SIZE, QUIET, anchor="end")
        yield "</g>"
        yield _text(left + at * CELL + CELL / 2, top - 6, str(at + 1), SMALL_SIZE, QUIET, anchor="middle")
        yield (f'<rect x="{left + at * CELL:.1f}" y="{y:.1f}" width="{CELL}" height="{CELL}" fill="{FRAME[0]}"/>')
        if at and matrix.levels[at] != matrix.levels[at - 1]:
            x = left + at * CELL
            path = f"M{left:.1f},{y:.1f}H{left + size:.1f}M{x:.1f},{top:.1f}V{top + size:.1f}"
            yield f'<path d="{path}" stroke="{FRAME[0]}" fill="none"/>'
    yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{size:.1f}" height="{size:.1f}" fill="none" stroke="{QUIET}"/>'


def _cells(matrix: Matrix, left: float, top: float) -> Iterator[str]:
    for (row, column), bundle in sorted(matrix.cells.items()):
        cycle = column > row
        shade = (CYCLE_SHADES if cycle else SHADES)[0 if bundle.count == 1 else 1 if bundle.count <= 10 else 2]
        reasons = ", ".join(f"{name} {count:,}" for name, count in bundle.reasons)
        words = f"{matrix.parts[column].name} -> {matrix.parts[row].name}\n{bundle.count:,} edges: {reasons}"
        x, y = left + column * CELL, top + row * CELL
        border = f' stroke="{ARROWS[ArrowStyle.MUTUAL].color}"' if cycle else ""
        number = str(bundle.count) if bundle.count < 1000 else f"{bundle.count / 1000:.0f}k"
        size = SMALL_SIZE if len(number) < 3 else SMALL_SIZE - 0.5
        yield (
            f'<g class="{"cycle" if cycle else "cell"}"><title>{escape(visible(words))}</title>'
            f'<rect x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" width="{CELL - 1}" height="{CELL - 1}" fill="{shade}"{border}/>'
            f"{_text(x + CELL / 2, y + CELL / 2 + 3.2, number, size, anchor='middle')}</g>"
        )


def _legend(matrix: Matrix, y: float) -> Iterator[str]:
    yield _text(
        MARGIN, y, "number: edges from column to row; rows are sorted from the top level down", SMALL_SIZE, QUIET
    )
    if matrix.above:
        color = ARROWS[ArrowStyle.MUTUAL].color
        yield (f'<rect x="{MARGIN}" y="{y + 8:.1f}" width="12" height="12" fill="{CYCLE_SHADES[1]}" stroke="{color}"/>')
        words = "framed, above the diagonal: part of a cycle"
        yield _text(MARGIN + 18, y + 17.5, words, SMALL_SIZE, QUIET)


_DARK_SHADES = dict(
    zip((*SHADES, *CYCLE_SHADES), ("#1d2a38", "#24405c", "#2c5a86", "#3b1e2d", "#5c2742", "#82305b"), strict=True)
)


def _style() -> str:
    rules = "".join(
        f'[fill="{light}"] {{ fill: {dark} }} [stroke="{light}"] {{ stroke: {dark} }}\n'
        for light, dark in {**DARK, **_DARK_SHADES}.items()
    )
    return f"<style>\n@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n</style>"
