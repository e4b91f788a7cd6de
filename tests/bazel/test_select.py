"""Selects on their way into the model: parts, keys, branches, places."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Selector, SelectorList
from tests.bazel.memory_workspace import package, problems, rule


def deps(text: str) -> SelectorList:
    value = rule(package(f"--- p/BUILD\ncc_library(name = 'x', deps = {text})\n", "p"), "x").get("deps")
    assert isinstance(value, SelectorList)
    return value


def test_parts_keep_their_order() -> None:
    value = deps("['a'] + select({':c': ['b'], '//conditions:default': None}, no_match_error = 'no') + ('d',)")
    first, selector, last = value.parts
    assert (first, last) == ([Label("", "p", "a")], [Label("", "p", "d")])
    assert isinstance(selector, Selector)
    assert selector.no_match_error == "no"
    assert [(str(condition), branch) for condition, branch in selector.branches] == [
        ("//p:c", [Label("", "p", "b")]),
        ("//conditions:default", None),
    ]
    assert selector.location is not None
    assert (selector.location.path, selector.location.line) == ("p/BUILD", 1)


def test_keys_of_macros_resolve_in_the_package_and_labels_in_their_file() -> None:
    text = """
--- lib/BUILD
--- lib/defs.bzl
def f():
    return select({":c": ["//q"], Label(":c"): ["r"]})
--- p/BUILD
load("//lib:defs.bzl", "f")
cc_library(name = "x", deps = f())
"""
    (selector,) = rule(package(text, "p"), "x").get("deps").parts
    assert [str(condition) for condition, _ in selector.branches] == ["//p:c", "//lib:c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cc_library(name = 'x', deps = select({':c': select({':d': []})}))",
            (
                "//p:x: expected value of type 'list(label)' for attribute 'deps' in 'cc_library' rule, "
                'but got select({":d": []}) (select)'
            ),
        ),
        (
            "cc_library(name = 'x', deps = [select({':d': 'a'})])",
            (
                "//p:x: expected value of type 'string' for element 0 of attribute 'deps' in 'cc_library' rule, "
                'but got select({":d": "a"}) (select)'
            ),
        ),
        (
            "cc_library(name = 'x', tags = select({':d': ['a']}))",
            '//p:x: attribute "tags" is not configurable',
        ),
        (  # the first branch says the type: asked of Bazel 0.19.1, 2.1.0, 4.2.3 and 7.7.1
            "x = select({':d': None, '//conditions:default': ['b']}) + ['a']",
            "'+' operator applied to incompatible types (select of NoneType, list)",
        ),
        ("x = ['a'] + select({':d': 'b'})", "'+' operator applied to incompatible types (list, select of string)"),
    ],
)
def test_wrong_uses(text: str, message: str) -> None:
    assert problems(package(f"--- p/BUILD\n{text}\n", "p")) == [message]


def test_adding_to_a_list_rebinds_it() -> None:
    text = "--- BUILD\na = ['x']\nb = a\na += select({':c': ['y']})\nfilegroup(name = 'f', srcs = b)\n"
    assert rule(package(text), "f").get("srcs") == [Label("", "", "x")]


@pytest.mark.parametrize(
    ("attribute", "text", "plain"),
    [
        ("deps", "['a'] + select({D: ['b']}) + select({D: ['c']})", ["//:a", "//:b", "//:c"]),
        ("deps", "select({D: ['b']})", ["//:b"]),
        ("deps", "select({D: []})", []),
        ("deps", "select({D: ['b']}) + select({':c': ['b'], D: []})", None),
        ("deps", "select({':c': ['b']})", None),
        ("include_prefix", "select({D: None})", None),
        ("include_prefix", "'x' + select({D: 'y'})", "xy"),
        ("alwayslink", "select({D: True})", True),
    ],
)
@pytest.mark.parametrize("version", ["7.7.1", "8.0.1", "9.0.0"])
def test_what_no_condition_decides_is_plain_since_bazel_8(
    attribute: str, text: str, plain: object, version: str
) -> None:
    code = text.replace("D:", "'//conditions:default':")
    build = f"load(':d.bzl', 'lib')\nlib(name = 'x', {attribute} = {code})\n"
    attrs = "{'deps': attr.label_list(), 'include_prefix': attr.string(), 'alwayslink': attr.bool()}"
    bzl = f"lib = rule(lambda ctx: None, attrs = {attrs})\n"
    value = rule(package(f"--- BUILD\n{build}--- d.bzl\n{bzl}", version=version), "x").get(attribute)
    if version == "7.7.1" or plain is None:
        assert isinstance(value, SelectorList)
    else:
        assert ([str(each) for each in value] if isinstance(value, list) else value) == plain


SHARED = """
--- lib/BUILD
--- lib/defs.bzl
def flags(name, other = False):
    return ["-a"] + select({":" + name: ["-x"], "//conditions:default": [":y" if other else "x"]})

def by_default(value):
    return select({"//conditions:default": value})
--- p/BUILD
load("//lib:defs.bzl", "flags", "by_default")
cc_library(name = "a", copts = flags("c"))
cc_library(name = "b", copts = flags("c"), linkopts = flags("c"))
cc_library(name = "d", copts = flags("d"))
cc_library(name = "e", copts = flags("c", True))
cc_library(name = "f", deps = by_default(["x"]), copts = by_default(["x"]))
"""


def test_what_is_written_alike_is_one_value() -> None:
    found = package(SHARED, "p")
    assert problems(found) == []
    copts = {name: rule(found, name).get("copts") for name in "abdef"}
    assert copts["a"] is copts["b"]
    assert copts["a"] is rule(found, "b").get("linkopts")
    assert copts["a"] != copts["d"]
    assert copts["a"] != copts["e"]


def test_what_is_written_alike_is_converted_by_the_type_of_its_attribute() -> None:
    found = package(SHARED, "p")
    values = [rule(found, "f").get(name).parts[0].branches[0][1] for name in ("deps", "copts")]
    assert values == [[Label("", "p", "x")], ["x"]]
