"""``deps`` and ``rdeps`` of the kept graph say what the full way says, to the byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.differential.fixtures import Fixture
from tests.snapshot.asking import FIXTURES, VERSIONS, about, agreeing, example, full, kept, labels_of

pytestmark = pytest.mark.usefixtures("private_cache")


def made_up(labels: list[str], seed: object, number: int) -> Iterator[list[str]]:
    """Questions about these labels."""
    choose = random.Random(str(seed)).choice
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


@pytest.mark.parametrize("version", VERSIONS)
def test_the_example(version: str) -> None:
    start = example(version)
    assert agreeing(start, made_up(labels_of(start), seed=f"31 {version}", number=20)) > 7


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_fixtures(fixture: Fixture, version: str, tmp_path: Path) -> None:
    start = about(fixture, version, tmp_path)
    labels = labels_of(start)
    agreeing(start, made_up(labels, seed=len(labels), number=6))


def test_a_tree_leaves_a_graph_to_another() -> None:
    start = example()
    lib = "//tensorflow/core:lib"
    assert kept([*start, "deps", lib]) is None
    first = full([*start, "deps", lib])
    assert kept([*start, "deps", lib]) == first
    assert kept([*start, "rdeps", lib]) is None  # who depends on it was not loaded
    assert kept([*start, "rdeps", lib, "--from", lib]) is not None
