"""visible() by what package_group(packages = ...) says, as Bazel 7.7.1 answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace


@pytest.mark.parametrize(
    ("packages", "seen_by"),
    [
        (["//a"], "a"),
        (["//a/..."], "a a/b"),
        (["//a..."], "none"),
        (["//..."], " a a/b c"),
        (["//"], ""),
        (["//...", "-//a"], " a/b c"),
        (["//...", "-//a..."], " a a/b c"),
        (["-//a/...", "//..."], " c"),
        (["public", "-//a"], " a/b c"),
        (["private"], "none"),
        ([], "none"),
    ],
)
def test_package_groups(tmp_path: Path, packages: list[str], seen_by: str) -> None:
    files = {f"{folder}/BUILD": 'filegroup(name = "t")\n' for folder in (".", "a", "a/b", "c")}
    group = f'package_group(name = "g", packages = {packages!r})\n'
    files |= {"WORKSPACE": "", "g/BUILD": f'{group}filegroup(name = "f", visibility = [":g"])\n'}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    graph = BuildGraph(open_loader(open_workspace(tmp_path, Options(jobs=1))))
    found = [
        package
        for package in ("", "a", "a/b", "c")
        if tuple(query(f"visible(//{package}:t, //g:f)", Environment(graph, QuerySettings())))
    ]
    assert found == ([] if seen_by == "none" else seen_by.split(" "))
