"""Targets that BUILD files make: values, defaults, generators, outputs."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition, OutputFile, Selector, SelectorList, SourceFile
from bzlgraph.facts import for_version
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeFlag
from tests.bazel.build_file import build, problems, rule
from tests.bazel.memory_workspace import package

MACROS = """
def inner(name, **kwargs):
    native.filegroup(name = name + "_in", **kwargs)

def outer(name = "none", **kwargs):
    inner(name, **kwargs)
    native.genrule(name = name, outs = [name + ".o"], cmd = "x")
"""


def label(name: str, package: str = "pkg") -> Label:
    return Label("", package, name)


def test_values_are_plain_data() -> None:
    package = build(
        'cc_library(name = "x", srcs = ["a.cc", "//o:b", Label("//c")], tags = ["b", "a", "b"],'
        " linkstatic = 1, hdrs = None)"
    )
    assert problems(package) == []
    assert rule(package, "x").values == {
        "name": "x",
        "srcs": [label("a.cc"), label("b", "o"), label("c", "c")],
        "tags": ["a", "b", "b"],
        "linkstatic": True,
    }
    assert rule(package, "x").get("alwayslink") is False
    assert rule(package, "x").get("hdrs") == []


def test_select_stays_select() -> None:
    package = build('cc_library(name = "x", srcs = ["a"] + select({":c": ["b"], "//conditions:default": None}))')
    value = rule(package, "x").values["srcs"]
    assert isinstance(value, SelectorList)
    plain, selector = value.parts
    assert plain == [label("a")]
    assert isinstance(selector, Selector)
    assert selector.branches == (
        (Condition(label("c")), [label("b")]),
        (Condition(Label("", "conditions", "default")), None),
    )
    assert isinstance(package.targets["c"], SourceFile)


@pytest.mark.parametrize(("version", "kept"), [("4.2.3", ["new"]), ("7.7.1", ["old", "new"])])
def test_two_keys_that_are_one_label(version: str, kept: list[str]) -> None:
    package = build('filegroup(name = "x", srcs = select({"a": ["old"], ":a": ["new"]}))', version=version)
    assert problems(package) == []
    value = rule(package, "x").values["srcs"]
    assert value.parts[0].branches == tuple((Condition(label("a")), [label(each)]) for each in kept)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('filegroup(name = "x", generator_name = "n")', ("n", "", "")),
        ('outer(name = "x", generator_name = "n")', ("n", "outer", "pkg/BUILD:1:6")),
        ('outer(name = "x", generator_function = "f")', ("x", "f", "pkg/BUILD:1:6")),
        ('outer(name = "x")', ("x", "outer", "pkg/BUILD:1:6")),
    ],
)
def test_a_generator_that_is_written_counts(call: str, words: tuple[str, str, str]) -> None:
    package = build(call, macros="def outer(**kwargs):\n    native.filegroup(**kwargs)\n")
    assert problems(package) == []
    assert rule(package, "x").generator_words(for_version("4.2.3")) == words


def test_unknown_value_is_a_select_with_an_unknown_condition() -> None:
    package = build('cc_library(name = "x", deps = [":a"] + unknown_macro(["//m:b"]))')
    value = rule(package, "x").values["deps"]
    assert isinstance(value, SelectorList)
    assert value.parts[0] == [label("a")]
    ((condition, possible),) = value.parts[1].branches
    assert condition.label is None
    assert condition.unknown.startswith("unknown_macro(")
    assert possible == [label("b", "m")]
    assert "b" not in package.targets


def test_unknown_value_where_no_select_may_stand() -> None:
    package = build('cc_library(name = "x", tags = ["z", "y"] + unknown_macro(["a"]))')
    assert problems(package) == []
    assert rule(package, "x").values["tags"] == ["y", "z"]
    assert package.gaps


def test_target_of_unknown_rule_class() -> None:
    package = build(
        'unknown_macro(name = "x", deps = ["a", "//b"], copts = ["-c"], note = "a sentence", tool = "@r//:t")'
    )
    made = rule(package, "x")
    assert made.rule_class.unknown
    assert made.kind == "unknown_macro rule"
    assert made.values["deps"] == [label("a"), label("b", "b")]
    assert made.values["copts"] == ["-c"]
    assert made.values["tool"] == Label("r", "", "t")


@pytest.mark.parametrize(
    ("call", "name", "generator"),
    [
        ('outer(name = "o")', "o_in", "o"),
        ('outer("o")', "o_in", "o_in"),
        ('[outer(name = "o%d" % i) for i in range(2)]', "o1_in", "o1_in"),
        ("outer()", "none_in", "none_in"),
    ],
)
def test_generator(call: str, name: str, generator: str) -> None:
    package = build(f"\n{call}\n", macros=MACROS)
    made = rule(package, name)
    assert made.generator is not None
    assert (made.generator.name, made.generator.function) == (generator, "outer")
    assert [frame.function for frame in made.stack] == ["inner", "outer", "<toplevel>"]
    assert made.location == made.generator.location
    assert made.location.line == 2


def test_no_generator_without_macro() -> None:
    assert rule(build('[filegroup(name = n) for n in ["a"]]'), "a").generator is None


@pytest.mark.parametrize(("version", "columns"), [("0.19.1", (1, 2)), ("4.2.3", (6, 7))])
def test_column_of_a_call(version: str, columns: tuple[int, int]) -> None:
    text = 'outer(name = "o")\n[outer(name = "p%d" % i) for i in range(1)]\n'
    package = build(text, macros=MACROS, version=version)
    assert (rule(package, "o").location.column, rule(package, "p0").location.column) == columns


def test_outputs() -> None:
    package = build('cc_binary(name = "b")\ngenrule(name = "g", outs = ["x", ":d/y"], cmd = "", executable = 1)')
    assert rule(package, "b").outputs == (label("b.stripped"), label("b.dwp"))
    assert rule(package, "g").outputs == (label("x"), label("d/y"))
    made = package.targets["d/y"]
    assert isinstance(made, OutputFile)
    assert (made.rule, made.attribute) == (label("g"), "outs")
    assert rule(package, "g").get("$is_executable") is False  # two outputs


def test_output_with_the_name_of_its_rule() -> None:
    package = build('genrule(name = "same", outs = ["same"], cmd = "")')
    assert problems(package) == []
    assert rule(package, "same").outputs == (label("same"),)


@pytest.mark.parametrize(
    ("arguments", "timeout"),
    [("", "moderate"), ('size = "small"', "short"), ('size = "large", timeout = "short"', "short")],
)
def test_timeout_follows_size(arguments: str, timeout: str) -> None:
    made = rule(build(f'sh_test(name = "t", {arguments})'), "t")
    assert made.get("timeout") == timeout
    assert ("timeout" in made.values) == ("timeout" in arguments)


def test_implicit_dependencies_of_a_version() -> None:
    old = rule(build('cc_library(name = "x")', version="0.19.1"), "x")
    new = rule(build('cc_library(name = "x")', version="4.2.3"), "x")
    assert old.get("$stl_default") == Label("bazel_tools", "tools/cpp", "stl")
    assert new.get("$stl_default") is None
    attribute = new.rule_class.attributes[":cc_toolchain"]
    assert attribute.late_bound
    assert attribute.default == Label("bazel_tools", "tools/cpp", "toolchain")


def test_labels_of_other_repositories() -> None:
    package = build(
        'filegroup(name = "x", srcs = ["a", "//b:c", "@//d", "@r"], visibility = ["//visibility:public"])', repo="own"
    )
    made = rule(package, "x")
    assert made.values["srcs"] == [
        Label("own", "pkg", "a"),
        Label("own", "b", "c"),
        Label("", "d", "d"),
        Label("r", "", "r"),
    ]
    assert made.visibility == (Label("", "visibility", "public"),)


def test_a_size_that_is_none_has_an_illegal_timeout() -> None:
    package = build('sh_test(name = "x", srcs = ["x.sh"], size = "nope")')
    assert problems(package) == ["//pkg:x: In rule 'x', size 'nope' is not a valid size."]
    assert rule(package, "x").get("timeout") == "illegal"


@pytest.mark.parametrize(("version", "refused"), [("2.1.0", True), ("4.2.3", False), ("7.7.1", False)])
def test_the_scope_of_a_genquery_may_repeat(version: str, refused: bool) -> None:
    package = build('genquery(name = "x", expression = "//a", scope = ["//a", "//a"])', version=version)
    words = "Label '//a:a' is duplicated in the 'scope' attribute of rule 'x'"
    assert problems(package) == [words] * refused


@pytest.mark.parametrize(
    ("arguments", "version", "words"),
    [
        ('default_applicable_licenses = ["//a"]', "2.1.0", "unexpected keyword argument: default_applicable_licenses"),
        ('default_applicable_licenses = ["//a"]', "4.2.3", ""),
        ('default_package_metadata = ["//a"]', "4.2.3", "unexpected keyword argument: default_package_metadata"),
        ('default_package_metadata = ["//a"]', "7.7.1", ""),
        (
            'default_package_metadata = ["//a"], default_applicable_licenses = ["//a"]',
            "7.7.1",
            (
                "Can not set both default_package_metadata and default_applicable_licenses. "
                "Move all declarations to default_package_metadata."
            ),
        ),
    ],
)
def test_arguments_of_package(arguments: str, version: str, words: str) -> None:
    assert problems(build(f"package({arguments})", version=version)) == [words] * bool(words)


def test_a_lambda_is_one_frame_whatever_its_parameters() -> None:
    macros = """
def _made(**given):
    native.cc_library(**given)

by_names = lambda **given: _made(**given)
by_all = lambda *args, **given: [_made(name = name, **given) for name in args]
nested = lambda **given: (lambda **inner: _made(**inner))(**given)
"""
    package = build('\nby_names(name = "a")\nby_all("b", "c")\nnested(name = "d")\n', macros=macros)
    stacks = {name: [frame.function for frame in rule(package, name).stack] for name in "acd"}
    once = ["_made", "lambda", "<toplevel>"]
    assert stacks == {"a": once, "c": once, "d": ["_made", "lambda", "lambda", "<toplevel>"]}


def test_a_lambda_with_kwargs_may_stand_wherever_an_expression_may() -> None:
    macros = """
given = [each for each in (lambda **k: sorted(k))(b = 1, a = 2)]
nested = [[low for low in (lambda **k: sorted(k))(c = high)] for high in "d".elems() if (lambda **k: k)(x = 1)]
kept = (lambda **k: [lambda: k, lambda: k])(e = 1)
"""
    package = build("\n[filegroup(name = each) for each in given + nested[0] + kept[1]().keys()]\n", macros=macros)
    assert [name for name in package.targets if name != "BUILD"] == ["a", "b", "c", "e"]


def test_kwargs_of_a_lambda_are_a_dict_of_its_own() -> None:
    macros = """
taken = lambda **given: given.pop("name") + str(type(given))
def told(**given):
    native.cc_library(name = taken(**given))
    native.cc_library(name = given["name"])
"""
    assert {"a", "adict"} <= build('\ntold(name = "a")\n', macros=macros).targets.keys()


def test_a_macro_may_set_a_private_attribute_by_the_name_it_has_inside_bazel() -> None:
    """As rules_android does. It is as written then: ``--noimplicit_deps`` follows it. Asked of 0.19.1 to 7.7.1."""
    text = """
--- BUILD
--- a.bzl
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = {"_tool": attr.label(default = ":t"), "_x": attr.string()})
def m(name):
    r(name = name, **{"$tool": ":u", "$x": "y"})
--- p/BUILD
load("//:a.bzl", "m", "r")
m(name = "a")
r(name = "b", _x = "refused")
r(name = "c")
"""
    made = package(text, "p")
    assert problems(made) == ["//p:b: no such attribute '_x' in 'r' rule"]
    a = rule(made, "a")
    assert a.values == {"name": "a", "$tool": label("u", "p"), "$x": "y"}
    edges = [(each.attribute, each.flags & EdgeFlag.IMPLICIT) for each in EdgeReader().read(a, made)]
    assert edges == [("_tool", 0)]
