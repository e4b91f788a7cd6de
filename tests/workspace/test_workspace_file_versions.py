"""Whether WORKSPACE counts, by version: Bazel 8 reads it when asked to, Bazel 9 never (``--enable_workspace``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import files_of

TREE = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "foo", urls = ["https://example.invalid/x.zip"])
--- BUILD
load("@foo//:a.bzl", "x")
"""


def told(text: str, version: str, **options: bool) -> list[tuple[str, str | None]]:
    source = MemorySource(files_of(text))
    workspace = open_workspace(".", Options(bazel_version=version, **options), source)  # type: ignore[arg-type]
    found = Loader(workspace).find("", "")
    assert found is not None
    return [(each.message.partition(": ")[2], each.hint) for each in found.diagnostics]


def unread(version: str, why: str) -> list[tuple[str, str | None]]:
    hint = f"was the repository introduced in WORKSPACE? With Bazel {version} that file {why}"
    return [("No repository visible as '@foo'", hint)]


@pytest.mark.parametrize(
    ("version", "options", "problems"),
    [
        ("7.7.1", {}, []),
        ("8.0.1", {}, unread("8.0.1", "is read only with --enable_workspace")),
        ("8.0.1", {"enable_workspace": True}, []),
        ("9.0.0", {}, unread("9.0.0", "is never read")),
        ("9.0.0", {"enable_workspace": True}, unread("9.0.0", "is never read")),
        ("9.0.0", {"enable_workspace": True, "enable_bzlmod": False}, unread("9.0.0", "is never read")),
        ("", {}, []),
    ],
)
def test_a_tree_that_has_only_workspace(
    version: str, options: dict[str, bool], problems: list[tuple[str, str | None]]
) -> None:
    assert told(TREE, version, **options) == problems


@pytest.mark.parametrize(("version", "visible"), [("7.7.1\n", True), ("8.0.1\n", False), ("9.x\n", False)])
def test_beside_modules_workspace_counts_until_bazel_8(version: str, visible: bool) -> None:
    text = f"{TREE}--- MODULE.bazel\n--- .bazelversion\n{version}"
    assert (told(text, "") == []) is visible


@pytest.mark.parametrize(
    ("version", "options", "visible"),
    [
        ("4.2.3", {}, True),
        ("6.5.0", {}, True),
        ("6.5.0", {"enable_bzlmod": True}, False),
        ("7.7.1", {}, False),
        ("7.7.1", {"enable_bzlmod": False}, True),
    ],
)
def test_before_bazel_7_modules_count_where_they_are_asked_for(
    version: str, options: dict[str, bool], visible: bool
) -> None:
    """WORKSPACE.bzlmod, which is empty here, stands for WORKSPACE where modules count. Asked of 4.2.3 and 7.7.1."""
    text = f"{TREE}--- MODULE.bazel\n--- WORKSPACE.bzlmod\n"
    assert (told(text, version, **options) == []) is visible
    assert (told(f"{text}--- .bazelversion\n{version}\n", "", **options) == []) is visible


def test_without_workspace_modules_count_in_any_bazel() -> None:
    text = TREE.replace("--- WORKSPACE", "--- other").replace("@foo//", "@bar//") + "--- MODULE.bazel\n"
    assert "No repository visible as '@bar'" in told(text, "6.5.0")[0][0]
    assert told(text, "9.0.0") == [("No repository visible as '@bar'", None)]


@pytest.mark.parametrize("version", ["0.19.1", "2.1.0", "7.7.1"])
def test_names_that_only_workspace_has(version: str, tmp_path: Path) -> None:
    """0.19.1, 0.24.1, 2.1.0, 4.2.3 and 7.7.1 print the checkout's folder and folders of their own."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/BUILD").write_text('filegroup(name = "x")\n')
    (tmp_path / "lib/WORKSPACE").touch()
    (tmp_path / "WORKSPACE").write_text(
        'local_repository(name = "lib", path = __workspace_dir__ + "/lib")\n'
        'new_local_repository(name = "jdk", path = DEFAULT_SYSTEM_JAVABASE, build_file_content = "")\n'
        'new_local_repository(name = "bazel", path = __embedded_dir__, build_file_content = "")\n'
    )
    workspace = open_workspace(tmp_path, Options(bazel_version=version, enable_bzlmod=False))
    assert workspace.diagnostics == []
    assert workspace.context.repositories["lib"].attributes == {"path": f"{tmp_path}/lib"}
    package = Loader(workspace).find("lib", "")
    assert package is not None
    assert "x" in package.targets
    assert not workspace.repository("jdk").present
