"""A query's answer -> the form in which it can be read: a drawing, a matrix where a drawing would be a tangle, levels.

``graph_bytes`` chooses the form that was asked for, else by what it measures: how many lines would cross.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from math import inf

from bzlgraph.base.gap import Completeness
from bzlgraph.base.words import visible
from bzlgraph.export.data import edges_table, to_json
from bzlgraph.export.layout.page import Page, page_of
from bzlgraph.export.layout.placed_dot import to_placed_dot
from bzlgraph.export.overview.build import PLAIN, Shape, overview
from bzlgraph.export.overview.drawing import notes_of, picture_of
from bzlgraph.export.overview.level_text import levels_text
from bzlgraph.export.overview.matrix import matrix_of, matrix_svg
from bzlgraph.export.overview.model import Overview
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.finish_svg import finish_svg
from bzlgraph.export.pictures.mermaid import to_mermaid
from bzlgraph.export.pictures.picture import Picture
from bzlgraph.export.pictures.render import letters, render_placed
from bzlgraph.export.query_formats.rows import graph_database
from bzlgraph.export.row_formats.formats import write_rows
from bzlgraph.export.row_formats.html_text import fill, own_script
from bzlgraph.graph.networkx_view import graphml_text
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.language.parser import parse
from bzlgraph.query.notes import patterns_of

CROSSINGS_PER_LINE = 3.0
FEWEST_LINES = 40
"""A drawing is a tangle when it has at least FEWEST_LINES and each crosses more than CROSSINGS_PER_LINE others."""


MOST_NAMED = 12
"""A question with more labels than that has a list of them, and is about none by itself."""


@dataclass(frozen=True, slots=True)
class SavedPicture:
    """What was made: the bytes, and what a reader must be told (collapsed, other layout)."""

    data: bytes
    notes: tuple[str, ...] = ()


def _edge_rows(name: str, answer: QueryAnswer) -> bytes:
    return b"".join(write_rows(name, edges_table(answer)))


EDGE_FORMATS = ("table", "csv", "csv_raw", "markdown", "jsonl", "parquet")
"""Formats of rows that show a graph's edges; the others show a picture, or nodes and edges."""
DATA_FORMATS: dict[str, Callable[[QueryAnswer], bytes]] = {
    "json": lambda answer: to_json(
        answer.graph, answer.nodes, answer.excluded_flags, Completeness(answer.problems, answer.gaps)
    ).encode(),
    "graphml": lambda answer: visible(graphml_text(answer.graph, answer.nodes, answer.excluded_flags)).encode(),
    **{name: partial(_edge_rows, name) for name in EDGE_FORMATS},
    "sqlite": lambda answer: b"".join(graph_database(answer)),
}
FORMATS = ("dot", "svg", "png", "pdf", "html", "mermaid", "matrix", "levels", *DATA_FORMATS)


def graph_bytes(
    answer: QueryAnswer, output: str, *, shape: Shape = PLAIN, form: str = "auto", pages: str = "svg"
) -> SavedPicture:
    """A query's answer as a picture (the query is its title) or as data.

    ``output`` is one of FORMATS; ``form`` is auto, drawing or matrix; a matrix is written as ``pages``: svg or html.
    Raises UsageProblem for a shape that is none, and when nothing can be drawn.
    """
    if output in DATA_FORMATS:
        return SavedPicture(DATA_FORMATS[output](answer))
    if output == "matrix":
        return _matrix(answer, shape, pages)
    if output == "levels":
        seen = _seen(answer, replace(shape, hubs=False))
        return SavedPicture(visible("".join(levels_text(seen))).encode(), notes_of(seen))
    picture = picture_of(_seen(answer, shape), answer.graph.labels)
    if output == "dot":
        return SavedPicture(to_dot(picture).encode(), picture.notes)
    if output == "mermaid":
        return SavedPicture(to_mermaid(picture).encode(), picture.notes)
    most, either = most_crossings(picture), form == "auto" and output in ("svg", "html")
    # A page of HTML has title and notes above the drawing, where they stay when it is moved.
    page = page_of(replace(picture, title="", notes=()) if output == "html" else picture, most, shown=not either)
    crossed = f"{page.crossings:,} lines"
    if page.crossings <= most:
        return SavedPicture(_drawn(picture, page, output), picture.notes)
    if either:
        found = _matrix(answer, shape, output)
        told = f"drawn as a matrix, since {crossed} of a drawing would cross; --output={output} draws it"
        return SavedPicture(found.data, (*found.notes, told))
    told = f"{crossed} cross: --output=matrix or --output=levels is easier to read"
    return SavedPicture(_drawn(picture, page, output), (*picture.notes, told))


def _seen(answer: QueryAnswer, shape: Shape) -> Overview:
    named = tuple(patterns_of(parse(answer.text))) if answer.text else ()
    if len(named) <= MOST_NAMED:
        shape = replace(shape, named=(*shape.named, *named))
    return overview(answer.graph, answer.nodes, excluded_flags=answer.excluded_flags, shape=shape, title=answer.text)


def most_crossings(picture: Picture) -> float:
    """How many crossings there may be: a drawing with more hides more than it shows."""
    lines = len(picture.arrows)
    return CROSSINGS_PER_LINE * lines if lines >= FEWEST_LINES else inf


def _drawn(picture: Picture, page: Page, output: str) -> bytes:
    if output in ("png", "pdf"):
        return render_placed(to_placed_dot(picture, page, letters=letters(), halo=True), output).data
    svg = finish_svg(render_placed(to_placed_dot(picture, page), "svg").data.decode())
    return html_page(picture, svg) if output == "html" else svg.encode()


def nodes_svg(graph: GraphView, nodes: Iterable[int], title: str) -> str:
    """Nodes of a graph, drawn."""
    picture = picture_of(overview(graph, nodes, title=title), graph.labels)
    return _drawn(picture, page_of(picture), "svg").decode()


def html_page(picture: Picture, svg: str) -> bytes:
    """One page that stands alone: moved by dragging, zoomed by wheel, searched by name, into folded boxes as well."""
    title, notes = escape(visible(picture.title or "bzlgraph")), escape(visible(" · ".join(picture.notes)))
    # Neither `</script>` nor `<!--` may stand in a script.
    members = json.dumps({key: list(found) for key, found in picture.members.items()}).replace("<", "\\u003c")
    parts = {"title": title, "notes": notes, "policy": own_script("picture.html"), "members": members}
    return "".join(fill("picture.html", **parts, svg=svg[svg.index("<svg") :])).encode()


def _matrix(answer: QueryAnswer, shape: Shape, pages: str) -> SavedPicture:
    seen = _seen(answer, replace(shape, hubs=False))
    notes = notes_of(replace(seen, implied=()))
    svg = matrix_svg(matrix_of(seen, notes))
    if pages == "html":
        picture = picture_of(seen, answer.graph.labels)
        return SavedPicture(html_page(replace(picture, notes=notes), svg), notes)
    return SavedPicture(svg.encode(), notes)
