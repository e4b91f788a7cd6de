"""No path: what is nearest, and why not. Never just an empty line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nsmallest
from typing import cast

from bzlgraph.base.causes import causes
from bzlgraph.base.gap import HIDING_TARGETS, Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.spell import edit_distance, nearest_names
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.why.answer import NoWay

MAX_NAMES = 5
MAX_GAPS = 3
_BUILD_FILES = frozenset({"BUILD", "BUILD.bazel"})
_HIDING_EDGES = frozenset({GapKind.MACRO.value, GapKind.CHOICE.value, GapKind.CALL.value, GapKind.PACKAGE.value})
_REPOSITORIES = frozenset({GapKind.REPOSITORY.value, GapKind.LOCK.value})


def nearest(
    graph: GraphView,
    sources: Sequence[int],
    target: int,
    closure: set[int],
    excluded_flags: int,
    widen: Callable[[], None] | None,
) -> NoWay:
    """Explain a missing path. ``widen`` loads the rest of the workspace, to see who else names the target."""
    excluded = _excluded(graph, sources, target, excluded_flags)
    kind = NodeKind(graph.kinds[target])
    missing = _why_missing(graph, target) if kind in (NodeKind.MISSING, NodeKind.UNLOADED) else ""
    if widen is not None and not excluded and not missing:
        widen()
    columns = graph.columns
    users = sorted(
        {
            graph.labels[columns.edge_source[edge]]
            for edge in graph.edges_to(target)
            if not columns.edge_flags[edge] & EdgeFlag.OUTPUT
        }
    )
    similar = _similar(graph.labels[target], (graph.labels[number] for number in closure))
    if missing and not similar:
        similar = _similar(graph.labels[target], graph.labels)
    backwards = bool(set(sources) & graph.closure([target], excluded_flags)) if not missing else False
    return NoWay(missing, similar, tuple(users[:MAX_NAMES]), len(users), backwards, excluded)


def hiding_gaps(graph: GraphView, target: int, users: Iterable[Label], gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Which gaps among the dependencies may hide an edge on a path to a target, the likeliest first: those in its own
    package or in that of who names it, then what may hide most. What is in another repository seldom names targets of
    the main one: only for a target outside of it that counts."""
    label = graph.labels[target]
    kinds = _HIDING_EDGES if not label.repo else _HIDING_EDGES | _REPOSITORIES
    near = {each.package for each in (label, *users) if not each.repo}
    likely = [gap for gap in gaps if gap.kind in kinds]
    close = [gap for gap in likely if gap.location is not None and gap.location.path.rpartition("/")[0] in near]
    ranked = dict.fromkeys(each.first for group in (close, likely) for each in causes(group))
    return tuple(cast("Gap", each) for each in ranked)[:MAX_GAPS]


def _excluded(graph: GraphView, sources: Sequence[int], target: int, excluded_flags: int) -> str:
    """Which of the excluded kinds of edges would have made a path."""
    if not excluded_flags or target not in graph.closure(sources):
        return ""
    single = [
        flag for flag in EdgeFlag if excluded_flags & flag and target in graph.closure(sources, excluded_flags & ~flag)
    ]
    flags = single[:1] or [flag for flag in EdgeFlag if excluded_flags & flag]
    return " and ".join((flag.name or "").lower() for flag in flags)


def _why_missing(graph: GraphView, target: int) -> str:
    """Why the label has no target behind it."""
    label = graph.labels[target]
    key = (label.repo, label.package)
    if key in graph.diagnostics:
        return graph.diagnostics[key][0].message
    package, unloaded = graph.packages.get(key), graph.kinds[target] == NodeKind.UNLOADED
    if unloaded and package is not None:
        hiding = next((gap for gap in (*package.gaps, *package.hiding) if gap.kind in HIDING_TARGETS), None)
        where = f" ({hiding.location.short})" if hiding is not None and hiding.location is not None else ""
        unseen = f"; it may be hidden by: {hiding.what}{where}" if hiding is not None else ""
        return f"nothing known in package {label.package_label} declares it{unseen}"
    if unloaded and graph.source is not None:
        return graph.source.missing(label.repo, label.package).message
    if package is None:
        return f"there is no package {label.package_label}"
    broken = ", which has errors that may hide it" if package.broken else ""
    return f"no target of that name in package {label.package_label}{broken}"


def _similar(wanted: Label, labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels with the same name, then those with a near one, then others of the same other repository, the nearest
    first: the best few. Nobody means a BUILD file who does not name one."""
    named: dict[str, list[Label]] = {}
    for label in labels:
        if label != wanted and label.name not in _BUILD_FILES:
            named.setdefault(label.name, []).append(label)
    near = [name for name in nearest_names(wanted.name, sorted(named), MAX_NAMES) if name != wanted.name]
    found = [label for name in (wanted.name, *near) for label in sorted(named.get(name, ()), key=_depth)]
    if wanted.repo:
        beside = (label for group in named.values() for label in group if label.repo == wanted.repo)
        found += nsmallest(MAX_NAMES, beside, key=lambda label: (_edits(wanted, label), label))
    return tuple(dict.fromkeys(found))[:MAX_NAMES]


def _depth(label: Label) -> tuple[int, Label]:
    return len(label.package), label


def _edits(wanted: Label, label: Label) -> int:
    return edit_distance(wanted.name.lower(), label.name.lower(), max(len(wanted.name), len(label.name)))
