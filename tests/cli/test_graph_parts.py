"""``graph --focus``, ``--depth``, ``--between``, ``--exclude``: what is drawn; networkx judges."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from tests.cli.test_names import run

BUILD = """\
filegroup(name = "top", srcs = [":left", ":right"])
filegroup(name = "left", srcs = [":middle"])
filegroup(name = "right", srcs = [":middle", ":far"])
filegroup(name = "middle", srcs = [":low"])
filegroup(name = "low", srcs = [":bottom", ":aside"])
filegroup(name = "bottom")
filegroup(name = "aside")
filegroup(name = "far", srcs = [":bottom"])
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(BUILD)
    return tmp_path


def drawn(workspace: Path, *words: str) -> nx.DiGraph:
    code, out, err = run(workspace, "graph", "deps(//:top)", "--output=json", *words)
    assert code == 0, err
    answer = json.loads(out)
    graph = nx.DiGraph()
    graph.add_nodes_from(each["label"] for each in answer["nodes"])
    graph.add_edges_from((each["source"], each["target"]) for each in answer["edges"])
    return graph


@pytest.mark.parametrize("depth", [None, 0, 1, 2, 9])
@pytest.mark.parametrize("focus", ["//:middle", "//:far", "//:top"])
def test_a_focus_has_what_is_near_in_both_directions(workspace: Path, focus: str, depth: int | None) -> None:
    whole, steps = drawn(workspace), 1 if depth is None else depth
    below = nx.single_source_shortest_path_length(whole, focus, steps)
    above = nx.single_source_shortest_path_length(whole.reverse(), focus, steps)
    words = [] if depth is None else [f"--depth={depth}"]
    shown = drawn(workspace, f"--focus={focus}", *words)
    assert set(shown) == {*below, *above}
    assert set(shown.edges) == set(whole.subgraph(shown).edges)


@pytest.mark.parametrize("depth", [0, 1, 2, 9])
def test_a_depth_alone_counts_from_what_nothing_needs(workspace: Path, depth: int) -> None:
    near = nx.single_source_shortest_path_length(drawn(workspace), "//:top", depth)
    assert set(drawn(workspace, f"--depth={depth}")) == set(near)


@pytest.mark.parametrize(("start", "end"), [("//:top", "//:bottom"), ("//:left", "//:low"), ("//:right", "//:right")])
def test_between_has_what_lies_on_a_path(workspace: Path, start: str, end: str) -> None:
    whole = drawn(workspace)
    wanted = {*nx.descendants(whole, start), start} & {*nx.ancestors(whole, end), end}
    assert set(drawn(workspace, "--between", start, end)) == wanted


def test_without_a_path_or_a_focus_nothing_is_drawn(workspace: Path) -> None:
    code, out, err = run(workspace, "graph", "deps(//:top)", "--between", "//:bottom", "//:top")
    assert (code, out) == (2, "")
    assert "there is no path from //:bottom to //:top" in err
    code, out, err = run(workspace, "graph", "deps(//:far)", "--focus=//:left")
    assert (code, out) == (2, "")
    assert "//:left is not among the targets of deps(//:far)" in err


def test_what_is_excluded_ends_ways_as_well(workspace: Path) -> None:
    whole = drawn(workspace)
    assert set(drawn(workspace, "--exclude=//:middle", "--exclude=//:far")) == set(whole) - {"//:middle", "//:far"}
    code, _, err = run(workspace, "graph", "deps(//:top)", "--exclude=//:middle", "--between", "//:left", "//:low")
    assert code == 2
    assert "no path" in err


def test_all_of_them_narrow_together(workspace: Path) -> None:
    words = ("--between", "//:top", "//:bottom", "--exclude=//:far", "--focus=//:left")
    assert set(drawn(workspace, *words)) == {"//:top", "//:left", "//:middle"}
