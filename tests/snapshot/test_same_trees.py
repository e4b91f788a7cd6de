"""``deps`` and ``rdeps`` of the kept graph say what the full way says, to the byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.cache import looks
from tests.differential.fixtures import Fixture, fixtures
from tests.differential.questions import arguments
from tests.differential.stubs import read_stubs, write_stubs
from tests.snapshot.asking import as_typed, full, kept

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
OF_QUERIES = ("query", "--keep_going", "--output=label_kind", "--noimplicit_deps", "")
OLD, NEW = "0.19.1", "7.7.1"
FIXTURES = [
    pytest.param(fixture, version, id=f"{fixture.name}-{version}")
    for fixture in fixtures()
    for version in fixture.versions
    if version in (OLD, NEW)
]


@pytest.fixture(autouse=True)
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "TICK", 0)
    monkeypatch.setattr(looks, "COARSE_TICK", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def made_up(labels: list[str], seed: int, number: int) -> Iterator[list[str]]:
    """Questions about these labels."""
    choose = random.Random(seed).choice
    packages = sorted({label.partition(":")[0] for label in labels if label.startswith("//")})
    patterns = [*labels, *(f"{each}:{name}" for each in packages for name in ("all", "*")), "//..."]
    forms = ("A", "A", "A + B", "kind(rule, A)", "set(A B)", "A - B", "deps(A, 1)", "filter(core, A)", "//:nowhere")
    ways = (
        [], [], [], ["--depth=1"], ["--depth=9"], ["--depth=0"], ["--all"], ["--noimplicit_deps"], ["--notool_deps"],
        ["--output=json"], ["--output=csv"], ["--output=jsonl"], ["--output=markdown"], ["--output=html"], ["-k"],
        ["--output=table"], ["--all", "--output=json"], ["--nonodep_deps"],
    )  # fmt: skip
    for _ in range(number):
        text = choose(forms).replace("A", choose(patterns)).replace("B", choose(patterns))
        if choose((True, False)):
            yield ["deps", text, *choose(ways)]
        else:
            yield ["rdeps", text, *choose(ways), *choose(([], [], [f"--from={choose(patterns)}"]))]


@pytest.mark.parametrize("version", ["", OLD, NEW])
def test_the_example(version: str) -> None:
    start = ["-C", str(EXAMPLE), "--jobs=1", *([f"--bazel_version={version}"] if version else [])]
    labels = full([*start, "query", "-k", "deps(//...)"]).out.split()
    answered = 0
    for question in made_up(labels, seed=31, number=60):
        said = kept([*start, *question])
        answered += said is not None
        assert said in (None, full([*start, *question])), question
    assert answered > 32


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_fixtures(fixture: Fixture, version: str, tmp_path: Path) -> None:
    stubs = write_stubs(read_stubs(fixture.stubs, fixture.tree), tmp_path / "repositories")
    line = as_typed(arguments(fixture.tree, stubs, version, ""))
    start = ["--jobs=1", *(each for each in line if each not in OF_QUERIES)]
    labels = full([*start, "query", "-k", "deps(//...)"]).out.split() or ["//:x"]
    for question in made_up(labels, seed=len(labels), number=6):
        said = kept([*start, *question])
        assert said in (None, full([*start, *question])), question


def test_a_tree_leaves_a_graph_to_another() -> None:
    start = ["-C", str(EXAMPLE), "--jobs=1"]
    lib = "//tensorflow/core:lib"
    assert kept([*start, "deps", lib]) is None
    first = full([*start, "deps", lib])
    assert kept([*start, "deps", lib]) == first
    assert kept([*start, "rdeps", lib]) is None  # who depends on it was not loaded
    assert kept([*start, "rdeps", lib, "--from", lib]) is not None
