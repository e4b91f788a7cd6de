"""The .bzl files inside Bazel in call stacks, as Bazel 7.7.1 tells them (asked of Debian's)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.export.bazel_view.asking import ask

DEFS = """
def two_tests(name):
    native.cc_test(name = name, srcs = ["a.cc"])
"""
BUILD = """
load(":defs.bzl", "two_tests")
two_tests(name = "made")
cc_library(name = "lib")
java_binary(name = "apart", create_executable = False)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {"WORKSPACE": "", "BUILD": BUILD, "defs.bzl": DEFS}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def comments(tree: Path, version: str, target: str) -> list[str]:
    """The comments behind a rule; places in this workspace without its folder."""
    text = ask(tree, version, "--output=build", target)
    return [line.replace(f"{tree}/", "") for line in text.splitlines()[1:] if line.startswith("#")]


def test_a_rule_behind_a_macro_of_bazels_own(tree: Path) -> None:
    assert [line.split()[1] for line in comments(tree, "7.7.1", "//:made")] == [
        "Rule",
        "BUILD:3:10",
        "defs.bzl:3:19",
        "/virtual_builtins_bzl/common/cc/cc_test_wrapper.bzl:34:13",
        "Rule",
        "/virtual_builtins_bzl/common/cc/cc_test.bzl:102:15",
    ]


def test_a_rule_that_bazel_writes_in_starlark_is_defined_there(tree: Path) -> None:
    assert [line.split()[1] for line in comments(tree, "7.7.1", "//:lib")] == [
        "Rule",
        "BUILD:4:11",
        "Rule",
        "/virtual_builtins_bzl/common/cc/cc_library.bzl:616:18",
    ]


@pytest.mark.parametrize(
    ("target", "made", "defined"),
    [
        ("//:apart", "java_binary_wrapper.bzl:45:21", "bazel_java_binary_nonexec.bzl:26:31"),
        (
            "//:apart_deployjars_internal_rule",
            "java_binary_wrapper.bzl:70:25",
            "bazel_java_binary_deploy_jar.bzl:63:44",
        ),
    ],
)
def test_a_java_binary_without_an_executable_is_a_rule_of_its_own(
    tree: Path, target: str, made: str, defined: str
) -> None:
    places = [line.split()[1] for line in comments(tree, "7.7.1", target)]
    assert places[1:3] == ["BUILD:5:12", "/virtual_builtins_bzl/bazel/java/bazel_java_binary_wrapper.bzl:35:42"]
    assert [place.rpartition("/")[2] for place in places[3:6:2]] == [made, defined]


@pytest.mark.parametrize("version", ["4.2.3", "7.4.0"])
def test_a_bazel_that_was_not_recorded_has_no_lines_of_its_own(tree: Path, version: str) -> None:
    assert [line.split()[1] for line in comments(tree, version, "//:lib")] == ["Rule", "BUILD:4:11"]
