"""The ways among very many targets: numpy finds what plain Python finds among few."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.graph.index import SparseRows
from bzlgraph.why import path_graph

NODES = 12
NODE = st.integers(0, NODES - 1)


def rows_of(edges: list[tuple[int, int]]) -> SparseRows:
    """What names each node."""
    named_by = [sorted(source for source, end in edges if end == node) for node in range(NODES)]
    offsets = array("i", accumulate(map(len, named_by), initial=0))
    return SparseRows(memoryview(offsets), memoryview(array("i", [each for some in named_by for each in some])))


@settings(deadline=None)
@given(st.lists(st.tuples(NODE, NODE)), NODE, st.sets(NODE))
def test_numpy_finds_the_same_ways(edges: list[tuple[int, int]], target: int, others: set[int]) -> None:
    rows, within = rows_of(edges), {target, *others}
    plain = path_graph._between(rows, target, within)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(path_graph, "MANY", 0)
        by_numpy = path_graph._between(rows, target, within)
    assert by_numpy == plain
    for lists, others_lists in zip(by_numpy[:2], plain[:2], strict=True):
        assert list(lists) == list(others_lists)
        assert {type(number) for number in (*lists, *(each for some in lists.values() for each in some))} <= {int}


@pytest.mark.parametrize("more", [0, 1])
def test_numpy_is_imported_for_many(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_graph, "MANY", 3)
    monkeypatch.setitem(sys.modules, "bzlgraph.why.many", None)
    within = set(range(2 + more))
    if more:
        with pytest.raises(ImportError):
            path_graph._between(rows_of([(1, 0)]), 0, within)
    else:
        assert path_graph._between(rows_of([(1, 0)]), 0, within) == ({0: [1], 1: []}, {0: [], 1: [0]}, False)
