from __future__ import annotations

import pytest

from bzlgraph.facts.native import known_versions
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import BEFORE_MODULES, open_workspace, version_of_checkout

NEWEST = known_versions()[-1]


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({}, BEFORE_MODULES),
        ({"WORKSPACE": b""}, BEFORE_MODULES),
        ({"WORKSPACE": b"", "MODULE.bazel": b""}, NEWEST),
        ({"WORKSPACE": b"", ".bazelversion": b"5.3.0\n# NOTE: also elsewhere\n"}, "5.3.0"),
        ({"MODULE.bazel": b"", ".bazelversion": b" 6.5.0"}, "6.5.0"),
        ({".bazelversion": b"8.x\n"}, "8"),
        ({".bazelversion": b"my-fork/4.1.0\n"}, "4.1.0"),
        ({"WORKSPACE": b"", ".bazelversion": b"latest\n"}, NEWEST),
        ({"WORKSPACE": b"", ".bazelversion": b"\xff\x00"}, NEWEST),
    ],
)
def test_what_the_files_of_a_checkout_tell(files: dict[str, bytes], version: str) -> None:
    assert version_of_checkout(MemorySource(files)) == version


@pytest.mark.parametrize(("asked", "version", "tolerant"), [("", "5.3.0", True), ("0.19.1", "0.19.1", False)])
def test_what_is_asked_for_counts_more(asked: str, version: str, tolerant: bool) -> None:
    source = MemorySource({"WORKSPACE": b"", ".bazelversion": b"5.3.0\n"})
    facts = open_workspace(".", Options(bazel_version=asked), source).facts
    assert (facts.version, facts.tolerant) == (version, tolerant)
