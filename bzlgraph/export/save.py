"""Picture or answer, and file name -> bytes in the format of the name; one table of formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.overview.build import PLAIN, Shape
from bzlgraph.export.overview.forms import FORMATS, SavedPicture, graph_bytes, html_page
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.finish_svg import finish_svg
from bzlgraph.export.pictures.mermaid import to_mermaid
from bzlgraph.export.pictures.picture import Picture
from bzlgraph.export.pictures.render import render
from bzlgraph.query.answer import QueryAnswer


def _drawn(picture: Picture, output: str) -> SavedPicture:
    rendered = render(to_dot(picture), output)
    data = finish_svg(rendered.data.decode()).encode() if output == "svg" else rendered.data
    return SavedPicture(data, (*picture.notes, *filter(None, [rendered.note])))


def _html(picture: Picture) -> SavedPicture:
    svg = _drawn(picture, "svg")
    return SavedPicture(html_page(picture, svg.data.decode()), svg.notes)


PICTURE_FORMATS: dict[str, Callable[[Picture], SavedPicture]] = {
    "dot": lambda picture: SavedPicture(to_dot(picture).encode(), picture.notes),
    "svg": lambda picture: _drawn(picture, "svg"),
    "png": lambda picture: _drawn(picture, "png"),
    "pdf": lambda picture: _drawn(picture, "pdf"),
    "html": _html,
    "mermaid": lambda picture: SavedPicture(to_mermaid(picture).encode(), picture.notes),
}
_SUFFIXES = {
    "mmd": "mermaid",
    "gv": "dot",
    "htm": "html",
    "txt": "levels",
    "md": "markdown",
    "pq": "parquet",
    "db": "sqlite",
}


def format_of(path: Path) -> str:
    """The format a file name asks for. Raises UsageProblem."""
    suffix = path.suffix.removeprefix(".").lower()
    name = _SUFFIXES.get(suffix, suffix)
    if name not in FORMATS:
        known = "dot, svg, png, pdf, html, mmd, graphml, json, txt, csv, md, jsonl, parquet, sqlite"
        raise UsageProblem(Diagnostic(f"{path}: unsupported format .{suffix}", hint=f"supported are {known}"))
    return name


def picture_bytes(picture: Picture, output: str) -> SavedPicture:
    """A picture in a format by name."""
    return PICTURE_FORMATS[output](picture)


def svg_text(picture: Picture) -> str:
    """A picture for notebooks."""
    return picture_bytes(picture, "svg").data.decode()


def save_graph(answer: QueryAnswer, path: Path, *, shape: Shape = PLAIN) -> SavedPicture:
    """Write a query's answer to a file in the format of its name. Raises UsageProblem when that cannot be."""
    saved = graph_bytes(answer, format_of(path), shape=shape)
    try:
        path.write_bytes(saved.data)
    except OSError as error:
        raise UsageProblem(f"{path}: cannot be written: {error.strerror}") from None
    return saved
