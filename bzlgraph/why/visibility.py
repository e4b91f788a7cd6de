"""Which visibility lets each step of a path in, and where one would be refused: path -> ``StepVisibility`` values.

Bazel asks when a target names one of another package. It does not ask for what a rule's definition brings, nor for a
file that nothing exports; in symbolic macros others count than packages: nothing is said of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from bzlgraph.bazel.model import OutputFile, PackageGroup, Rule, SourceFile, Target
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.graph.visibility import Visibilities, visibility_of
from bzlgraph.why.answer import PathStep, StepVisibility

_NOT_ASKED = (
    EdgeFlag.IMPLICIT | EdgeFlag.OUTPUT | EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.ASPECT | EdgeFlag.TOOLCHAIN
)
_PUBLIC = ("//visibility:public", "//visibility:legacy_public")


def visibility_on(steps: Sequence[PathStep], asked: Visibilities) -> Iterator[StepVisibility]:
    """Of each step into another package whose target not everybody sees."""
    for before, here in pairwise(steps):
        if any(not reason.flags & _NOT_ASKED for reason in here.reasons):
            found = step_visibility(before.node.id, here.node.id, asked)
            if found is not None and found.chain[:1] not in {(each,) for each in _PUBLIC}:
                yield found


def step_visibility(source: int, target: int, asked: Visibilities) -> StepVisibility | None:
    """Whether one target may name another; None where Bazel does not ask, or that is not told by packages."""
    graph = asked.graph
    user, named = graph.labels[source], graph.labels[target]
    seen = graph.target(target)
    if (user.repo, user.package) == (named.repo, named.package) or seen is None or isinstance(seen, PackageGroup):
        return None
    if _in_macro(graph, graph.target(source)) or _in_macro(graph, seen):
        return None
    if isinstance(seen, SourceFile) and seen.visibility is None:
        return None
    items, by_default = visibility_of(seen, graph)
    found = asked.admission(items, (user.repo, user.package))
    texts = tuple(map(str, items))
    return StepVisibility(
        user.package_label, graph.describe(target), found.admitted, texts, by_default, found.chain, found.known
    )


def _in_macro(graph: GraphView, target: Target | None) -> bool:
    """Whether a symbolic macro made a target."""
    rule = graph.target(graph.resolve(target.rule)) if isinstance(target, OutputFile) else target
    return isinstance(rule, Rule) and bool(rule.macros)
