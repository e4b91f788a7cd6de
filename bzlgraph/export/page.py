"""Answers as one HTML file that stands alone: the pages are files in ``pages``. Nothing is fetched.

A page for a picture is moved by dragging, zoomed by wheel and searched by name; one for rows is in ``row_formats``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import zip_longest
from pathlib import Path

from bzlgraph.export.pictures.picture import Picture

_MARK = re.compile(r"\{\{(\w+)\}\}")


def fill(page: str, **parts: str | Iterable[str]) -> Iterator[str]:
    """The text of a page, piece by piece, with each ``{{name}}`` replaced by what is given for it."""
    texts = _MARK.split((Path(__file__).parent / "pages" / page).read_text(encoding="utf-8"))
    for text, name in zip_longest(texts[::2], texts[1::2]):
        yield text
        part = parts[name] if name else ""
        yield from (part,) if isinstance(part, str) else part


def to_html(picture: Picture, svg: bytes) -> str:
    """The page around a picture that is drawn already."""
    text = svg.decode()
    title, notes = escape(picture.title or "bzlgraph"), escape(" · ".join(picture.notes))
    return "".join(fill("picture.html", title=title, notes=notes, svg=text[text.index("<svg") :]))
