"""Packages from the cache: what they were made from decides whether they still count."""

from __future__ import annotations

from pathlib import Path

from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

MODULE = """
ext = use_extension("//:ext.bzl", "ext")
use_repo(ext, "one")
"""
EXTENSION = """
def _impl(ctx):
    ctx.file("BUILD", "filegroup(name = 'f', srcs = ['@two//:f'])")

_repo = repository_rule(_impl)

def _make(ctx):
    _repo(name = "one")
    {more}

ext = module_extension(_make)
"""


def sources(root: Path, repo: str = "one") -> list[str]:
    """What //:f of a repository names, with a cache in a folder beside the workspace."""
    options = Options(bazel_version="7.7.1", cache_folder=root.parent / "cache", jobs=1)
    package = open_loader(open_workspace(root, options)).find(repo, "")
    assert package is not None
    (rule,) = package.rules()
    return [str(each) for each in rule.values["srcs"]]


def test_what_an_extension_makes_decides_what_names_in_it_mean(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "BUILD").touch()
    (root / "MODULE.bazel").write_text(MODULE, encoding="utf-8")
    (root / "ext.bzl").write_text(EXTENSION.format(more=""), encoding="utf-8")
    (before,) = sources(root)
    assert "unknown repo" in before
    assert sources(root) == [before]
    (root / "ext.bzl").write_text(EXTENSION.format(more='_repo(name = "two")'), encoding="utf-8")
    (after,) = sources(root)
    assert after.endswith("~ext~two//:f")


def test_another_build_file_makes_another_package(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text('filegroup(name = "f", srcs = ["one"])', encoding="utf-8")
    assert sources(root, "") == ["//:one"]
    (root / "BUILD.bazel").write_text('filegroup(name = "f", srcs = ["two"])', encoding="utf-8")
    assert sources(root, "") == ["//:two"]
    (root / "BUILD.bazel").unlink()
    assert sources(root, "") == ["//:one"]
