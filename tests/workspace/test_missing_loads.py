"""load() of what is not there: a told problem and a gap, and what stands after it in the file is not lost."""

import pytest

from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import open_text, package, problems

DEFS = 'def repo(name): native.local_repository(name = name, path = "somewhere")\n'


@pytest.fixture
def opened(tmp_path):
    """Opens a workspace with this WORKSPACE and these other files."""

    def make(text, **files):
        (tmp_path / "BUILD").touch()
        (tmp_path / "WORKSPACE").write_text(f'{text}\nlocal_repository(name = "after", path = "x")\n')
        for name, content in {"defs": DEFS, **files}.items():
            (tmp_path / f"{name}.bzl").write_text(content)
        return open_workspace(tmp_path)

    return make


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('load("//:gone.bzl", "a")\na()', "WORKSPACE:1:1: error: cannot load '//:gone.bzl': no such file"),
        ('load("//nowhere:gone.bzl", "a")\na(name = "x")', "cannot load '//nowhere:gone.bzl'"),
        ('load("::no label::", "a")\na.b("x")', "invalid label"),
        ('load("//:defs.bzl", "repp")\nrepp("x")', "does not contain symbol 'repp' (did you mean 'repo'?)"),
        ('load("//:broken.bzl", "a")\na()', "broken.bzl:1:"),
        ('load("//:failing.bzl", "a")\na()', "failing.bzl:1:5: error: no"),
        ('load("//:circle.bzl", "a")\na()', "cycle of load() statements"),
        ("x = 1 // 0", "WORKSPACE:1:7: error: integer division by zero"),
        ('local_repository(nam = "x")', "WORKSPACE:1:17"),
    ],
)
def test_what_stands_after_it_in_workspace_is_there(opened, text, problem):
    workspace = opened(text, broken="x = (\n", failing='fail("no")\n', circle='load("circle.bzl", b = "a")\na = b\n')
    assert "after" in workspace.context.repositories
    assert any(problem in each.render() for each in workspace.diagnostics)


def test_an_absent_repository_is_a_gap_only(opened):
    workspace = opened('load("@absent//:defs.bzl", "a", "b")\na()\nb(name = "from_b")')
    assert list(workspace.context.repositories) == ["from_b", "after"]
    assert workspace.diagnostics == []
    assert any("@absent//:defs.bzl is not on disk" in gap.what for gap in workspace.context.gaps)


def test_names_of_the_same_load_that_are_there_count(opened):
    workspace = opened('load("//:defs.bzl", "nothing", "repo")\nnothing("x")\nrepo("from_repo")')
    assert list(workspace.context.repositories) == ["from_repo", "after"]


def test_a_bzl_file_goes_on_after_it(opened):
    loads = (
        'load("//:gone.bzl", "a")\nload("//:defs.bzl", "nothing", "repo")\nx = a(1)\ndef more(): repo("from_more")\n'
    )
    workspace = opened('load("//:some.bzl", "more")\nmore()', some=loads)
    assert list(workspace.context.repositories) == ["from_more", "after"]
    assert [each.message for each in workspace.diagnostics] == [
        "cannot load '//:gone.bzl': no such file",
        "file '//:defs.bzl' does not contain symbol 'nothing'",
    ]


def test_a_build_file_goes_on_after_a_file_that_is_not_there(opened, tmp_path):
    opened("")
    (tmp_path / "BUILD").write_text(
        'load("//:gone.bzl", "a")\nfilegroup(name = "b")\na(name = "c", srcs = [":b"])\nfilegroup(name = "d")\n'
    )
    package = open_loader(open_workspace(tmp_path)).package("", "")
    assert {"b", "c", "d"} <= set(package.targets)
    assert "cannot load '//:gone.bzl'" in package.diagnostics[0].message


def test_a_workspace_that_fails_everywhere_comes_to_an_end(opened):
    workspace = opened("\n".join(["x = 1 // 0"] * 2000))
    assert len(workspace.diagnostics) <= 101


def test_an_extension_that_is_not_on_disk_is_no_problem() -> None:
    text = """
--- MODULE.bazel
module(name = "here")
bazel_dep(name = "rules_python", version = "1.0")
pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "pip")
use_repo(pip, "pip")
--- BUILD
filegroup(name = "a", srcs = ["@pip//numpy"])
"""
    workspace = open_text(text)
    assert workspace.repository(workspace.map_repository("", "pip")).problems == ()
    assert problems(package(text)) == []


@pytest.mark.parametrize("named", ["", ', repo_name = "other_features"'])
def test_a_stand_in_is_found_by_the_name_of_its_module(named: str):
    name = "other_features" if named else "bazel_features"
    text = f"""
--- MODULE.bazel
bazel_dep(name = "bazel_features", version = "1.0"{named})
--- a.bzl
load("@{name}//private:util.bzl", "ge")
NEW = ge("8.0.0")
--- BUILD
load(":a.bzl", "NEW")
filegroup(name = str(NEW))
"""
    assert "True" in package(text, version="9.0.0").targets
