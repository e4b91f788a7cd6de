"""Every static error of the language: the expectation stands on the line it is about.

``tests/cases/syntax/errors/*``: chunks by ``---``, each parsed by itself in the dialect of the file's name;
``### "regexp"`` (or ``### `regexp` ``) at the end of a line says what is wrong with that line. Each expectation must
be met, and nothing else may be reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bzlgraph.base.errors import SyntaxProblem
from bzlgraph.syntax import parse, parse_prefix
from bzlgraph.syntax.lalr.tables import tables
from tests.golden import CASES, check_golden

FOLDER = CASES / "syntax" / "errors"
EXPECTATION = re.compile(r"### ([\"`])(.*)\1$", re.MULTILINE)


def chunks() -> Iterator[object]:
    """(path, text of one chunk, with empty lines before it so that line numbers are those of the file)."""
    for path in sorted(FOLDER.iterdir()):
        lines = 0
        for chunk in re.split(r"^---\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            yield pytest.param(path.name, "\n" * lines + chunk, id=f"{path.name}:{lines + 1}")
            lines += chunk.count("\n") + 1


@pytest.mark.parametrize(("name", "text"), list(chunks()))
def test_chunk(name: str, text: str) -> None:
    expected = {
        number: match[2] for number, line in enumerate(text.split("\n"), 1) if (match := EXPECTATION.search(line))
    }
    got: dict[int, str] = {}
    for diagnostic in parse_prefix(text, name).diagnostics:
        assert diagnostic.location is not None
        assert diagnostic.location.line not in got, f"two messages for one line: {diagnostic.render()}"
        got[diagnostic.location.line] = diagnostic.message
    assert got.keys() == expected.keys()
    for line, pattern in expected.items():
        assert re.search(pattern, got[line]), f"line {line}: {got[line]!r} does not match {pattern!r}"


def test_no_terminal_names() -> None:
    """People never see the grammar's names for tokens."""
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, tables().symbols))})\b")
    for path in FOLDER.iterdir():
        for chunk in re.split(r"^---\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            for diagnostic in parse_prefix(chunk, path.name).diagnostics:
                words = re.sub(r"`[^`]*`", "", diagnostic.message)
                found = names.search(words)
                assert not found or found[0].islower(), diagnostic.message


@pytest.mark.parametrize("name", ["unclosed.BUILD", "mistakes.bzl"])
def test_rendered(name: str) -> None:
    """The whole text as a person sees it: source line, caret, notes, hint."""
    path = CASES / "syntax" / "rendered" / name
    shown = [each.render() for each in parse_prefix(path.read_bytes(), name).diagnostics]
    check_golden(f"syntax/rendered/{name}.golden", "\n\n".join(shown) + "\n")


def test_raises_all() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse("x = = 1\ny = 2\nz = 3 3\n", "a.bzl")
    assert [str(each.location) for each in caught.value.diagnostics] == ["a.bzl:1:5", "a.bzl:3:7"]


def test_prefix() -> None:
    """The statements before the first error are there, also when the error is only a rule broken."""
    parsed = parse_prefix("a = 1; b = 2\nif_ = c\nf(x = 1, x = 2)\nd = 3\n", "BUILD")
    assert len(parsed.file.body) == 3
    parsed = parse_prefix("a = 1\nb = [\nc = 3\n", "BUILD")
    assert len(parsed.file.body) == 1
    assert [each.location.line for each in parsed.diagnostics if each.location] == [3]


def test_spans() -> None:
    """A diagnostic covers the text it is about."""
    text = "f(a = 1, bb = 2, bb = 3)\n"
    (diagnostic,) = parse_prefix(text, "BUILD").diagnostics
    assert diagnostic.span is not None
    assert text[diagnostic.span.start.column - 1 : diagnostic.span.end.column - 1] == "bb = 3"
    assert [(str(note.location), note.message) for note in diagnostic.notes] == [("BUILD:1:10", "first given here")]


def test_crlf_and_bom_do_not_move_positions() -> None:
    plain = parse_prefix(b"x = 1\ny = = 2\n", "BUILD").diagnostics
    assert parse_prefix(b"\xef\xbb\xbfx = 1\r\ny = = 2\r\n", "BUILD").diagnostics == plain
