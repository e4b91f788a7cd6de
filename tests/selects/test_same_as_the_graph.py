"""On a workspace of TensorFlow's shape: the values that are edges are the graph's edges with a condition, no other."""

from __future__ import annotations

from pathlib import Path

import bzlgraph
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.selects import SelectReader
from tests.selects.small_workspace import selects_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"


def test_values_that_are_edges_are_the_edges_with_a_condition() -> None:
    workspace = bzlgraph.open(EXAMPLE, cache=False, jobs=1)
    answer, graph = selects_of(workspace), workspace.query("//...").answer.graph
    shown: set[tuple[Label, str, Label, tuple[object, ...]]] = set()
    keys: set[tuple[Label, str, Label]] = set()
    for select in answer:
        for branch in select.branches:
            keys |= {(select.rule.label, select.attribute, each.label) for each in branch.conditions if each.label}
            for value in branch.values:
                if value.edge:
                    assert isinstance(value.value, Label)
                    shown.add((select.rule.label, select.attribute, value.value, branch.conditions))
    edges = [graph.edge(number) for node in answer.nodes for number in graph.edges_from(node)]
    conditional = {
        (
            graph.labels[each.source],
            each.attribute,
            graph.labels[each.target],
            tuple(t.condition for t in each.condition),
        )
        for each in edges
        if each.condition and not each.flags & EdgeFlag.KEY
    }
    assert shown == conditional
    assert len(shown) > 50
    named = {
        (graph.labels[each.source], each.attribute, graph.labels[each.target])
        for each in edges
        if each.flags & EdgeFlag.KEY
    }
    assert named == {key for key in keys if str(key[2]) != "//conditions:default"}


def test_it_is_known_which_targets_have_selects(tmp_path: Path) -> None:
    for _ in range(2):  # of packages that are evaluated, and of those that are kept
        workspace = bzlgraph.open(EXAMPLE, cache_dir=tmp_path, jobs=1)
        answer, graph = selects_of(workspace), workspace.query("//...").answer.graph
        read, found = SelectReader(), set()
        for node in answer.nodes:
            target = graph.target(node)
            if isinstance(target, Rule) and any(True for _ in read.read(target, graph.package_of(node))):
                found.add(node)
        assert set(filter(graph.has_selects, answer.nodes)) == found
        assert 0 < len(found) < len(answer.nodes)
