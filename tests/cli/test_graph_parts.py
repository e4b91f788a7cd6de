"""The options of ``graph``: what ``--focus``, ``--depth``, ``--between``, ``--exclude`` draw (networkx judges), what
``--reduce`` leaves out, what ``--max_nodes`` holds to, and what a terminal shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import networkx as nx
import pytest

from tests.cli.a_terminal import shown_on_a_terminal
from tests.cli.in_process import run

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


def arrows(text: str) -> set[tuple[str, str]]:
    """The edges of a dot text."""
    return set(re.findall(r'^ *"([^"]+)" -> "([^"]+)"', text, re.MULTILINE))


def test_reduce_leaves_out_what_a_longer_path_says_and_noreduce_draws_it(workspace: Path) -> None:
    (workspace / "BUILD").write_text(BUILD.replace('srcs = [":left", ":right"]', 'srcs = [":left", ":right", ":low"]'))
    whole = drawn(workspace)
    assert ("//:top", "//:low") in whole.edges
    _, reduced, said = run(workspace, "graph", "deps(//:top)")
    assert arrows(reduced) == set(nx.transitive_reduction(whole).edges)
    assert "1 transitively redundant edge hidden" in said
    _, full, said = run(workspace, "graph", "deps(//:top)", "--noreduce")
    assert arrows(full) == set(whole.edges)
    assert "hidden" not in said


@pytest.mark.parametrize("part", [(), ("--focus=//p1:t1", "--depth=9"), ("--exclude=//p2/...",), ("--fold=chain",)])
@pytest.mark.parametrize("most", [1, 2, 7, 30])
def test_max_nodes_holds_for_every_part(tmp_path: Path, most: int, part: tuple[str, ...]) -> None:
    (tmp_path / "WORKSPACE").touch()
    for package in range(4):
        (tmp_path / f"p{package}").mkdir()
        rules = [
            f'filegroup(name = "t{at}", srcs = [{", ".join(ends(package, at))}], visibility = ["//visibility:public"])'
            for at in range(30)
        ]
        (tmp_path / f"p{package}" / "BUILD").write_text("\n".join(rules))
    code, out, err = run(tmp_path, "graph", "//...", f"--max_nodes={most}", *part)
    assert code == 0, err
    boxes = re.findall(r'^ *"([^"]+)" \[label=', out, re.MULTILINE)
    assert (1 if "--fold=chain" in part else most // 2) <= len(boxes) <= most


def ends(package: int, at: int) -> list[str]:
    """What a target of the packages above names: others of its own, and one of the package before."""
    own = [f'":t{at // 2}"'] if at else []
    return own + ([f'"//p{package - 1}:t{at}"'] if package else [])


def test_a_terminal_shows_levels_and_how_to_draw_them(workspace: Path) -> None:
    """What is piped is dot, as before."""
    shown, said = shown_on_a_terminal("-C", str(workspace), "--no_cache", "graph", "deps(//:top)")
    assert shown.startswith("level 4: 1 box")
    assert "hint: to draw it, add -o graph.svg" in said
    _, piped, said = run(workspace, "graph", "deps(//:top)")
    assert piped.startswith("digraph")
    assert "hint" not in said
