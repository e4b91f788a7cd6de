"""bzlgraph on the fixture workspaces, against what real Bazel said about them: no Bazel is needed.

Differences with a reason (explained.toml) are allowed; so the same table serves here and in `make conformance`. The
reasons that only recorded questions need are checked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.differential.explained import assert_explained, read_explanations
from tests.differential.facts.admitted import admitted
from tests.differential.facts.compare import Difference, compare
from tests.differential.facts.ours import load
from tests.differential.facts.records import Answer
from tests.differential.facts.rules_text import CONSTANTS, read_rules
from tests.differential.fixtures import VERSIONS, Fixture, fixtures, workspaces
from tests.differential.questions import Said, arguments, compare_said, split
from tests.differential.real.stubs import read_stubs, write_stubs

CASES = [
    pytest.param(workspace, version, id=f"{workspace.name}-{version}")
    for workspace in workspaces()
    for version in VERSIONS
]
QUESTIONED = [
    pytest.param(fixture, version, id=f"{fixture.name}-{version}")
    for fixture in fixtures()
    for version in fixture.versions
]


@pytest.fixture(scope="module")
def overrides(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stubs")
    return write_stubs(read_stubs("bazel_rules", folder), folder / "repositories")


@pytest.mark.parametrize(("workspace", "version"), CASES)
def test_targets_and_attributes(workspace: Path, version: str, overrides) -> None:
    recorded = (workspace / "expected" / f"rules-{version}.txt").read_text(encoding="utf-8")
    ours, loader = load(workspace, overrides, version)
    differences = admitted(compare(_comparable(read_rules(recorded)), _comparable(ours)), loader)
    assert_explained(differences, f"workspaces/{workspace.name}", version)


@pytest.mark.parametrize(("fixture", "version"), QUESTIONED)
def test_questions(fixture: Fixture, version: str, tmp_path_factory) -> None:
    from bzlgraph.cli.main import main

    stubs = write_stubs(read_stubs(fixture.stubs, fixture.tree), tmp_path_factory.mktemp("stubs") / "repositories")
    differences: list[Difference] = []
    for question, said in _questions(fixture.expected / f"questions-{version}.txt"):
        options, expression = split(question)
        with CliRunner().isolation() as (out, _err, _mixed):
            command = arguments(fixture.tree, stubs, version, expression, *options)
            with pytest.raises(SystemExit) as stop:
                main(["--no_cache", "--jobs=1", *command])
            printed = out.getvalue().decode("utf-8").splitlines()
        code = stop.value.code
        assert isinstance(code, int), question
        differences += compare_said(question, version, said, Said(code, printed))
    if differences:
        differences = list(admitted(differences, load(fixture.tree, stubs, version)[1]))
    needed = assert_explained(differences, fixture.workspace, version)
    entries = [each for each in read_explanations() if each.recorded and each.concerns(fixture.workspace, version)]
    assert not {each.id for each in entries} - needed, "explained.toml says too much"


@pytest.mark.parametrize(("fixture", "version"), QUESTIONED)
def test_every_question_is_recorded(fixture: Fixture, version: str) -> None:
    asked = [question for question, _ in _questions(fixture.expected / f"questions-{version}.txt")]
    assert asked == list(fixture.questions), "python -m tests.differential record"


def _comparable(answer: Answer) -> Answer:
    """Without what the recorded text leaves out: the inputs of rules, constants."""
    return {
        label: replace(
            target,
            inputs=frozenset() if target.kind.endswith(" rule") else target.inputs,
            attributes={
                name: attribute
                for name, attribute in target.attributes.items()
                if attribute.explicit or CONSTANTS.get(name) != attribute.value
            },
        )
        for label, target in answer.items()
    }


def _questions(path: Path) -> Iterator[tuple[str, Said]]:
    for block in path.read_text(encoding="utf-8").split("\n? ")[1:]:
        question, code, *lines = block.splitlines()
        yield question, Said(int(code.removeprefix("exit code ")), [line.strip() for line in lines])
