"""Keeping the graph that a question loaded, in the place of the one before it, unless anything is in doubt.

What makes it is imported only when there is something new to keep.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.cache.looks import Looks, cut_short
from bzlgraph.cache.private import make_folder
from bzlgraph.cache.seal import NoKey
from bzlgraph.snapshot import place
from bzlgraph.snapshot.answer import answer_from
from bzlgraph.snapshot.kept import KeptGraph, NotLoaded, Unanswered
from bzlgraph.snapshot.mapped import DamagedFile, Mapped, packed, write
from bzlgraph.snapshot.stale import stale_packages

if TYPE_CHECKING:
    from bzlgraph.flags.knowledge import Knowledge
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.answer import KeptAnswer
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.making.growing import Growing
    from bzlgraph.snapshot.mapped import Column


FEW, MOST = 20, 0.1
"""Packages, and a share of a graph's: when an edit concerns more than both, a question may well need fewer."""
TURNS = 20
"""So often packages are added to a graph before the question goes the full way."""


def keep_graph(cache: Path, asked: Asked, session: Session, environment: Iterable[str], looks: Looks) -> None:
    """Keep what a session has loaded for a question, with what was kept before.

    Nothing is kept when something has changed meanwhile, when a limit cut something short, or when links led out of the
    checkout (which a question tells of that meets them). ``environment``: what was looked at before any package.
    """
    if not _may_be_kept(session, looks):
        return
    with suppress(OSError, NoKey, MemoryError):  # a cache never fails
        key = place.key_of(asked)
        path = place.path_of(str(cache), key)
        old = _kept(path, key)
        from bzlgraph.snapshot.making.make import columns_of, has_news

        if has_news(session, old):
            try:
                columns = columns_of(session, looks, environment, old)
            except (DamagedFile, OverflowError):  # found out in the middle; its tables have grown with many edits
                columns = columns_of(session, looks, environment, None)
            _write(path, key, columns)


def keep_switches(cache: Path, asked: Asked, session: Session, known: Knowledge, looks: Looks) -> None:
    """Keep what was read of all that can be switched."""
    if not _may_be_kept(session, looks):
        return
    with suppress(OSError, NoKey, MemoryError):
        from bzlgraph.snapshot.commands.switches import switches_columns

        key, rest = place.key_of(asked), session.completeness(gaps=session.package_gaps())
        path = place.path_of(str(cache), key)
        columns = switches_columns(known, rest)
        _write(path, key, {**columns, "looks": packed(looks.without_repetition().seen)})


def bring_up_to_date(
    cache: Path, asked: Asked, session: Session, environment: Iterable[str], looks: Looks
) -> KeptAnswer | None:
    """The answer from the graph that was kept before, once what an edit concerns was loaded anew, and what the question
    reaches and the graph lacks was added: few packages, where the question needs many. None where there is no such
    graph, nothing to load, too much that an edit concerns, or no answer from a graph."""
    with suppress(OSError, NoKey, DamagedFile, MemoryError, RecursionError, OverflowError, Unanswered):
        key = place.key_of(asked)
        path = place.path_of(str(cache), key)
        graph = _kept(path, key)
        stale = stale_packages(graph) if graph is not None else None
        if graph is None or stale is None or len(stale.packages) > max(FEW, MOST * len(graph.package_names)):
            return None
        from bzlgraph.snapshot.making.growing import Growing

        growing = Growing(graph, session, looks, environment)
        growing.load_anew(stale)
        found = _answer(growing, str(cache), asked)
        if growing.columns is not None and _may_be_kept(session, looks):
            _write(path, key, growing.columns)
            return found
    return None


def _answer(growing: Growing, cache: str, asked: Asked) -> KeptAnswer:
    """Raises Unanswered, DamagedFile."""
    for _ in range(TURNS):
        try:
            return answer_from(growing.graph, cache, asked)
        except NotLoaded as lacking:
            growing.load_more(lacking)
    raise Unanswered


def _may_be_kept(session: Session, looks: Looks) -> bool:
    return not cut_short() and looks.hold() and not session.loader.refused_links()


def _write(path: str, key: bytes, columns: Mapping[str, Column]) -> None:
    make_folder(os.path.dirname(path))
    place.make_room(os.path.dirname(path))
    write(path, place.seal(), key, columns)


def _kept(path: str, key: bytes) -> KeptGraph | None:
    """The graph that was kept before, whether or not it is out of date."""
    try:
        return KeptGraph(Mapped(path, place.seal(), key))
    except (OSError, ValueError, TypeError, EOFError):
        return None
