"""How much of a graph ``why`` looks at: counts of nodes and links, whatever the machine is."""

from __future__ import annotations

import random
from collections import Counter

import networkx as nx
import pytest

from bzlgraph.base.label import parse
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.index import GraphIndex
from bzlgraph.why.cut import _Steps
from bzlgraph.why.path_graph import Ways, find_ways
from bzlgraph.why.paths import best_path
from tests.graph.tree import Tree, plain_tree


def ways_in(graph: BuildGraph, start: str = "start", goal: str = "goal") -> Ways:
    begin, end = (graph.resolve(parse(f"//p:{name}", "", "")) for name in (start, goal))
    ways, _ = find_ways(graph, [begin], end, 0)
    assert ways is not None
    return ways


def test_what_is_on_no_way_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred dependencies beside the way, and their own, nobody asks who names them; of each on it once."""
    edges = {"start": ["a", *(f"x{n}" for n in range(100))], "a": ["b"], "b": ["goal"], "goal": ["y"]}
    edges |= {f"x{n}": [f"x{n + 1}"] for n in range(100)}
    graph = plain_tree(edges).graph()
    looked_at = Counter[str]()

    class Counting:
        def __init__(self, index: GraphIndex) -> None:
            self.dependents = self
            self.index = index

        def __getitem__(self, node: int) -> object:
            looked_at[graph.labels[node].name] += 1
            return self.index.dependents[node]

    whole = BuildGraph.index
    monkeypatch.setattr(BuildGraph, "index", lambda self, excluded=0: Counting(whole(self, excluded)))
    ways = ways_in(graph)
    assert {graph.labels[node].name for node in ways.successors} == {"start", "a", "b", "goal"}
    assert looked_at == {"start": 1, "a": 1, "b": 1, "goal": 1}


def test_the_best_path_asks_for_few_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 30 layers of 20 targets that all name each of the next: by those, the path would be much longer."""
    tree, width, depth = Tree(), 20, 30
    layers = [[f"//p:n{layer}_{number}" for number in range(width)] for layer in range(depth)]
    tree.rule("//p:start", "cc_library", deps=["//p:short", *layers[0]])
    tree.rule("//p:short", "cc_library", deps=["//p:goal"])
    for layer, following in zip(layers, [*layers[1:], ["//p:goal"]], strict=True):
        for each in layer:
            tree.rule(each, "cc_library", deps=following)
    tree.rule("//p:goal", "cc_library")
    ways = ways_in(tree.graph())
    links, asked = sum(map(len, ways.successors.values())), Counter[tuple[int, int]]()
    numbers = Ways.numbers

    def counting(self: Ways, source: int, end: int) -> list[int]:
        asked[source, end] += 1
        return numbers(self, source, end)

    monkeypatch.setattr(Ways, "numbers", counting)
    path = best_path(ways, [])
    assert [ways.graph.labels[node].name for node in path] == ["start", "short", "goal"]
    assert links > 11_000
    assert len(asked) < 100


@pytest.mark.parametrize("forth", [True, False])
def test_ways_apart_are_looked_for_from_the_narrower_end(forth: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fourteen targets at one end, forty at the other, and all of them between: each link is looked at once at most."""
    narrow, wide = [f"n{number}" for number in range(14)], [f"w{number}" for number in range(40)]
    begin, end = (narrow, wide) if forth else (wide, narrow)
    edges = {"start": begin, **dict.fromkeys(begin, end), **{each: ["goal"] for each in end}}
    graph = plain_tree(edges).graph()
    ways, asked = ways_in(graph), Counter[tuple[int, int]]()
    place = _Steps._place_between

    def counting(self: _Steps, source: int, end: int) -> tuple[int, ...]:
        asked[source, end] += 1
        return place(self, source, end)

    monkeypatch.setattr(_Steps, "_place_between", counting)
    assert _Steps(ways).has_ways_apart(12)
    assert max(asked.values()) == 1
    assert len(asked) == 3 * 13, "each way takes three links, and none was tried in vain"
    asked.clear()
    assert not _Steps(ways).has_ways_apart(14), "there are no more than at the narrower end"
    links = sum(map(len, ways.successors.values()))
    assert max(asked.values()) == 1
    assert len(asked) <= links


@pytest.mark.parametrize("forth", [True, False])
def test_as_many_ways_apart_as_are_found_there_are(forth: bool) -> None:
    """On random graphs: networkx finds no fewer paths without a common link."""
    found = 0
    for seed in range(60):
        chance = random.Random(seed)
        names = [f"n{number}" for number in range(12)]
        edges = {name: [end for end in names[n + 1 :] if chance.random() < 0.4] for n, name in enumerate(names)}
        few, many = names[:4], names[2:]
        edges = {"start": few if forth else many, **edges}
        for each in many if forth else names[-3:]:
            edges[each] = [*edges[each], "goal"]
        ways = ways_in(plain_tree(edges).graph())
        assert (len(ways.successors[ways.start]) < len(ways.predecessors[ways.target])) == forth
        view = nx.DiGraph((a, b) for a, ends in ways.successors.items() for b in ends)
        most = nx.edge_connectivity(view, ways.start, ways.target)
        assert not _Steps(ways).has_ways_apart(most)
        found += _Steps(ways).has_ways_apart(most - 1)
    assert found > 30, "most are found without giving up any"
