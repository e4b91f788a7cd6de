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
from tests.written_files import write_files


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
    asked = environment(tmp_path, files)
    found = [package for package in ("", "a", "a/b", "c") if tuple(query(f"visible(//{package}:t, //g:f)", asked))]
    assert found == ([] if seen_by == "none" else seen_by.split(" "))


def environment(root: Path, files: dict[str, str]) -> Environment:
    write_files(root, files)
    return Environment(BuildGraph(open_loader(open_workspace(root, Options(jobs=1)))), QuerySettings())


def test_javatests_see_what_is_private_in_java(tmp_path: Path) -> None:
    """As 0.19.1, 4.2.3 and 7.7.1 answer; the other way round they do not."""
    folders = ("java/a", "javatests/a", "javatests/a/b", "tests/a")
    asked = environment(tmp_path, {"WORKSPACE": "", **{f"{each}/BUILD": 'filegroup(name = "t")\n' for each in folders}})
    seen = {
        (user, home) for user in folders for home in folders if tuple(query(f"visible(//{user}:t, //{home}:t)", asked))
    }
    assert seen == {*((each, each) for each in folders), ("javatests/a", "java/a")}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("visible(//d:q, loadfiles(//a:f))", "//b:b.bzl //c:c.bzl"),
        ("visible(//d:q, buildfiles(//a:f))", "//b:BUILD //b:b.bzl //c:BUILD //c:c.bzl"),
        ("visible(//d:q, loadfiles(//a:f) + //c:BUILD)", "//b:b.bzl //c:c.bzl"),
        ("visible(loadfiles(//a:f), //a:f)", "//a:f"),
        ("visible(loadfiles(//a:f), //e:all)", "//e:everybody //e:its_label"),
        ("loadfiles(loadfiles(//a:f))", "//b:b.bzl //c:c.bzl"),
        ("buildfiles(loadfiles(//a:f))", "//a:BUILD //b:BUILD //b:b.bzl //c:BUILD //c:c.bzl"),
        ("siblings(loadfiles(//a:f))", "//a:BUILD //a:f //a:s"),
        ("siblings(loadfiles(//a:f)) + //c:all-targets", "//a:BUILD //a:f //a:s //c:BUILD"),
    ],
)
def test_a_loaded_file_belongs_to_the_package_that_loads_it(tmp_path: Path, text: str, wanted: str) -> None:
    """As 0.24.1 and 7.7.1 answer."""
    files = {"WORKSPACE": "", "b/BUILD": "", "c/BUILD": "", "c/c.bzl": "X = 1\n", "d/BUILD": 'filegroup(name = "q")\n'}
    files["e/BUILD"] = "".join(
        f'filegroup(name = "{name}", visibility = ["{seen}"])\n'
        for name, seen in {
            "everybody": "//visibility:public",
            "its_label": "//:__subpackages__",
            "its_loader": "//a:__pkg__",
            "one_label": "//b:__pkg__",
        }.items()
    )
    files["b/b.bzl"] = 'load("//c:c.bzl", Y = "X")\nX = Y\n'
    files["a/BUILD"] = 'load("//b:b.bzl", "X")\nfilegroup(name = "f", srcs = ["s"])\n'
    assert " ".join(sorted(map(str, query(text, environment(tmp_path, files))))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted", "faults"),
    [
        ("visible(//b:u, //a:all)", "//a:ok //a:two", ["//:gone", "//nopkg:g"]),
        ("visible(//a:ok, //a:two)", "//a:two", ["//nopkg:g"]),
        ("visible(set(), //a:two)", "//a:two", []),
        ("visible(//b:u, //c:x)", "", ["//c:g"]),
        ("visible(//b:u, //c:y)", "", []),
    ],
)
def test_a_package_group_that_is_not_there_is_an_error_and_lets_nobody_in(
    tmp_path: Path, text: str, wanted: str, faults: list[str]
) -> None:
    """As 4.2.3 and 7.7.1 answer; found on brpc, which names ``//:__subpkgs__``."""
    files = {
        "WORKSPACE": "",
        "BUILD": "",
        "a/BUILD": 'filegroup(name = "r", visibility = ["//:gone"])\n'
        'filegroup(name = "ok", visibility = ["//visibility:public"])\n'
        'filegroup(name = "two", visibility = ["//nopkg:g", "//b:__pkg__"])\n',
        "b/BUILD": 'filegroup(name = "u", srcs = ["//a:ok"])\n',
        "c/BUILD": 'package_group(name = "g", packages = ["//b"], includes = ["//:none"])\n'
        'filegroup(name = "x", visibility = [":g"])\nfilegroup(name = "y", visibility = ["//a:ok"])\n',
    }
    asked = environment(tmp_path, files)
    assert " ".join(map(str, query(text, asked))) == wanted
    said = [each.message.partition(": ")[0] for each in asked.problems]
    assert said == [f"invalid visibility label '{fault}'" for fault in faults]
