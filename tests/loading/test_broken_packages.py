"""Packages that something is wrong with: a problem, ``broken``, a gap, and the targets made before it.

Each way of loading them says the same: here, from the cache, in worker processes, whatever was loaded first.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import pytest

from bzlgraph.base.gap import GapKind
from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.workspace import open_workspace
from tests.every_field import fields_of

FEW_STEPS = Budget(steps=3_000_000)
"""Few enough to end before the watchdog's seconds do, on any machine: what ends a program is part of its message."""

A = 'filegroup(name = "a")\n'
LOADS = f'load(":m.bzl", "m")\n{A}m(name = "m")\nfilegroup(name = "b")\n'


@dataclass(frozen=True)
class Case:
    """``files`` of the package; the problem ``said`` and where, the targets ``kept``, and the kinds of its gaps."""

    files: dict[str, str | bytes]
    said: str
    place: str
    kept: tuple[str, ...] = ("a",)
    gaps: tuple[GapKind, ...] = (GapKind.PACKAGE,)


UNKNOWN_NAMES = (GapKind.MACRO, GapKind.LOAD, GapKind.PACKAGE)
CASES = {
    "syntax": Case({"BUILD": f"{A}x = [\n{A}"}, "never closed", "BUILD:2:5"),
    "UTF-16": Case({"BUILD": A.encode("utf-16")}, "UTF-16 text", "BUILD:1:1", ()),
    "binary": Case({"BUILD": bytes(range(256))}, "binary file", "BUILD:", ()),
    "fail": Case({"BUILD": f'{A}fail("no")\nfilegroup(name = "b")\n'}, "no", "BUILD:2:5"),
    "steps": Case(
        {"BUILD": f"{A}[0 for i in range(9999) for j in range(9999) if j < 0]\nfilegroup(name = 'b')\n"},
        "takes too many steps",
        "BUILD:2:",
    ),
    "size": Case({"BUILD": f"{A}x = 'a' * 100000000\n"}, "the string would be too long", "BUILD:2:9"),
    "steps of a macro": Case(
        {
            "BUILD": LOADS,
            "m.bzl": "def m(name):\n    native.filegroup(name = name)\n    for i in range(99999):\n"
            "        for j in range(99999):\n            pass\n",
        },
        "takes too many steps",
        "m.bzl:",
        ("a", "m"),
    ),
    "steps of a .bzl file": Case(
        {
            "BUILD": LOADS,
            "m.bzl": "x = [0 for i in range(9999) for j in range(9999) if j < 0]\ndef m(name):\n    pass\n",
        },
        "takes too many steps",
        "m.bzl:1:",
        ("a", "m", "b"),
        UNKNOWN_NAMES,
    ),
    "syntax of a .bzl file": Case(
        {"BUILD": LOADS, "m.bzl": "def m(name):\n    x = [\n"}, "closed", "m.bzl:2:9", ("a", "m", "b"), UNKNOWN_NAMES
    ),
    "no .bzl file": Case({"BUILD": LOADS}, "no such file", "BUILD:1:1", ("a", "m", "b"), UNKNOWN_NAMES),
    "cycle": Case(
        {"BUILD": LOADS, "m.bzl": 'load(":k.bzl", "k")\nm = k\n', "k.bzl": 'load(":m.bzl", "m")\nk = m\n'},
        "cycle of load() statements: //cycle:k.bzl -> //cycle:m.bzl -> //cycle:k.bzl",
        "k.bzl:1:1",
        ("a", "m", "b"),
        (GapKind.MACRO, GapKind.LOAD, GapKind.LOAD, GapKind.PACKAGE),
    ),
}


def package_of(name: str) -> str:
    return name.replace(" ", "_").replace(".", "")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("broken")
    (root / "WORKSPACE").touch()
    for name, case in CASES.items():
        folder = root / package_of(name)
        folder.mkdir()
        for file, content in case.files.items():
            (folder / file).write_bytes(content.encode() if isinstance(content, str) else content)
    (root / "later").mkdir()
    (root / "later" / "BUILD").write_text(
        'load("//cycle:k.bzl", "k")\nload("//no_bzl_file:m.bzl", "m")\nload("//cycle:m.bzl", n = "m")\n'
    )
    return root


def load(tree: Path, names: list[str], cache: Path | None = None, jobs: int = 1) -> dict[str, object]:
    of: Loader = open_loader(open_workspace(tree, Options(cache_folder=cache, jobs=jobs, budget=FEW_STEPS)))
    return {name: fields_of(of.package("", name)) for name in names}


@pytest.mark.parametrize("name", CASES)
def test_it_has_a_problem_and_a_gap_and_keeps_what_came_before(tree: Path, name: str) -> None:
    case = CASES[name]
    package = open_loader(open_workspace(tree, Options(jobs=1, budget=FEW_STEPS))).package("", package_of(name))
    assert package is not None
    assert package.broken
    assert case.said in package.diagnostics[0].message
    assert str(package.diagnostics[0].location).startswith(f"{package_of(name)}/{case.place}")
    assert [rule.label.name for rule in package.rules()] == list(case.kept)
    assert [gap.kind for gap in package.gaps] == [kind.value for kind in case.gaps]


def test_every_way_of_loading_says_the_same(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*map(package_of, CASES), "later"]
    alone = load(tree, names)
    assert load(tree, names[::-1]) == {name: alone[name] for name in names[::-1]}
    assert load(tree, names, tmp_path) == alone
    assert load(tree, names, tmp_path) == alone
    monkeypatch.setattr("bzlgraph.loading.loader.WORTH_A_POOL", 1)
    assert load(tree, names, jobs=3) == alone


@dataclass(frozen=True)
class Refusing(DiskSource):
    """Files of which some may not be read."""

    refused: str = ""

    def read(self, path: str) -> bytes:
        if path == self.refused:
            raise PermissionError(errno.EACCES, "Permission denied")
        return DiskSource.read(self, path)


def refusing(tmp_path: Path, refused: str) -> Package:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "BUILD").write_text(LOADS)
    (tmp_path / "p" / "m.bzl").write_text("def m(name):\n    pass\n")
    workspace = open_workspace(tmp_path, Options(jobs=1), Refusing(tmp_path, refused=refused))
    package = open_loader(workspace).package("", "p")
    assert package is not None
    return package


def test_a_build_file_that_may_not_be_read(tmp_path: Path) -> None:
    package = refusing(tmp_path, "p/BUILD")
    assert package.broken
    assert [each.message for each in package.diagnostics] == ["cannot read //p:BUILD: Permission denied"]
    assert [gap.kind for gap in package.gaps] == ["package"]
    assert list(package.targets) == ["BUILD"]


def test_a_bzl_file_that_may_not_be_read(tmp_path: Path) -> None:
    package = refusing(tmp_path, "p/m.bzl")
    assert package.broken
    assert [(str(each.location), each.message) for each in package.diagnostics] == [
        ("p/BUILD:1:1", "cannot load '//p:m.bzl': it cannot be read: Permission denied")
    ]
    assert [gap.kind for gap in package.gaps] == ["macro", "load", "package"]


@pytest.mark.parametrize("name", ["BUILD", "m.bzl"])
def test_a_byte_that_is_not_utf_8_breaks_nothing(tmp_path: Path, name: str) -> None:
    """Bazel reads Latin-1: old trees have such comments. Asked of 2.1.0, 4.2.3 and 7.7.1."""
    texts = {
        "BUILD": b'load(":m.bzl", "m")\nm(name = "a")\n',
        "m.bzl": b"def m(name):\n    native.filegroup(name = name)\n",
    }
    texts[name] = b"# caf\xe9\n" + texts[name]
    (tmp_path / "p").mkdir()
    (tmp_path / "WORKSPACE").touch()
    for each, text in texts.items():
        (tmp_path / "p" / each).write_bytes(text)
    package = open_loader(open_workspace(tmp_path, Options(jobs=1))).package("", "p")
    assert not package.diagnostics
    assert "a" in package.targets
