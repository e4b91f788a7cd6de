"""What a rule depends on through the aspects that it applies: real Bazels from 0.19.1 to 7.7.1 answer the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

BZL = """
def _nothing(target, ctx):
    return []

own = aspect(implementation = _nothing, attrs = {"_tool": attr.label(default = "//:tool")})
ruled = rule(implementation = lambda ctx: None, attrs = {"deps": attr.label_list(aspects = [own], allow_files = True)})
"""
BUILD = """
load(":defs.bzl", "ruled")
filegroup(name = "tool")
filegroup(name = "rule")
genrule(name = "g", outs = ["made.txt"], cmd = "")
alias(name = "alias", actual = ":rule")
ruled(name = "none")
ruled(name = "file", deps = ["source.txt"])
ruled(name = "made", deps = [":made.txt"])
ruled(name = "lost", deps = [":lost_one", "//lost:one"])
ruled(name = "aliased", deps = [":alias"])
ruled(name = "both", deps = ["source.txt", ":rule"])
ruled(name = "elsewhere", deps = ["//other:file.txt", "//other:rule"])
ruled(name = "file_elsewhere", deps = ["//other:file.txt"])
"""


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "defs.bzl").write_text(BZL)
    (tmp_path / "BUILD").write_text(BUILD)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "BUILD").write_text('exports_files(["file.txt"])\nfilegroup(name = "rule")\n')
    return Environment(BuildGraph(open_loader(open_workspace(tmp_path, Options(jobs=1)))))


@pytest.mark.parametrize(
    ("target", "applied"),
    [
        ("none", False),
        ("file", False),
        ("made", False),
        ("lost", False),
        ("aliased", True),
        ("both", True),
        ("elsewhere", True),
        ("file_elsewhere", False),
    ],
)
def test_an_aspect_is_applied_to_rules(target: str, applied: bool, environment: Environment) -> None:
    assert ("//:tool" in map(str, query(f"deps(//:{target})", environment))) is applied


def test_what_an_aspect_brings_is_two_steps_away(environment: Environment) -> None:
    asked = (set(map(str, query(f"deps(//:both, {depth}) - //:both", environment))) for depth in (1, 2))
    assert list(asked) == [{"//:rule", "//:source.txt"}, {"//:rule", "//:source.txt", "//:tool"}]
    assert "//:both" in map(str, query("rdeps(//..., //:tool, 1)", environment))


PROVIDERS = """
P = provider()
Q = provider()

def _nothing(*_):
    return []

def _wants(name, providers):
    return aspect(_nothing, required_providers = providers, attrs = {"_" + name: attr.label(default = "//:" + name)})

wants_p = _wants("p", [P])
wants_both = _wants("both", [P, Q])
wants_either = _wants("either", [[P], [Q]])
wants_any = _wants("any", [[]])
wants_default = _wants("default", [DefaultInfo])
wants_cc = _wants("cc", [CcInfo])
wants_java = _wants("java", [JavaInfo])

says_none = rule(_nothing)
has_p = rule(_nothing, provides = [P])
has_both = rule(_nothing, provides = [P, Q])
asks = rule(_nothing, attrs = {"deps": attr.label_list(allow_files = True, aspects = [
    wants_p, wants_both, wants_either, wants_any, wants_default, wants_cc, wants_java,
])})
"""
ADVERTISED = """
load(":defs.bzl", "asks", "has_both", "has_p", "says_none")
[filegroup(name = name) for name in ["p", "both", "either", "any", "default", "cc", "java"]]
says_none(name = "says_none")
has_p(name = "has_p")
has_both(name = "has_both")
alias(name = "alias", actual = ":says_none")
cc_library(name = "cc_library")
java_plugin(name = "java_plugin")
java_library(name = "java_library")
genrule(name = "genrule", outs = ["made.txt"], cmd = "")
[asks(name = "of_" + end, deps = [":" + end]) for end in [
    "says_none", "has_p", "has_both", "alias", "cc_library", "java_plugin", "java_library", "genrule", "made.txt",
]]
asks(name = "of_two", deps = [":says_none", ":has_p"])
asks(name = "of_unknown", deps = ["@lost//:rule"])
"""
ALL = {"p", "both", "either", "any", "default", "cc", "java"}


@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
@pytest.mark.parametrize(
    ("end", "brought"),
    [
        ("says_none", {"any"}),
        ("has_p", {"any", "p", "either"}),
        ("has_both", {"any", "p", "either", "both"}),
        ("alias", ALL),
        ("java_library", {"any", "java"}),
        ("genrule", {"any"}),
        ("made.txt", set()),
        ("two", {"any", "p", "either"}),
        ("cc_library", {"4.2.3": {"any"}, "7.7.1": {"any", "cc"}}),
        ("java_plugin", {"4.2.3": {"any", "java"}, "7.7.1": {"any"}}),
    ],
)
def test_an_aspect_is_applied_to_what_advertises_its_providers(
    end: str, brought: set[str] | dict[str, set[str]], version: str, tmp_path: Path
) -> None:
    environment = advertising(tmp_path, version)
    found = {label.name for label in query(f"deps(//:of_{end})", environment)}
    assert found & ALL == (brought[version] if isinstance(brought, dict) else brought)


def test_an_aspect_may_be_applied_to_a_rule_that_is_not_on_disk(tmp_path: Path) -> None:
    graph = advertising(tmp_path, "7.7.1").graph
    (package,) = (graph.source.package("", ""),) if graph.source is not None else ()
    assert package is not None
    edges = EdgeReader().read(package.targets["of_unknown"], package)
    possible = {each.target.name: bool(each.flags & EdgeFlag.POSSIBLE) for each in edges}
    assert possible == {"rule": False, "any": False} | dict.fromkeys(ALL - {"any"}, True)


def advertising(folder: Path, version: str) -> Environment:
    """Targets that say which providers they have, and a rule whose aspects require some."""
    (folder / "WORKSPACE").touch()
    (folder / "defs.bzl").write_text(PROVIDERS)
    (folder / "BUILD").write_text(ADVERTISED)
    return Environment(BuildGraph(open_loader(open_workspace(folder, Options(jobs=1, bazel_version=version)))))
