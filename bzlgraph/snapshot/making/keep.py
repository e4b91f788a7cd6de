"""Keeping the graph that a question loaded, in the place of the one before it, unless anything is in doubt.

What makes it is imported only when there is something new to keep.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.cache.looks import Looks, cut_short
from bzlgraph.cache.seal import NoKey
from bzlgraph.snapshot import place
from bzlgraph.snapshot.answer import find
from bzlgraph.snapshot.kept import KeptGraph
from bzlgraph.snapshot.mapped import DamagedFile, Mapped, packed, write

if TYPE_CHECKING:
    from bzlgraph.flags.knowledge import Knowledge
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.answer import KeptAnswer
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.making.stale import Stale


FEW, MOST = 20, 0.1
"""Packages, and a share of a graph's: when an edit concerns more than both, a question may well need fewer."""


def keep_graph(
    cache: Path,
    asked: Asked,
    session: Session,
    environment: Iterable[str],
    looks: Looks,
    stale: Stale | None = None,
) -> None:
    """Keep what a session has loaded for a question, with what was kept before.

    Nothing is kept when something has changed meanwhile, when a limit cut something short, or when links led out of the
    checkout (which a question tells of that meets them). ``environment``: what was looked at before any package;
    ``stale``: what an edit concerns, where that is known already.
    """
    if not _may_be_kept(session, looks):
        return
    with suppress(OSError, NoKey, MemoryError):  # a cache never fails
        key, seal = place.key_of(asked), place.seal()
        path = place.path_of(str(cache), key)
        old = _kept(path, key)
        from bzlgraph.snapshot.making.make import columns_of, has_news

        if stale is not None or has_news(session, old):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            try:
                columns = columns_of(session, looks, environment, old, stale)
            except (DamagedFile, OverflowError):  # found out in the middle; its tables have grown with many edits
                columns = columns_of(session, looks, environment, None)
            place.make_room(os.path.dirname(path))
            write(path, seal, key, columns)


def keep_switches(cache: Path, asked: Asked, session: Session, known: Knowledge, looks: Looks) -> None:
    """Keep what was read of all that can be switched."""
    if not _may_be_kept(session, looks):
        return
    with suppress(OSError, NoKey, MemoryError):
        from bzlgraph.snapshot.reading.switches import switches_columns

        key, rest = place.key_of(asked), session.completeness(gaps=session.package_gaps())
        path = place.path_of(str(cache), key)
        columns = switches_columns(known, rest)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        place.make_room(os.path.dirname(path))
        write(path, place.seal(), key, {**columns, "looks": packed(looks.without_repetition().seen)})


def _may_be_kept(session: Session, looks: Looks) -> bool:
    return not cut_short() and looks.hold() and not session.loader.refused_links()


def bring_up_to_date(
    cache: Path, asked: Asked, session: Session, environment: Iterable[str], looks: Looks
) -> KeptAnswer | None:
    """The answer from the graph that was kept before, after what an edit concerns was loaded anew: few packages, where
    the question needs many. None where there is no such graph, no edit, or too much that it concerns."""
    try:
        old = _kept(place.path_of(str(cache), place.key_of(asked)), place.key_of(asked))
        from bzlgraph.snapshot.making.stale import stale_packages

        stale = stale_packages(old) if old is not None else None
        if old is None or stale is None or not stale.packages:
            return None
        if len(stale.packages) > max(FEW, MOST * len(old.package_names)):
            return None
        session.graph.load(sorted(stale.packages))
    except (OSError, NoKey, DamagedFile):
        return None
    keep_graph(cache, asked, session, environment, looks, stale)
    return find(str(cache), asked)


def _kept(path: str, key: bytes) -> KeptGraph | None:
    """The graph that was kept before, whether or not it is out of date."""
    try:
        return KeptGraph(Mapped(path, place.seal(), key))
    except (OSError, ValueError, TypeError, EOFError):
        return None
