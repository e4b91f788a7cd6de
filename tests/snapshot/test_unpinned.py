"""What nothing declares, but a lock file or an unknown macro may, is told where a question meets it; from a kept graph,
too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshot.asking import full, kept
from tests.written_files import write_files

pytestmark = pytest.mark.usefixtures("private_cache")

MODULE = """\
bazel_dep(name = "rules_rust", version = "0.50")
crate = use_extension("@rules_rust//crate_universe:extensions.bzl", "crate")
crate.from_cargo(name = "crates", cargo_lockfile = "//:Cargo.lock", manifests = ["//:Cargo.toml"])
use_repo(crate, "crates")
"""
LOCK = 'version = 3\n\n[[package]]\nname = "serde"\nversion = "1.0.2"\nsource = "registry+https://crates.example"\n'
BUILD = """\
filegroup(name = "pinned", srcs = ["@crates//:serde"])
filegroup(name = "unpinned", srcs = ["@crates//:serd", "@crates//:other"])
"""
QUESTIONS = (
    ["query", "//..."], ["query", "deps(//...)"], ["query", "deps(//:pinned)"], ["query", "deps(//:unpinned)"],
    ["query", "rdeps(//..., @crates//:serde)"], ["query", "deps(//:pinned)", "--output=json"], ["deps", "//:unpinned"],
    ["why", "@crates//:serde", "--from=//:pinned"], ["why", "@crates//:serde"],
    ["select", "deps(//:unpinned)"],
)  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    files = {"MODULE.bazel": MODULE, "Cargo.lock": LOCK, "Cargo.toml": "", "BUILD": BUILD, "more/BUILD": ""}
    return write_files(folder, files)


@pytest.fixture
def start(tree: Path) -> list[str]:
    return ["-C", str(tree), "--jobs=1", "--bazel_version=7.7.1", "-v"]


def test_a_kept_graph_answers_beside_a_lock_file(start: list[str]) -> None:
    told = full([*start, "query", "deps(//...)"]).told
    assert "@crates//:serd is not pinned by the lock file; the nearest is @crates//:serde" in told
    for question in QUESTIONS:
        line = [*start, *question]
        assert kept(line) == full(line), question
    pinned = kept([*start, "query", "deps(//:pinned)"])
    assert pinned is not None
    assert "is not pinned" not in pinned.told


def test_a_label_that_an_edit_names_is_told_of(start: list[str], tree: Path) -> None:
    full([*start, "query", "deps(//...)"])
    (tree / "more/BUILD").write_text('filegroup(name = "new", srcs = ["@crates//:third"])\n', encoding="utf-8")
    line = [*start, "query", "deps(//...)"]
    assert "@crates//:third is not pinned" in full(line).told
    assert kept(line) in (None, full(line))


BINDS = """\
load("@absent//:deps.bzl", "deps")
deps()
bind(name = "bound", actual = "//:file")
"""
BOUND = """\
filegroup(name = "known", srcs = ["//external:bound"])
filegroup(name = "unknown", srcs = ["//external:unbound"])
"""


def test_a_name_that_an_unknown_macro_may_bind_concerns_who_asks_for_it(start: list[str], tree: Path) -> None:
    """As gapid: after a question about all of the tree, others were told of a gap that they had nothing to do with."""
    (tree / "MODULE.bazel").unlink()
    for name, text in {"WORKSPACE": BINDS, "BUILD": BOUND}.items():
        (tree / name).write_text(text, encoding="utf-8")
    start = [*start[:-2], "--bazel_version=4.2.3", "-v"]
    full([*start, "query", "deps(//...)"])
    for target, concerns in ("known", False), ("unknown", True):
        for question in (["query", f"deps(//:{target})"], ["deps", f"//:{target}"]):
            line = [*start, *question]
            assert ("the names that it binds are unknown" in full(line).told) is concerns
            assert kept(line) == full(line), question


HUB = """\
pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "pip", python_version = "3.11", requirements_lock = "//:requirements.txt")
use_repo(pip, "pip")
"""
LOADS_IT = """\
load("@pip//:requirements.bzl", "all_requirements")
filegroup(name = "known", srcs = ["//made:file", "//made:unknown"], data = all_requirements)
"""


def test_a_lock_file_does_not_pin_the_targets_of_those_who_load_from_a_hub(start: list[str], tree: Path) -> None:
    """As theseed: each unknown name of a package that loads ``all_requirements`` was called not pinned."""
    (tree / "MODULE.bazel").write_text('bazel_dep(name = "rules_python", version = "1.0.0")\n' + HUB, encoding="utf-8")
    (tree / "requirements.txt").write_text("numpy==2.0.0\n", encoding="utf-8")
    (tree / "BUILD").write_text(LOADS_IT, encoding="utf-8")
    (tree / "made").mkdir()
    made = 'load("@absent//:defs.bzl", "make")\nload("@pip//:requirements.bzl", "all_requirements")\nmake()\n'
    (tree / "made/BUILD").write_text(made, encoding="utf-8")
    for question in (["query", "deps(//:known)"], ["why", "//made:unknown"], ["query", "//made:another"]):
        line = [*start, *question]
        said = full(line)
        assert "is not pinned" not in said.told + said.out, question
        assert kept(line) in (None, said), question
    told = full([*start, "query", "//made:another"]).told
    assert "//made:another is not declared (the package has errors, which may hide it); an unknown macro may" in told
    assert kept([*start, "query", "deps(//:known)"]) is not None
