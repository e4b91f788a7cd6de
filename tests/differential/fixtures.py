"""The fixture workspaces: tests/workspaces/NAME/ -> expected/*.txt, as real Bazel answers.

For each workspace and Bazel version three files (the version is in the name and in the first line):
  rules-V.txt      every target of //...:* with all that rules_text.py writes of it
  questions-V.txt  the expressions of questions.txt (and deps(//...)) with exit code and --output=label_kind, as printed
  errors-V.txt     Bazel's ERROR lines while loading //...
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.rules_text import write_rules
from tests.differential.questions import named_questions, read_questions
from tests.differential.real import bazel
from tests.differential.real.answers import ask
from tests.differential.real.bazel import Bazel, Reply, cache_folder, program
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.differential.trees import REPOSITORY

FOLDER = Path(__file__).parents[1] / "workspaces"
VERSIONS = ("0.19.1", "4.2.3")
_ASKED_OF_ALL = ("order",)
"""Workspaces whose questions every Bazel answers: the order of answers changed between versions."""
_STUBS = "bazel_rules"
_HEADER = "# Bazel {version}: {what}. Recorded by: python -m tests.differential record\n"


@dataclass(frozen=True, slots=True)
class Fixture:
    """A workspace of this repository whose answers are recorded; ``targets``: all its targets too."""

    name: str
    tree: Path
    stubs: str
    questions: tuple[str, ...]
    expected: Path
    targets: bool = True
    versions: tuple[str, ...] = VERSIONS

    @property
    def workspace(self) -> str:
        """What workspaces.toml calls it."""
        return f"workspaces/{self.name}" if self.targets else self.name


def workspaces() -> list[Path]:
    """The fixture workspaces, by name."""
    return sorted(path.parent for path in FOLDER.glob("*/WORKSPACE"))


def fixtures() -> list[Fixture]:
    """All that is recorded."""
    found = [_fixture(tree) for tree in workspaces()]
    expected = FOLDER.parent / "examples" / "expected"
    example = REPOSITORY / "examples" / "mini_tensorflow"
    return [*found, Fixture(example.name, example, example.name, named_questions(example.name), expected, False)]


def _fixture(tree: Path) -> Fixture:
    questions = ("deps(//...)", *read_questions(tree / "questions.txt"))
    versions = bazel.VERSIONS if tree.name in _ASKED_OF_ALL else VERSIONS
    return Fixture(tree.name, tree, _STUBS, questions, tree / "expected", versions=versions)


def record(names: list[str]) -> None:
    """Re-records the answers of the named workspaces (all when none is named) from each Bazel of this machine."""
    for fixture in fixtures():
        if names and fixture.name not in names:
            continue
        for version in fixture.versions:
            if program(version) is None:
                print(f"skipped: {fixture.name} with Bazel {version} (not on this machine)")
                continue
            _record(fixture, version)
            print(f"recorded: {fixture.name} with Bazel {version}")


def _record(fixture: Fixture, version: str) -> None:
    overrides = write_stubs(
        read_stubs(fixture.stubs, fixture.tree), cache_folder() / "stubs" / f"recording-{fixture.stubs}"
    )
    with tempfile.TemporaryDirectory(prefix="bzlgraph-fixture-") as folder:
        tree = Path(folder) / fixture.name
        shutil.copytree(fixture.tree, tree, ignore=shutil.ignore_patterns("expected"), symlinks=True)
        with Bazel(version, tree, overrides) as real:
            texts = {"questions": _question_text(real, fixture.questions)}
            if fixture.targets and version in VERSIONS:
                texts |= _targets(real)
    fixture.expected.mkdir(exist_ok=True)
    for name, text in texts.items():
        (fixture.expected / f"{name}-{version}.txt").write_text(text, encoding="utf-8")


def _targets(real: Bazel) -> dict[str, str]:
    targets = real.query("//...:*", "--output=proto", "--noproto:flatten_selects")
    answer = read_proto(targets.output, real.place)
    header = {"version": real.version}
    return {
        "rules": _HEADER.format(what="query //...:*", **header) + "\n".join(write_rules(answer)) + "\n",
        "errors": _HEADER.format(what="errors of //...", **header) + "".join(_error_lines(targets, real)),
    }


def _question_text(real: Bazel, questions: Iterable[str]) -> str:
    blocks = [_HEADER.format(version=real.version, what="label_kind, --noimplicit_deps").rstrip()]
    for question in questions:
        said = ask(real, question)
        blocks += [f"? {question}", f"exit code {said.exit_code}", *(f"    {line}" for line in said.lines)]
    return "\n".join(blocks) + "\n"


def _error_lines(reply: Reply, real: Bazel) -> Iterator[str]:
    for line in sorted(set(reply.errors)):
        yield re.sub(r"/\S*?/(?=external/|embedded_tools/)", "", line).replace(str(real.tree), "ROOT") + "\n"
