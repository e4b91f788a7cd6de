"""Picture -> page: the drawing, a title above it, lists at its side, a legend below; every text with its place.

Nothing is wider than ``WIDEST``, so that the smallest letters are 8 px high when the page is fitted to 1,600 px: rows
are made narrower until that holds, or until they cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from bzlgraph.export.layout.edge_labels import label_places
from bzlgraph.export.layout.placed import Frame, Placed, Point, Rectangle, Route, Sketch, place
from bzlgraph.export.pictures.dot import sample_text
from bzlgraph.export.pictures.palette import ARROWS, INK, QUIET, families
from bzlgraph.export.pictures.picture import ArrowStyle, Picture
from bzlgraph.export.pictures.text_width import shorten, shorten_label, text_width

MARGIN = 20.0
TITLE_SIZE, NAME_SIZE, SMALL_SIZE = 15.0, 11.5, 9.5
FRAME_SIZE = SMALL_SIZE
BOX_ROOM, BOX_AIR, NARROWEST = 176.0, 22.0, 56.0
SIDE_WIDTH, SIDE_GAP = 270.0, 34.0
LINE_HEIGHT, ENTRY_HEIGHT = 15.0, 31.0
WIDEST = 1600 * SMALL_SIZE / 8
ROOMS = (1480.0, 1250.0, 1050.0, 850.0, 650.0)
SWATCH = 13.0
WIDE, WIDE_BOLD = 1.16, 1.3
"""Where Helvetica is missing others are wider, bold ones most of all: the page leaves room for them."""
MOST_IN_FRAMES = 0.4
"""A folder that holds more of the boxes than that says nothing when it is drawn."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, left aligned at ``x``, its middle at ``y``."""

    x: float
    y: float
    text: str
    size: float = SMALL_SIZE
    color: str = INK
    bold: bool = False
    id: str = ""
    """The entry at the side that it names."""

    @property
    def width(self) -> float:
        return text_width(self.text, self.size, bold=self.bold)


@dataclass(frozen=True, slots=True)
class Page:
    """All that is drawn, in px from the upper left corner. ``boxes`` and ``routes`` are those of the picture."""

    width: float
    height: float
    boxes: tuple[Rectangle, ...]
    names: tuple[tuple[str, str], ...]
    """The two lines in each box, cut to fit."""
    routes: tuple[Route, ...]
    numbers: tuple[Point | None, ...]
    """The middle of what is written on each line, None where there is no room or nothing to say."""
    frames: tuple[Frame, ...]
    texts: tuple[Text, ...]
    swatches: tuple[tuple[str, Rectangle], ...]
    crossings: int


def page_of(picture: Picture, tangle: float = inf, *, shown: bool = True) -> Page:
    """Lay out a picture. One with more crossings than ``tangle`` is made as narrow as can be at once, step by step
    would take far longer than it is worth; it is left as it is when nobody is ``shown`` it."""
    names = tuple(
        (shorten_label(box.text, NAME_SIZE, BOX_ROOM, bold=box.strong), shorten(box.detail, SMALL_SIZE, BOX_ROOM))
        for box in picture.boxes
    )
    widths = [
        max(text_width(name, NAME_SIZE, bold=box.strong), text_width(detail, SMALL_SIZE), NARROWEST - BOX_AIR) + BOX_AIR
        for box, (name, detail) in zip(picture.boxes, names, strict=True)
    ]
    placed, side = _placed(picture, widths, tangle, shown)
    head = _head(picture, max(placed.width + side, 480.0))
    top = MARGIN + sum(_height(line) for line in head) + 14
    moved = _moved(placed, MARGIN, top)
    texts = [*_stacked(head), *_side(picture, MARGIN + placed.width + SIDE_GAP, top + 8)]
    bottom = max(top + placed.height, max((text.y + text.size for text in texts), default=0)) + 16
    room = max(placed.width + side, 480.0)
    legend, swatches, bottom = _legend(picture, bottom, room)
    texts += legend
    width = (
        max([MARGIN + placed.width, *(text.x + text.width * (WIDE_BOLD if text.bold else WIDE) for text in texts)])
        + MARGIN
    )
    numbers = label_places([arrow.text for arrow in picture.arrows], moved.routes, moved.boxes)
    return Page(
        width, bottom + MARGIN, moved.boxes, names, moved.routes, numbers, moved.frames, tuple(texts), swatches,
        placed.crossings,
    )  # fmt: skip


def _placed(picture: Picture, widths: Sequence[float], tangle: float, shown: bool) -> tuple[Placed, float]:
    """The drawing in the widest room that keeps to the page, and how much the side takes beside it."""
    side = SIDE_GAP + SIDE_WIDTH if picture.asides else 0.0
    sketch, widest = _sketch(picture, widths), WIDEST - side - 2 * MARGIN
    best = place(sketch, ROOMS[0], widest)
    narrower = ROOMS[1:] if best.crossings <= tangle else ROOMS[-1:] if shown else ()
    for room in narrower:
        if best.width <= widest:
            break
        best = min(best, place(sketch, room, widest), key=lambda placed: placed.width)
    return best, side


def _sketch(picture: Picture, widths: Sequence[float]) -> Sketch:
    number = {box.id: place for place, box in enumerate(picture.boxes)}
    pairs = [(number[arrow.source], number[arrow.target]) for arrow in picture.arrows]
    sizes = Counter(box.cluster for box in picture.boxes)
    framed = {name for name, count in sizes.items() if name.strip("/") and count <= len(picture.boxes) * MOST_IN_FRAMES}
    return Sketch(
        widths,
        [
            pair[::-1] if arrow.style is ArrowStyle.UPWARD else pair
            for pair, arrow in zip(pairs, picture.arrows, strict=True)
        ],
        [arrow.style for arrow in picture.arrows],
        {place: box.cluster for place, box in enumerate(picture.boxes) if box.cluster in framed},
        [place for place, box in enumerate(picture.boxes) if box.root],
    )


def _moved(placed: Placed, x: float, y: float) -> Placed:
    return Placed(
        tuple(_shift(box, x, y) for box in placed.boxes),
        tuple(Route(tuple((a + x, b + y) for a, b in route.points), route.own) for route in placed.routes),
        tuple(Frame(frame.name, _shift(frame.area, x, y)) for frame in placed.frames),
        placed.crossings,
        placed.width,
        placed.height,
    )


def _shift(area: Rectangle, x: float, y: float) -> Rectangle:
    return Rectangle(area.x + x, area.y + y, area.width, area.height)


def _height(text: Text) -> float:
    return text.size * 1.45


def _head(picture: Picture, room: float) -> list[Text]:
    """Title and notes, as many lines as they need."""
    lines = []
    if picture.title:
        lines.append(Text(MARGIN, 0, shorten(picture.title, TITLE_SIZE, room, bold=True), TITLE_SIZE, bold=True))
    lines += [Text(MARGIN, 0, line, SMALL_SIZE + 1, QUIET) for line in _wrapped(picture.notes, SMALL_SIZE + 1, room)]
    return lines


def _wrapped(words: Sequence[str], size: float, room: float) -> list[str]:
    """Pieces of text with a dot between them, in lines."""
    lines: list[str] = []
    for each in words:
        word = shorten(each, size, room)
        if lines and text_width(f"{lines[-1]}  ·  {word}", size) <= room:
            lines[-1] += f"  ·  {word}"
        else:
            lines.append(word)
    return lines


def _stacked(lines: Sequence[Text]) -> list[Text]:
    """Lines below each other from the top margin."""
    placed, y = [], MARGIN
    for line in lines:
        placed.append(Text(line.x, y + _height(line) / 2, line.text, line.size, line.color, line.bold))
        y += _height(line)
    return placed


def _side(picture: Picture, x: float, y: float) -> list[Text]:
    """The lists beside the drawing."""
    texts: list[Text] = []
    for aside in picture.asides:
        texts.append(Text(x, y, aside.heading, SMALL_SIZE + 0.5, QUIET, bold=True))
        y += LINE_HEIGHT + 6
        for name, detail in aside.entries:
            short = shorten_label(name, NAME_SIZE, SIDE_WIDTH / WIDE)
            texts.append(Text(x, y, short, NAME_SIZE, id=name))
            texts.append(
                Text(x, y + LINE_HEIGHT - 1, shorten(detail, SMALL_SIZE, SIDE_WIDTH / WIDE), SMALL_SIZE, QUIET)
            )
            y += ENTRY_HEIGHT + 3
        y += 12
    return texts


def _legend(picture: Picture, y: float, room: float) -> tuple[list[Text], tuple[tuple[str, Rectangle], ...], float]:
    """The colours, arrows and widths in use, in lines of ``room``; and where it ends."""
    texts: list[Text] = []
    swatches: list[tuple[str, Rectangle]] = []
    x = MARGIN

    def advance(width: float) -> None:
        nonlocal x, y
        if x > MARGIN and x + width > MARGIN + room:
            x, y = MARGIN, y + LINE_HEIGHT + 3

    used = families(picture)
    for name in used if len(used) > 1 else ():
        width = SWATCH + 6 + text_width(name, SMALL_SIZE) + 16
        advance(width)
        swatches.append((name, Rectangle(x, y - 5, SWATCH, 10)))
        texts.append(Text(x + SWATCH + 6, y, name, color=QUIET))
        x += width
    if len(used) > 1:
        x, y = MARGIN, y + LINE_HEIGHT + 3
    styles = [style for style in ArrowStyle if any(arrow.style is style for arrow in picture.arrows)]
    for style in styles if styles != [ArrowStyle.PLAIN] else ():
        sample, words = sample_text(style), style.value
        sample_width = text_width(sample, SMALL_SIZE)
        width = sample_width + 6 + text_width(words, SMALL_SIZE) + 18
        advance(width)
        texts.append(Text(x, y, sample, color=ARROWS[style].color))
        texts.append(Text(x + sample_width + 6, y, words, color=QUIET))
        x += width
    if any(arrow.count > 1 for arrow in picture.arrows):
        words = "line width and number: how many edges"
        advance(text_width(words, SMALL_SIZE))
        texts.append(Text(x, y, words, color=QUIET))
        x += 1
    return texts, tuple(swatches), y + (LINE_HEIGHT / 2 if x > MARGIN else -LINE_HEIGHT)
