"""Asking a question three ways: from the kept graph alone, the full way with a cache, and with no cache at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from bzlgraph.base.words import visible
from bzlgraph.cache import answers
from bzlgraph.cli import transcript
from bzlgraph.cli.main import main
from bzlgraph.snapshot import answer, command_line
from bzlgraph.snapshot.answer import open_kept
from bzlgraph.snapshot.kept import KeptGraph
from tests.differential.fixtures import Fixture, fixtures
from tests.differential.questions import arguments
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.snapshot.edits import asked

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
OLD, NEW = "0.19.1", "7.7.1"
VERSIONS = ("", OLD, NEW)
"""Those the example is read with; what is asked is shared out among them, since each question costs what it does."""
FIXTURES = [
    pytest.param(fixture, version, id=f"{fixture.name}-{version}")
    for fixture in fixtures()
    for version in fixture.versions
    if version in (OLD, NEW)
]
_OF_QUERIES = ("query", "--keep_going", "--output=label_kind", "--noimplicit_deps", "")


class Said(NamedTuple):
    """What a command printed on stdout and stderr, and its exit code."""

    out: str
    told: str
    code: int


def as_typed(command: Sequence[str]) -> list[str]:
    """The command line of a recorded question as people type it, who keep what is kept."""
    return [each for each in command if each not in ("--no_cache", "--")]


def example(version: str = "") -> list[str]:
    """How a command line about the example begins."""
    return ["-C", str(EXAMPLE), "--jobs=1", *([f"--bazel_version={version}"] if version else [])]


def about(fixture: Fixture, version: str, folder: Path) -> list[str]:
    """How a command line about a fixture begins; its stubs are written to a folder."""
    stubs = write_stubs(read_stubs(fixture.stubs, fixture.tree), folder / "repositories")
    line = as_typed(arguments(fixture.tree, stubs, version, ""))
    return ["--jobs=1", *(each for each in line if each not in _OF_QUERIES)]


def labels_of(start: Sequence[str]) -> list[str]:
    """Everything that there is, loaded the full way."""
    return full([*start, "query", "-k", "deps(//...)"]).out.split() or ["//:x"]


def agreeing(start: Sequence[str], questions: Iterable[Sequence[str]]) -> int:
    """How many questions the kept graph answers: as the full way does, or the test fails."""
    answered = 0
    for question in questions:
        said = kept([*start, *question])
        answered += said is not None
        assert said in (None, full([*start, *question])), question
    return answered


def full(line: Sequence[str]) -> Said:
    """The full way; with a cache it leaves its graph behind."""
    with CliRunner().isolation() as (out, err, _mixed):
        transcript.begin(line)
        with pytest.raises(SystemExit) as stop:
            main(list(line))
        said = Said(out.getvalue().decode("utf-8", "backslashreplace"), err.getvalue().decode(), 0)
    assert isinstance(stop.value.code, int)
    return said._replace(code=stop.value.code)


def kept(line: Sequence[str]) -> Said | None:
    """From the kept graph alone; None where it goes the full way."""
    asked = command_line.read(line)
    found = answer.find(answers.folder_named(line), asked) if asked is not None else None
    if found is None:
        return None
    return Said(
        found.out.decode("utf-8", "backslashreplace"), "".join(f"{visible(each)}\n" for each in found.told), found.code
    )


def graph_of(root: Path) -> KeptGraph:
    """The graph that is kept of a checkout."""
    line = asked(root, "//...")
    question = command_line.read(line)
    assert question is not None
    graph = open_kept(answers.folder_named(line), question)
    assert graph is not None
    return graph


def plain(graph: KeptGraph) -> dict[str, object]:
    """All that it says of nodes and packages, by label."""
    classes, calls = graph.table("classes"), graph.table("calls")
    attributes, conditions = graph.table("attributes"), graph.table("conditions")
    first, target, flags = map(graph.whole, ("first_edge", "edge_target", "edge_flags"))
    attribute, condition = map(graph.whole, ("edge_attribute", "edge_condition"))
    first_user, user, user_flags = map(graph.whole, ("first_user", "users", "user_flags"))
    found: dict[str, object] = {}
    for node, package in enumerate(graph.whole("package_of")):
        name, words, unknown, *_, bzl = classes[graph.whole("class_of")[node]]
        found[graph.label(node)] = (
            graph.whole("kinds")[node],
            (name, words, unknown, bzl),
            calls[graph.whole("call_of")[node]],
            [
                (graph.label(target[edge]), attributes[attribute[edge]], conditions[condition[edge]], flags[edge])
                for edge in range(first[node], first[node + 1])
            ],
            [(graph.label(user[edge]), user_flags[edge]) for edge in range(first_user[node], first_user[node + 1])],
            graph.table("missing").get(node),
            node in graph.nodes_of(package),
            list(graph.whole("universe"))[node : node + 1],
        )
    for number in range(len(graph.package_names)):
        found[graph.prefix(number)] = (
            graph.package_status[number],
            graph.whole("package_undeclared")[number],
            graph.whole("package_possible")[number],
            *(graph.table(name).get(number) for name in ("gaps", "repository_gaps", "companions", "stored")),
        )
    return found
