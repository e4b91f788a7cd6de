"""attr.*: types, defaults, legacy arguments, and where label defaults resolve."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import AttrType
from bzlgraph.bazel.rules.attr import KINDS, native_name
from tests.bazel.expressions import evaluate
from tests.bazel.memory_workspace import package, problems, rule


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_makes_a_rule(kind: str) -> None:
    text = f"""
--- a.bzl
def _impl(ctx):
    pass
r = rule(
    implementation = _impl,
    attrs = {{"x": attr.{kind}(doc = "d"), "_y": attr.{kind}(), "m": attr.{kind}(mandatory = False)}},
)
--- BUILD
load("//:a.bzl", "r")
r(name = "t")
"""
    made = rule(package(text), "t")
    attribute = made.rule_class.attributes["x"]
    assert attribute.type is KINDS[kind].type
    assert made.get("x") == KINDS[kind].empty()
    assert made.rule_class.attributes["$y"].implicit
    assert attribute.configurable is (attribute.type not in (AttrType.OUTPUT, AttrType.OUTPUT_LIST))


LEGACY = [
    'attr.label(cfg = "data", single_file = True, allow_files = True)',
    'attr.label(cfg = "host", executable = True, allow_rules = ["cc_library"])',
    'attr.label(allow_single_file = [".cc"], flags = ["DIRECT_COMPILE_TIME_INPUT"])',
    "attr.label_list(non_empty = True, allow_empty = False, providers = [[CcInfo], [DefaultInfo]])",
    'attr.label_list(cfg = config.exec("group"), skip_validations = True)',
    "attr.label(aspects = [])",
    "attr.label(cfg = transition(implementation = lambda s, a: {}, inputs = [], outputs = []))",
    "attr.label(cfg = android_common.multi_cpu_configuration)",
    "attr.string_list(non_empty = True, configurable = False)",
    "attr.string_list_dict(default = {'a': ['b']}, allow_empty = True)",
    "attr.int(values = [1, 2])",
]


@pytest.mark.parametrize("text", LEGACY)
def test_arguments_of_all_versions(text: str) -> None:
    assert evaluate(text, "").startswith("= <attr.")


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
def test_lists_and_dictionaries_take_one_argument_without_a_name(version: str) -> None:
    """``allow_empty``, as 0.19.1, 4.2.3 and 7.7.1 take it; other kinds take none."""
    for text, message in (
        ("attr.string_list(False, default = ['a'])", ""),
        ("attr.label_keyed_string_dict(True)", ""),
        ("attr.string_list([])", "parameter 'allow_empty' got value of type 'list', want 'bool'"),
        ("attr.string_list(True, [])", "string_list() accepts no more than 1 positional argument but got 2"),
        ("attr.label_list(True, allow_empty = True)", "label_list() got multiple values for parameter 'allow_empty'"),
        ("attr.string(True)", "string() got unexpected positional argument"),
    ):
        found = package(f"--- BUILD\nload(':x.bzl', 'X')\n--- x.bzl\nX = {text}\n", version=version)
        said = [each.message for each in found.diagnostics]
        assert [message in each for each in said] == ([True] if message else []), (text, said)


def test_defaults_resolve_in_the_file_that_writes_them() -> None:
    text = """
--- lib/BUILD
--- lib/attrs.bzl
def tool():
    return attr.label(default = ":tool", cfg = "exec", executable = True)
ATTRS = {
    "_tools": attr.label_list(default = [":a", "//b", "@c//d"]),
    "keyed": attr.label_keyed_string_dict(default = {":k": "v"}),
}
--- p/BUILD
load("//p:defs.bzl", "r")
r(name = "x")
--- p/defs.bzl
load("//lib:attrs.bzl", "ATTRS", "tool")
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = dict(ATTRS, _tool = tool()))
"""
    x = rule(package(text, "p"), "x")
    assert x.get("$tool") == Label("", "lib", "tool")
    assert x.get("$tools") == [Label("", "lib", "a"), Label("", "b", "b"), Label("c", "d", "d")]
    assert x.get("keyed") == {Label("", "lib", "k"): "v"}
    tool = x.rule_class.attributes["$tool"]
    assert tool.tool
    assert tool.executable


def test_native_names() -> None:
    assert [native_name("a"), native_name("_a"), native_name("_a", late_bound=True)] == ["a", "$a", ":a"]


@pytest.mark.parametrize("call", ["attr.label(single_file = {})", "attr.string_list(non_empty = {})"])
def test_deprecated_parameters_are_taken_before_bazel_0_27(call: str) -> None:
    text = '--- BUILD\nload(":a.bzl", "A")\n--- a.bzl\nA = ' + call
    assert problems(package(text.format(True), version="0.26.1")) == problems(package(text.format(True))) == []
    assert "is not accepted since Bazel 0.27" in problems(package(text.format(True), version="0.27.0"))[0]
    assert problems(package(text.format(False), version="0.27.0")) == []
    assert "unexpected keyword argument" in problems(package(text.format(True), version="4.2.3"))[0]
