"""Targets as plain BUILD text."""

from __future__ import annotations

import ast

from bzlgraph.base.label import parse
from bzlgraph.export.expand_text import expand
from tests.golden import check_golden
from tests.graph.tree import Select, Tree, plus


def sample() -> Tree:
    tree = Tree()
    choice = Select({"//c:windows": [":win"], "//conditions:default": None})
    deps = plus([":base", "//lib", "@r//:r", "@r//q:z"], choice, Select({"if_cuda([...])": [":cuda"]}))
    tree.rule("//a:plain", line=2, srcs=["one.cc"], copts=['-DX="y\\z"', "-O2"], deps=deps, testonly=True)
    tree.rule("//a:empty", "filegroup", line=9, srcs=[])
    macro = [("outer", "a/defs.bzl", 3), ("_inner", "a/inner.bzl", 9)]
    made = tree.rule(
        "//a:made", "_impl", line=20, macro=macro, outs=["made.h"], visibility=["//b:__pkg__"], _tool=[":t"]
    )
    made.rule_class.bzl = parse("//a:inner.bzl", "", "")
    tree.group("//a:friends", includes=[":more"])
    unknown = tree.rule("//a:mystery", "mystery_rule", line=30)
    unknown.rule_class.unknown = True
    return tree


LABELS = (
    "//a:plain",
    "//a:empty",
    "//a:made",
    "//a:made.h",
    "//a:one.cc",
    "//a:friends",
    "//a:mystery",
    "//a:gone",
    "@r//q:z",
)


def text(label: str) -> str:
    graph = sample().graph()
    node = graph.resolve(parse(label, "", ""))
    target = graph.target(node)
    return f"# {label}: {graph.kind_words(node)}" if target is None else expand(target, graph.package_of(node))


def test_targets_as_text() -> None:
    check_golden("expand/targets.txt", "".join(f"{text(label)}\n\n" for label in LABELS))


def test_the_text_is_code() -> None:
    for label in LABELS:
        ast.parse(text(label))  # BUILD files are a subset of Python's syntax
