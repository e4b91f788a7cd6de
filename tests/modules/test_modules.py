"""bzlgraph on the module workspaces, against what real Bazel said about them (expected.txt): no Bazel is needed.

Answers that are not right yet stand in open.txt with their reason. They must be wrong, so the list tells the truth.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.modules.cases import Case, cases
from tests.modules.ours import answer, asked, differences, open_answers


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_answers_as_bazel_does(case: Case, tmp_path: Path) -> None:
    case.lay_out(tmp_path)
    expected = case.expected()
    found = {
        command.line: differences(command, expected[command.line], answer(command, tmp_path))
        for command in case.commands()
    }
    wrong = {line: "\n    ".join(["", *each]) for line, each in found.items() if each}
    known = {line for name, line in open_answers() if name == case.name}
    news = [line + text for line, text in wrong.items() if line not in known]
    assert not news, "\n".join([f"{case.name}: not as Bazel answers:", *news])
    assert not known - wrong.keys(), "right by now, so take it out of open.txt: python -m tests.modules close"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_command_is_recorded(case: Case) -> None:
    asked = [command.line for command in case.commands()]
    assert list(case.expected()) == asked, "python -m tests.modules record"


def test_only_what_is_asked_is_open() -> None:
    assert not open_answers().keys() - asked()


@pytest.mark.parametrize("reason", dict.fromkeys(open_answers().values()))
@pytest.mark.xfail(reason="open.txt")
def test_nothing_is_open(reason: str) -> None:
    assert reason not in open_answers().values()
