"""Diagnostics: the text that people see."""

from __future__ import annotations

import traceback

import pytest

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.errors import BzlgraphError, LoadProblem
from bzlgraph.base.span import Frame, Location

PLACE = Location("a/BUILD", 2, 9)


def test_everything_in_its_order() -> None:
    diagnostic = Diagnostic(
        "expected `,`",
        PLACE,
        source_line='    "a" "b"',
        hint="put a comma",
        notes=(Note("the list was opened here", Location("a/BUILD", 1, 8)),),
        stack=(Frame("f", PLACE), Frame("<toplevel>", Location("b/BUILD", 7, 1))),
    )
    assert diagnostic.render().splitlines() == [
        "a/BUILD:2:9: error: expected `,`",
        '      "a" "b"',
        "          ^",
        "a/BUILD:1:8: note: the list was opened here",
        "called from (innermost first):",
        "  a/BUILD:2:9: in f",
        "  b/BUILD:7:1: in <toplevel>",
        "hint: put a comma",
    ]


def test_a_message_alone_is_one_line() -> None:
    assert Diagnostic("no workspace").render() == "error: no workspace"
    assert Diagnostic("\nno Bazel 6\n").render() == "error: no Bazel 6"


@pytest.mark.parametrize("source", ["\tx = y", "x\t\ty", "\t\t\ty"])
def test_the_caret_stands_under_its_column_in_lines_with_tabs(source: str) -> None:
    column = source.index("y") + 1
    line, caret = Diagnostic("m", Location("f", 1, column), source_line=source).render().splitlines()[1:]
    assert line[caret.index("^")] == "y"


def test_a_long_line_is_cut_around_the_caret() -> None:
    source = "x" * 5000 + "!" + "x" * 5000
    line, caret = Diagnostic("m", Location("f", 1, 5001), source_line=source).render().splitlines()[1:]
    assert len(line) < 200
    assert line[caret.index("^")] == "!"


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = Diagnostic("m", Location("f", 1, 1), source_line="a\x1b[31mb\x07").render()
    assert "\x1b" not in text
    assert "\x07" not in text


def test_the_source_line_is_taken_from_the_text() -> None:
    assert Diagnostic("m", PLACE).with_source("first\r\nsecond\r\n").source_line == "second"
    assert Diagnostic("m", Location("f", 9, 1)).with_source("one").source_line is None
    assert Diagnostic("m").with_source("one").source_line is None


def test_a_problem_carries_its_diagnostics() -> None:
    problem = LoadProblem([Diagnostic("first"), Diagnostic("second")])
    assert isinstance(problem, BzlgraphError)
    assert str(problem) == problem.diagnostic.headline == "error: first"
    assert [each.message for each in problem.diagnostics] == ["first", "second"]
    assert BzlgraphError("text").diagnostic == Diagnostic("text")


def test_a_traceback_shows_the_hint() -> None:
    told = "".join(traceback.format_exception(LoadProblem(Diagnostic("no such target", hint="did you mean :b?"))))
    assert told.endswith("LoadProblem: error: no such target\nhint: did you mean :b?\n")
