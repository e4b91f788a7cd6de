"""The LALR tables: ``grammars/starlark.lark`` -> rows the parser's loop can run.

Lark analyses the grammar (its ``_parse_table`` is not public: ``pyproject.toml`` pins Lark's minor version, a test
guards the access). That costs 0.15 s and an import, so the finished rows are kept in ``starlark.tables.json`` beside
this file, with the grammar's digest; when the digest differs (someone is editing the grammar) they are made anew in
memory, and ``make golden`` writes the file.

Rules
1. A row is a list indexed by symbol number, terminals first: ``None`` is an error, another row is a shift (or, for a
   nonterminal, where to go after a reduction), a tuple ``(size, nonterminal, maker)`` is a reduction.
2. Reductions that change nothing (``?sum: product``) are gone: ``_specialise`` follows the chain of such reductions
   at table-making time. A plain ``"x"`` among arguments would take thirteen of them.

Theory of operation
In an LR automaton, a row Q that was entered from a row P with symbol X and says "reduce A -> X, nothing else" only
replaces Q by P's goto for A. P is known when the table is made if Q is copied once per P; then the chain
``X -> A -> B -> ...`` can be followed at once, per lookahead, to the first action that does something, and that action
is written into the copy of Q. Whatever it reduces later pops that copy, so nothing else notices. Copies with equal
contents are one row. (Unit production elimination: Pager, 1974.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from bzlgraph.syntax import grammar
from bzlgraph.syntax.lalr.build_ast import Builder

GENERATED = "starlark.tables.json"

# The first columns of every row: the lexer and the parser's loop compare with these numbers.
LEADING = ("LPAR", "LSQB", "LBRACE", "RPAR", "RSQB", "RBRACE", "NAME", "STRING", "BYTES", "INT", "FLOAT")
LAST_OPENING = 2
LAST_BRACKET = 5
NAME, STRING, BYTES, INT, FLOAT = 6, 7, 8, 9, 10
OTHER = ("NEWLINE", "INDENT", "DEDENT", "$END", "BAD")
NEWLINE, INDENT, DEDENT, END, BAD = 11, 12, 13, 14, 15

Row = list[Any]
"""See rule 1. The loop tells a reduction from a row by its class, which no type checker follows: hence ``Any``."""
Actions = dict[str, tuple[str, Any]]
"""``{symbol: ("shift", state) | ("reduce", rule index)}``: a row while the table is being made."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything the lexer and the parser need of the grammar. ``words`` maps fixed tokens to their columns."""

    start: Row
    symbols: tuple[str, ...]
    words: dict[str, int]
    terminals: int
    file: int
    statements: int

    def column(self, word: str) -> int:
        """The column of a fixed word or of a symbol."""
        return self.words[word] if word in self.words else self.symbols.index(word)


def lark_parser() -> Any:
    """Stock Lark on the grammar, to be driven with ready-made tokens."""
    from lark import Lark
    from lark.lexer import Lexer, Token

    class TokenFeed(Lexer):
        """Tokens come in as a list."""

        def __init__(self, _conf: object) -> None:
            pass

        def lex(self, data: Iterable[Token]) -> Iterator[Token]:  # type: ignore[override]
            return iter(data)

    return Lark(
        grammar.text("starlark"),
        parser="lalr",
        lexer=TokenFeed,
        start="file",
        keep_all_tokens=True,
        maybe_placeholders=False,
        strict=True,
    )


def digest() -> str:
    """What the generated file is checked against."""
    from hashlib import sha256

    return sha256(grammar.text("starlark").encode()).hexdigest()


def generate() -> dict[str, Any]:
    """Make the content of the generated file from the grammar, with Lark."""
    lark = lark_parser()
    table = lark.parser.parser._parse_table
    numbers = {rule: index for index, rule in enumerate(lark.rules)}
    states = {state: _plain(actions, numbers) for state, actions in table.states.items()}
    accept = table.end_states["file"]  # Lark stops here by itself; the loop wants an action like any other
    states[accept]["$END"] = ("shift", accept)
    units = {index: rule.origin.name for rule, index in numbers.items() if _is_unit(rule)}
    rows = _specialise(states, table.start_states["file"], units)
    symbols, terminals = _symbols(rows)
    column = {name: index for index, name in enumerate(symbols)}
    return {
        "grammar": digest(),
        "symbols": symbols,
        "terminals": terminals,
        "words": {terminal.pattern.value: column[terminal.name] for terminal in lark.terminals},
        "rules": [
            [len(rule.expansion), column.get(rule.origin.name, -1), str(rule.alias or rule.origin.name)]
            for rule in lark.rules
        ],
        "rows": [sorted([column[name], *_encoded(action)] for name, action in row.items()) for row in rows],
    }


def _symbols(rows: list[Actions]) -> tuple[list[str], int]:
    """The columns in order, terminals first, and how many of them are terminals."""
    used = sorted({name for row in rows for name in row})
    first = [*LEADING, *OTHER]
    terminals = [*first, *(name for name in used if name not in first and (name.isupper() or name == "$END"))]
    return [*terminals, *(name for name in used if name not in terminals)], len(terminals)


def _plain(actions: Mapping[str, Any], numbers: dict[object, int]) -> Actions:
    """One of Lark's states with numbers for rules."""
    return {
        name: ("shift", value) if action.name == "Shift" else ("reduce", numbers[value])
        for name, (action, value) in actions.items()
    }


def _is_unit(rule: Any) -> bool:
    """``?rule: symbol`` without a name of its own: makes nothing."""
    return len(rule.expansion) == 1 and rule.alias is None and rule.options.expand1


def _specialise(states: dict[object, Actions], start: object, units: dict[int, str]) -> list[Actions]:
    """Rule 2: the rows reachable from ``start``, unit reductions followed; shifts become indices into the result."""
    rows = [dict(states[start])]
    known = {_content(rows[0]): 0}
    for row in rows:  # grows while we go; sorted, so that the generated file is the same in every run
        shifts = sorted((name, state) for name, (kind, state) in row.items() if kind == "shift")
        for name, target in [(name, _enter(row, states, state, units)) for name, state in shifts]:
            index = known.setdefault(_content(target), len(rows))
            if index == len(rows):
                rows.append(target)
            row[name] = ("goto", index)
    return rows


def _enter(row: Actions, states: dict[object, Actions], state: object, units: dict[int, str]) -> Actions:
    """The copy of ``state`` for those who come from ``row``."""
    made: Actions = {}
    for name, first in states[state].items():
        action: tuple[str, Any] | None = first
        while action and action[0] == "reduce" and action[1] in units:
            # `state` would give way to the goto of `row` for the unit's name; what that state says of the same
            # lookahead is what happens next. Its own gotos are needed too, as the copy stands in its place.
            passed = states[row[units[action[1]]][1]]
            for goto, where in passed.items():
                if where[0] == "shift" and not (goto.isupper() or goto == "$END"):
                    made.setdefault(goto, where)
            action = passed.get(name)
        if action:
            made[name] = action
    return made


def _content(row: Actions) -> frozenset[object]:
    return frozenset(row.items())


def _encoded(action: tuple[str, int]) -> list[int]:
    """A shift to row n as n, a reduction by rule n as -n - 1."""
    return [action[1] if action[0] == "goto" else -action[1] - 1]


def link(generated: dict[str, Any], makers: type) -> Tables:
    """The rows as objects that point to one another, reductions to the methods of ``makers``."""
    width = len(generated["symbols"])
    rows: list[Row] = [[None] * width for _ in generated["rows"]]
    reductions = [
        # A rule named like a word of Python (`-> def`) is made by the method with an underscore.
        (size, column, getattr(makers, f"{maker}_" if iskeyword(maker) else maker, None))
        for size, column, maker in generated["rules"]
    ]
    for row, entries in zip(rows, generated["rows"], strict=True):
        for column, action in entries:
            row[column] = rows[action] if action >= 0 else reductions[-action - 1]
    return Tables(
        start=rows[0],
        symbols=tuple(generated["symbols"]),
        words=generated["words"],
        terminals=generated["terminals"],
        file=generated["symbols"].index("file"),
        statements=generated["symbols"].index("statements"),
    )


@cache
def tables() -> Tables:
    """The tables, from the generated file when it belongs to the grammar."""
    found = Path(__file__).with_name(GENERATED)
    generated = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else None
    if generated is None or generated["grammar"] != digest():
        generated = generate()
    return link(generated, Builder)


def write() -> None:
    """Write the generated file (``make golden``)."""
    path = Path(__file__).with_name(GENERATED)
    body = generate()
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in body.pop("rows"))
    head = json.dumps(body, indent=None, separators=(",", ":"))
    written = path.with_suffix(".new")  # replaced in one step: other tests read the file at the same time
    written.write_text(f'{head[:-1]},\n"rows":[\n{rows}\n]}}\n', encoding="utf-8")
    written.replace(path)
