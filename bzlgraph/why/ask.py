"""The question itself: graph, target, sources -> ``WhyAnswer``."""

from __future__ import annotations

from itertools import islice

from bzlgraph.graph.algorithms.dominators import dominators, places
from bzlgraph.graph.model import NodeKind
from bzlgraph.why.answer import TrunkNode, WhyAnswer
from bzlgraph.why.cut import cheapest_cut
from bzlgraph.why.dominators import required, trunk
from bzlgraph.why.path_graph import ROOT, find_ways
from bzlgraph.why.paths import best_path, best_paths, count_all, count_shortest
from bzlgraph.why.steps import path_steps

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bzlgraph.why.answer import CycleSteps, Neighbours
    from bzlgraph.why.path_graph import Ways, WhyGraph

MAX_SOURCES = 20
MAX_PATHS = 100
"""The most paths that are listed beside the best one, where all are wanted."""


def why(
    graph: WhyGraph,
    target: int,
    sources: Sequence[int],
    *,
    excluded_flags: int = 0,
    paths: int = 0,
    depth: int = 1,
    widen: Callable[[], None] | None = None,
) -> WhyAnswer:
    """Why ``sources`` need ``target``. Node numbers come from ``graph.resolve(label)`` or a target pattern.

    Edges with one of ``excluded_flags`` do not count; ``paths``: how many other paths are added, the best first;
    ``depth``: how many steps the tree of dependents has, where there are several sources; ``widen`` is called when
    there is no path, to load the rest of the workspace.
    """
    among = len(sources) > 1 and target in sources
    sources = graph.by_label(set(sources) - {target}) or list(sources)
    ways, closure = find_ways(graph, sources, target, excluded_flags)
    dependencies = _dependencies(graph, ways, closure, sources, excluded_flags)
    words = graph.configuration.words if graph.configuration is not None else ""
    problems = (*graph.missing_among(closure), *graph.problems_of(closure))
    if ways is None:
        from bzlgraph.why.nearest import hiding_gaps, nearest  # most questions have a way

        whole = graph.whole()
        no_way = nearest(whole, sources, target, closure, excluded_flags, widen)
        if among:  # as in //..., where what it depends on is among them, too: nothing can be swapped
            no_way = no_way._replace(reversed=False)
        nodes = tuple(graph.describe(number) for number in sources[:MAX_SOURCES])
        gaps = graph.gaps_of(closure)
        if not no_way.missing:
            no_way = no_way._replace(gaps=hiding_gaps(whole, target, no_way.users, gaps))
        return WhyAnswer(
            graph.describe(target), nodes, len(sources), (), dependencies, 0, other_gaps=gaps, no_way=no_way,
            problems=problems, configuration=words,
        )  # fmt: skip
    return _answer(ways, closure, dependencies, paths, depth)._replace(problems=problems, configuration=words)


def _dependencies(
    graph: WhyGraph, ways: Ways | None, closure: set[int], sources: Sequence[int], excluded_flags: int
) -> int:
    """How many labels sources depend on, of all that is reached from them; where only one of many needs the target,
    those of that one, as which it is told."""
    if ways is not None and len(ways.sources) == 1 < len(sources):
        sources, closure = ways.sources, graph.closure(ways.sources, excluded_flags)
    kinds, missing = graph.kinds, int(NodeKind.MISSING)
    named = closure - {node for node in closure if kinds[node] == missing}
    return graph.count_labels(named - graph.same_label(sources))


def _answer(ways: Ways, closure: set[int], dependencies: int, paths: int, depth: int) -> WhyAnswer:
    graph = ways.graph
    found = places(ways.predecessors, ways.target, ways.successors)
    tree = dominators(found)
    stem = trunk(found.nodes, tree, ways)
    needed = required(found.nodes, tree, ways.start)
    path = best_path(ways, [number for number, _ in stem])
    shortest, shortest_count = count_shortest(ways)
    path_count, exact = count_all(ways, found)
    on_the_way = [number for number in ways.successors if number >= 0]
    gaps = graph.gaps_of(on_the_way)
    on_it = set(gaps)
    others = islice((each for each in best_paths(ways) if each != path), paths)
    return WhyAnswer(
        target=graph.describe(ways.target),
        sources=tuple(graph.describe(number) for number in ways.sources[:MAX_SOURCES]),
        source_count=len(ways.sources),
        direct_sources=len(set(ways.sources).intersection(ways.predecessors[ways.target])),
        steps=path_steps(ways, path),
        dependencies=dependencies,
        needing=graph.count_labels(set(on_the_way) - graph.same_label((*ways.sources, ways.target))),
        shortest=shortest,
        shortest_count=shortest_count,
        path_count=path_count,
        path_count_exact=exact,
        required=tuple(graph.describe(number) for number in needed),
        trunk=tuple(TrunkNode(graph.describe(number), needing) for number, needing in stem),
        cut=cheapest_cut(ways, needed) if ways.target not in ways.sources else None,
        others=tuple(path_steps(ways, each) for each in others),
        dependents=_dependents(ways, depth) if ways.start == ROOT else None,
        cycles=_cycles(graph, on_the_way) if ways.may_turn or not exact else (),
        gaps=gaps,
        other_gaps=tuple(gap for gap in graph.gaps_of(closure) if gap not in on_it),
    )


def _cycles(graph: WhyGraph, nodes: Sequence[int]) -> tuple[CycleSteps, ...]:
    from bzlgraph.graph.algorithms.cycles import find_cycles  # few targets need themselves
    from bzlgraph.why.steps import cycle_steps

    return tuple(cycle_steps(graph, each) for each in find_cycles(graph, nodes))


def _dependents(ways: Ways, depth: int) -> Neighbours:
    from bzlgraph.why.tree import dependents  # of one source there is a path

    return dependents(ways, depth)
