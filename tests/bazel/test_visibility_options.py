"""Options of Bazel that change who may see what, in a package. Every row was asked of that Bazel (``visible()``)."""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import PRIVATE, SourceFile
from tests.bazel.memory_workspace import package

SETTINGS = """
--- a/BUILD
config_setting(name = "silent", values = {"cpu": "k8"})
config_setting(name = "friendly", values = {"cpu": "k8"}, visibility = ["//b:__pkg__"])
config_setting(name = "closed", values = {"cpu": "k8"}, visibility = ["//visibility:private"])
"""
ENFORCED = "incompatible_enforce_config_setting_visibility"
BY_DEFAULT = "incompatible_config_setting_private_default_visibility"


@pytest.mark.parametrize(
    ("version", "switches", "public"),
    [
        ("4.2.3", {}, {"silent", "friendly", "closed"}),
        ("4.2.3", {BY_DEFAULT: True}, {"silent", "friendly", "closed"}),
        ("4.2.3", {ENFORCED: True}, {"silent"}),
        ("4.2.3", {ENFORCED: True, BY_DEFAULT: True}, set()),
        ("7.7.1", {}, {"silent"}),
        ("7.7.1", {BY_DEFAULT: True}, set()),
        ("7.7.1", {ENFORCED: False}, set()),
        ("7.7.1", {ENFORCED: False, BY_DEFAULT: True}, set()),
    ],
)
def test_which_conditions_are_public(version: str, switches: dict[str, bool], public: set[str]) -> None:
    made = package(SETTINGS, "a", version=version, switches=switches)
    opened = [rule.label.name for rule in made.rules() if [str(each) for each in rule.visibility or ()] == [_PUBLIC]]
    assert set(opened) == public


_PUBLIC = "//visibility:public"
FILES = """
--- a/BUILD
package(default_visibility = ["//visibility:public"])
filegroup(name = "x", srcs = ["named.txt"])
exports_files(["exported.txt"])
"""


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3", "7.7.1"])
def test_files_that_nothing_exports_may_be_private(version: str) -> None:
    made = package(FILES, "a", version=version, switches={"incompatible_no_implicit_file_export": True})
    found = {name: each.visibility for name, each in made.targets.items() if isinstance(each, SourceFile)}
    assert found["named.txt"] == (PRIVATE,)
    assert found["exported.txt"] != (PRIVATE,)
    assert found["BUILD"] is None
