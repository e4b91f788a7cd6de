"""Tokens: every character of a text is in exactly one part of one token."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.syntax import BZL, SPEC
from bzlgraph.syntax.lalr.lexer import TOKEN, Kinds, terminated
from bzlgraph.syntax.lalr.tables import BAD, BYTES, FLOAT, INT, NAME, STRING, tables
from tests.syntax.strategies import SOUP


@settings(max_examples=300)
@given(SOUP | st.lists(st.characters(), max_size=30))
def test_tokens_cover_the_text(words: list[str]) -> None:
    text = "".join(words)
    found = TOKEN.findall(text)
    assert "".join(blank + (f'"{plain}"' if plain else other) for blank, plain, other in found) == text


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("a", NAME), ("_1", NAME), ("None", NAME), ("import", BAD), ("é", BAD),
        ("0", INT), ("12", INT), ("0x1F", INT), ("0o17", INT), ("0b1", INT), ("00", BAD), ("012", BAD), ("1_0", BAD),
        ("1.", FLOAT), (".5", FLOAT), ("1e5", FLOAT), ("1.5e-3", FLOAT), ("1e", BAD), ("1.2.3", BAD),
        ('""', STRING), ("'a'", STRING), ('r"\\"', BAD), ('r"\\d"', STRING), ('"""a"b"""', STRING), ('"a', BAD),
        ('b"a"', BAD), ('f"a"', BAD), ('u"a"', BAD),
    ],
)  # fmt: skip
def test_kinds(token: str, kind: int) -> None:
    assert TOKEN.fullmatch(token)
    assert Kinds(tables().words, BZL)[token] == kind


def test_kinds_of_the_specification() -> None:
    kinds = Kinds(tables().words, SPEC)
    assert [kinds["é"], kinds['b"a"'], kinds['rb"a"'], kinds['f"a"']] == [NAME, BYTES, BYTES, BAD]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a\\\\"', True), ('"a\\"', False), ('"""a""', False), ('"""a\\""""', True), ("''", True), ("'", False),
        ('"""', False), ("x", False),
    ],
)  # fmt: skip
def test_terminated(text: str, expected: bool) -> None:
    assert terminated(text) is expected
