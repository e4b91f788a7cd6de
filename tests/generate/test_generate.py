"""The generator: the same seed is the same workspace, what it writes can be read, what is too much is left out."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.generate.compare import answers, root
from tests.generate.draw import Draw
from tests.generate.recorded import VERSIONS
from tests.generate.shrink import minimal
from tests.generate.tree import Generated, clear, write
from tests.generate.workspace import seeded, strategy


@pytest.mark.parametrize("version", VERSIONS)
def test_the_same_seed_is_the_same_workspace(version: str) -> None:
    assert seeded(7, version) == seeded(7, version)
    assert seeded(7, version).files != seeded(8, version).files


def test_a_workspace_of_a_shared_tree_stays_in_its_folders() -> None:
    paths = set(seeded(3, "4.2.3", root(3)).files) - {"WORKSPACE", "shared/BUILD"}
    assert all(path.startswith(("w3/", "repos/w3_")) for path in paths)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategy("7.7.1"))
def test_whatever_is_drawn_is_read(workspace: Generated) -> None:
    files = {path: ("\n\n".join(paragraphs) + "\n").encode() for path, paragraphs in workspace.files.items()}
    options = Options(bazel_version="7.7.1", enable_bzlmod=False)
    loader = open_loader(open_workspace(".", options, MemorySource(files)))
    for name in loader.packages_below("", ""):
        package = loader.find("", name)
        assert package is not None
        assert package.targets


def test_parts_that_do_not_matter_are_left_out() -> None:
    files = {"a/BUILD": ("x(\n    p = [\n        1,\n    ],\n    q = 2,\n)", "y()"), "b/BUILD": ("z()",)}

    def stays(candidate) -> bool:
        text = "\n".join("\n".join(paragraphs) for paragraphs in candidate.values())
        return "x(" in text and "q = 2" in text and text.count("(") == text.count(")")

    assert minimal(files, stays) == {"a/BUILD": ("x(\n    q = 2,\n)",)}


def test_a_tree_is_filled_anew_in_its_folder(tmp_path: Path) -> None:
    write([Generated(1, {"WORKSPACE": ("one",), "a/BUILD": ("x",)}), Generated(2, {"WORKSPACE": ("two",)})], tmp_path)
    assert (tmp_path / "WORKSPACE").read_text(encoding="utf-8") == "one\n\ntwo\n"
    clear(tmp_path, ["WORKSPACE"])
    assert [path.name for path in tmp_path.rglob("*")] == ["WORKSPACE"]


def test_some_are_different_ones() -> None:
    drawn = Draw(random.Random(1)).some(range(5), 5)
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(("rule", "incomplete"), [("proto_library", True), ("filegroup", False)])
def test_what_bazel_loads_and_does_not_show_can_be_missing(rule: str, incomplete: bool, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(f'{rule}(name = "x")\n')
    said = answers(tmp_path, "0.24.1", {}, ["graph", "label_kind"])
    assert {name: bool(reply.errors) for name, reply in said.items()} == {"graph": incomplete, "label_kind": False}
