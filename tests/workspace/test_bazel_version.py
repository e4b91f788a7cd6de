from __future__ import annotations

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.facts.versions import known, newest, release
from bzlgraph.workspace.bazel_version import BEFORE_MODULES, WITH_MODULES, reading
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace

_LOADS = b'workspace(name = "w")\n\nload("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'


@pytest.mark.parametrize(
    ("files", "version", "reason"),
    [
        ({}, BEFORE_MODULES, "no MODULE.bazel"),
        ({"WORKSPACE": b""}, BEFORE_MODULES, "no MODULE.bazel"),
        ({"WORKSPACE": b"", "MODULE.bazel": b""}, WITH_MODULES, "MODULE.bazel"),
        ({"MODULE.bazel": b"", "MODULE.bazel.lock": b'{"lockFileVersion": 13,'}, WITH_MODULES, "MODULE.bazel"),
        ({"MODULE.bazel": b"", "MODULE.bazel.lock": b"lockFileVersion"}, WITH_MODULES, "MODULE.bazel"),
        (
            {"MODULE.bazel": b"", "MODULE.bazel.lock": b'{\n  "lockFileVersion": 18,\n'},
            newest(8),
            "MODULE.bazel.lock of version 18",
        ),
        (
            {"MODULE.bazel": b"", "MODULE.bazel.lock": b'{"lockFileVersion":28}'},
            newest(),
            "MODULE.bazel.lock of version 28",
        ),
        (
            {"MODULE.bazel": b"", ".bazelversion": b"7.6.1", "MODULE.bazel.lock": b'{"lockFileVersion": 18}'},
            "7.6.1",
            ".bazelversion",
        ),
        ({"WORKSPACE": b"", ".bazelversion": b"5.3.0\n# NOTE: also elsewhere\n"}, "5.3.0", ".bazelversion"),
        ({"MODULE.bazel": b"", ".bazelversion": b" 6.5.0"}, "6.5.0", ".bazelversion"),
        ({".bazelversion": b"8.x\n"}, newest(8), ".bazelversion"),
        ({".bazelversion": b"my-fork/4.1.0\n"}, "4.1.0", ".bazelversion"),
        ({".bazelversion": b"9.0.0-pre.20250831.1\n"}, "9.0.0-pre.20250831.1", ".bazelversion"),
        ({"WORKSPACE": b"", ".bazelversion": b"latest\n"}, newest(), ".bazelversion"),
        ({"WORKSPACE": b"# (in MODULE.bazel)\n", ".bazelversion": b"latest\n"}, newest(), ".bazelversion"),
        ({"WORKSPACE.bazel": _LOADS, ".bazelversion": b"9.0.0\n"}, "9.0.0", ".bazelversion"),
        (
            {"WORKSPACE.bazel": _LOADS, "MODULE.bazel": b"", ".bazelversion": b"latest\n"},
            WITH_MODULES,
            ".bazelversion says latest, which no longer reads WORKSPACE; this checkout has one",
        ),
        ({"WORKSPACE": b"", ".bazelversion": b"\xff\x00"}, WITH_MODULES, ".bazelversion, which names none"),
        ({"WORKSPACE": b"", ".bazeliskrc": b"# see\n USE_BAZEL_VERSION = 6.5.0 \n"}, "6.5.0", ".bazeliskrc"),
        ({".bazelversion": b"7.6.1", ".bazeliskrc": b"USE_BAZEL_VERSION=fork/5.3.0"}, "5.3.0", ".bazeliskrc"),
        ({".bazelversion": b"7.6.1", ".bazeliskrc": b"USE_BAZEL_VERSION=tool/2024.34.43"}, "7.6.1", ".bazelversion"),
        ({".bazeliskrc": b"USE_BAZEL_VERSION=tool/2024.34.43"}, "2024.34.43", ".bazeliskrc"),
        ({".bazelversion": b"my-fork/2024.1"}, "2024.1", ".bazelversion"),
        ({".bazelversion": b"7.6.1", ".bazeliskrc": b"#USE_BAZEL_VERSION=5.3.0\nA=b"}, "7.6.1", ".bazelversion"),
        ({".bazelversion": b"7.6.1", ".bazeliskrc": b"USE_BAZEL_VERSION=~/bazel"}, "7.6.1", ".bazelversion"),
    ],
)
def test_what_the_files_of_a_checkout_tell(files: dict[str, bytes], version: str, reason: str) -> None:
    found = reading(MemorySource(files), "")
    assert (found.version, found.reason, found.chosen) == (version, reason, False)


@pytest.mark.parametrize(("asked", "version", "tolerant"), [("", "5.3.0", True), ("0.19.1", "0.19.1", False)])
def test_what_is_asked_for_counts_more(asked: str, version: str, tolerant: bool) -> None:
    source = MemorySource({"WORKSPACE": b"", ".bazelversion": b"5.3.0\n"})
    facts = open_workspace(".", Options(bazel_version=asked), source).facts
    assert (facts.version, facts.tolerant) == (version, tolerant)


@pytest.mark.parametrize("text", ["nonsense", "v7", "7..1", "x.8", "8.", "-1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageProblem, match=r"not a version of Bazel"):
        reading(MemorySource({}), text)


@pytest.mark.parametrize(
    ("asked", "gaps"),
    [
        (
            "0.15.0",
            [f"Bazel 0.15.0: read as {known()[0]}, the oldest known; how earlier versions differ is unknown"],
        ),
        ("99.1", [f"Bazel 99.1: read as {newest()}, the newest known; what later versions changed is unknown"]),
        (
            "8.99.0",
            [f"Bazel 8.99.0: read as {newest(8)}, the newest known of 8; what later versions changed is unknown"],
        ),
        ("latest", []),
        ("9", []),
        (newest() + "9", []),
        ("0.17.0", []),
    ],
)
def test_a_version_beyond_the_known_ones_is_a_gap(asked: str, gaps: list[str]) -> None:
    assert list(map(str, reading(MemorySource({}), asked).gaps)) == gaps


def test_how_sure_we_are() -> None:
    assert reading(MemorySource({}), "7.7.1").sureness == "answers tested against this Bazel"
    assert reading(MemorySource({}), "9.0.0").sureness.startswith("based on its sources")
    assert reading(MemorySource({}), "7.7.0").sureness == "as Bazel 7.7.1: answers tested against this Bazel"
    assert reading(MemorySource({}), "7.7.2").sureness == "as Bazel 7.7.1: answers tested against this Bazel"
    assert reading(MemorySource({}), "7.2.1").sureness.startswith("as Bazel 7.6.1: based on its sources")


def test_every_known_version_is_read_as_itself() -> None:
    assert [release(each).nearest for each in known()] == list(known())


@pytest.mark.parametrize(("named", "hinted"), [("", True), ("4.2.3", False)])
def test_a_check_of_the_version_that_refuses_a_guess_says_how_to_name_another(named: str, hinted: bool) -> None:
    """Seen in Pixie, which has no .bazelversion and wants Bazel 6."""
    check = 'load("//:v.bzl", "check")\ncheck()\n'
    bzl = 'def check():\n    fail("\\nCurrent Bazel version is " + native.bazel_version)\n'
    files = {"WORKSPACE": check, "v.bzl": bzl, "BUILD": "", **({".bazelversion": named} if named else {})}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    (problem,) = open_workspace(".", Options(), source).diagnostics
    assert ("--bazel_version" in (problem.hint or "")) == hinted
