"""The words of a syntax error: a token that cannot stand where it stands -> Problem.

Token and terminal names never appear: a person is told what was expected in the language's own words, which bracket
is open, and what to write instead where the mistake is one that many people make: one function below knows one, and
the last tuple is their order.
"""

from __future__ import annotations

from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.complaints.broken import broken
from bzlgraph.syntax.complaints.expected import expected
from bzlgraph.syntax.complaints.scene import Scene, WrongToken, scene_of
from bzlgraph.syntax.lalr.tables import BAD, END, NAME, STRING, Row, Tables
from bzlgraph.syntax.problem import Problem

Answer = tuple[str, str | None] | None
"""A message and a hint; None when the mistake is another."""


def explain(found: WrongToken, text: str, states: list[Row], values: list[Any], tables: Tables) -> Problem:
    """The problem of a token that the grammar does not take."""
    if found.kind == BAD:
        return broken(found)
    scene = scene_of(found, text, states, values, tables)
    known = (answer for mistake in _MISTAKES if (answer := mistake(scene)) is not None)
    message, hint = next(known, (expected(scene), None))
    notes: tuple[tuple[int, str], ...] = ()
    start, end = found.start, found.end
    if scene.opening is not None:
        if found.kind == END:
            start, end = scene.opening.start, scene.opening.start + 1
        elif f"`{scene.opening.closer}` to close" in message:
            notes = ((scene.opening.start, f"`{scene.opening.bracket}` is opened here"),)
    return Problem(start, end, message, hint, notes)


_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not"})


def _chained_comparison(scene: Scene) -> Answer:
    if scene.found.text not in _COMPARISONS or not scene.after_operand:
        return None
    return "comparisons cannot be chained", "write `a < b and b < c`, or put one comparison in parentheses"


def _adjacent_strings(scene: Scene) -> Answer:
    before = scene.before
    if scene.found.kind != STRING or not (isinstance(before, ast.Literal) and isinstance(before.value, str)):
        return None
    if scene.opening and "," in scene.accepts:
        return "adjacent strings are not joined", "a comma is missing between them; to join them write `+`"
    return "adjacent strings are not joined", "to join them write `+`"


def _generator(scene: Scene) -> Answer:
    if scene.found.text != "for" or not scene.opening or scene.opening.bracket != "(" or not scene.after_operand:
        return None
    return "there are no generator expressions", "write a list: [x for x in ...]"


def _set_literal(scene: Scene) -> Answer:
    if not scene.opening or scene.opening.bracket != "{" or scene.found.text not in (",", "}", "for"):
        return None
    if not scene.after_operand or "," in scene.accepts:
        return None
    return "expected `:` and a value after the dict key", "there are no set literals; write set([...])"


def _assignment_inside(scene: Scene) -> Answer:
    if scene.found.text != "=" or not scene.after_operand:
        return None
    if scene.opening:
        if scene.opening.bracket == "(" and scene.opening.what.startswith("the call"):
            return "the name of an argument must be a plain name", "to compare write `==`"
        return f"{expected(scene)}", "to compare write `==`; a dict entry is written `key: value`"
    if "NEWLINE" in scene.accepts:
        return "assignments cannot be chained", "write two statements"
    return "`=` is not an operator", "to compare write `==`"


def _annotation(scene: Scene) -> Answer:
    parameters = scene.opening and scene.opening.what.startswith("the parameters")
    if scene.found.text != ":" or not (parameters or ("=" in scene.accepts and not scene.opening)):
        return None
    if not parameters and not isinstance(scene.before, ast.Ident):
        return None
    if not parameters:
        return "type annotations are not supported", "to assign write `name = value`"
    return "type annotations are not supported", "remove `:` and the type"


def _print_statement(scene: Scene) -> Answer:
    before = scene.before
    if not (isinstance(before, ast.Ident) and scene.after_operand and "NEWLINE" in scene.accepts):
        return None
    if before.name in ("print", "exec") and (scene.found.kind in (STRING, NAME) or scene.found.text[:1].isalnum()):
        return f"`{before.name}` is a function", f"write {before.name}(...)"
    return None


def _foreign_operator(scene: Scene) -> Answer:
    found = scene.found
    for operator in (scene.text[found.start - 1 : found.end], scene.text[found.start : found.end + 1]):
        if operator in _FOREIGN:
            return f"there is no operator `{operator}`", _FOREIGN[operator]
    return None


def _power(scene: Scene) -> Answer:
    if scene.found.text == "**" and scene.after_operand:
        return "there is no operator `**`", "multiply instead"
    return None


def _unpacking(scene: Scene) -> Answer:
    if scene.found.text not in ("*", "**") or scene.after_operand:
        return None
    if scene.opening and scene.opening.bracket in "[{":
        return f"`{scene.found.text}` cannot unpack into a list or dict", "join with `+`, or with dict(...)"
    return None


def _wrong_closer(scene: Scene) -> Answer:
    if scene.found.text not in (")", "]", "}"):
        return None
    if scene.opening is None:
        return f"`{scene.found.text}` is unmatched: no bracket is open", None
    return None


def _else_if(scene: Scene) -> Answer:
    at = scene.found.start
    if scene.found.text == "if" and scene.text[:at].rstrip().endswith("else"):
        return "expected `:` after `else`", "write `elif`"
    if scene.found.text in ("else", "elif") and "def" in scene.accepts:
        return f"`{scene.found.text}` has no matching `if`", "loops have no `else`; check the indentation"
    return None


def _carriage_returns(scene: Scene) -> Answer:
    if "\r" in scene.text and "\n" not in scene.text:
        return expected(scene), "the lines of this file end in a bare carriage return; convert it to line feeds"
    return None


def _placeholder(scene: Scene) -> Answer:
    if scene.text.startswith("%{", scene.found.start):
        shown = scene.text[scene.found.start : scene.found.start + 60].partition("}")[0]
        return (
            f"`{shown}}}` is a placeholder: this file is a template",
            "a repository rule generates the real file from it",
        )
    return None


_FOREIGN = {
    "&&": "write `and`",
    "||": "write `or`",
    "<>": "write `!=`",
    ":=": "assign in a statement of its own",
    "=>": "write `>=`, or `lambda x: ...`",
}

_MISTAKES = (
    _carriage_returns,
    _placeholder,
    _adjacent_strings,
    _foreign_operator,
    _chained_comparison,
    _generator,
    _set_literal,
    _annotation,
    _assignment_inside,
    _print_statement,
    _power,
    _unpacking,
    _wrong_closer,
    _else_if,
)
