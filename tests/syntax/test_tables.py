"""The tables, and the loop that runs them, against stock Lark: the same trees, the same refusals."""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Transformer
from lark.exceptions import UnexpectedInput

from bzlgraph.syntax import BZL
from bzlgraph.syntax.lalr import tables as lalr
from bzlgraph.syntax.lalr.build_ast import Builder
from bzlgraph.syntax.parser import Parser
from tests.golden import CASES
from tests.syntax.reference import lark_tokens, lark_type, shape

CORPUS = [*sorted((CASES / "syntax" / "tree").glob("*.bzl")), *sorted((CASES / "syntax" / "tree").glob("*.BUILD"))]


def test_generated_file_belongs_to_the_grammar() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        lalr.write()
    stored = json.loads((files("bzlgraph.syntax.lalr") / lalr.GENERATED).read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(lalr.generate())), "the grammar or tables.py changed: make golden"


def test_without_the_generated_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lalr, "GENERATED", "absent.json")
    made = lalr.tables.__wrapped__()
    assert Parser("x = [1]\n", BZL, made).parse()


def test_an_edited_grammar_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody edits the grammar, the stored tables are not used."""
    edited = lalr.grammar.text("starlark").replace('    | primary "." NAME ', '    | primary "~" NAME ')
    monkeypatch.setattr(lalr.grammar, "text", lambda _name: edited)
    made = lalr.tables.__wrapped__()
    parser = Parser("x = a~b\ny = a.b\n", BZL, made)
    assert len(parser.parse()) == 1
    assert len(parser.problems) == 1


def test_no_conflicts_and_every_rule_has_a_maker() -> None:
    """``lark_parser`` builds with strict=True, which refuses shift/reduce conflicts."""
    lark = lalr.lark_parser()
    table = lark.parser.parser._parse_table
    assert set(table.start_states) == {"file"}
    generated = lalr.generate()
    linked = lalr.link(generated, Builder)
    used = {-action - 1 for row in generated["rows"] for _, action in row if action < 0}
    units = {index for index, rule in enumerate(lark.rules) if lalr._is_unit(rule)}
    assert not used & units, "a reduction that makes nothing is left"
    seen: list[Any] = [linked.start]
    for row in seen:
        for action in row:
            if isinstance(action, tuple):
                assert action[2] is not None
            elif action is not None and not any(action is each for each in seen):
                seen.append(action)
    assert len(seen) == len(generated["rows"])


class Make(Transformer):  # type: ignore[type-arg]
    """Stock Lark's tree, turned into ours by the same node makers."""

    def __init__(self, text: str) -> None:
        super().__init__(visit_tokens=False)
        self.builder = Builder(text, BZL)

    def _call_userfunc(self, tree: Any, new_children: Any = None) -> Any:
        children = [getattr(child, "payload", child) for child in (new_children or [])]
        name = str(tree.data)
        if len(children) == 1 and not hasattr(self.builder, name) and not hasattr(self.builder, f"{name}_"):
            return children[0]
        return getattr(self.builder, f"{name}_" if not hasattr(self.builder, name) else name)(*children)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_same_trees_as_stock_lark(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    parser = Parser(text, BZL, lalr.tables())
    ours = parser.parse()
    assert parser.problems == []
    theirs = Make(text).transform(lalr.lark_parser().parse(lark_tokens(text)))
    assert shape(ours, offsets=True) == shape(theirs, offsets=True)


NAMES = lalr.tables().symbols[: lalr.tables().terminals]
KINDS = st.sampled_from([name for name in NAMES if name not in ("$END", "BAD")])
STOCK = lalr.lark_parser()


@settings(max_examples=300)
@given(st.lists(KINDS, max_size=25))
def test_same_refusals_as_stock_lark(kinds: list[str]) -> None:
    """Any sequence of tokens is taken exactly as far as stock Lark takes it."""
    assert ours_takes(kinds) == stock_takes(kinds)


@settings(max_examples=300)
@given(st.lists(st.integers(0, 10_000), max_size=40))
def test_same_refusals_on_walks(choices: list[int]) -> None:
    """Walks that mostly follow what stock Lark accepts get deep into the automaton; one wrong step ends them."""
    interactive = STOCK.parse_interactive([])
    kinds: list[str] = []
    for choice in choices:
        accepts = sorted(interactive.accepts() - {"$END"})
        kinds.append(accepts[choice % len(accepts)] if choice % 7 else NAMES[choice % 60])
        if kinds[-1] in ("$END", "BAD") or kinds[-1] not in accepts:
            break
        interactive.feed_token(lark_type(kinds[-1]))
    kinds = [kind for kind in kinds if kind not in ("$END", "BAD")]
    assert ours_takes(kinds) == stock_takes(kinds)


def stock_takes(kinds: list[str]) -> int:
    interactive = STOCK.parse_interactive([])
    for count, kind in enumerate(kinds):
        try:
            interactive.feed_token(lark_type(kind))
        except UnexpectedInput:
            return count
    return len(kinds)


def ours_takes(kinds: list[str]) -> int:
    """How many tokens the rows take; nothing is made of them."""
    made = lalr.tables()
    states = [made.start]
    for count, kind in enumerate(kinds):
        action = states[-1][NAMES.index(kind)]
        while isinstance(action, tuple):
            size, goto, _ = action
            del states[len(states) - size :]
            states.append(states[-1][goto])
            action = states[-1][NAMES.index(kind)]
        if action is None:
            return count
        states.append(action)
    return len(kinds)


def test_every_rule_of_the_grammar_is_used() -> None:
    """Lark drops a rule that nothing uses without a word."""
    written = set(re.findall(r"^\??(\w+)(?:\{\w+\})?:", lalr.grammar.text("starlark"), re.MULTILINE))
    assert written == {str(rule.origin.name).partition("{")[0] for rule in STOCK.rules}
