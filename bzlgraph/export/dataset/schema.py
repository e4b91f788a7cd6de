"""``schema.toml``: the tables of a dataset, column by column, and the version of all of them.

>>> table = tables()["gaps"]
>>> [column.name for column in table.columns], sorted(table.optional)
(['kind', 'what', 'hides', 'repository', 'path', 'line', 'column'], ['column', 'line', 'path', 'repository'])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from bzlgraph.export.row_formats.row_table import Column

SCHEMA = "bzlgraph.dataset/1"
"""As in ``schema.toml``, so that the file need not be read to know it."""
PARTITION = "checkout"
_PLACE = (("path", "text?"), ("line", "integer?"), ("column", "integer?"))
_PATH = "{}: the file, relative to the workspace root (`external/REPO/...` in other repositories)"


class _Written(TypedDict, total=False):
    row: str
    columns: list[tuple[str, str, str]]
    place: str
    delta: list[str]


@dataclass(frozen=True, slots=True)
class Table:
    """``row`` says what a row is, ``words`` what is in each column; cells of ``optional`` columns may be null.

    ``delta``: columns whose cells are like the one before, so that the difference is shorter.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    words: tuple[str, ...]
    optional: frozenset[str]
    delta: frozenset[str]


@cache
def tables() -> Mapping[str, Table]:
    """The tables by name, in the order in which the docs tell of them."""
    import tomllib  # most commands have no dataset

    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {name: _table(name, written) for name, written in tomllib.loads(text).items() if name != "schema"}


def _table(name: str, written: _Written) -> Table:
    columns = list(written["columns"])
    if "place" in written:
        words = (_PATH.format(written["place"]), "its line", "its column")
        columns += [(*column, said) for column, said in zip(_PLACE, words, strict=True)]
    return Table(
        name,
        written["row"],
        tuple(Column(column, kind.rstrip("?")) for column, kind, _ in columns),
        tuple(said for _, _, said in columns),
        frozenset(column for column, kind, _ in columns if kind.endswith("?")),
        frozenset(written.get("delta", ())),
    )
