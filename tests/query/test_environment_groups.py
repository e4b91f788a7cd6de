"""Environment groups are targets of their own kind: no rules, with no dependencies, visible to nobody else.

As Bazels 0.19.1, 4.2.3 and 7.7.1 answer; for bzlgraph they were rules that depend on their environments.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

BUILD = """
environment(name = "one")
environment(name = "two", fulfills = [":one"])
environment_group(name = "group", defaults = [":one"], environments = [":one", ":two"])
filegroup(name = "user", compatible_with = [":two"], visibility = ["//visibility:public"])
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("//a:group", "//a:group"),
        ("//a:all ^ //a:group", ""),
        ("//a:* ^ //a:group", "//a:group"),
        ("kind(environment, //a:*)", "//a:group //a:one //a:two"),
        ("kind('^environment group$', //a:*)", "//a:group"),
        ("kind(rule, //a:group)", ""),
        ("deps(//a:group)", "//a:group"),
        ("rdeps(//a:*, //a:one)", "//a:one //a:two //a:user"),
        ("rdeps(//a:all, //a:group)", ""),
        ("same_pkg_direct_rdeps(//a:two)", "//a:user"),
        ("labels(environments, //a:group)", ""),
        ("attr(name, '.', //a:group)", ""),
        ("visible(//a:user, //a:*) ^ //a:group", "//a:group"),
        ("visible(//b:b, //a:*)", "//a:user"),
    ],
)
def test_environment_groups(tmp_path: Path, text: str, wanted: str) -> None:
    for name, content in {"WORKSPACE": "", "a/BUILD": BUILD, "b/BUILD": 'filegroup(name = "b")'}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    graph = BuildGraph(open_loader(open_workspace(tmp_path, Options(jobs=1))))
    answer = query(text, Environment(graph, QuerySettings()))
    assert " ".join(map(str, answer)) == wanted
    assert not answer.problems
