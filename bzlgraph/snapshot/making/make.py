"""A session that has answered -> the graph to keep: what it loaded, with what an older graph has beside that.

Packages of the older graph stay unless something that they were made from has changed (``stale.py``).
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.cache.looks import Looks
from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.graph.model import NodeKind
from bzlgraph.loading.external import PACKAGE as EXTERNAL
from bzlgraph.loading.package_cache import loading_state
from bzlgraph.snapshot.kept import LOADED, MISSING, PENDING, KeptGraph, listing_around
from bzlgraph.snapshot.making.merge import merged
from bzlgraph.snapshot.making.parts import kept_labels, part_of_kept, part_of_session
from bzlgraph.snapshot.making.stale import Stale, stale_packages
from bzlgraph.snapshot.making.universe import universe_columns
from bzlgraph.snapshot.mapped import packed
from bzlgraph.snapshot.reading.facts import kept_facts
from bzlgraph.snapshot.reading.view import kept_gap

if TYPE_CHECKING:
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.mapped import Column


def columns_of(
    session: Session, looks: Looks, environment: Iterable[str], old: KeptGraph | None, stale: Stale | None = None
) -> dict[str, Column]:
    """The columns and tables of the graph to keep. ``stale``: what an edit concerns, where that is known already."""
    workspace = session.loader.workspace
    state = loading_state(workspace)
    seen, listed = looks, session.loader.listed
    if old is None or old.facts["state"] != state:
        stale = None
    elif stale is None:
        stale = stale_packages(old)
    if old is None or stale is None:
        parts = [part_of_session(session)]
    else:
        labels = kept_labels(old)
        _name_alike(session, old, labels, stale.packages)
        parts = [part_of_session(session)]
        parts.append(part_of_kept(old, labels, parts[0].status, stale.packages))
        seen = _still_holding(old, stale.paths, looks)
        if not stale.folders:
            before = old.table("listed")
            listed = {repo: {**before.get(repo, {}), **listed.get(repo, {})} for repo in {*before, *listed}}
    columns = merged(parts, workspace.map_repository)
    return {
        **columns,
        **universe_columns(columns, listed.get("", {}).get("")),
        "facts": packed({**_facts(session), "own": _own_repositories(columns), "state": state}),
        "looks": packed(seen.without_repetition().seen),
        "environment": packed(sorted(environment)),
        "listed": packed(listed),
    }


def _name_alike(session: Session, old: KeptGraph, labels: Sequence[Label], stale: frozenset[tuple[str, str]]) -> None:
    """Let each side know what the other names in its packages: an edit may have taken away what is still named, or name
    what was never there. Packages of the older graph that lack a name are loaded, so that it can be told why."""
    graph, known = session.graph, set(labels)
    for label in labels:
        if label[:2] in graph.packages or label[:2] in graph.absent:
            graph.node(label)
    status = dict(zip(map(old.key, range(len(old.package_names))), old.package_status, strict=True))
    lacking = {key for key, each in status.items() if each in (LOADED, MISSING) and key not in stale}
    while True:
        pending = (label for label, kind in zip(graph.labels, graph.kinds, strict=True) if kind == NodeKind.PENDING)
        wanted = {label[:2] for label in pending if label[:2] in lacking and label not in known}
        if not wanted:
            return
        graph.load(sorted(wanted))


def has_news(session: Session, old: KeptGraph | None) -> bool:
    """Whether a session has loaded what the older graph does not have, or has otherwise."""
    if old is None or not Looks(old.table("looks")).hold():
        return True
    graph = session.graph
    known = {old.key(number): number for number, status in enumerate(old.package_status) if status != PENDING}
    if not known.keys() >= {*graph.packages, *graph.absent} or not _covers(old.table("listed"), session):
        return True
    stored, versions = old.table("stored"), session.loader.versions
    return any(versions[key] != stored.get(known[key], ("", None))[1] for key in graph.packages if key in versions)


def _covers(listed: Mapping[str, Mapping[str, list[str]]], session: Session) -> bool:
    wanted = ((listed.get(repo, {}), folder) for repo, found in session.loader.listed.items() for folder in found)
    return all(listing_around(known, folder) is not None for known, folder in wanted)


def _facts(session: Session) -> dict[str, object]:
    """What answers depend on beside packages."""
    workspace = session.loader.workspace
    facts = workspace.facts
    return {
        "folder": session.folder,
        "auto_order": facts.auto_order,
        "read_as": kept_facts(facts),
        "unambiguous": facts.labels_unambiguous,
        "tolerant": facts.tolerant,
        "root_is_everything": facts.package_group_root_is_everything,
        "problems": [each.render() for each in workspace.diagnostics],
        "gaps": list(map(kept_gap, session.gaps)),
        "always": [("", EXTERNAL)],
    }


def _own_repositories(columns: Mapping[str, Column]) -> list[str]:
    """The repositories that Bazel brings in itself."""
    repositories, *_ = marshal.loads(memoryview(columns["packages"][1]))
    return list(filter(is_own_tool, repositories))


def _still_holding(old: KeptGraph, changed: frozenset[str], looks: Looks) -> Looks:
    """What the session saw, and what of an older graph's looks is still so."""
    states, links, reals = old.table("looks")
    unchanged = {path: state for path, state in states.items() if path not in changed}
    return Looks(({**unchanged, **looks.states}, {**links, **looks.links}, {**reals, **looks.reals}))
