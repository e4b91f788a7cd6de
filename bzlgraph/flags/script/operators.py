"""Operators and string methods on plain values: Python's own where all is known, texts with holes where it is not.

Everything is bounded: a checkout is not trusted, and ``'%999999999d'`` is a string of a gigabyte.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import TypeGuard

from bzlgraph.flags.script import values
from bzlgraph.flags.script.values import MAX_TEXT, Cases, Opaque, Table, Template, UserInput

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[-+ 0#]*)(?P<width>\d{0,3})(?:\.\d{1,3})?(?P<kind>[srdifxgeu%])"
)
_BRACES = re.compile(r"\{\{|\}\}|\{(?P<name>[\w.\[\]]*)(?:![rsa])?(?::(?P<spec>[^{}]*))?\}")
_NUMBERS = (int, float)
_ORDERS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_TRIMS = ("strip", "lstrip", "rstrip")
_CASES = ("lower", "upper", "title", "capitalize")
_SPLITS = ("split", "rsplit", "splitlines")
_SAME = (*_TRIMS, *_CASES, *_SPLITS, "decode", "encode", "format", "replace")
"""What is done to an answer does not change whose answer it is."""
_TESTS = ("startswith", "endswith", "isdigit", "isalpha")
_PLAIN = (*_TRIMS, *_CASES, *_SPLITS, *_TESTS, "partition", "rpartition", "replace", "decode", "encode")


def binary(op: ast.operator, left: object, right: object, source: str) -> object:
    """``left op right``; ``source`` is what an unknown result is called."""
    if isinstance(op, ast.Mod) and isinstance(left, str | Template):
        return percent(str(left), right)
    if isinstance(op, ast.Add):
        return _add(left, right, source)
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return _number(op, left, right, source)
    if isinstance(op, ast.Mult) and isinstance(left, str) and isinstance(right, int) and len(left) * right < MAX_TEXT:
        return left * right
    return values.opaque(source)


def _add(left: object, right: object, source: str) -> object:
    if isinstance(left, tuple) and isinstance(right, tuple):
        return (left + right)[:MAX_TEXT]
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return left + right
    if isinstance(left, str | Template | UserInput) or isinstance(right, str | Template | UserInput):
        return values.as_text(values.text_of(left) + values.text_of(right), left, right)
    return values.opaque(source)


def _number(op: ast.operator, left: float, right: float, source: str) -> object:
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right if abs(left) < 1e9 and abs(right) < 1e9 else values.opaque(source)
    if isinstance(op, ast.FloorDiv | ast.Mod | ast.Div) and right:
        return (
            left // right if isinstance(op, ast.FloorDiv) else left % right if isinstance(op, ast.Mod) else left / right
        )
    return values.opaque(source)


def percent(form: str, operand: object) -> object:
    """``form % operand``."""
    given = operand if isinstance(operand, tuple) else (operand,)
    operands = list(given)
    names = dict(operand.entries) if isinstance(operand, Table) else {}

    def replaced(match: re.Match[str]) -> str:
        if match["kind"] == "%":
            return "%"
        value = names.get(match["key"], "") if match["key"] is not None else operands.pop(0) if operands else ""
        text = repr(value) if match["kind"] == "r" and isinstance(value, str) else values.text_of(value)
        width = int(match["width"] or 0)
        if "0" in match["flags"] and isinstance(value, int):
            return text.zfill(width)
        return text.ljust(width) if "-" in match["flags"] else text.rjust(width)

    return values.as_text(_PERCENT.sub(replaced, form), *given, *_hole(form))


def braces(form: str, operands: list[object], names: dict[str, object]) -> object:
    """``form.format(*operands, **names)``; what a width or a kind would change is left as it is."""
    waiting = iter(operands)
    used: list[object] = []

    def replaced(match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0][0]
        name = re.split(r"[.\[]", match["name"])[0]
        if name.isdigit():
            value = operands[int(name)] if int(name) < len(operands) else ""
        else:
            value = names.get(name, "") if name else next(waiting, "")
        used.append(value)
        return values.text_of(value)

    return values.as_text(_BRACES.sub(replaced, form), *used, *_hole(form))


def _hole(form: str) -> tuple[Template, ...]:
    """Whether the form itself has holes cannot be seen from its text any more; a name in angle brackets is one."""
    return (Template(form),) if re.search(r"<\w[^<>]*>", form) else ()


def compare(op: ast.cmpop, left: object, right: object) -> Cases:
    """``left op right``: a boolean, by cases."""
    if isinstance(op, ast.NotEq):
        return negated(compare(ast.Eq(), left, right))
    if isinstance(op, ast.IsNot):
        return negated(compare(ast.Is(), left, right))
    if isinstance(op, ast.NotIn):
        return negated(_contains(right, left))
    if isinstance(op, ast.In):
        return _contains(right, left)
    if right is None or left is None:
        return values.EITHER if isinstance(left, Opaque) else values.always(left is right)
    if isinstance(op, ast.Eq | ast.Is):
        return values.equals(left, right)
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return values.always(_ORDERS[type(op)](left, right))
    return values.EITHER


def negated(cases: Cases) -> Cases:
    """``not`` of booleans."""
    return Cases((guard, not value) for guard, value in cases)


def _contains(container: object, item: object) -> Cases:
    if isinstance(container, Table):
        container = tuple(key for key, _ in container.entries)
    if isinstance(container, tuple):
        if isinstance(item, UserInput):
            return values.given_among(item, container)
        if isinstance(item, Opaque) and all(isinstance(each, str) for each in container):
            return values.machine_is(item, container)
        if not isinstance(item, Opaque | Template):
            return values.always(item in container)
    if isinstance(container, str) and isinstance(item, str):
        return values.always(item in container)
    return values.EITHER


def text_method(value: object, name: str, arguments: list[object], source: str) -> object:
    """``value.name(arguments)`` of a string, or of what stands for one."""
    if name == "startswith" and isinstance(value, Opaque) and arguments and isinstance(arguments[0], str):
        return values.machine_is(value, [arguments[0]])
    if name == "join":
        return _join(value, arguments, source)
    if isinstance(value, str) and name in _PLAIN and all(isinstance(each, str | int) for each in arguments):
        return _plain(value, name, arguments, source)
    if isinstance(value, UserInput) and name in _SAME:
        return value
    if isinstance(value, Template) and name in _TRIMS and not arguments:
        return Template(getattr(value.text, name)())
    if isinstance(value, Template) and name == "replace" and _texts(arguments):
        return Template(value.text.replace(arguments[0], arguments[1])[:MAX_TEXT])
    return values.opaque(source)


def _texts(arguments: list[object]) -> TypeGuard[list[str]]:
    return len(arguments) == 2 and all(isinstance(each, str) and each for each in arguments[:1]) and \
        all(isinstance(each, str) and len(each) < 100 for each in arguments)  # fmt: skip


def _plain(value: str, name: str, arguments: list[object], source: str) -> object:
    if name in ("decode", "encode"):
        return value
    if name == "replace" and not _texts(arguments):
        return values.opaque(source)
    try:
        found = getattr(value, name)(*arguments)
    except (TypeError, ValueError):
        return values.opaque(source)
    return tuple(found) if isinstance(found, list) else found


def _join(value: object, arguments: list[object], source: str) -> object:
    if isinstance(value, str | Template) and len(arguments) == 1:
        items = arguments[0]
        if isinstance(items, tuple):
            return values.as_text(str(value).join(map(values.text_of, items)), value, *items)
        if isinstance(items, UserInput):
            return items
    return values.opaque(source)
