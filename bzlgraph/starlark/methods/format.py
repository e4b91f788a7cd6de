"""``"...".format(...)``: a pattern -> its pieces -> the text. Fields are ``{}``, ``{0}`` or ``{name}``, nothing more.

>>> format_braces("{}-{name}{{}}", 1, name="x")
'1-x{}'
"""

from __future__ import annotations

import re

from bzlgraph.starlark.evaluation.budget import FREE, LONG, LOOK, charge, charge_string
from bzlgraph.starlark.printing import to_str
from bzlgraph.starlark.value import EvalError

_INDEX = re.compile(r"-?[0-9]+")
_DIGITS = 9
"""Digits of an index that count: no call has so many arguments."""
Piece = tuple[str, int | str | None]
"""Literal text and the field after it: a position, a name, or None at the end."""


def _pieces(pattern: str) -> tuple[Piece, ...] | str:
    """The pieces of a pattern, or what is wrong with it."""
    found: list[Piece] = []
    literal: list[str] = []
    at, automatic = 0, 0
    manual = False
    while at < len(pattern):
        char = pattern[at]
        if char not in "{}":
            end = _next_brace(pattern, at)
            literal.append(pattern[at:end])
            at = end
            continue
        if pattern.startswith(char * 2, at):
            literal.append(char)
            at += 2
            continue
        if char == "}":
            return "Found '}' without matching '{'"
        end = pattern.find("}", at)
        if end < 0:
            return "Found '{' without matching '}'"
        name = pattern[at + 1 : end]
        if "{" in name:
            return "Nested replacement fields are not supported"
        bad = next((each for each in name if each in ".[],"), None)
        if bad:
            return f"Invalid character '{bad}' inside replacement field"
        field: int | str = name
        if not name:
            field, automatic = automatic, automatic + 1
        elif _INDEX.fullmatch(name):
            field, manual = int(name[:_DIGITS]), True
        if automatic and manual:
            return "Cannot mix manual and automatic numbering of positional fields"
        found.append(("".join(literal), field))
        literal = []
        at = end + 1
    found.append(("".join(literal), None))
    return tuple(found)


_BRACE = re.compile(r"[{}]")


def _next_brace(pattern: str, at: int) -> int:
    match = _BRACE.search(pattern, at)
    return match.start() if match else len(pattern)


_plans: dict[str, tuple[str, tuple[int | str, ...]]] = {}
"""Patterns seen so far as (``%`` pattern of Python, fields in order)."""
_MAX_PLANS = 4096


def _plan(pattern: str) -> tuple[str, tuple[int | str, ...]]:
    charge(len(pattern))
    pieces = _pieces(pattern)
    if isinstance(pieces, str):
        raise EvalError(pieces)
    fields = tuple(field for _, field in pieces if field is not None)
    plan = "%s".join(literal.replace("%", "%%") for literal, _ in pieces), fields
    if len(_plans) >= _MAX_PLANS:
        _plans.clear()
    if len(pattern) <= LONG:
        _plans[pattern] = plan
    return plan


def literal_template(pattern: str, arguments: list[int | str]) -> str | None:
    """The ``%s`` template of a literal pattern whose fields are exactly ``arguments`` (positions, names) in order."""
    pieces = _pieces(pattern)
    if isinstance(pieces, str) or [field for _, field in pieces if field is not None] != arguments:
        return None
    return "%s".join(literal.replace("%", "%%") for literal, _ in pieces)


def format_braces(self: str, /, *args: object, **kwargs: object) -> str:
    """The pattern with its fields filled in. EvalError for a bad pattern, or one that no argument fits."""
    template, fields = _plans.get(self) or _plan(self)
    values = []
    charge(LOOK * len(fields))
    for field in fields:
        value = _field(field, args, kwargs)
        values.append(value if type(value) is str else to_str(value))
    text = template % tuple(values)
    if len(text) > FREE:
        charge_string(len(text))
    return text


def _field(field: int | str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """The argument a field stands for."""
    if type(field) is str:
        if field not in kwargs:
            raise EvalError(f"Missing argument '{field}'")
        return kwargs[field]
    assert type(field) is int
    if not 0 <= field < len(args):
        raise EvalError(f"No replacement found for index {field}")
    return args[field]
