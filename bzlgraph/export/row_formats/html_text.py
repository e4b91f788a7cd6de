"""``html``: one page that stands alone, a table to search in and to sort. Nothing is fetched.

A long answer is the same few texts over and over: the page holds each text once and rows as numbers, and draws what
is searched for, so that a hundred thousand rows open at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import chain, islice, zip_longest
from pathlib import Path

from bzlgraph.base import links
from bzlgraph.export.row_formats.row_table import RowTable, cell_text

_ROWS_AT_ONCE = 2048
_PAGES = Path(__file__).parent.parent / "pages"
_MARK = re.compile(r"\{\{(\w+)\}\}")


def fill(page: str, **parts: str | Iterable[str]) -> Iterator[str]:
    """The text of a page in ``export/pages``, piece by piece, each ``{{name}}`` replaced by what is given for it."""
    texts = _MARK.split((_PAGES / page).read_text(encoding="utf-8"))
    for text, name in zip_longest(texts[::2], texts[1::2]):
        yield text
        part = parts[name] if name else ""
        yield from (part,) if isinstance(part, str) else part


def own_script(page: str) -> str:
    """The script that a page in ``export/pages`` ends with, as a content security policy knows it. Whatever else the
    page is filled with runs nothing."""
    text = (_PAGES / page).read_text(encoding="utf-8")
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def html(table: RowTable) -> Iterator[str]:
    """The page."""
    heads = map(_head, map(escape, table.names))
    numbers: dict[str, int] = {}
    rows = ([numbers.setdefault(cell_text(cell), len(numbers)) for cell in row] for row in table.rows())
    listed = (json.dumps(row, separators=(",", ":")) for row in rows)
    texts, files = map(_script_text, _keys(numbers)), map(_script_text, _files(numbers))
    parts = {"title": escape(table.title), "policy": own_script("table.html"), "links": page_template()}
    data = {"rows": _lines(listed), "texts": _lines(texts), "files": _lines(files)}
    yield from fill("table.html", **parts, heads=heads, **data)


def _head(name: str) -> str:
    """The head of a column: a click sorts by it, a word filters it."""
    return f'<th><button>{name}</button><input type="search" aria-label="filter {name}"></th>'


def page_template() -> str:
    """What a page fills with a place to link it, as an attribute of its markup."""
    return escape(links.in_page(links.current()))


def _keys(numbers: dict[str, int]) -> Iterator[str]:
    """The texts; asked for the first of them when all rows are written."""
    yield from numbers


def _files(texts: Iterable[str]) -> Iterator[str]:
    """The files of the checkout that texts name, where they are linked."""
    to = links.current()
    if to.template:
        named = ((text, *(found[1] for found in links.PLACE.finditer(text))) for text in texts)
        yield from sorted(to.files(chain.from_iterable(named)))


def _lines(texts: Iterator[str]) -> Iterator[str]:
    """Items of a list, each on a line of its own, many at once."""
    before = "\n"
    while chunk := ",\n".join(islice(texts, _ROWS_AT_ONCE)):
        yield before + chunk
        before = ",\n"


def _script_text(text: str) -> str:
    """A string that cannot end the script it stands in."""
    return json.dumps(text).replace("<", "\\u003c")
