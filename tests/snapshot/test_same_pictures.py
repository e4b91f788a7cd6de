"""``graph`` of the kept graph draws what the full way draws, to the byte, and opens no checkout."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.cache import answers, counters
from bzlgraph.cli.commands.graph import FORMATS
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.questions.session import Session
from bzlgraph.snapshot import command_line
from tests.differential.fixtures import Fixture
from tests.snapshot.asking import FIXTURES, VERSIONS, about, example, full, labels_of
from tests.snapshot.edits import FILES
from tests.written_files import write_files

pytestmark = pytest.mark.usefixtures("private_cache")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The checkouts that were opened."""
    found = list[str]()
    session = GlobalOptions.session

    def noted(options: GlobalOptions, arguments: ConfigArguments) -> Session:
        found.append(options.directory)
        return session(options, arguments)

    monkeypatch.setattr(GlobalOptions, "session", noted)
    return found


def made_up(labels: list[str], seed: object, number: int) -> Iterator[list[str]]:
    """Questions about these labels."""
    choose = random.Random(str(seed)).choice
    packages = sorted({label.partition(":")[0] for label in labels if label.startswith("//")})
    patterns = [*labels, *(f"{each}:{name}" for each in packages for name in ("all", "*")), "//..."]
    forms = ("A", "deps(A)", "deps(A)", "deps(A, 2)", "rdeps(//..., A, 1)", "A + B", "allpaths(A, B)", "//:nowhere")
    ways = (
        [], [], ["--output=svg"], ["--output=json"], ["--output=matrix"], ["--output=levels"], ["--output=mermaid"],
        ["--output=html"], ["--output=graphml"], ["--output=csv"], ["--collapse=package"], ["--collapse=none"],
        ["--fold=macro"], ["--fold=chain", "--fold=cycle"], ["--max_nodes=9"], ["--noreduce"], ["--bazel_tools"],
        ["--depth=1"], ["--noimplicit_deps"], ["-k"], ["--exclude=F"], ["--focus=F"], ["--focus=F", "--depth=2"],
        ["--between", "A", "F"],
    )  # fmt: skip
    for _ in range(number):
        first, second, other = choose(patterns), choose(patterns), choose(patterns)
        text = choose(forms).replace("A", first).replace("B", second)
        yield ["graph", text, *({"A": first, "--exclude=F": f"--exclude={other}", "F": other, "--focus=F":
               f"--focus={first}"}.get(word, word) for word in choose(ways))]  # fmt: skip


def agreeing(start: list[str], questions: Iterator[list[str]], opened: list[str]) -> int:
    """How many questions the kept graph answers: as the full way does, or the test fails."""
    answered = 0
    for question in questions:
        right = full([*start, *question, "--no_cache"])
        opened.clear()
        assert full([*start, *question]) == right, question
        answered += not opened
    return answered


@pytest.mark.parametrize("version", VERSIONS)
def test_the_example(version: str, opened: list[str]) -> None:
    start = example(version)
    assert agreeing(start, made_up(labels_of(start), seed=f"47 {version}", number=14), opened) > 8


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_fixtures(fixture: Fixture, version: str, tmp_path: Path, opened: list[str]) -> None:
    start = about(fixture, version, tmp_path)
    labels = labels_of(start)
    agreeing(start, made_up(labels, seed=len(labels), number=2), opened)


def test_a_picture_leaves_a_graph_to_others_and_reads_no_build_file(opened: list[str]) -> None:
    question = [*example(), "graph", "deps(//tensorflow/core:lib)"]
    full(question)
    opened.clear()
    counters.start()
    full([*question, "--output=svg"])
    assert opened == []
    profile = counters.lines("way")
    assert (profile[1], profile[3]) == ("profile: packages evaluated: 0", "profile: files read: 0")


def test_a_picture_is_given_again_until_something_changes(tmp_path: Path, opened: list[str]) -> None:
    write_files(tmp_path / "tree", FILES)
    start = ["-C", str(tmp_path / "tree"), "--jobs=1"]
    full([*start, "query", "-k", "deps(//...)"])
    question = [*start, "graph", "deps(//:top)", "-o", str(tmp_path / "top.svg")]
    opened.clear()
    first = full(question)
    assert opened == []
    drawn = (tmp_path / "top.svg").read_bytes()
    (tmp_path / "top.svg").unlink()
    assert answers.find(question) == (drawn, first.told.encode(), str(tmp_path / "top.svg"))
    time.sleep(0.02)
    (tmp_path / "tree" / "b" / "BUILD").write_text("filegroup(name = 'b', srcs = ['//d'])\n", encoding="utf-8")
    assert answers.find(question) is None
    full(question)
    assert opened != []
    assert (tmp_path / "top.svg").read_bytes() != drawn


def test_forms_and_options_are_those_of_the_command() -> None:
    assert set(command_line.OUTPUTS["graph"]) == set(FORMATS)
    for options in (["-c", "opt"], ["--assume_declared"], ["--config=x"]):
        assert command_line.read(["graph", "//...", *options]) is None
    asked = command_line.read(["graph", "//a", "--between", "//b", "//c", "-o", "x.svg", "--noimplicit_deps"])
    assert asked is not None
    assert (asked.words, asked.excluded) == (("//a",), command_line.IMPLICIT)
