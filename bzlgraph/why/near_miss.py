"""No path in a configuration: the fewest edges that it leaves out and with which there would be one.

The graph without a configuration has all branches of every select(); an edge that is there and not in the view is one
that does not hold. Paths are compared by how many such edges they have, then by their length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import pairwise

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.model import Edge
from bzlgraph.graph.view import GraphView
from bzlgraph.why.answer import Miss
from bzlgraph.why.steps import edge_steps

_OPTIONS = (("values", "--{}={}"), ("define_values", "--define={}={}"), ("flag_values", "--{}={}"))
"""Attributes of a config_setting, and how a command line says what they ask for."""


def near_misses(view: GraphView, base: GraphView, sources: Iterable[int], target: int) -> tuple[Miss, ...]:
    """The edges that a view lacks for a path from one of its nodes to another; none where no configuration has one.

    ``base``: the graph that it is a view of.
    """
    starts = list(sources)
    held = _held(view, starts)
    roots = [base.node(view.labels[each]) for each in starts]
    goal = base.node(view.labels[target])
    if goal not in base.closure(roots):
        return ()
    pairs = _fewest_missing(base, roots, goal, held)
    return tuple(_miss(base, *pair) for pair in pairs if _named(base, pair) not in held)


def _held(view: GraphView, starts: list[int]) -> set[tuple[Label, Label]]:
    labels, ends = view.labels, view.columns.edge_target
    return {(labels[node], labels[ends[edge]]) for node in view.closure(starts) for edge in view.edges_from(node)}


def _named(base: GraphView, pair: tuple[int, int]) -> tuple[Label, Label]:
    return base.labels[pair[0]], base.labels[pair[1]]


def _fewest_missing(
    base: GraphView, roots: list[int], goal: int, held: set[tuple[Label, Label]]
) -> Iterator[tuple[int, int]]:
    """The steps of the path with the fewest edges that do not hold. There is a path."""
    before: dict[int, int] = {}
    waiting = [(0, 0, base.labels[each], each, -1) for each in roots]
    while waiting:
        missing, length, _, here, source = heappop(waiting)
        if here in before:
            continue
        before[here] = source
        if here == goal:
            break
        for end in base.ends_of(here):
            if end not in before:
                lacks = (base.labels[here], base.labels[end]) not in held
                heappush(waiting, (missing + lacks, length + 1, base.labels[end], end, here))
    path = [goal]
    while before.get(path[-1], -1) >= 0:
        path.append(before[path[-1]])
    path.reverse()
    return pairwise(path)


def _miss(base: GraphView, source: int, target: int) -> Miss:
    edges = base.edges_between(source, target)
    options = dict.fromkeys(option for edge in edges[:1] for option in _options(base, edge))
    return Miss(base.describe(source), edge_steps(base, edges), tuple(options))


def _options(base: GraphView, edge: Edge) -> Iterator[str]:
    """What the conditions of an edge ask of a command line, as far as a config_setting says it."""
    for term in edge.condition:
        label = term.condition.label
        setting = base.target(base.resolve(label)) if label is not None and not term.is_default else None
        if isinstance(setting, Rule):
            for attribute, form in _OPTIONS:
                asked = setting.values.get(attribute)
                if isinstance(asked, dict):
                    yield from (form.format(name, value) for name, value in asked.items())
