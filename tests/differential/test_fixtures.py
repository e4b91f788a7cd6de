"""bzlgraph on the fixture workspaces, against what real Bazel said about them: no Bazel is needed.

Differences with a reason (explained.toml) are allowed; so the same table serves here and in `make conformance`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.differential.compare import Difference, compare
from tests.differential.explained import read_explanations
from tests.differential.facts import Answer
from tests.differential.fixtures import VERSIONS, workspaces
from tests.differential.ours import load
from tests.differential.questions import arguments, compare_lines
from tests.differential.rules_text import CONSTANTS, read_rules
from tests.differential.stubs import read_stubs, write_stubs

LATER = ("tests(", "buildfiles(", "loadfiles(")
"""Questions recorded from Bazel that wait for the complete query language."""

CASES = [
    pytest.param(workspace, version, id=f"{workspace.name}-{version}")
    for workspace in workspaces()
    for version in VERSIONS
    if (workspace / "expected" / f"rules-{version}.txt").is_file()
]


def test_there_are_recorded_fixtures() -> None:
    assert len(CASES) >= 2 * 20


@pytest.fixture(scope="module")
def overrides(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stubs")
    return write_stubs(read_stubs("bazel_rules", folder), folder / "repositories")


@pytest.mark.parametrize(("workspace", "version"), CASES)
def test_targets_and_attributes(workspace: Path, version: str, overrides) -> None:
    recorded = (workspace / "expected" / f"rules-{version}.txt").read_text(encoding="utf-8")
    ours, _ = load(workspace, overrides, version)
    assert_explained(compare(_comparable(read_rules(recorded)), _comparable(ours)), workspace, version)


@pytest.mark.parametrize(("workspace", "version"), CASES)
def test_questions(workspace: Path, version: str, overrides) -> None:
    from bzlgraph.cli.main import main

    differences: list[Difference] = []
    for question, exit_code, lines in _questions(workspace / "expected" / f"questions-{version}.txt"):
        with CliRunner().isolation() as (out, _err, _mixed):
            command = arguments(workspace, overrides, version, question, "--noimplicit_deps")
            with pytest.raises(SystemExit) as stop:
                main(command)
            printed = out.getvalue().decode("utf-8").splitlines()
        if stop.value.code != exit_code:
            differences.append(Difference("exit code", question, "", question, str(exit_code), str(stop.value.code)))
        differences += compare_lines(question, lines, printed)
    assert_explained(differences, workspace, version)


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


def _questions(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    for block in path.read_text(encoding="utf-8").split("\n? ")[1:]:
        question, code, *lines = block.splitlines()
        if question.startswith(LATER):
            continue
        yield question, int(code.removeprefix("exit code ")), [line.strip() for line in lines]


def assert_explained(differences: Iterable[Difference], workspace: Path, version: str) -> None:
    explanations = read_explanations()
    name = f"workspaces/{workspace.name}"
    left = [each for each in differences if not any(e.fits(each, name, version) for e in explanations)]
    shown = "\n".join(
        f"{each.cause}: {each.subject} {each.what} {each.label}\n    Bazel: {each.theirs}\n    ours:  {each.ours}"
        for each in left
    )
    assert not left, f"{len(left)} differences to Bazel {version}:\n{shown}"
