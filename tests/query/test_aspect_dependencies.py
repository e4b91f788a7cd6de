"""What a rule depends on through the aspects that it applies: real Bazels from 0.19.1 to 7.7.1 answer the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading import open_loader
from bzlgraph.query import Environment, query
from bzlgraph.workspace import Options, open_workspace

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
