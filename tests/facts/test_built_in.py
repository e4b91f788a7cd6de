"""The table of @bazel_tools: every label that native rules name is in it, for each recorded version."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import parse
from bzlgraph.facts.built_in import package
from tools.record.bazel_tools import named_labels

NOT_THERE = ("tools/android", "tools/objc")
"""Debian's Bazels have no Android tools; rules for Apple's platforms name targets that no Bazel on Linux has."""


@pytest.mark.parametrize("version", ["0.19.1", "0.24.1", "2.1.0", "4.2.3", "7.7.1"])
def test_what_native_rules_name_is_known(version: str) -> None:
    labels = [parse(text, "", "") for text in named_labels(version)]
    own = [label for label in labels if label.repo == "bazel_tools"]
    unknown = [label for label in own if not _is_known(version, label)]
    assert len(own) > 80
    assert [label for label in unknown if not label.package.startswith(NOT_THERE)] == []


def _is_known(version: str, label) -> bool:
    found = package(version, label.repo, label.package)
    return found is not None and label.name in found.targets


@pytest.mark.parametrize(
    ("asked", "answers"), [("0.17.2", "0.19.1"), ("3.0", "2.1.0"), ("7.4.1", "7.7.1"), ("9.0", "7.7.1")]
)
def test_nearest_version_answers(asked: str, answers: str) -> None:
    found = package(asked, "bazel_tools", "tools/cpp")
    assert found is not None
    assert found.version == answers


def test_what_a_version_calls_its_toolchain() -> None:
    old, new = (package(version, "bazel_tools", "tools/cpp") for version in ("0.19.1", "4.2.3"))
    assert old is not None
    assert new is not None
    assert old.targets["toolchain"].attributes["actual"] == "//external:cc_toolchain"
    assert new.targets["toolchain"].attributes["actual"] == "@local_config_cc//:toolchain"
