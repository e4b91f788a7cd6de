"""Answer and file name -> bytes in the format of the name; one table of formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.base.words import visible
from bzlgraph.export.data import edges_table, to_json
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.draw import draw
from bzlgraph.export.pictures.mermaid import to_mermaid
from bzlgraph.export.pictures.picture import Picture
from bzlgraph.export.pictures.render import render
from bzlgraph.export.query_formats.rows import graph_database
from bzlgraph.export.row_formats.formats import write_rows
from bzlgraph.export.row_formats.html_text import fill
from bzlgraph.graph.networkx_view import graphml_text
from bzlgraph.query.answer import QueryAnswer


@dataclass(frozen=True, slots=True)
class SavedPicture:
    """What was made: the bytes, and what a reader must be told (collapsed, other layout)."""

    data: bytes
    notes: tuple[str, ...] = ()


def _drawn(picture: Picture, output: str) -> SavedPicture:
    rendered = render(to_dot(picture), output)
    return SavedPicture(rendered.data, (*picture.notes, *filter(None, [rendered.note])))


def _html(picture: Picture) -> SavedPicture:
    """One page that stands alone: moved by dragging, zoomed by wheel, searched by name."""
    svg = _drawn(picture, "svg")
    text = svg.data.decode()
    title, notes = escape(picture.title or "bzlgraph"), escape(" · ".join(picture.notes))
    page = "".join(fill("picture.html", title=title, notes=notes, svg=text[text.index("<svg") :]))
    return SavedPicture(page.encode(), svg.notes)


def _edge_rows(name: str, answer: QueryAnswer) -> bytes:
    return b"".join(write_rows(name, edges_table(answer)))


PICTURE_FORMATS: dict[str, Callable[[Picture], SavedPicture]] = {
    "dot": lambda picture: SavedPicture(to_dot(picture).encode(), picture.notes),
    "svg": lambda picture: _drawn(picture, "svg"),
    "png": lambda picture: _drawn(picture, "png"),
    "html": _html,
    "mermaid": lambda picture: SavedPicture(to_mermaid(picture).encode(), picture.notes),
}
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
_SUFFIXES = {"mmd": "mermaid", "gv": "dot", "htm": "html", "md": "markdown", "pq": "parquet", "db": "sqlite"}


def format_of(path: Path) -> str:
    """The format a file name asks for. Raises UsageProblem."""
    suffix = path.suffix.removeprefix(".").lower()
    name = _SUFFIXES.get(suffix, suffix)
    if name not in PICTURE_FORMATS and name not in DATA_FORMATS:
        known = "dot, svg, png, html, mmd, graphml, json, csv, md, jsonl, parquet, sqlite"
        raise UsageProblem(Diagnostic(f"{path}: unsupported format .{suffix}", hint=f"supported are {known}"))
    return name


def picture_bytes(picture: Picture, output: str) -> SavedPicture:
    """A picture in a format by name."""
    return PICTURE_FORMATS[output](picture)


def svg_text(picture: Picture) -> str:
    """A picture for notebooks."""
    return picture_bytes(picture, "svg").data.decode()


def graph_bytes(
    answer: QueryAnswer, output: str, *, collapse: str = "auto", max_nodes: int | None = None
) -> SavedPicture:
    """A query's answer as a picture (with the query as its title, if no other is given) or as data."""
    if output in DATA_FORMATS:
        return SavedPicture(DATA_FORMATS[output](answer))
    picture = draw(
        answer.graph,
        answer.nodes,
        excluded_flags=answer.excluded_flags,
        collapse=collapse,
        max_nodes=max_nodes,
        title=answer.text,
    )
    return picture_bytes(picture, output)


def save_graph(
    answer: QueryAnswer, path: Path, *, collapse: str = "auto", max_nodes: int | None = None
) -> SavedPicture:
    """Write a query's answer to a file in the format of its name. Raises UsageProblem when that cannot be."""
    saved = graph_bytes(answer, format_of(path), collapse=collapse, max_nodes=max_nodes)
    try:
        path.write_bytes(saved.data)
    except OSError as error:
        raise UsageProblem(f"{path}: cannot be written: {error.strerror}") from None
    return saved
