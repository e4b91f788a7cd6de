"""The tables of the query language, and the loop that runs them, against stock Lark: the same trees."""

from __future__ import annotations

import json
import os
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from bzlgraph.query.language import tables
from bzlgraph.query.language.tables import Node

WORDS = (
    '//a:b ... let in union except intersect set deps letter $x = + - ^ ( ) , "let" \'a b\' @@r+//x #c * " \n'.split(
        " "
    )
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def test_generated_file_belongs_to_the_grammar() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        tables.write()
    stored = json.loads((files("bzlgraph.query.language") / tables.GENERATED).read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(tables.generate())), "the grammar or tables.py changed: make golden"


def test_without_the_generated_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "GENERATED", "absent.json")
    made = tables._tables.__wrapped__()
    monkeypatch.setattr(tables, "_tables", lambda: made)
    assert tables.parse("deps(//a)") == Node("call", "", 0, 9, (Node("WORD", "deps", 0, 4), _word("//a", 5)))


@pytest.mark.parametrize(
    "text",
    [
        "//a",
        "(//a)",
        "set()",
        "set(//a 'b c')",
        "f()",
        "f(a, b + c)",
        "a - b except c ^ d intersect e union f",
        "let x = a in $x + (b)",
        "a + let x = b in let y = $x in $y - c",
        "letter + unions",
        "a+b@@r+//c",
        "# told\na # and\n+ b",
    ],
)
def test_the_same_tree(text: str) -> None:
    assert tables.parse(text) == _of_lark(text) is not None


@given(TEXTS)
def test_the_same_tree_or_none(text: str) -> None:
    assert tables.parse(text) == _of_lark(text)


def _word(text: str, start: int) -> Node:
    end = start + len(text)
    return Node("word", "", start, end, (Node("WORD", text, start, end),))


def _of_lark(text: str) -> Node | None:
    """What Lark makes of a text; None where it refuses."""
    try:
        found = tables.lark_parser().parse(text).children[0]
    except UnexpectedInput:
        return None
    return _node(found)


def _node(found: Tree[Token] | Token) -> Node:
    if isinstance(found, Token):
        return Node(found.type, str(found), found.start_pos or 0, found.end_pos or 0)
    children = tuple(_node(each) for each in found.children)
    return Node(str(found.data), "", found.meta.start_pos, found.meta.end_pos, children)
