"""Tables about a whole tree, kept for another format: rows are given again as long as nothing has changed on disk that
was looked at when they were made.

(what is asked, how to make it) -> rows and how complete they are. Nothing is kept where nobody notes what a process
looks at (in Python), and once a limit was broken. Problems are kept with the rows: what they come of was looked at too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.words import utf8
from bzlgraph.cache import looks
from bzlgraph.cache.answers import environment
from bzlgraph.cache.code import code_version
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.ops.tracer import OpTable

NAME = "table of a tree 2"

Made = tuple[OpTable, Completeness]


class _Kept(NamedTuple):
    """A table, its gaps, and what was looked at (``looks.Seen``)."""

    states: dict[str, tuple[int, ...]]
    links: dict[str, bool]
    reals: dict[str, str]
    columns: tuple[tuple[str, str], ...]
    rows: list[tuple[str | int | None, ...]]
    gaps: tuple[Gap, ...]
    problems: tuple[Diagnostic, ...]


_CODEC = Codec(_Kept)


def kept_table(folder: Path | None, asked: Iterable[object], make: Callable[[], Made]) -> Made:
    """The rows that ``make`` gives, or gave before. ``folder`` is the cache's, None for none; ``asked`` is all that
    they depend on besides what is looked at, the environment and this code."""
    if folder is None or looks.recorded() is None:
        return make()
    parts = [code_version(), *environment(), *map(repr, asked)]
    key, store = key_of(NAME, map(utf8, parts)), Store(folder, READINGS)
    kept = store.get(key, _CODEC)
    if kept is not None:
        seen = (kept.states, kept.links, kept.reals)
        now = looks.recorded()
        if now is not None and looks.Looks(seen).hold():
            now.add(seen, reliable=True)
            return OpTable(kept.columns, kept.rows), Completeness(kept.problems, kept.gaps)
    table, completeness = make()
    now = looks.recorded()
    if now is not None and now.reliable and not looks.cut_short():
        seen = now.seen
        store.put(
            [(key, _Kept(*seen, table.columns, list(table.rows), completeness.gaps, completeness.problems))], _CODEC
        )
    return table, completeness
