"""Conditions on the edges of ``--output=graph``, as real Bazels write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.export.bazel_view.asking import ask

BUILD = """
config_setting(name = "own", values = {"define": "x=1"})
cc_library(name = "lib", deps = select({":own": [":a"], "@bazel_tools//src/conditions:windows": [":b"]}))
cc_library(name = "a")
cc_library(name = "b")
"""


@pytest.mark.parametrize(("version", "repository"), [("4.2.3", "@bazel_tools"), ("7.7.1", "@@bazel_tools")])
def test_a_condition_of_another_repository_has_its_canonical_name(
    tmp_path: Path, version: str, repository: str
) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(BUILD)
    options = ["--output=graph", "--nograph:factored", "--graph:conditional_edges_limit=-1"]
    text = ask(tmp_path, version, *options, "//:lib + //:a + //:b")
    labels = [line.split('"')[1] for line in text.splitlines() if "[label=" in line]
    assert labels == ["//:own", f"{repository}//src/conditions:windows"]


FILES = """
package_group(name = "group")
config_setting(name = "own", values = {"define": "x=1"})
genrule(
    name = "made",
    srcs = select({":own": [":group"], "//conditions:default": []}),
    outs = ["made.txt"],
    cmd = "touch $@",
    visibility = [":group"],
)
"""


@pytest.mark.parametrize("version", ["2.1.0", "7.7.1"])
def test_edges_of_a_generated_file_have_the_conditions_of_its_rule(tmp_path: Path, version: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(FILES)
    options = ["--output=graph", "--nograph:factored", "--graph:conditional_edges_limit=-1", "--noimplicit_deps"]
    lines = ask(tmp_path, version, *options, "deps(//:made.txt)").splitlines()
    at = lines.index('  "//:made.txt" -> "//:group"')
    assert lines[at + 1].strip() == '[label="//:own"];'


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
@pytest.mark.parametrize(("limit", "wanted"), [(0, []), (1, ["..."]), (-1, ["//:own"])])
def test_a_limit_of_no_conditions_leaves_edges_bare(
    tmp_path: Path, version: str, limit: int, wanted: list[str]
) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(FILES)
    options = ["--output=graph", "--nograph:factored", f"--graph:conditional_edges_limit={limit}", "--noimplicit_deps"]
    lines = ask(tmp_path, version, *options, "//:made + //:group").splitlines()
    assert [line.split('"')[1] for line in lines if "[label=" in line] == wanted
