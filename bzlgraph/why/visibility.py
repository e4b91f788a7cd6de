"""Which visibility lets each step of a path in, and where one would be refused: path -> ``StepVisibility`` values.

Bazel asks when a target names one of another package. It does not ask for what a rule's definition brings, nor for a
file that nothing exports; in symbolic macros others count than packages: nothing is said of those.
"""

from __future__ import annotations

from itertools import pairwise

from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.answer import StepVisibility

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bzlgraph.graph.visibility import Visibilities
    from bzlgraph.why.answer import PathStep
    from bzlgraph.why.path_graph import WhyGraph

_NOT_ASKED = (
    EdgeFlag.IMPLICIT | EdgeFlag.OUTPUT | EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.ASPECT | EdgeFlag.TOOLCHAIN
)
_PUBLIC = ("//visibility:public", "//visibility:legacy_public")


def visibility_on(graph: WhyGraph, steps: Sequence[PathStep], asked: Visibilities) -> Iterator[StepVisibility]:
    """Of each step into another package whose target not everybody sees."""
    for before, here in pairwise(steps):
        if any(not reason.flags & _NOT_ASKED for reason in here.reasons):
            found = step_visibility(graph, before.node.id, here.node.id, asked)
            if found is not None and found.chain[:1] not in {(each,) for each in _PUBLIC}:
                yield found


def step_visibility(graph: WhyGraph, source: int, target: int, asked: Visibilities) -> StepVisibility | None:
    """Whether one target may name another; None where Bazel does not ask, or that is not told by packages."""
    user, named, written = graph.labels[source], graph.labels[target], asked.written
    if (user.repo, user.package) == (named.repo, named.package) or written.in_macro(source) or written.in_macro(target):
        return None
    seen = written.visibility(target)
    if seen is None:
        return None
    items, by_default = seen
    found = asked.admission(items, (user.repo, user.package))
    texts = tuple(map(str, items))
    return StepVisibility(
        user.package_label, graph.describe(target), found.admitted, texts, by_default, found.chain, found.known
    )
