"""Which edges a target has, and the reason each one keeps."""

from __future__ import annotations

from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import (
    Aspect,
    Attribute,
    AttrType,
    OutputFile,
    Package,
    Rule,
    RuleClass,
    SourceFile,
)
from bzlgraph.graph.edges import EdgeReader, attribute_labels
from bzlgraph.graph.model import EdgeFlag, condition_text
from bzlgraph.graph.package_reader import PackageReader
from tests.graph.tree import Select, Tree, plus


def edges(tree: Tree, label: str) -> list[tuple[str, str, str, EdgeFlag]]:
    name = parse(label, "", "")
    package = tree.found[name.repo, name.package]
    return [
        (spec.attribute, str(spec.target), condition_text(spec.condition), EdgeFlag(spec.flags))
        for spec in EdgeReader().read(package.targets[name.name], package)
    ]


def test_the_type_of_an_attribute_decides() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=["//b:y"], copts=["//looks/like:a_label"])
    assert edges(tree, "//a:x") == [("deps", "//b:y", "", EdgeFlag(0))]


def test_a_select_gives_all_branches_and_its_conditions() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=plus(["//b:y"], Select({"//c:win": ["//b:w"], "//conditions:default": ["//b:l"]})))
    assert edges(tree, "//a:x") == [
        ("deps", "//b:y", "", EdgeFlag(0)),
        ("deps", "//c:win", "", EdgeFlag.KEY),
        ("deps", "//b:w", "//c:win", EdgeFlag(0)),
        ("deps", "//b:l", "//conditions:default (not //c:win)", EdgeFlag(0)),
    ]


def test_a_select_of_strings_depends_on_its_conditions() -> None:
    tree = Tree()
    tree.rule("//a:x", copts=Select({"//c:win": ["/W3"], "//conditions:default": []}))
    assert edges(tree, "//a:x") == [("copts", "//c:win", "", EdgeFlag.KEY)]


def test_a_call_nobody_can_evaluate_makes_possible_edges() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=Select({"if_cuda(...)": ["//b:cuda"]}))
    assert edges(tree, "//a:x") == [("deps", "//b:cuda", "if_cuda(...) adds it (unknown)", EdgeFlag.POSSIBLE)]


def test_none_in_a_branch_is_the_default_of_the_attribute() -> None:
    tree = Tree()
    rule = tree.rule("//a:x", deps=Select({"//c:win": None, "//conditions:default": ["//b:l"]}))
    rule.rule_class.attributes["deps"] = Attribute("deps", AttrType.LABEL_LIST, [Label("", "b", "default")])
    assert ("deps", "//b:default", "//c:win", EdgeFlag(0)) in edges(tree, "//a:x")


def test_what_nobody_wrote_is_implicit() -> None:
    tree = Tree()
    tree.rule("//a:x", "_py_wrap_cc", _swig=["@swig//:swig"])
    assert edges(tree, "//a:x") == [("_swig", "@swig//:swig", "", EdgeFlag.IMPLICIT)]


def test_a_value_that_was_written_replaces_the_default() -> None:
    attributes = {"malloc": Attribute("malloc", AttrType.LABEL, Label("t", "", "malloc"))}
    rule_class = RuleClass("cc_binary", attributes)
    place = Tree().rule("//a:x").stack
    for values, expected in (({}, ("@t//:malloc", 1)), ({"malloc": Label("", "m", "m")}, ("//m:m", 0))):
        rule = Rule(Label("", "a", "x"), rule_class, values, place)
        (spec,) = EdgeReader().read(rule, Package("", "a", Label("", "a", "BUILD")))
        assert (str(spec.target), spec.flags) == expected


def test_nodep_and_output_attributes_are_no_edges() -> None:
    attributes = {
        "toolchain": Attribute("toolchain", AttrType.LABEL, nodep=True),
        "outs": Attribute("outs", AttrType.OUTPUT_LIST),
        "host": Attribute("host", AttrType.LABEL, tool=True),
    }
    values = {"toolchain": Label("", "t", "t"), "outs": [Label("", "a", "o")], "host": Label("", "h", "h")}
    rule = Rule(Label("", "a", "x"), RuleClass("r", attributes), values, Tree().rule("//a:x").stack)
    package = Package("", "a", Label("", "a", "BUILD"))
    assert [(str(s.target), EdgeFlag(s.flags)) for s in EdgeReader().read(rule, package)] == [("//h:h", EdgeFlag.TOOL)]
    assert attribute_labels(rule, "outs", rule.get("outs"), package) == [Label("", "a", "o")]
    assert attribute_labels(rule, "no_such_attribute", None, package) == []


def test_dictionaries_give_the_labels_on_either_side() -> None:
    keyed, valued = AttrType.LABEL_KEYED_STRING_DICT, AttrType.STRING_KEYED_LABEL_DICT
    attributes = {"k": Attribute("k", keyed), "v": Attribute("v", valued)}
    values = {"k": {Label("", "b", "k"): "//no:label"}, "v": {"//no:label": Label("", "b", "v")}}
    rule = Rule(Label("", "a", "x"), RuleClass("r", attributes), values, Tree().rule("//a:x").stack)
    read = EdgeReader().read(rule, Package("", "a", Label("", "a", "BUILD")))
    assert [str(spec.target) for spec in read] == ["//b:k", "//b:v"]


def test_an_aspect_brings_its_own_attributes() -> None:
    base = Aspect("base", {"_tool": Attribute("_tool", AttrType.LABEL, Label("", "t", "base"), implicit=True)})
    aspect = Aspect("gen", {"_gen": Attribute("_gen", AttrType.LABEL, Label("", "t", "gen"), tool=True)}, (), (base,))
    attributes = {"deps": Attribute("deps", AttrType.LABEL_LIST, aspects=(aspect,))}
    package = Package("", "a", Label("", "a", "BUILD"))
    stack = Tree().rule("//a:x").stack
    rule = Rule(Label("", "a", "x"), RuleClass("r", attributes), {"deps": [Label("", "b", "y")]}, stack)
    assert [(s.attribute, str(s.target), EdgeFlag(s.flags)) for s in EdgeReader().read(rule, package)] == [
        ("deps", "//b:y", EdgeFlag(0)),
        ("_gen", "//t:gen", EdgeFlag.IMPLICIT | EdgeFlag.TOOL | EdgeFlag.ASPECT),
        ("_tool", "//t:base", EdgeFlag.IMPLICIT | EdgeFlag.ASPECT),
    ]
    empty = Rule(Label("", "a", "x"), RuleClass("r", attributes), {"deps": []}, stack)
    assert list(EdgeReader().read(empty, package)) == []


def test_an_aspect_that_names_nothing_asks_for_no_other_package() -> None:
    attributes = {"deps": Attribute("deps", AttrType.LABEL_LIST, aspects=(Aspect("collect", {}),))}
    package, label = Package("", "a", Label("", "a", "BUILD")), Label("", "a", "x")
    deps = {"deps": [Label("", "b", "y")]}
    package.targets["x"] = Rule(label, RuleClass("r", attributes), deps, Tree().rule("//a:x").stack)
    alone = PackageReader().read(package)
    assert alone is not None, "its edges depend on no other package"
    assert alone.others == ((0, "y"),)


def test_an_unknown_rule_has_whatever_looks_like_a_label() -> None:
    package = Package("", "a", Label("", "a", "BUILD"))
    package.targets["y.cc"] = SourceFile(Label("", "a", "y.cc"), Location("a/BUILD", 1, 1))
    values = {"name": "x", "srcs": ["y.cc", "no_target"], "deps": [":z", "//b"], "text": "//not a:: label"}
    rule = Rule(Label("", "a", "x"), RuleClass("mystery", {}, unknown=True), values, Tree().rule("//a:x").stack)
    assert [(s.attribute, str(s.target), s.flags) for s in EdgeReader().read(rule, package)] == [
        ("srcs", "//a:y.cc", EdgeFlag.POSSIBLE),
        ("deps", "//a:z", EdgeFlag.POSSIBLE),
        ("deps", "//b:b", EdgeFlag.POSSIBLE),
    ]


def test_visibility_names_groups_only() -> None:
    tree = Tree()
    public = ["//visibility:public", "//x:__pkg__", "//x:__subpackages__", "//a:friends"]
    tree.rule("//a:x", visibility=public)
    tree.rule("//a:quiet")
    tree.file("//a:f.h")
    tree.file("//a:own.h", visibility=["//a:others"])
    tree.group("//a:friends", includes=["//b:more"])
    tree.found["", "a"].default_visibility = (parse("//a:friends", "", ""), "//visibility:private")
    written = EdgeFlag.VISIBILITY | EdgeFlag.NODEP
    assert edges(tree, "//a:x") == [("visibility", "//a:friends", "", written)]
    assert edges(tree, "//a:quiet") == [("visibility", "//a:friends", "", written | EdgeFlag.IMPLICIT)]
    assert edges(tree, "//a:f.h") == [("visibility", "//a:friends", "", EdgeFlag.VISIBILITY)]
    assert edges(tree, "//a:own.h") == [("visibility", "//a:others", "", EdgeFlag.VISIBILITY)]
    assert edges(tree, "//a:friends") == [("includes", "//b:more", "", EdgeFlag(0))]


def test_a_generated_file_depends_on_its_rule() -> None:
    tree = Tree()
    tree.rule("//a:gen", "genrule", outs=["out.txt"])
    assert isinstance(tree.found["", "a"].targets["out.txt"], OutputFile)
    assert edges(tree, "//a:out.txt") == [("", "//a:gen", "", EdgeFlag.OUTPUT)]


def test_an_edge_is_listed_once() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=["//b:y", "//b:y"])
    graph = tree.graph()
    assert len(graph.edges_from(graph.resolve(parse("//a:x", "", "")))) == 1


def test_an_edge_knows_all_conditions_of_its_select() -> None:
    tree = Tree()
    branches = {"//c:one": ["//a:y"], "//c:two": ["//a:z"], "//conditions:default": []}
    tree.rule("//a:x", deps=Select(branches))
    package = tree.found["", "a"]
    found = EdgeReader().read(package.targets["x"], package)
    terms = [spec.condition[0] for spec in found if spec.condition]
    assert [(str(term), [str(other) for other in term.others]) for term in terms] == [
        ("//c:one", ["//c:two", "//conditions:default"]),
        ("//c:two", ["//c:one", "//conditions:default"]),
    ]
