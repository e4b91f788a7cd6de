"""Values of literals, in the lenient reading of old trees and in the strict one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.syntax import BZL, SPEC, ast, parse, parse_prefix
from tests.syntax.printer import quoted


def value(text: str, dialect: object = BZL) -> object:
    (statement,) = parse(text, "a.bzl", dialect).body  # type: ignore[arg-type]
    assert isinstance(statement, ast.ExprStmt)
    assert isinstance(statement.value, ast.Literal)
    return statement.value.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"\n\t\r\\\'\""', "\n\t\r\\'\""), (r'"\a\b\f\v"', "\a\b\f\v"), (r'"\0\12\101\377"', "\0\n\101\377"),
        (r'"\x41\u00e9\U0001f600"', "A\u00e9\U0001f600"), (r'"\d\.\ "', r"\d\.\ "), (r'"\x4"', r"\x4"),
        ('"a\\\nb"', "ab"), ("'''a\nb'''", "a\nb"), ('r"\\n\\""', '\\n\\"'), ("R'\\d'", "\\d"), ('"é"', "\u00e9"),
        ("r'''a\\\r\nb'''", "a\\\nb"), ("r'''a\\\\\r\nb\r\n'''", "a\\\\\r\nb\r\n"),
        ('"\\\\d"', "\\d"), ('""""a"b"""', '"a"b'),
        ("0x1f", 31), ("0o17", 15), ("0b101", 5), ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("1.", 1.0), ("1e-400", 0.0),
    ],
)  # fmt: skip
def test_values(text: str, expected: object) -> None:
    got = value(text)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(r'b"\xff\377\n"', b"\xff\xff\n"), ('b"é"', b"\xc3\xa9"), (r'rb"\n"', b"\\n"), (r'b"\u00e9"', b"\xc3\xa9")],
)
def test_bytes(text: str, expected: bytes) -> None:
    assert value(text, SPEC) == expected


@pytest.mark.parametrize("strict", [False, True])
def test_without_numeric_escapes(strict: bool) -> None:
    """Bazels 0.19 to 7 were asked: ``\\x`` is refused, also where an unknown escape keeps its backslash."""
    dialect = replace(BZL, numeric_escapes=False, strict_escapes=strict)
    assert parse_prefix(r'"\x41"', "a.bzl", dialect).diagnostics[0].message == r"there is no escape sequence `\x`"


def test_place_of_a_bad_escape() -> None:
    (diagnostic,) = parse_prefix('x = """a\nb\\d"""\n', "a.star").diagnostics
    assert str(diagnostic.location) == "a.star:2:2"


@given(st.text())
def test_quoted_text_reads_back(text: str) -> None:
    encodable = text.encode("utf-8", "replace").decode()
    assert value(quoted(encodable)) == encodable
    assert value(quoted(encodable), SPEC) == encodable
