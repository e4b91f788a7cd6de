"""bzlgraph in configurations, against what real Bazel's cquery said about them: no Bazel is needed.

Two things of Bazel are no dependencies of a target: the platform that toolchains are looked for with, which it lists
for every target, and, in Bazel 2, the name of an alias, for which it shows what the alias stands for.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.differential.configured.names import comparable
from tests.differential.configured.ours import aliases, platform_labels
from tests.differential.configured.recorded import (
    Answer,
    combinations,
    read_answers,
    versions,
    workspaces,
    write_answers,
)
from tests.differential.real.bazel import CRASHED

CASES = [
    pytest.param(workspace, version, answer, id=f"{workspace.name}-{version}-{answer.options or 'nothing'}")
    for workspace in workspaces()
    for version in versions(workspace)
    for answer in read_answers((workspace / "expected" / f"cquery-{version}.txt").read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("workspace", "version", "answer"), CASES)
def test_dependencies_and_values(workspace: Path, version: str, answer: Answer, ours_of) -> None:
    if any("Unrecognized option: --" in error for error in answer.errors):
        pytest.skip(f"Bazel {version} does not know this command line: {answer.errors[0]}")
    if answer.exit_code == CRASHED:
        pytest.skip(f"Bazel {version} crashes")
    asked = ours_of(workspace, version)
    ours = asked.answer(answer.options)
    if answer.exit_code:
        assert ours.errors, f"Bazel refuses: {answer.errors}"
        return
    assert not ours.errors
    apart = platform_labels(asked.view(answer.options)) | (aliases(asked.graph) if version < "3" else frozenset())
    assert sorted(comparable(ours.facts, apart)) == sorted(comparable(answer.facts, apart))


SELECTS = re.compile(r"[Cc]onfigurable attribute|is not a valid (?:select\(\)|configuration) (?:condition|key)")
"""How Bazels refuse a select()."""
OF_SELECTS = [
    case
    for case in CASES
    for answer in case.values[2:]
    if isinstance(answer, Answer) and (not answer.exit_code or any(map(SELECTS.search, answer.errors)))
]


@pytest.mark.parametrize(("workspace", "version", "answer"), OF_SELECTS)
def test_selects_are_refused_where_no_edge_is_followed(workspace: Path, version: str, answer: Answer, ours_of) -> None:
    refused = ours_of(workspace, version).refused(answer.options)
    assert bool(refused) == bool(answer.exit_code)


@pytest.mark.parametrize(
    ("workspace", "version"),
    [pytest.param(each, version, id=f"{each.name}-{version}") for each in workspaces() for version in versions(each)],
)
def test_every_command_line_is_recorded(workspace: Path, version: str) -> None:
    text = (workspace / "expected" / f"cquery-{version}.txt").read_text(encoding="utf-8")
    answers = list(read_answers(text))
    assert [answer.options for answer in answers] == combinations(workspace), (
        "python -m tests.differential.configured.recorded"
    )
    assert write_answers(answers, version) == text
