"""Pictures judged by program: nothing overlaps, texts fit their boxes, lines lead down and past other boxes."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from itertools import combinations

import pygraphviz
import pytest

from bzlgraph.export.layout import page as page_module
from bzlgraph.export.layout import rank_order
from bzlgraph.export.layout.bundle import Net
from bzlgraph.export.layout.edge_labels import label_size
from bzlgraph.export.layout.page import BOX_AIR, NAME_SIZE, SMALL_SIZE, WIDEST, Page, page_of
from bzlgraph.export.layout.placed import ALONE, Rectangle, place
from bzlgraph.export.layout.placed_dot import to_placed_dot
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.finish_svg import finish_svg
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Aside, Box, Picture
from bzlgraph.export.pictures.render import letters, render, render_placed
from bzlgraph.export.pictures.text_width import text_width
from tests.export.crossings import SVG, lines_of, measure, polyline

FAMILIES = ["C++", "Python", "proto", "not on disk", "source file"]


def random_picture(seed: int, boxes: int = 40) -> Picture:
    """Boxes in folders, with names of all lengths; lines of all kinds."""
    chance = random.Random(seed)
    found = []
    for at in range(boxes):
        folder = f"//folder{at % 6}"
        name = f"{folder}/{'long_' * chance.randrange(9)}{at}"
        found.append(Box(name, name, f"{at} targets", chance.choice(FAMILIES), folder, name, at == 0, at == 0))
    arrows = []
    for upper in range(boxes):
        for lower in range(upper + 1, boxes):
            if chance.random() < 2.2 / boxes:
                style = chance.choice([*list(ArrowStyle)[:4], ArrowStyle.MUTUAL, ArrowStyle.UPWARD])
                ends = (lower, upper) if style is ArrowStyle.UPWARD and upper else (upper, lower)
                style = style if ends != (upper, lower) or style is not ArrowStyle.UPWARD else ArrowStyle.PLAIN
                count = chance.randrange(1, 400)
                arrows.append(Arrow(found[ends[0]].id, found[ends[1]].id, str(count), style, "why", count))
    aside = Aside("Used by many", (("//base", "9 targets"), ("//a/very/" + "long/" * 20, "used by all " * 20)))
    return Picture("deps(//...)", tuple(found), tuple(arrows), ("some notes",) * 9, True, (aside,))


def svg_of(picture: Picture, page: Page) -> str:
    return finish_svg(render_placed(to_placed_dot(picture, page), "svg").data.decode())


def test_rows_of_boxes_without_lines_are_named_once() -> None:
    boxes = tuple(Box(f"//lone{at}", f"//lone{at}", "9 targets", "C++", "", "", False, False) for at in range(60))
    picture = Picture("q", boxes, (Arrow("//lone0", "//lone1", "1", ArrowStyle.PLAIN, "why", 1),), (), True, ())
    page = page_of(picture)
    assert len(page.frames) > 2
    assert [frame.name for frame in page.frames].count(ALONE) == 1
    assert {frame.name for frame in page.frames} == {ALONE, ""}


def test_a_tangle_is_laid_out_once_or_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once where a matrix is shown instead; else it is made as narrow as can be without a try of each width between."""
    tried: list[float] = []
    monkeypatch.setattr(page_module, "place", lambda sketch, room, widest: tried.append(room) or place(sketch, room, 9))
    picture = random_picture(1, 60)
    assert page_of(picture, 0, shown=False).crossings > 0
    assert tried == [page_module.ROOMS[0]]
    tried.clear()
    page_of(picture, 0)
    assert tried == [page_module.ROOMS[0], page_module.ROOMS[-1]]
    tried.clear()
    page_of(picture)
    assert len(tried) > 2


def test_a_pair_gains_by_changing_places_what_it_costs_to_change_back() -> None:
    chance = random.Random(2)
    for _ in range(300):
        left, right = (sorted(chance.choices(range(9), k=chance.randrange(5))) for _ in range(2))
        crossed = sum(a > b for a in left for b in right)
        then = sum(b > a for a in left for b in right)
        assert rank_order._gained(left, right) == crossed - then == -rank_order._gained(right, left)


def test_large_nets_get_fewer_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    exchanged: list[int] = []
    swept: list[int] = []
    sweep = rank_order._sweep
    monkeypatch.setattr(rank_order, "_exchange", lambda rows, *_: exchanged.append(len(rows)))
    monkeypatch.setattr(rank_order, "_sweep", lambda *words, **more: swept.append(1) or sweep(*words, **more))
    chance = random.Random(4)
    for layers, starts, exchanges in ((4, rank_order.STARTS, True), (400, 1, False)):
        exchanged.clear()
        swept.clear()
        points = [range(level * 60, level * 60 + 60) for level in range(layers)]
        ways = [[chance.choice(row) for row in points] for _ in range(60)]
        made = Net([level for level in range(layers) for _ in range(60)], 60 * layers, ways)
        assert rank_order.ordered(made, {})[1] > 0
        assert (len(swept), bool(exchanged)) == (starts, exchanges), layers


@pytest.mark.parametrize("seed", range(8))
def test_nothing_overlaps_and_all_texts_fit(seed: int) -> None:
    picture = random_picture(seed)
    page = page_of(picture)
    assert not [pair for pair in combinations(page.boxes, 2) if pair[0].overlaps(pair[1])]
    texts = [Rectangle(text.x, text.y - text.size / 2, text.width, text.size) for text in page.texts]
    numbers = [
        Rectangle(middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size)
        for arrow, middle in zip(picture.arrows, page.numbers, strict=True)
        if middle is not None
        for size in [label_size(arrow.text)]
    ]
    assert len(numbers) > len(picture.arrows) / 2
    everything = [*page.boxes, *texts, *numbers]
    assert not [pair for pair in combinations(everything, 2) if pair[0].overlaps(pair[1])]
    inside = [
        area.x >= 0 and area.y >= 0 and area.right <= page.width and area.bottom <= page.height for area in everything
    ]
    assert all(inside)
    for box, area, (name, detail) in zip(picture.boxes, page.boxes, page.names, strict=True):
        assert text_width(name, NAME_SIZE, bold=box.strong) <= area.width - BOX_AIR + 0.01
        assert text_width(detail, SMALL_SIZE) <= area.width - BOX_AIR + 0.01


def test_texts_beside_boxes_begin_at_their_places_in_every_format() -> None:
    """As Graphviz has them, whose fonts are wider or narrower than what the page was laid out for."""
    picture = random_picture(5)
    page = page_of(picture)
    drawn = render_placed(to_placed_dot(picture, page), "svg").data.decode()
    found = re.findall(r'<text [^>]*text-anchor="start" x="([-\d.]+)"[^>]*>([^<]*)</text>', drawn)
    starts: dict[str, list[float]] = {}
    for x, text in found:
        starts.setdefault(unescape(text).replace("\N{NO-BREAK SPACE}", " "), []).append(float(x))
    for each in page.texts:  # a fraction of a pixel depends on the fonts that Graphviz finds
        assert min(abs(x - each.x) for x in starts[each.text]) < 0.5, each
    assert len({(each.text, round(each.x)) for each in page.texts}) > 8
    assert all(text.x + text.width * 1.3 < page.width for text in page.texts if text.bold)
    size = re.search(r'viewBox="0.00 0.00 ([\d.]+)', drawn)
    assert size is not None
    assert float(size[1]) == pytest.approx(page.width, abs=2)


@pytest.mark.parametrize("seed", range(4))
def test_texts_fit_their_boxes_where_no_style_makes_them_as_wide_as_was_wanted(seed: int) -> None:
    """PNG and PDF: as wide as the fonts of this machine make them, which Graphviz writes down."""
    picture = random_picture(seed)
    drawn = render_placed(to_placed_dot(picture, page_of(picture), letters=letters(), halo=True), "xdot").data.decode()
    graph = pygraphviz.AGraph(string=drawn)
    texts = 0
    for box in picture.boxes:
        node = graph.get_node(box.id)
        for width in re.findall(r"T -?[\d.]+ -?[\d.]+ -?\d ([\d.]+) \d+ -", node.attr["_ldraw_"]):
            assert float(width) <= float(node.attr["width"]) * 72 - 4, box.id
            texts += 1
    assert texts >= 2 * len(picture.boxes)
    words = graph.get_edge(picture.arrows[0].source, picture.arrows[0].target).attr["_ldraw_"]
    assert re.search(r"C \d+ -(#ffffff|white) ", words)  # the page, behind the number


def test_a_frame_without_a_name_and_a_list_without_words_are_drawn() -> None:
    boxes = tuple(Box(f"//lone{at}", f"//lone{at}", "", "C++", "", "", False, False) for at in range(60))
    arrows = (Arrow("//lone0", "//lone1", "", ArrowStyle.PLAIN, "why", 1),)
    picture = Picture("", boxes, arrows, (), True, (Aside("", (("//base", ""),)),))
    assert "//base" in svg_of(picture, page_of(picture))


@pytest.mark.parametrize("seed", range(8))
def test_lines_lead_down_and_past_other_boxes(seed: int) -> None:
    picture = random_picture(seed)
    page = page_of(picture)
    number = {box.id: at for at, box in enumerate(picture.boxes)}
    for arrow, route in zip(picture.arrows, page.routes, strict=True):
        ends = [number[arrow.source], number[arrow.target]]
        if arrow.style is ArrowStyle.UPWARD:
            ends.reverse()
        upper, lower = (page.boxes[end] for end in ends)
        assert route.points[0][1] == pytest.approx(upper.bottom)
        assert route.points[-1][1] == pytest.approx(lower.y)
        path = "M" + " ".join(f"{x},{y}" for x, y in route.points)
        for at, other in enumerate(page.boxes):
            if at not in ends:
                inner = Rectangle(other.x + 1, other.y + 1, other.width - 2, other.height - 2)
                assert not [p for p in polyline(path) if inner.x < p[0] < inner.right and inner.y < p[1] < inner.bottom]


@pytest.mark.parametrize("seed", range(4))
def test_a_page_can_be_read_on_a_screen(seed: int) -> None:
    page = page_of(random_picture(seed, 60))
    assert page.width <= WIDEST
    assert page.height <= 3000
    assert SMALL_SIZE * 1600 / page.width >= 8


def test_the_root_is_first_and_marked() -> None:
    picture = random_picture(3)
    page = page_of(picture)
    assert page.boxes[0].y == min(area.y for area in page.boxes)
    assert "penwidth=2.6" in to_placed_dot(picture, page)


@pytest.mark.parametrize("seed", range(3))
def test_a_page_is_narrower_than_plain_dot_and_costs_few_crossings(seed: int) -> None:
    """Random lines have no levels to find; real graphs, which have, are compared in ``tests/export/overview``."""
    picture = random_picture(seed)
    plain = measure(render(to_dot(picture), "svg").data.decode())
    placed = measure(svg_of(picture, page_of(picture)))
    assert placed.lines == plain.lines
    assert placed.merged <= plain.merged * 1.5
    assert placed.width < plain.width
    assert placed.edge_length < plain.edge_length


def test_the_svg_says_how_wide_its_texts_are_and_what_is_dark() -> None:
    picture = random_picture(5)
    page = page_of(picture)
    root = ElementTree.fromstring(svg_of(picture, page))
    assert (float(root.attrib["width"]), float(root.attrib["height"])) == pytest.approx(
        (page.width, page.height), abs=1
    )
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == "node":
            shape = next(each for each in group.iter() if each.tag in (f"{SVG}path", f"{SVG}polygon"))
            xs = [float(x) for x in re.findall(r"(-?[\d.]+),", shape.get("d") or shape.attrib["points"])]
            for text in group.iter(f"{SVG}text"):
                half = float(text.attrib["textLength"]) / 2
                assert min(xs) <= float(text.attrib["x"]) - half
                assert float(text.attrib["x"]) + half <= max(xs)
    assert "prefers-color-scheme: dark" in (root.findtext(f"{SVG}style") or "")
    assert len(lines_of(root)) == len(picture.arrows)


def test_what_is_written_twice_is_the_same() -> None:
    picture = random_picture(6)
    assert to_placed_dot(picture, page_of(picture)) == to_placed_dot(picture, page_of(picture))


@pytest.mark.parametrize("output", ["png", "pdf"])
def test_pages_are_drawn_as_pixels_and_on_paper(output: str) -> None:
    picture = random_picture(7, 9)
    data = render_placed(to_placed_dot(picture, page_of(picture)), output).data
    assert data.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[output])


def test_an_empty_picture_has_a_page() -> None:
    page = page_of(Picture("nothing", (), ()))
    assert page.boxes == ()
    assert "nothing" in svg_of(Picture("nothing", (), ()), page)
