"""Lists of a package that Bazel does not print as they are written: seen with the versions named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.export.bazel_view.asking import ask

_BUILD = """
package(features = ["f1", "-f2", "f1", "a"])
filegroup(name = "rule")
package_group(
    name = "group",
    packages = ["-//neg/a", "//one", "//sub/...", "-//neg2/...", "//two", "//one", "//zsub/...", "//sub/..."],
)
"""


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.19.1", "-neg/a one sub/... -neg2/... two one zsub/... sub/..."),
        ("2.1.0", "sub/... zsub/... sub/... -neg/a -neg2/... one two"),
        ("4.2.3", "sub/... zsub/... sub/... -neg/a -neg2/... one two"),
        ("7.7.1", "//one //two //sub/... //zsub/... //sub/... -//neg/a -//neg2/..."),
    ],
)
def test_packages_of_a_group_stand_by_sort(tmp_path: Path, version: str, words: str) -> None:
    assert _found(tmp_path, version, "//:group", r'<string value="(.*?)"') == words


@pytest.mark.parametrize(("version", "words"), [("0.19.1", "-f2 a f1"), ("4.2.3", "-f2 a f1"), ("7.7.1", "a f1 -f2")])
def test_features_of_a_package_are_a_sorted_set(tmp_path: Path, version: str, words: str) -> None:
    assert _found(tmp_path, version, "//:rule", r'<rule-default-setting name="(.*?)"') == words
    assert _found(tmp_path, version, "//:BUILD", r'<feature name="(.*?)"') == words


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("4.2.3", "--h -f1 -g -no_layering_check f1 g layering_check no_layering_check no_x"),
        ("7.7.1", "no_x --h -f1 -g -layering_check -no_layering_check"),
    ],
)
def test_what_a_package_switches_off_is_not_on(tmp_path: Path, version: str, words: str) -> None:
    features = ["f1", "-f1", "no_layering_check", "-g", "g", "layering_check", "no_x", "--h", "-no_layering_check"]
    build = f'package(features = {features})\nfilegroup(name = "rule")\n'
    assert _found(tmp_path, version, "//:rule", r'<rule-default-setting name="(.*?)"', build) == words


def _found(tree: Path, version: str, label: str, pattern: str, build: str = _BUILD) -> str:
    (tree / "WORKSPACE").touch()
    (tree / "BUILD").write_text(build)
    return " ".join(re.findall(pattern, ask(tree, version, label, "--output=xml")))


def test_a_select_with_nothing_but_the_default_is_no_condition(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        'filegroup(name = "a", srcs = select({"//conditions:default": [":b"]}))\nfilegroup(name = "b")\n'
    )
    drawn = ask(tmp_path, "4.2.3", "//...", "--output=graph")
    assert '"//:a" -> "//:b"' in drawn
    assert "[label=" not in drawn


@pytest.mark.parametrize("form", ["build", "xml", "streamed_jsonproto"])
def test_the_visibility_of_a_rule_whose_class_is_unknown_is_told_once(tmp_path: Path, form: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        'load("@missing//:defs.bzl", "made")\nmade(name = "a", visibility = ["//visibility:public"])\n'
    )
    assert ask(tmp_path, "7.7.1", "//:a", f"--output={form}").count("//visibility:public") == 1
