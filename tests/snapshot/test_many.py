"""Of very many nodes numpy finds what plain Python finds of few; below a threshold it is not imported."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.snapshot.commands import why as reading
from bzlgraph.snapshot.evaluation.functions import FUNCTIONS
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import IMPLICIT, LOADED, PENDING, POSSIBLE, TOOL, KeptGraph, NotLoaded
from bzlgraph.snapshot.mapped import Unwritten, packed
from bzlgraph.snapshot.nodes import walk
from bzlgraph.snapshot.nodes.many import runs_of_many
from bzlgraph.snapshot.nodes.walk import Many
from bzlgraph.why import path_graph
from tests.snapshot.asking import NEW, agreeing, example, full, labels_of
from tests.snapshot.made_up import made_up

IN_A_PACKAGE = 3
EDGES = st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19), st.sampled_from([0, IMPLICIT, TOOL, POSSIBLE])))


def graph_of(size: int, edges: list[tuple[int, int, int]], pending: set[int]) -> KeptGraph:
    """A kept graph of so many nodes, three to a package; an edge: from, to, flags."""
    packages = -(-size // IN_A_PACKAGE)
    edges.sort(key=lambda edge: edge[0])
    users = sorted(edges, key=lambda edge: edge[1])
    leaving = [0] * (size + 1)
    arriving = [0] * (size + 1)
    for source, end, _ in edges:
        leaving[source + 1] += 1
        arriving[end + 1] += 1
    return KeptGraph(
        Unwritten(
            {
                "facts": packed({"own": []}),
                "names": packed(({"": ""}, {"": ""}, True)),
                "packages": packed(([""], [0] * packages, [f"p{number}" for number in range(packages)])),
                "missing": packed({}),
                "unpinned": packed({}),
                "classes": packed([("", "", False, (), ())]),
                "package_first": ("<i4", array("i", [min(size, IN_A_PACKAGE * each) for each in range(packages + 1)])),
                "package_status": ("|u1", bytes(PENDING if each in pending else LOADED for each in range(packages))),
                "package_of": ("<i4", array("i", [node // IN_A_PACKAGE for node in range(size)])),
                "first_edge": ("<i4", array("i", accumulate(leaving))),
                "edge_target": ("<i4", array("i", [end for _, end, _ in edges])),
                "edge_flags": ("<u2", array("H", [flags for _, _, flags in edges])),
                "edge_attribute": ("<i4", array("i", [0 for _ in edges])),
                "edge_condition": ("<i4", array("i", [0 for _ in edges])),
                "class_of": ("<i4", array("i", [0] * size)),
                "first_user": ("<i4", array("i", accumulate(arriving))),
                "users": ("<i4", array("i", [source for source, _, _ in users])),
                "user_flags": ("<u2", array("H", [flags for _, _, flags in users])),
            }
        )
    )


@settings(deadline=None)
@given(
    EDGES, st.sets(st.integers(0, 19), min_size=1), st.sampled_from([0, TOOL, IMPLICIT | POSSIBLE]), st.sets(st.just(5))
)
def test_numpy_finds_the_same(
    edges: list[tuple[int, int, int]], roots: set[int], excluded: int, pending: set[int]
) -> None:
    graph = graph_of(20, edges, pending)

    def found(worth: int) -> tuple[object, ...]:
        run = Run(graph, excluded, "")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(walk, "NODES_WORTH_NUMPY", worth)
            patch.setattr(walk, "LARGE", 1)
            try:
                reached = run.followed(roots)
            except NotLoaded as lacking:
                return lacking.nodes, lacking.behind
        assert isinstance(reached, Many) == (worth < 21)
        run.see(reached)
        return set(reached), run.touched, run.told, run.seen

    plain = found(21)
    assert found(1) == found(len(roots) + 1 if len(plain[0]) > len(roots) else 1) == plain  # type: ignore[arg-type]


@settings(deadline=None)
@given(
    EDGES,
    st.sets(st.integers(0, 19)),
    st.sets(st.integers(0, 19), min_size=1),
    st.sampled_from([0, TOOL]),
    st.booleans(),
)
def test_numpy_finds_the_same_that_leads_there(
    edges: list[tuple[int, int, int]], within: set[int], goals: set[int], excluded: int, as_mask: bool
) -> None:
    graph = graph_of(20, edges, set())
    among = Many(graph, bytes(node in within for node in range(20))) if as_mask else within

    def found(worth: int) -> tuple[set[int], bytearray]:
        run = Run(graph, excluded, "")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(walk, "NODES_WORTH_NUMPY", worth)
            patch.setattr(walk, "LARGE", 1)
            reached = run.reaching(among, goals, None)
        assert isinstance(reached, Many) == (worth == 1 and bool(goals & within))
        return set(reached), run.seen

    assert found(1) == found(21)


@settings(deadline=None)
@given(EDGES, st.sets(st.integers(0, 19), min_size=1), st.sets(st.integers(0, 19)), st.sampled_from([0, TOOL]))
def test_a_shortest_path_is_found_among_few_and_many(
    edges: list[tuple[int, int, int]], start: set[int], end: set[int], excluded: int
) -> None:
    graph = graph_of(20, edges, set())
    followed = [(source, target) for source, target, flags in edges if not flags & excluded]
    distances = dict.fromkeys(start, 0)
    for step in range(20):
        for source, target in followed:
            if distances.get(source) == step:
                distances.setdefault(target, step + 1)
    fewest = min((distances[node] for node in end if node in distances), default=None)
    for worth in (1, 5, 21):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(walk, "NODES_WORTH_NUMPY", worth)
            patch.setattr(walk, "LARGE", 1)
            path = list(FUNCTIONS["somepath"][0](Run(graph, excluded, ""), start, end))
        assert len(path) == (fewest + 1 if fewest is not None else 0)
        assert all(step in followed for step in pairwise(path))
        assert not path or (path[0] in start and path[-1] in end)


@given(st.sets(st.integers(0, 19)), st.lists(st.integers(0, 3), min_size=20, max_size=20))
def test_what_belongs_to_many_is_found_in_runs(nodes: set[int], sizes: list[int]) -> None:
    first, mask = memoryview(array("i", accumulate(sizes, initial=0))), bytes(node in nodes for node in range(20))
    found = [number for run in runs_of_many(first, memoryview(mask)) for number in range(*run)]
    assert found == [number for run in walk.runs(first, sorted(nodes)) for number in range(*run)]


@given(st.sets(st.integers(0, 19)), st.sets(st.integers(0, 19)))
def test_many_are_a_set(nodes: set[int], others: set[int]) -> None:
    many = Many(graph_of(20, [], set()), bytes(node in nodes for node in range(20)))
    assert list(many) == sorted(nodes)
    assert len(many) == len(nodes)
    assert others & many == others & nodes
    assert set(many - others) == nodes - others
    assert all((node in many) == (node in nodes) for node in range(20))
    assert set(many.packages()) == {node // IN_A_PACKAGE for node in nodes}


@pytest.mark.parametrize(("size", "found", "is_many"), [(0, 0, True), (-1, 0, False), (0, -1, False)])
def test_numpy_is_imported_for_large_closures_of_large_graphs(
    size: int, found: int, is_many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_of(walk.LARGE + size, [(0, 1 + node, 0) for node in range(walk.NODES_WORTH_NUMPY - 1 + found)], set())
    monkeypatch.setitem(sys.modules, "bzlgraph.snapshot.nodes.many", None)
    if is_many:
        with pytest.raises(ImportError):
            Run(graph, 0, "").closure([0], 0)
    else:
        assert len(set(Run(graph, 0, "").closure([0], 0))) == walk.NODES_WORTH_NUMPY + found


@pytest.mark.usefixtures("private_cache")
def test_questions_are_answered_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    start = example(NEW)
    labels = labels_of(start)
    full([*start, "query", "deps(//...)"])
    monkeypatch.setattr(walk, "NODES_WORTH_NUMPY", 1)
    monkeypatch.setattr(walk, "LARGE", 1)
    monkeypatch.setattr(reading, "LARGE", 1)
    monkeypatch.setattr(path_graph, "MANY", 1)
    assert agreeing([*start, "query"], made_up(labels, seed=14, number=100)) > 60
    assert agreeing([*start, "why"], ([label, "--from", "//..."] for label in labels[:20])) > 5
