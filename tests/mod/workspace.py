"""A resolved workspace for tests of ``mod``: a diamond whose root asks for the older version, and two extensions.

Its module files, with the registry of tests/modules, are what real Bazel 7.7.1 was asked about: the texts in these
tests are its answers.
"""

from __future__ import annotations

from dataclasses import replace

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bzlmod.module import ROOT, ExtensionUsage, Override, RepoRuleUsage, Tag, UseExtension, UseRepo
from bzlgraph.bzlmod.resolution import ExtensionId
from bzlgraph.export.mod_formats.text import tree_text
from bzlgraph.mod.answer import ExtensionInfo, ModOptions, ModTree
from bzlgraph.mod.ask import TreeCommand, show_tree
from bzlgraph.mod.extensions import ExtensionTable, extension_table
from bzlgraph.mod.graph import ModuleGraph, module_graph
from bzlgraph.mod.tree import TreeOptions
from tests.bzlmod.graphs import module_files, resolved

DIAMOND = {
    "": "leaf@1.0 left@1.0 right@1.0=rr",
    "left@1.0": "leaf@1.0",
    "right@1.0": "leaf@1.1",
    "leaf@1.0": "",
    "leaf@1.1": "",
}
EXT = ExtensionId(Label("", "", "ext.bzl"), "ext")
LONELY = ExtensionId(Label("", "", "ext.bzl"), "lonely")
RULES = ExtensionId(Label("", "", "MODULE.bazel"), "_repo_rules")


def at(line: int) -> Location:
    """A place in the root's file."""
    return Location("MODULE.bazel", line, 1)


_EXT = ExtensionUsage(
    "//:ext.bzl",
    "ext",
    (
        UseExtension(
            "ext", False, at(7), (UseRepo("one", "one", False, at(10)), UseRepo("second", "two", False, at(10)))
        ),
        UseExtension("dev", True, at(12), (UseRepo("three", "three", True, at(14)),)),
    ),
    (
        Tag("tag", {"name": "one", "number": 3, "items": ["a", "b"], "flag": True}, False, at(8)),
        Tag("tag", {"name": "two", "label": "//:x"}, False, at(9)),
        Tag("tag", {"name": "three"}, True, at(13)),
    ),
)
_RULES = (
    RepoRuleUsage("//:ext.bzl", "thing", "made", {"text": "hello"}, False, at(20)),
    RepoRuleUsage("//:ext.bzl", "other", "made3", {}, False, at(26)),
)


def extensions_workspace() -> tuple[ModuleGraph, ExtensionTable]:
    """The diamond, whose root uses extensions and repository rules."""
    usages = (_EXT, ExtensionUsage("//:ext.bzl", "lonely", (UseExtension("lonely", location=at(16)),)))
    root = replace(
        module_files(DIAMOND)[ROOT], name="mine", version="0.1", repo_name="me", usages=usages, repo_rules=_RULES
    )
    found = resolved(DIAMOND, files={ROOT: root})
    return module_graph(found), extension_table(found, {EXT: ("one", "two", "three", "extra")})


def workspace(graph: dict[str, str], *overrides: Override) -> tuple[ModuleGraph, ExtensionTable]:
    """A workspace in the short form of ``tests.bzlmod.graphs``."""
    found = resolved(graph, *overrides)
    return module_graph(found), extension_table(found, {})


def ask(where: tuple[ModuleGraph, ExtensionTable], line: str) -> ModTree:
    """The answer to a command line as Bazel takes it: ``graph --depth=1 --include_unused``."""
    command, *words = line.split()
    arguments = [word for word in words if not word.startswith("--")]
    options = dict(word[2:].partition("=")[::2] for word in words if word.startswith("--"))
    tree = TreeOptions(
        int(options.get("depth", 0)),
        "nocycles" not in options,
        "include_unused" in options,
        "include_builtin" in options,
    )
    chosen = options.get("extension_filter")
    asked = ModOptions(
        tuple(options.get("from", "<root>").split(",")),
        options.get("base_module", "<root>"),
        "verbose" in options,
        ExtensionInfo(options.get("extension_info", "hidden")),
        None if chosen is None else tuple(filter(None, chosen.split(","))),
        tree=tree,
    )
    return show_tree(TreeCommand(command), arguments, *where, asked)


def text(where: tuple[ModuleGraph, ExtensionTable], line: str) -> str:
    """The answer as text, without blanks at the ends of lines."""
    return "\n".join(each.rstrip() for each in "".join(tree_text(ask(where, line))).splitlines()).strip()
