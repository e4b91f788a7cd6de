"""Versions of modules: https://bazel.build/external/module#version_format"""

from __future__ import annotations

from random import Random

import pytest

from bzlgraph.bzlmod.version import VersionError, highest, normalized, version_key

ASCENDING = [
    *("0.9", "1.0-alpha", "1.0-alpha.1", "1.0-alpha.beta", "1.0-beta.2", "1.0-beta.11", "1.0-rc.1", "1.0", "1.0.0"),
    *("1.0.0.bcr.1", "1.0.bcr.1", "1.2.3", "1.2.10", "2", "20240116.1", "a", "a.1", "b", ""),
]


def test_versions_are_ordered_as_bazel_orders_them() -> None:
    shuffled = Random(1).sample(ASCENDING, len(ASCENDING))
    assert sorted(shuffled, key=version_key) == ASCENDING
    assert highest(["1.9", "1.10"]) == "1.10"


def test_the_build_part_does_not_count() -> None:
    assert normalized("1.0+build.5") == "1.0"
    assert normalized("1.0-rc1+build") == "1.0-rc1"
    assert version_key("1.0+a") == version_key("1.0+b")


@pytest.mark.parametrize("version", ["1..2", ".1", "1.", "1_0", "-rc", "1.0-", "1.0-a..b", "1.0+", " 1"])
def test_what_is_no_version(version: str) -> None:
    with pytest.raises(VersionError, match="version"):
        version_key(version)
