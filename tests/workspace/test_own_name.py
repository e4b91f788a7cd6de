"""What WORKSPACE calls the checkout itself: ``@me`` for ``workspace(name = "me")``. All was asked of these Bazels."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

_FILES = {
    "WORKSPACE": """
workspace(name = "me")

load("//p:m.bzl", "m", "rr")
load("@me//p:m.bzl", m_of_me = "m")

m("1")
m_of_me("2")
rr(name = "gen", label = "@me//p:t")
rr(name = "gen_relative", label = "//p:t")
bind(name = "b", actual = "@me//p:t")
""",
    "p/m.bzl": """
load("@me//p:n.bzl", "L", "S")

def _impl(ctx):
    texts = ctx.attr.label, Label("@me//p:t")
    ctx.file("BUILD", "filegroup(name = 'g', srcs = ['%s'])\\nfilegroup(name = 'k', srcs = ['%s'])" % texts)

rr = repository_rule(_impl, attrs = {"label": attr.label()})

def m(number):
    native.bind(name = "own" + number, actual = str(Label("@me//p:t")))
    native.bind(name = "relative" + number, actual = str(Label("//p:t")))
    native.bind(name = "loaded" + number, actual = str(L))
    native.bind(name = "text" + number, actual = S)
    rr(name = "made" + number, label = Label("@me//p:t"))
""",
    "p/n.bzl": 'L = Label("//p:t")\nS = str(Label("@me//p:t"))\n',
    "p/BUILD": """
filegroup(name = "t", visibility = ["//visibility:public"])

[
    filegroup(name = each, srcs = ["//external:" + each])
    for each in ["b", "own1", "relative1", "loaded1", "text1", "own2", "relative2"]
]
""",
}
_ME, _MAIN = "@me//p:t", "//p:t"


@pytest.fixture(scope="module", params=["1.2.0", "2.1.0", "4.2.3", "7.7.1"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, BuildGraph]:
    root = tmp_path_factory.mktemp("own_name")
    for path, text in _FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    options = Options(bazel_version=request.param, enable_bzlmod=False, enable_workspace=True)
    return request.param, BuildGraph(open_loader(open_workspace(root, options)))


def ends(graph: BuildGraph, label: str) -> set[str]:
    """Which of the two targets something leads to."""
    nodes = graph.closure([graph.resolve(parse(label, "", ""))], 0)
    return {str(graph.labels[node]) for node in nodes} & {_ME, _MAIN}


@pytest.mark.parametrize(
    ("names", "of_each"),
    [
        ("b own1 own2 relative2", (_ME, _ME, _ME, _MAIN)),  # as written, or read for WORKSPACE
        ("relative1", (_MAIN, _MAIN, _MAIN, _MAIN)),
        ("loaded1 text1", (_ME, _MAIN, _MAIN, _MAIN)),  # read when the file is loaded that they stand in
    ],
)
def test_binds(asked: tuple[str, BuildGraph], names: str, of_each: tuple[str, ...]) -> None:
    version, graph = asked
    expected = dict(zip(["1.2.0", "2.1.0", "4.2.3", "7.7.1"], of_each, strict=True))[version]
    assert {name: ends(graph, f"//p:{name}") for name in names.split()} == {name: {expected} for name in names.split()}


@pytest.mark.parametrize("label", ["@gen//:g", "@gen//:k", "@gen_relative//:k", "@made1//:g", "@made2//:k"])
def test_repository_rules_write_labels_that_their_build_files_can_read(
    asked: tuple[str, BuildGraph], label: str
) -> None:
    version, graph = asked
    assert ends(graph, label) == {_ME if version == "1.2.0" else _MAIN}


def test_what_is_written_without_a_repository_is_in_the_repository_itself(asked: tuple[str, BuildGraph]) -> None:
    version, graph = asked
    assert ends(graph, "@gen_relative//:g") == ({_MAIN} if version == "7.7.1" else set())


_CALLER = {
    "WORKSPACE": 'local_repository(name = "ext", path = "ext")\nlocal_repository(name = "user", path = "user")\n',
    "ext/WORKSPACE": "",
    "ext/BUILD": "",
    "ext/a.bzl": """
LOADED = Label("//:x", relative_to_caller_repository = True)

def m(name, given = Label("//:y", relative_to_caller_repository = True)):
    called = Label("//:z", relative_to_caller_repository = True)
    native.filegroup(name = name, srcs = [LOADED, given, called, Label("//:w")])
""",
    "user/WORKSPACE": "",
    "user/BUILD": 'load("@ext//:a.bzl", "m")\nm("a")\n',
}


@pytest.mark.parametrize("version", ["0.19.1", "2.1.0", "4.2.3"])
def test_a_label_relative_to_the_caller_is_of_the_main_repository(version: str, tmp_path: Path) -> None:
    """Wherever the file is, and whoever calls: Bazel knows a caller in the analysis of rules only. All were asked."""
    for path, text in _CALLER.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    package = open_loader(open_workspace(tmp_path, Options(bazel_version=version))).package("user", "")
    assert package is not None
    assert list(map(str, package.targets["a"].get("srcs"))) == ["//:x", "//:y", "//:z", "@ext//:w"]
