"""A target whose name is that of a wildcard is what an absolute pattern names: as Bazels 0.19.1, 4.2.3 and 7.7.1 answer
(``AbstractQueryTest`` of Bazel)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

FILES = {
    "WORKSPACE": "",
    "rule/BUILD": "filegroup(name = 'all')\nfilegroup(name = 'b')",
    "file/BUILD": "exports_files(['all'])\nfilegroup(name = 'b')",
    "star/BUILD": "filegroup(name = '*')\nfilegroup(name = 'b')",
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("//rule:all", "//rule:all"),
        ("rule:all", "//rule:all //rule:b"),
        ("//rule/...", "//rule:all //rule:b"),
        ("//rule:*", "//rule:BUILD //rule:all //rule:b"),
        ("//file:all", "//file:all"),
        ("file:all", "//file:b"),
        ("//star:*", "//star:*"),
        ("//star:all", "//star:* //star:b"),
    ],
)
def test_named_as_wildcard(tmp_path: Path, text: str, wanted: str) -> None:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    graph = BuildGraph(open_loader(open_workspace(tmp_path, Options(jobs=1))))
    assert " ".join(sorted(map(str, query(text, Environment(graph, QuerySettings()))))) == wanted
