"""The scene of a syntax error: the token that is wrong, what could stand there, and which bracket is open.

parser stacks -> Scene. The explanations look at nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.lalr.tables import Row, Tables

_OF_ANNOTATIONS = frozenset({"ANNOTATION", "RESULT", "ELLIPSIS", "GENERIC", "TYPE"})
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class WrongToken:
    """The token that is wrong."""

    kind: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The innermost open bracket: where, which, and what it opened ("the list")."""

    start: int
    bracket: str
    what: str

    @property
    def closer(self) -> str:
        """The bracket that closes it."""
        return _CLOSERS[self.bracket]


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything an explanation looks at. ``accepts`` are the fixed words and symbols that could stand here."""

    found: WrongToken
    text: str
    values: list[Any]
    accepts: frozenset[str]
    opening: Opening | None

    @property
    def after_operand(self) -> bool:
        """Whether an expression is complete here: an operator could follow, or the end."""
        return "and" in self.accepts

    @property
    def before(self) -> object:
        """What stands before the token: a node, a list, or the offset of a word."""
        return self.values[-1]

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1


def scene_of(found: WrongToken, text: str, states: list[Row], values: list[Any], tables: Tables) -> Scene:
    """Look at the parser's stacks as they are when a token is refused."""
    return Scene(found, text, values, _accepted(states, tables), _opening(text, values))


def _accepted(states: list[Row], tables: Tables) -> frozenset[str]:
    """The words and symbols that the automaton would shift: reductions are played on the states alone."""
    names = [*tables.symbols[: tables.terminals]]
    for word, column in tables.words.items():
        names[column] = word
    shifted = frozenset(names[kind] for kind in range(tables.terminals) if _shifts(states, kind))
    return shifted - _OF_ANNOTATIONS


def _shifts(states: list[Row], kind: int) -> bool:
    stack: list[Row] = []  # what lies above states[:base]
    base = len(states)
    while True:
        row = stack[-1] if stack else states[base - 1]
        action = row[kind]
        if action.__class__ is not tuple:
            return action is not None
        size, goto, _ = action
        taken = min(size, len(stack))
        if taken:
            del stack[len(stack) - taken :]
        base -= size - taken
        stack.append((stack[-1] if stack else states[base - 1])[goto])


def _opening(text: str, values: list[Any]) -> Opening | None:
    """The innermost bracket that is open: brackets lie on the stack as offsets."""
    closed = 0
    for index in range(len(values) - 1, -1, -1):
        value = values[index]
        if value.__class__ is not int or value >= len(text):
            continue
        if text[value] in ")]}":
            closed += 1
        elif text[value] in _CLOSERS:
            if not closed:
                return Opening(value, text[value], _opened_by(text, values, index))
            closed -= 1
    return None


def _opened_by(text: str, values: list[Any], index: int) -> str:
    """What the bracket at ``values[index]`` opened."""
    bracket = text[values[index]]
    owner = values[index - 1] if index else None
    if bracket == "{":
        return "the dict"
    if isinstance(owner, ast.Ident) and index > 1 and _starts(text, values[index - 2], "def"):
        return f"the parameters of `{owner.name}`"
    if isinstance(owner, ast.Expr):
        return _call_of(owner) if bracket == "(" else "the index"
    if _starts(text, owner, "load"):
        return "the `load` statement"
    return "the list" if bracket == "[" else "the parenthesis"


def _starts(text: str, offset: object, word: str) -> bool:
    return offset.__class__ is int and text.startswith(word, offset)


def _call_of(func: ast.Expr) -> str:
    name = func.name if isinstance(func, ast.Ident | ast.Dot) else ""
    return f"the call of `{name}`" if name else "the call"
