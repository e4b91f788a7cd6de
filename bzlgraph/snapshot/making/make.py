"""A session that has answered -> the graph to keep: what it loaded, with what an older graph has beside that.

Packages of the older graph stay unless something that they were made from has changed (``stale.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.cache.looks import Looks
from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.loading.external import PACKAGE as EXTERNAL
from bzlgraph.loading.package_cache import loading_state
from bzlgraph.snapshot.evaluation.facts import kept_facts
from bzlgraph.snapshot.evaluation.view import kept_gap
from bzlgraph.snapshot.kept import LOADED, PENDING, KeptGraph, listing_around
from bzlgraph.snapshot.making.order import Old, Order, PackageKey
from bzlgraph.snapshot.making.parts import named_by, part_of_session
from bzlgraph.snapshot.making.splice import Splice
from bzlgraph.snapshot.making.tables import Tables
from bzlgraph.snapshot.making.universe import universe_columns
from bzlgraph.snapshot.mapped import Unwritten, packed
from bzlgraph.snapshot.stale import Stale, around, stale_packages

if TYPE_CHECKING:
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.mapped import Column


def columns_of(
    session: Session, looks: Looks, environment: Iterable[str], graph: KeptGraph | None, stale: Stale | None = None
) -> dict[str, Column]:
    """The columns and tables of the graph to keep. ``graph``: the older one; ``stale``: what an edit concerns, where
    that is known already. Raises DamagedFile."""
    workspace, before_packages = session.loader.workspace, frozenset(environment)
    state = loading_state(workspace)
    if graph is None or graph.facts["state"] != state:
        stale = None
    elif stale is None:
        stale = stale_packages(graph)
    seen, listed = looks, session.loader.listed
    if graph is None or stale is None:
        graph, anew = None, {*session.graph.packages, *session.graph.absent}
    else:
        anew = _written_anew(session, Old(graph), stale)
        seen = _still_holding(graph, stale.paths, looks)
        if not stale.folders:
            before = graph.table("listed")
            listed = {repo: {**before.get(repo, {}), **listed.get(repo, {})} for repo in {*before, *listed}}
    old, part = Old(graph), part_of_session(session, anew, graph.table("origins") if graph is not None else ())
    canonical = {} if graph is None else dict(graph.canonical)
    repositories = {*(repo for repo, _ in anew), *(label.repo for label in part.named)}
    canonical |= {repo: workspace.map_repository.canonical(repo) for repo in repositories.difference(canonical)}
    order = Order(old, part.named, anew, canonical)
    splice = Splice(old, part, order)
    columns = {**splice.columns(), **Tables(splice).columns(canonical, workspace.map_repository)}
    own = [repo for repo in sorted({repo for repo, _ in order.keys}) if is_own_tool(repo)]
    kept_looks = seen.without_repetition().seen
    written = Unwritten(columns)
    return {
        **columns,
        **universe_columns(columns, order.keys, listed.get("", {}).get("")),
        "facts": packed({**_facts(session), "own": own, "state": state}),
        "looks": packed(kept_looks),
        "around": packed(around(kept_looks[0], before_packages, written.table("inputs"), written.table("folders"))),
        "environment": packed(sorted(before_packages)),
        "listed": packed(listed),
    }


def _written_anew(session: Session, old: Old, stale: Stale) -> set[PackageKey]:
    """The packages that the older graph lacks, or has otherwise. An edit may have taken away what is still named, or
    name what was never there: each side learns what the other names, so that it can be told why that is missing."""
    graph, told = session.graph, set[PackageKey]()
    while True:
        anew = {*_news(session, old, stale), *told}
        for key in anew:
            if key in graph.packages or key in graph.absent:
                for name in old.nodes(key):
                    graph.node(Label(*key, name))
        own = [node for node, label in enumerate(graph.labels) if label[:2] in anew]
        ends = (graph.labels[end] for end in named_by(graph, own))
        lacking = {label[:2] for label in ends if label[:2] not in anew and _is_unknown(old, label)}
        if not lacking:
            return anew
        graph.load(sorted(lacking))
        told |= lacking


def _is_unknown(old: Old, label: Label) -> bool:
    """Whether an older graph has the package of a label, but not the label."""
    if old.graph is None or label[:2] not in old.number_of:
        return False
    return old.graph.package_status[old.number_of[label[:2]]] != PENDING and old.node(label) is None


def _news(session: Session, old: Old, stale: Stale) -> set[PackageKey]:
    """The packages that a session has loaded and an older graph does not have so, and those that are out of date."""
    graph, versions, found = session.graph, session.loader.versions, set(stale.packages)
    assert old.graph is not None, "there is something older than the session"
    status, stored = old.graph.package_status, old.graph.table("stored")
    for key in (*graph.packages, *graph.absent):
        number = old.number_of.get(key)
        known = number is not None and status[number] == int(graph.absent.get(key, LOADED))
        if not known or (key in versions and versions[key] != stored.get(number, ("", None))[1]):
            found.add(key)
    return found


def has_news(session: Session, graph: KeptGraph | None) -> bool:
    """Whether a session has loaded what the older graph does not have, or has otherwise."""
    if graph is None or not Looks(graph.table("looks")).hold():
        return True
    nothing = Stale(frozenset(), frozenset(), folders=False)
    return bool(_news(session, Old(graph), nothing)) or not _covers(graph.table("listed"), session)


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


def _still_holding(old: KeptGraph, changed: frozenset[str], looks: Looks) -> Looks:
    """What the session saw, and what of an older graph's looks is still so."""
    states, links, reals = old.table("looks")
    unchanged = {path: state for path, state in states.items() if path not in changed}
    return Looks(({**unchanged, **looks.states}, {**links, **looks.links}, {**reals, **looks.reals}))
