"""The question itself: graph, target, sources -> ``WhyAnswer``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from bzlgraph.graph.cycles import find_cycles
from bzlgraph.graph.dominators import dominator_tree
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.why.answer import TrunkNode, WhyAnswer
from bzlgraph.why.cut import cheapest_cut
from bzlgraph.why.dominators import required, trunk
from bzlgraph.why.nearest import hiding_gaps, nearest
from bzlgraph.why.path_graph import ROOT, Ways, find_ways
from bzlgraph.why.paths import best_path, best_paths, count_all, count_shortest, distances_to_target
from bzlgraph.why.steps import cycle_steps, path_steps
from bzlgraph.why.tree import dependents

MAX_SOURCES = 20


def why(
    graph: GraphView,
    target: int,
    sources: Sequence[int],
    *,
    excluded_flags: int = 0,
    paths: int = 0,
    depth: int = 1,
    widen: Callable[[], None] | None = None,
) -> WhyAnswer:
    """Why ``sources`` need ``target``. Node numbers come from ``graph.resolve(label)`` or a target pattern.

    Edges with one of ``excluded_flags`` do not count; ``paths``: how many other paths are added, the best
    first; ``depth``: how many
    steps the tree of dependents has, where there are several sources; ``widen`` is called when there is no path, to
    load the rest of the workspace.
    """
    among = len(sources) > 1 and target in sources
    sources = sorted(set(sources) - {target}, key=graph.labels.__getitem__) or list(sources)
    ways, closure = find_ways(graph, sources, target, excluded_flags)
    kinds, targets = graph.kinds, closure - graph.same_label(sources)
    dependencies = graph.count_labels(node for node in targets if kinds[node] != NodeKind.MISSING)
    words = graph.configuration.words if graph.configuration is not None else ""
    problems = (*graph.missing_among(closure), *graph.problems_of(closure))
    if ways is None:
        no_way = nearest(graph, sources, target, closure, excluded_flags, widen)
        if among:  # as in //..., where what it depends on is among them, too: nothing can be swapped
            no_way = replace(no_way, reversed=False)
        nodes = tuple(graph.describe(number) for number in sources[:MAX_SOURCES])
        gaps = graph.gaps_of(closure)
        if not no_way.missing:
            no_way = replace(no_way, gaps=hiding_gaps(graph, target, no_way.users, gaps))
        return WhyAnswer(
            graph.describe(target), nodes, len(sources), (), dependencies, 0, other_gaps=gaps, no_way=no_way,
            problems=problems, configuration=words,
        )  # fmt: skip
    answer = _answer(ways, closure, dependencies, paths, depth)
    return replace(answer, problems=problems, configuration=words)


def _answer(ways: Ways, closure: set[int], dependencies: int, paths: int, depth: int) -> WhyAnswer:
    graph = ways.graph
    tree = dominator_tree(ways.predecessors, ways.target)
    stem = trunk(tree, ways)
    needed = required(tree, ways.start, ways.target)
    path = best_path(ways, [number for number, _ in stem])
    distances = distances_to_target(ways)
    shortest, shortest_count = count_shortest(ways, distances)
    path_count, exact = count_all(ways)
    on_the_way = [number for number in ways.successors if number >= 0]
    gaps = graph.gaps_of(on_the_way)
    cycles = find_cycles(graph, on_the_way) if ways.may_turn or not exact else []
    others = islice((each for each in best_paths(ways) if each != path), paths)
    return WhyAnswer(
        target=graph.describe(ways.target),
        sources=tuple(graph.describe(number) for number in ways.sources[:MAX_SOURCES]),
        source_count=len(ways.sources),
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
        dependents=dependents(ways, depth) if ways.start == ROOT else None,
        cycles=tuple(cycle_steps(graph, each) for each in cycles),
        gaps=gaps,
        other_gaps=tuple(gap for gap in graph.gaps_of(closure) if gap not in set(gaps)),
    )
