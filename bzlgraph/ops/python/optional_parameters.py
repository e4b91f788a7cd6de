"""Parameters that a caller may leave out: what a test of one means for its branches, and which a call gives.

``def f(x, where=None, *, keep=False)``: below ``if where is not None`` and ``if keep`` stands what runs only when the
caller gives them ("where", "keep"), below ``if where is None`` what runs only when it does not ("!where").

>>> function = ast.parse("def f(x, where=None, *, keep=False): pass").body[0]
>>> optional = optional_parameters(function, set())
>>> test = lambda text: needed_by(ast.parse(text, mode="eval").body, optional)
>>> test("where is None"), test("keep and x > 1"), test("not (where is None or keep)"), test("x is None")
((('!where',), ('where',)), (('keep',), ()), (('where',), ()), ((), ()))
>>> given_by(ast.parse("g(x, where, None, 1, keep=True)", mode="eval").body, optional, lambda _value: False)
(('0', '?'), ('1', 'where'), ('3', ''), ('keep', ''))
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping

from bzlgraph.python_source.syntax import AnyFunction, parameter_defaults, parameter_names

Needs = tuple[tuple[str, ...], tuple[str, ...]]
"""The parameters that must be given, or must not be, for a test to hold, and for it not to."""
NEITHER: Needs = ((), ())
NOT = "!"
"""Before the name of a parameter that is not given."""
UNSURE = "?"
REST = "*"
"""What a call gives when nobody knows what: ``f(*args, **more)``."""


def optional_parameters(function: AnyFunction, stored: Container[str]) -> dict[str, int]:
    """Those with None or False by default that the function itself does not assign: by name, with their positions
    (-1 for those given by name only)."""
    positions = {name: at for at, name in enumerate(parameter_names(function.args))}
    return {
        name: positions.get(name, -1)
        for name, default in parameter_defaults(function.args)
        if _is_nothing(default) and name not in stored
    }


def needed_by(test: ast.expr, optional: Mapping[str, int]) -> Needs:
    """What a test needs to hold, and not to."""
    match test:
        case ast.Name(id=name) if name in optional:
            return (name,), ()
        case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[other]) if name in optional:
            return ((name,), (NOT + name,)) if _is_nothing(other) else NEITHER
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[other]) if name in optional:
            return ((NOT + name,), (name,)) if _is_nothing(other) else NEITHER
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            holds, fails = needed_by(operand, optional)
            return fails, holds
        case ast.BoolOp(op=ast.And(), values=values):
            return tuple(name for each in values for name in needed_by(each, optional)[0]), ()
        case ast.BoolOp(op=ast.Or(), values=values):
            together = tuple(name for each in values for name in needed_by(each, optional)[1])
            all_need = [needed_by(each, optional)[0] for each in values]
            return (all_need[0] if all(each == all_need[0] for each in all_need) else ()), together
    return NEITHER


def given_by(
    call: ast.Call, optional: Mapping[str, int], is_value: Callable[[ast.expr], bool]
) -> tuple[tuple[str, str], ...]:
    """(position or name, source) of what a call gives. The source is the caller's own optional parameter that is handed
    on, "" for what is surely a value (``is_value``), ``UNSURE`` for what may be None as well."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return ((REST, ""),)
    literal = (ast.BinOp, ast.Compare, ast.Constant, ast.Lambda, ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)

    def sure(value: ast.expr) -> bool:
        return isinstance(value, literal) or is_value(value)

    pairs = [(str(at), each) for at, each in enumerate(call.args)]
    pairs += [(each.arg or REST, each.value) for each in call.keywords]
    return tuple(
        (slot, value.id if isinstance(value, ast.Name) and value.id in optional else "" if sure(value) else UNSURE)
        for slot, value in pairs
        if not _is_nothing(value)
    )


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)
