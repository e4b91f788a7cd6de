"""Which toolchains rule() asks for: as labels, as texts, optional, in groups, inherited, unknown."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import ExecGroup, ToolchainNeed
from tests.bazel.memory_workspace import package, problems, rule

TYPE, OTHER = Label("", "tc", "type"), Label("", "tc", "other")
CONSTRAINT = Label("", "tc", "fast")


def groups(arguments: str) -> tuple[ExecGroup, ...]:
    """The groups of a rule made with these arguments."""
    text = f"""
--- tc/BUILD
--- tc/defs.bzl
load("@absent//:x.bzl", "use_absent")
def _impl(ctx):
    pass

base = rule(implementation = _impl, extendable = True, toolchains = [":type"])
my_rule = rule(implementation = _impl, {arguments})
--- p/BUILD
load("//tc:defs.bzl", "my_rule")
my_rule(name = "x")
"""
    return rule(package(text, "p"), "x").rule_class.exec_groups


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", ()),
        ("toolchains = []", ()),
        ('toolchains = [":type"]', (ExecGroup("", (ToolchainNeed(TYPE),)),)),
        ('toolchains = [Label("//tc:type")]', (ExecGroup("", (ToolchainNeed(TYPE),)),)),
        (
            'toolchains = ["//tc:type", config_common.toolchain_type("//tc:other", mandatory = False)]',
            (ExecGroup("", (ToolchainNeed(TYPE), ToolchainNeed(OTHER, False))),),
        ),
        ('exec_compatible_with = ["//tc:fast"]', (ExecGroup("", (), (CONSTRAINT,)),)),
        (
            'exec_groups = {"link": exec_group(toolchains = ["//tc:type"], exec_compatible_with = ["//tc:fast"])}',
            (ExecGroup(""), ExecGroup("link", (ToolchainNeed(TYPE),), (CONSTRAINT,))),
        ),
        (
            'toolchains = ["//tc:type"], exec_groups = {"link": exec_group(copy_from_rule = True)}',
            (ExecGroup("", (ToolchainNeed(TYPE),)), ExecGroup("link", (ToolchainNeed(TYPE),))),
        ),
        ('parent = base, toolchains = [":other"]', (ExecGroup("", (ToolchainNeed(TYPE), ToolchainNeed(OTHER))),)),
        ('toolchains = [":type"] + use_absent()', (ExecGroup("", (), (), unknown=True),)),
        ('toolchains = [":type", use_absent()]', (ExecGroup("", (ToolchainNeed(TYPE),), (), unknown=True),)),
    ],
)
def test_groups_of_a_rule(arguments: str, expected: tuple[ExecGroup, ...]) -> None:
    assert groups(arguments) == expected


@pytest.mark.parametrize("arguments", ['exec_groups = {"a": exec_group()}', "exec_groups = {}"])
def test_bazel_4_has_groups_as_an_experiment(arguments: str) -> None:
    text = "--- p/BUILD\nload(':defs.bzl', 'my_rule')\n--- p/defs.bzl\ndef _impl(ctx):\n    pass\n\n"
    text += f"my_rule = rule(implementation = _impl, {arguments})\n"
    (message,) = package(text, "p", version="4.2.3").diagnostics
    assert "It may be enabled by setting --experimental_exec_groups" in str(message)
    assert not package(text, "p", version="7.7.1").diagnostics
    without = text.replace("exec_groups =", "attrs = {} if exec_group() else")
    assert not package(without, "p", version="4.2.3").diagnostics


@pytest.mark.parametrize(("written", "kind"), [("_impl", "function"), ("3", "int"), ("None", "NoneType")])
def test_what_is_no_toolchain_type_is_refused(written: str, kind: str) -> None:
    """Each Bazel has words of its own; 0.19.1 to 7.7.1 refuse all of these."""
    text = "--- BUILD\nload(':a.bzl', 'r')\n--- a.bzl\ndef _impl(ctx):\n    pass\n"
    text += f"r = rule(_impl, toolchains = [{written}])\n"
    words = "'toolchains' takes a toolchain_type, Label, or String, but instead got a"
    assert f"{words} {kind}" in problems(package(text))[0]
