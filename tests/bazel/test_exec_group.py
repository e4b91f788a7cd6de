"""Which toolchains rule() asks for: as labels, as texts, optional, in groups, inherited, unknown."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import ExecGroup, ToolchainNeed
from tests.bazel.memory_workspace import package, rule

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
