"""``grammars/query.lark`` without Lark: its LALR tables, kept in ``query.tables.json``, and the loop that runs them.

Importing Lark and analysing the grammar costs more than most answers do. So the tables are kept beside this file, with
the grammar's digest; when the digest differs (someone is editing the grammar) they are made anew in memory, and ``make
golden`` writes the file. A text that does not parse is parsed again by Lark, whose errors tell what was expected.

>>> node = parse("deps(//a:b) + //c")
>>> node.data, [child.data for child in node.children]
('chain', ['call', 'union', 'word'])
>>> parse("deps(") is None
True
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bzlgraph.syntax import grammar

if TYPE_CHECKING:
    from lark import Lark

GENERATED = "query.tables.json"
START, END = "start", "$END"


class Node(NamedTuple):
    """A rule of the grammar (or an alias of one) over what it was made of, or a token: its text, no children."""

    data: str
    text: str
    start: int
    end: int
    children: tuple[Node, ...] = ()


class _Part(NamedTuple):
    """A node, and where its text begins and ends with the parentheses around it."""

    node: Node
    start: int
    end: int


class _Rule(NamedTuple):
    """A reduction. ``kept``: the positions that become children; those in ``spliced`` give their children instead."""

    size: int
    origin: str
    name: str
    kept: list[int]
    spliced: list[int]
    may_vanish: bool


class _Tables(NamedTuple):
    """An action is the state to go to or, below zero, the number of a rule to reduce by."""

    tokens: re.Pattern[str]
    ignored: list[str]
    words: dict[str, str]
    rules: list[_Rule]
    rows: list[dict[str, int]]
    accept: int


@cache
def lark_parser() -> Lark:
    """Stock Lark on the grammar."""
    from lark import Lark

    return Lark(grammar.text("query"), parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False)


def parse(text: str) -> Node | None:
    """The tree of an expression; None where Lark has to say what is wrong with it."""
    tables = _tables()
    states, values = [0], list[_Part]()
    for token in _tokens(text, tables):
        while (action := tables.rows[states[-1]].get(token.data)) is not None and action < 0:
            rule = tables.rules[-action - 1]
            values[-rule.size :] = [_reduced(rule, values[-rule.size :])]
            del states[-rule.size :]
            states.append(tables.rows[states[-1]][rule.origin])
            if token.data == END and states[-1] == tables.accept:
                return values[0].node.children[0]
        if action is None:
            return None
        states.append(action)
        values.append(_Part(token, token.start, token.end))
    return None


def _tokens(text: str, tables: _Tables) -> Iterator[Node]:
    """The tokens of a text, and its end; a character that no token starts with is a token without a type."""
    position = 0
    while position < len(text):
        found = tables.tokens.match(text, position)
        kind, word = (found.lastgroup, found.group()) if found else (None, text[position])
        end = position + len(word)
        if kind not in tables.ignored:
            yield Node(tables.words.get(word) or kind or "", word, position, end)
        position = end
    yield Node(END, "", len(text), len(text))


def _reduced(rule: _Rule, parts: list[_Part]) -> _Part:
    start, end = parts[0].start, parts[-1].end
    children: list[Node] = []
    for position in rule.kept:
        node = parts[position].node
        children += node.children if position in rule.spliced else (node,)
    vanishes = rule.may_vanish and len(children) == 1
    return _Part(children[0] if vanishes else Node(rule.name, "", start, end, tuple(children)), start, end)


def digest() -> str:
    """What the generated file is checked against."""
    return sha256(grammar.text("query").encode()).hexdigest()


def generate() -> dict[str, Any]:
    """Make the content of the generated file from the grammar, with Lark."""
    lark = lark_parser()
    table = lark.parser.parser._parse_table
    numbers = {rule: index for index, rule in enumerate(lark.rules)}
    order = _in_order(table.states, table.start_states[START])
    rows = [
        {
            name: order.index(value) if action.name == "Shift" else -numbers[value] - 1
            for name, (action, value) in sorted(table.states[state].items())
        }
        for state in order
    ]
    return {
        "grammar": digest(),
        "tokens": {each.name: each.pattern.to_regexp() for each in sorted(lark.terminals, key=_is_fixed)},
        "ignored": sorted(lark.ignore_tokens),
        "words": {each.pattern.value: each.name for each in lark.terminals if _is_fixed(each)},
        "rules": [_generated(rule) for rule in lark.rules],
        "rows": rows,
        "accept": order.index(table.end_states[START]),
    }


def _in_order(states: Mapping[int, Mapping[str, Any]], start: int) -> list[int]:
    """The states as they are met from the start: Lark's own numbers differ from run to run."""
    order = [start]
    for state in order:  # grows while we go
        shifts = [target for _, (action, target) in sorted(states[state].items()) if action.name == "Shift"]
        order += dict.fromkeys(target for target in shifts if target not in order)
    return order


def _is_fixed(terminal: Any) -> bool:
    """Whether a terminal is one word, and no pattern: that counts only where no pattern takes more."""
    return type(terminal.pattern).__name__ == "PatternStr"


def _generated(rule: Any) -> _Rule:
    """One of Lark's rules; how Lark shapes its trees: https://lark-parser.readthedocs.io/en/stable/tree_construction.html"""
    symbols = rule.expansion
    return _Rule(
        size=len(symbols),
        origin=rule.origin.name,
        name=str(rule.alias or rule.origin.name),
        kept=[at for at, symbol in enumerate(symbols) if not (symbol.is_term and symbol.filter_out)],
        spliced=[at for at, symbol in enumerate(symbols) if not symbol.is_term and symbol.name.startswith("_")],
        may_vanish=rule.options.expand1 and not rule.alias,
    )


@cache
def _tables() -> _Tables:
    """The tables, from the generated file when it belongs to the grammar."""
    found = Path(__file__).with_name(GENERATED)
    made = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else None
    if made is None or made["grammar"] != digest():
        made = generate()
    patterns = "|".join(f"(?P<{name}>{pattern})" for name, pattern in made["tokens"].items())
    rules = [_Rule(*rule) for rule in made["rules"]]
    return _Tables(re.compile(patterns), made["ignored"], made["words"], rules, made["rows"], made["accept"])


def write() -> None:
    """Write the generated file (``make golden``)."""
    path = Path(__file__).with_name(GENERATED)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in generate().items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
