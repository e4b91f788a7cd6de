"""What is drawn, and that the same picture gives the same bytes."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import parse
from bzlgraph.export.data import to_json
from bzlgraph.export.overview.build import MAX_NODES, Shape, overview
from bzlgraph.export.overview.drawing import picture_of
from bzlgraph.export.overview.forms import graph_bytes
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.mermaid import to_mermaid
from bzlgraph.export.pictures.palette import LOOKS, family_of
from bzlgraph.export.pictures.picture import ArrowStyle, Picture
from bzlgraph.export.pictures.why_picture import why_picture
from bzlgraph.export.query_formats.rows import targets_table
from bzlgraph.export.row_formats.columnar import frame as frame_of
from bzlgraph.export.save import save_graph, svg_text
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.environment import Environment
from bzlgraph.query.evaluate import query
from bzlgraph.why.ask import why
from tests.golden import check_golden
from tests.graph.tree import Select, Tree, plain_tree, plus


def sample() -> Tree:
    """A little of everything a picture can show."""
    tree = Tree()
    windows = Select({"//c:windows": ["//lib:win"], "//conditions:default": ["//lib:unix"]})
    cuda = Select({"if_cuda(...)": ["//lib:cuda"]})
    tree.rule(
        "//app:main", "py_binary", line=3, srcs=["main.py"], deps=plus(["//app:core", "//lib:base"], windows, cuda)
    )
    tree.rule("//app:core", "py_library", deps=["//lib:base", "@absent//:x"])
    tree.rule("//lib:base", srcs=[f"part{n}.cc" for n in range(9)], deps=["//app:gen.h", "//lib:gone"])
    tree.rule("//lib:win", macro=[("my_macro", "lib/defs.bzl", 4)], deps=["//lib:base"])
    tree.rule("//lib:unix", "cc_test", deps=["//lib:base"])
    tree.rule("//lib:cuda", "alias", actual=["//lib:base"])
    tree.rule("//app:gen", "genrule", outs=["gen.h"], tools=["//tools:t"], visibility=["//app:friends"])
    tree.rule("//tools:t", "sh_binary", _deep=["//c:os"])
    tree.rule("//c:windows", "config_setting", constraint_values=["//c:os"])
    tree.rule("//c:os", "constraint_value")
    tree.group("//app:friends")
    return tree


def answer(tree: Tree, text: str) -> QueryAnswer:
    return query(text, Environment(tree.graph()))


def picture(tree: Tree, text: str, **options: object) -> Picture:
    found = answer(tree, text)
    shape = Shape(**options)  # type: ignore[arg-type]
    return picture_of(overview(found.graph, found.nodes, shape=shape, title=text), found.graph.labels)


def test_dot() -> None:
    text = to_dot(picture(sample(), "deps(//app:main)"))
    check_golden("export/sample.dot", text)
    assert text == to_dot(picture(sample(), "deps(//app:main)"))


def test_mermaid() -> None:
    check_golden("export/sample.mmd", to_mermaid(picture(sample(), "deps(//app:main)")))


def test_json_has_every_reason_and_parses_back() -> None:
    found = answer(sample(), "deps(//app:main)")
    text = to_json(found.graph, found.nodes)
    check_golden("export/sample.json", text)
    data = json.loads(text)
    assert [node["label"] for node in data["nodes"]] == sorted(node["label"] for node in data["nodes"])
    (edge,) = [e for e in data["edges"] if (e["source"], e["target"]) == ("//app:main", "//lib:win")]
    assert edge["reasons"] == [{"attribute": "deps", "when": "//c:windows", "flags": []}]


def test_graphml_parses_back() -> None:
    found = answer(sample(), "deps(//app:main)")
    view = nx.parse_graphml(graph_bytes(found, "graphml").data.decode())
    assert set(view) == set(map(str, found))
    assert view.edges["//app:main", "//lib:unix"]["conditions"] == "//conditions:default (not //c:windows)"


def test_conditions_and_many_files_are_told_not_drawn() -> None:
    drawn = picture(sample(), "deps(//app:main)")
    boxes = {box.id for box in drawn.boxes}
    assert not boxes & {"//c:windows", "//app:friends", "//lib:part0.cc"}
    assert "//c:os" in boxes  # also the default of a tool
    assert "9 source files of //lib:base" in boxes
    assert "2 conditions and package groups hidden" in drawn.notes
    everything = picture(sample(), "deps(//app:main)", collapse="none")
    assert {"//c:windows", "//app:friends", "//lib:part0.cc"} <= {box.id for box in everything.boxes}


def test_a_target_asked_for_alone_is_drawn_whatever_it_is() -> None:
    assert [box.id for box in picture(sample(), "//c:windows").boxes] == ["//c:windows"]


def test_arrows_say_how_they_hold() -> None:
    styles = {(a.source, a.target): (a.style, a.text) for a in picture(sample(), "deps(//app:main)").arrows}
    assert styles["//app:main", "//lib:win"] == (ArrowStyle.CONDITIONAL, "windows")
    assert styles["//app:main", "//lib:unix"] == (ArrowStyle.CONDITIONAL, "not windows")
    assert styles["//app:main", "//lib:cuda"] == (ArrowStyle.POSSIBLE, "if_cuda?")
    assert styles["//tools:t", "//c:os"] == (ArrowStyle.IMPLICIT, "")
    assert ("//app:main", "//lib:base") not in styles  # implied by //app:core


def test_a_label_in_every_branch_is_always_there() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=Select({"//c:w": ["//a:y", "//a:z"], "//conditions:default": ["//a:y"]}))
    tree.rule("//a:y")
    tree.rule("//a:z")
    styles = {arrow.target: arrow.style for arrow in picture(tree, "//a:all").arrows}
    assert styles == {"//a:y": ArrowStyle.PLAIN, "//a:z": ArrowStyle.CONDITIONAL}


def big_tree(packages: int) -> Tree:
    """Two layers of packages with four targets each; every package of the upper one names all of the lower one."""
    tree = Tree()
    for a in range(packages):
        for b in range(4):
            tree.rule(f"//low{a % 3}/p{a}:t{b}")
            tree.rule(f"//high/p{a}:t{b}", deps=[f"//low{c % 3}/p{c}:t{(b + c) % 4}" for c in range(packages)])
    return tree


def test_too_many_targets_collapse_to_packages_and_say_so() -> None:
    drawn = picture(big_tree(10), "//...")
    assert drawn.notes == ("80 targets folded into 20 boxes",)
    assert {box.detail for box in drawn.boxes} == {"4 targets"}
    assert {arrow.count for arrow in drawn.arrows} == {4}
    drawn = picture(big_tree(31), "//...")  # 62 packages: folders it is, and those stay apart that can
    assert 1 < len(drawn.boxes) <= MAX_NODES
    assert sum(map(len, drawn.members.values())) == 248


@pytest.mark.parametrize("limit", range(1, 30))
def test_max_nodes_holds(limit: int) -> None:
    for packages in (3, 12):
        assert len(picture(big_tree(packages), "//...", max_nodes=limit).boxes) <= limit


def test_collapse_by_hand() -> None:
    assert len(picture(big_tree(5), "//...", collapse="package").boxes) == 10
    assert len(picture(big_tree(5), "//...", collapse="repo").boxes) == 1
    assert len(picture(big_tree(5), "//...", collapse="none").boxes) == 40
    with pytest.raises(UsageProblem):
        picture(big_tree(5), "//...", collapse="sideways")


def test_strange_names_are_quoted() -> None:
    tree = Tree()
    tree.rule('//p:a<b>&"c" d', deps=["//p:x#y"])
    tree.rule("//p:x#y")
    found = answer(tree, "//p:all")
    for output in ("svg", "mermaid", "json", "graphml", "html", "dot"):
        assert graph_bytes(found, output).data
    ElementTree.fromstring(graph_bytes(found, "svg").data)


@pytest.mark.parametrize("name", ["x.svg", "x.png", "x.html", "x.dot", "x.gv", "x.mmd", "x.json", "x.graphml"])
def test_every_format_is_written(tmp_path: Path, name: str) -> None:
    saved = save_graph(answer(sample(), "deps(//app:main)"), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert data == saved.data
    assert saved.data


def test_an_html_page_needs_no_network(tmp_path: Path) -> None:
    save_graph(replace(answer(sample(), "deps(//app:main)"), text="'a <title>'"), tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert "<svg" in page
    assert "a &lt;title&gt;" in page
    assert not any(word in page for word in ("src=", "@import", "fetch(", "<link", "import("))


def test_unknown_formats_and_folders_are_usage_problems(tmp_path: Path) -> None:
    found = answer(sample(), "//app:main")
    for path in (tmp_path / "x.bmp", tmp_path / "x", tmp_path / "no" / "x.dot"):
        with pytest.raises(UsageProblem):
            save_graph(found, path)


def test_the_picture_of_why() -> None:
    graph = sample().graph()
    goal, source = (graph.resolve(parse(text, "", "")) for text in ("//app:gen.h", "//app:main"))
    found = why(graph, goal, [source], paths=100)
    check_golden("export/why.dot", to_dot(why_picture(found)))
    ElementTree.fromstring(svg_text(why_picture(found)))
    nothing = why(graph, source, [goal])
    assert why_picture(nothing).notes == ("there is no path",)


def test_the_picture_of_one_path_of_many_says_so() -> None:
    graph = sample().graph()
    names = ("//app:main", "//app:core", "//lib:win", "//lib:unix", "//lib:base")
    starts = [graph.resolve(parse(text, "", "")) for text in names]
    found = why(graph, starts[-1], starts)
    assert "the path from 1 of 5 direct dependents" in why_picture(found).notes
    assert f"about {found.path_count} paths in all" in why_picture(found._replace(path_count_exact=False)).notes


def test_a_table_has_a_row_per_target() -> None:
    frame = frame_of(targets_table(answer(sample(), "//lib:all")))
    assert list(frame.columns) == ["label", "kind", "package", "location", "macro"]
    assert frame[frame["label"] == "//lib:win"].to_dict("records") == [
        {
            "label": "//lib:win",
            "kind": "cc_library rule",
            "package": "//lib",
            "location": "lib/BUILD:1",
            "macro": "my_macro",
        }
    ]


def test_families_are_known_to_the_palette() -> None:
    classes = ("cc_library", "py_test", "go_binary", "java_import", "proto_library", "genrule", "sh_binary", "alias")
    assert [family_of(each) for each in classes] == [
        "C++", "test", "other rule", "Java", "proto", "command", "shell", "alias or group",
    ]  # fmt: skip
    assert all(family_of(each) in LOOKS for each in classes)


def test_an_empty_picture_is_a_picture() -> None:
    assert graph_bytes(answer(plain_tree({"a": []}), "set()"), "svg").data.decode().count("<svg") == 1


@pytest.mark.skipif(shutil.which("dot") is None, reason="compares with a `dot` program")
def test_dot_programs_accept_the_golden_file() -> None:
    assert "<svg" in graph_bytes(answer(sample(), "deps(//app:main)"), "svg").data.decode()
