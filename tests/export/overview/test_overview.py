"""What an overview keeps: every target and edge in one place, what is reachable, the budget."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest

from bzlgraph.export.layout.page import page_of
from bzlgraph.export.layout.placed_dot import to_placed_dot
from bzlgraph.export.overview.build import Shape, overview
from bzlgraph.export.overview.drawing import picture_of
from bzlgraph.export.overview.forms import graph_bytes
from bzlgraph.export.overview.level_text import levels_text
from bzlgraph.export.overview.matrix import matrix_of, matrix_svg
from bzlgraph.export.overview.model import Bundle, Overview
from bzlgraph.export.overview.thin import thin
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.elements import adjacency
from bzlgraph.export.pictures.picture import ArrowStyle
from bzlgraph.export.pictures.render import render, render_placed
from bzlgraph.graph.algorithms.components import reachable
from bzlgraph.graph.build import BuildGraph
from bzlgraph.query.environment import Environment
from bzlgraph.query.evaluate import query
from tests.export.crossings import measure
from tests.graph.tree import Select, Tree

SHAPES = [
    Shape(),
    Shape(max_nodes=7),
    Shape(max_nodes=25, hubs=False),
    Shape(collapse="package"),
    Shape(collapse="repo"),
    Shape(collapse="none"),
    Shape(reduced=False),
    Shape(tools=True, max_nodes=9),
    Shape(fold=("macro", "cycle", "chain")),
]


def random_tree(seed: int) -> BuildGraph:
    """Packages in folders and repositories, that depend on each other in both directions; conditions; a hub."""
    chance = random.Random(seed)
    places = [f"//{a}/{b}" for a in ("app", "lib", "x/y") for b in "abcdef"] + ["@zlib//", "@bazel_tools//tools/cpp"]
    labels = [f"{place}:t{number}" for place in places for number in range(4)]
    tree = Tree()
    tree.rule("//c:windows", "config_setting", constraint_values=["//c:os"])
    tree.rule("//c:os", "constraint_value")
    tree.rule("//base:base")
    leaves = labels[3::4]  # they depend on nothing in a package, so that packages may form cycles and targets none
    for at, label in enumerate(labels):
        deps = {*chance.sample(labels[at + 1 :], min(chance.randrange(4), len(labels) - at - 1)), "//base:base"}
        if label in leaves:
            deps = {"//base:base"}
        chosen = Select({"//c:windows": [] if label in leaves else [chance.choice(leaves)]})
        macro = [("my_macro", "lib/defs.bzl", 4)] if at % 5 == 0 else []
        kind = chance.choice(["cc_library", "py_library", "cc_test"])
        files = [f"s{at}_{number}.cc" for number in range(at % 9)]
        tree.rule(label, kind, macro=macro, deps=sorted(deps), data=chosen, srcs=files)
    return tree.graph()


def one_package(seed: int) -> BuildGraph:
    """A package of hundreds of targets: macro calls, tests, libraries that use each other, circles, generated files."""
    chance, tree = random.Random(seed), Tree()
    for at in range(120):
        deps = [f"//big:lib{chance.randrange(at)}" for _ in range(min(at, chance.randrange(4)))]
        tree.rule(
            f"//big:lib{at}", deps=sorted({*deps, "//other:base"}), srcs=[f"lib{at}_{n}.cc" for n in range(at % 4)]
        )
        tree.rule(f"//big:lib{at}_test", "cc_test", deps=[f"//big:lib{at}"])
    for at in range(20):
        macro = [("pair", "big/defs.bzl", 4)]
        tree.rule(f"//big:gen{at}", "genrule", macro=macro, outs=[f"gen{at}.h"], tools=["//big:tool"])
        tree.rule(f"//big:gen{at}_lib", macro=macro, hdrs=[f"gen{at}.h"], deps=[f"//big:lib{at}"])
    tree.rule("//big:tool", "cc_binary", deps=["//big:round_a"])
    tree.rule("//big:round_a", deps=["//big:round_b"])
    tree.rule("//big:round_b", deps=["//big:round_a"])
    tree.rule("//big:alone_a", deps=["//big:alone_b"])
    tree.rule("//big:alone_b", deps=["//big:alone_a"])
    tree.rule("//other:base")
    return tree.graph()


def seen(graph: BuildGraph, shape: Shape) -> tuple[Overview, tuple[int, ...]]:
    found = query("deps(//...)", Environment(graph))
    return overview(graph, found.nodes, shape=shape, title="deps(//...)"), found.nodes


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_the_parts_add_up_to_the_whole(shape: Shape, seed: int) -> None:
    graph = random_tree(seed)
    made, nodes = seen(graph, shape)
    placed = [member for part in (*made.parts, *(hub.part for hub in made.hubs)) for member in part.members]
    placed += [*made.hidden, *(made.tools.members if made.tools else ())]
    assert sorted(placed) == sorted(nodes)
    assert made.targets == len(nodes)
    plain = adjacency(graph, nodes, 0 if shape.collapse == "none" else 48)
    assert sum(made.account.values()) == sum(map(len, plain.values()))
    drawn = picture_of(made, graph.labels)
    assert sum(arrow.count for arrow in drawn.arrows) == made.account["drawn"]


@pytest.mark.parametrize("budget", [1, 2, 3, 10, 25, 60, 200, 2_000])
@pytest.mark.parametrize("text", ["//big:all", "deps(//...)"])
def test_one_large_package_is_taken_apart_within_the_budget(budget: int, text: str) -> None:
    graph = one_package(budget)
    nodes = query(text, Environment(graph)).nodes
    made = overview(graph, nodes, shape=Shape(max_nodes=budget, hubs=False))
    placed = [*(member for part in made.parts for member in part.members), *made.hidden]
    assert sorted(placed) == sorted(nodes)
    assert min(budget, 50) <= len(made.parts) <= budget
    assert len({part.name for part in made.parts}) == len(made.parts)
    assert sum(made.account.values()) == sum(map(len, adjacency(graph, nodes, 48).values()))


def test_a_box_of_a_package_says_what_goes_with_it() -> None:
    tree = Tree()
    tree.rule("//a:top", "cc_binary", deps=["//a:used", "//a:part"])
    tree.rule("//a:part", srcs=["one.cc", "two.cc"], deps=["//a:used"])
    tree.rule("//a:used")
    for at in range(90):
        tree.rule(f"//a:t{at}_test", "cc_test", deps=["//a:used"])
    tree.rule("//a:made", macro=[("twice", "a/defs.bzl", 4)])
    graph = tree.graph()
    made = overview(graph, query("deps(//a:all)", Environment(graph)).nodes, shape=Shape(max_nodes=5))
    text = to_dot(picture_of(made, graph.labels))
    assert {part.name: part.detail for part in made.parts} == {
        "//a:top": "cc_binary",
        "//a:part": "+ 2 used only by it",
        "//a:used": "cc_library",
        "//a:made": "cc_library",
        "90 top-level cc_test rules of //a": "90 targets",
    }
    assert "90 top-level cc_test rules<" in text


def test_hubs_tools_and_conditions_are_there_to_be_added_up() -> None:
    graph = random_tree(0)
    made, _ = seen(graph, Shape(max_nodes=25))
    assert [hub.part.name for hub in made.hubs][:1] == ["//base:base"]
    assert made.tools is not None
    assert made.tools.repositories == {"bazel_tools": len(made.tools.members)}
    assert {"drawn", "implied", "inside", "hubs", "tools"} <= {name for name, count in made.account.items() if count}
    asides = picture_of(made, graph.labels).asides
    assert [aside.heading.split(",")[0] for aside in asides] == ["Used by many", "Bazel's own tools"]


@pytest.mark.parametrize("typed", ["//base:base", "//base", ":base", "base"])
def test_what_the_question_names_is_drawn_however_many_use_it(typed: str) -> None:
    graph = random_tree(0)
    made, _ = seen(graph, Shape(max_nodes=25, named=(typed,)))
    assert "//base:base" not in [hub.part.name for hub in made.hubs]
    assert "//base:base" in [part.name for part in made.parts]
    answer = query("rdeps(//app/..., //base:base)", Environment(graph))
    assert b"listed instead" not in graph_bytes(answer, "svg").data
    assert b"listed instead" in graph_bytes(query("deps(//app/...)", Environment(graph)), "svg").data


def test_a_target_that_its_package_names_is_not_told_by_its_name_alone() -> None:
    tree = Tree()
    jars = [f"@com_google_{name}_client_google_{name}_client//jar" for name in ("http", "oauth")]
    tree.rule("//a:top", deps=[*jars, "//a:a_library_with_quite_a_long_name"])
    tree.rule("//a:a_library_with_quite_a_long_name")
    graph = tree.graph()
    found = query("deps(//a:top)", Environment(graph))
    boxes = picture_of(overview(graph, found.nodes), graph.labels).boxes
    assert {box.text for box in boxes} == {"//a:top", ":a_library_with_quite_a_long_name", *jars}


def test_targets_of_one_name_are_told_apart_by_their_packages() -> None:
    tree = Tree()
    libraries = [f"@com_github_{name}_netlink//:go_default_library" for name in ("somebody", "somebody_else")]
    tree.rule("//a:top", deps=libraries)
    graph = tree.graph()
    found = query("deps(//a:top)", Environment(graph))
    boxes = picture_of(overview(graph, found.nodes), graph.labels).boxes
    assert {box.text: box.detail for box in boxes if box.text != "//a:top"} == {
        "@com_github_somebody_netlink//": ":go_default_library · unloaded target",
        "@com_github_somebody_else_netlink//": ":go_default_library · unloaded target",
    }


def test_bazels_own_tools_are_drawn_when_nothing_else_is() -> None:
    tree = Tree()
    tree.rule("@bazel_tools//tools:a", deps=["@bazel_tools//tools:b"])
    tree.rule("@bazel_tools//tools:b")
    graph = tree.graph()
    nodes = query("deps(@bazel_tools//tools:a)", Environment(graph)).nodes
    assert overview(graph, nodes).tools is None


def test_fewer_lines_cross_than_when_dot_draws_all_of_them() -> None:
    graph = random_tree(2)
    everything, _ = seen(graph, Shape(max_nodes=25, hubs=False, reduced=False))
    plain = measure(render(to_dot(picture_of(everything, graph.labels)), "svg").data.decode())
    drawn = picture_of(seen(graph, Shape(max_nodes=25))[0], graph.labels)
    placed = measure(render_placed(to_placed_dot(drawn, page_of(drawn)), "svg").data.decode())
    assert plain.merged > 100
    assert placed.merged <= 0.4 * plain.merged
    assert placed.edge_length < plain.edge_length


@pytest.mark.parametrize("seed", range(40))
def test_lines_keep_what_is_reachable_and_every_mutual_pair(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randrange(2, 14)
    pairs = {(a, b) for a in range(size) for b in range(size) if a != b and chance.random() < 0.25}
    bundles = {pair: Bundle(chance.randrange(1, 20), ArrowStyle.PLAIN) for pair in sorted(pairs)}
    found = thin(range(size), bundles, frozenset())
    assert sorted(found.order) == list(range(size))
    lines = {(line.upper, line.lower) for line in found.lines}
    assert len(lines) == len(found.lines) == len({frozenset(pair) for pair in lines})
    drawn = [(line.upper, line.lower) for line in found.lines if line.down]
    drawn += [(line.lower, line.upper) for line in found.lines if line.up]
    assert sorted([*drawn, *((a, b) for a, b, _ in found.implied)]) == sorted(pairs)
    before = {a: [b for x, b in pairs if x == a] for a in range(size)}
    after = {a: [b for x, b in drawn if x == a] for a in range(size)}
    assert all(reachable(before, [a]) == reachable(after, [a]) for a in range(size))
    mutual = {frozenset(pair) for pair in pairs if pair[::-1] in pairs}
    assert mutual == {frozenset((line.upper, line.lower)) for line in found.lines if line.mutual}
    place = {part: at for at, part in enumerate(found.order)}
    assert all(place[line.upper] < place[line.lower] for line in found.lines)


def test_an_order_without_cycles_has_nothing_upwards() -> None:
    bundles = {(a, b): Bundle(1, ArrowStyle.PLAIN) for a in range(9) for b in range(a)}
    found = thin(range(9), bundles, frozenset())
    assert found.order == list(range(8, -1, -1))
    assert len(found.lines) == 8
    assert len(thin(range(9), bundles, frozenset(), reduced=False).lines) == 36


@pytest.mark.parametrize("seed", range(3))
def test_a_matrix_has_every_edge_and_colours_what_closes_a_cycle(seed: int) -> None:
    made, _ = seen(random_tree(seed), Shape(max_nodes=25, hubs=False))
    matrix = matrix_of(made, ())
    between = made.account["drawn"] + made.account["implied"]
    assert sum(bundle.count for bundle in matrix.cells.values()) == between
    root = ElementTree.fromstring(matrix_svg(matrix))
    groups = [group.get("class") for group in root.iter("{http://www.w3.org/2000/svg}g")]
    assert groups.count("cycle") == matrix.above > 0
    assert groups.count("cycle") + groups.count("cell") == len(matrix.cells)
    assert groups.count("node") == len(matrix.parts)


def test_levels_need_only_what_is_below_and_say_what_does_not() -> None:
    made, _ = seen(random_tree(1), Shape(max_nodes=25, hubs=False))
    text = "".join(levels_text(made))
    assert [int(line.split()[1][:-1]) for line in text.splitlines() if line.startswith("level")] == list(
        range(max(made.levels), -1, -1)
    )
    for line in made.lines:
        if line.down:
            assert made.levels[line.upper] > made.levels[line.lower]
    against = [line for line in made.lines if line.up]
    assert bool(against) == ("needs what is above" in text)


def test_macros_chains_and_cycles_fold() -> None:
    tree = Tree()
    tree.rule("//a:x", macro=[("my_macro", "a/defs.bzl", 4)], deps=["//a:y"])
    tree.rule("//a:y", macro=[("my_macro", "a/defs.bzl", 4)], deps=["//a:one"])
    tree.rule("//a:one", deps=["//a:two"])
    tree.rule("//a:two", deps=["//a:three"])
    tree.rule("//a:three")
    graph = tree.graph()
    nodes = query("//a:all", Environment(graph)).nodes

    def names(*fold: str) -> list[str]:
        return [part.name for part in overview(graph, nodes, shape=Shape(fold=fold)).parts]

    assert len(names()) == 5
    assert names("chain") == ["chain of 5: //a:x … //a:three"]
    assert len(names("macro", "chain")) <= 2
