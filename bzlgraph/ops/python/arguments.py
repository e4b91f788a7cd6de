"""What a function is given: what a test of a parameter means for its branches, and what a call gives.

``def f(x, where=None, *, mode="constant")``: below ``if where is not None`` stands what runs only when the caller gives
it ("where"), below ``if where is None`` what runs only when it does not ("!where"), below ``if mode == "edge"`` what
runs only for that text ("mode=edge"; "!mode=edge" where the test fails), below ``if op is lax.add`` what runs only for
that function ("op@lax.add"), and where ``if where`` fails what does not run when it is surely true ("~where").

A call gives a parameter a text ("=edge"), a function or another name of a module ("@lax.add", "@" for a lambda),
nothing ("!": None or False), True ("1"), some other value (""), what its own parameters stand for ("where", "a|b"), or
nobody knows what ("?").

>>> from bzlgraph.python_source.syntax import dotted
>>> function = ast.parse("def f(x, where=None, *, keep=False, mode='constant'): pass").body[0]
>>> stands = {name: name for name in ("x", "where", "keep", "mode")}
>>> test = lambda text: needed_by(ast.parse(text, mode="eval").body, stands, dotted)
>>> test("where is None"), test("keep and mode in ('a', 'b')"), test("not (where is None or keep)"), test("x is f")
((('!where',), ('where',)), (('keep', 'mode=a|b'), ()), (('where', '~keep'), ()), (('x@f',), ('!x@f',)))
>>> call = ast.parse("g(x, 'edge', None, 1, n(), keep=True)", mode="eval").body
>>> given_by(call, stands, lambda _value: False, dotted)
(('0', 'x'), ('1', '=edge'), ('2', '!'), ('3', ''), ('4', '?'), ('keep', '1'))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from bzlgraph.ops.python.given import FALSE, GIVES_ANYTHING, NAME, NOT, NOTHING, OR, REST, TEXT, TRUE, UNSURE, VALUE
from bzlgraph.ops.python.summary import Parameter
from bzlgraph.python_source.syntax import AnyFunction, parameter_defaults, parameter_names

Needs = tuple[tuple[str, ...], tuple[str, ...]]
"""What must be so of parameters for a test to hold, and for it not to."""
NEITHER: Needs = ((), ())
MAX_TEXT = 40
"""Characters of a text that is compared with others: longer ones are messages."""
_LITERAL = (ast.BinOp, ast.Compare, ast.Constant, ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)

Outer = Callable[[ast.expr], str]
"""The dotted name of a module's thing, "" for anything else."""


def parameters_of(function: AnyFunction) -> dict[str, Parameter]:
    """The parameters of a function by name."""
    defaults = {name: _given(value, {}, _no_value, _no_name) for name, value in parameter_defaults(function.args)}
    named = {name: Parameter(at, defaults.get(name, UNSURE)) for at, name in enumerate(parameter_names(function.args))}
    only = (each.arg for each in function.args.kwonlyargs)
    return named | {name: Parameter(-1, defaults.get(name, UNSURE)) for name in only}


def stands_for(
    parameters: Iterable[str], assignments: Iterable[ast.AST], stored: Mapping[str, int], shadowed: Iterable[str]
) -> dict[str, str]:
    """Name -> the parameters ("a|b") one of which it is wherever it is used: itself, or ``b = b or a`` and the like.
    ``stored``: how often each name is bound; ``shadowed``: parameters of functions inside."""
    meanings: dict[str, list[ast.expr]] = {}
    for each in assignments:
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            meanings.setdefault(each.targets[0].id, []).append(each.value)
    hidden = set(shadowed)
    bound = Counter(stored)
    sources = {name: {name} for name in parameters if name not in hidden}
    chosen = {
        name: [_chosen(value) for value in values]
        for name, values in meanings.items()
        if len(values) == bound[name] and name not in hidden
    }
    known = {name for name in (*sources, *chosen) if not bound[name] or (name in chosen and all(chosen[name]))}
    while unknown := {name for name in known & chosen.keys() if any(set(one) - known for one in chosen[name])}:
        known -= unknown
    for _ in chosen:  # a name may stand for what another one stands for
        for name in known & chosen.keys():
            sources[name] = sources.get(name, set()).union(
                *(sources.get(one, ()) for each in chosen[name] for one in each)
            )
    return {name: OR.join(sorted(sources[name])) for name in sorted(known) if sources.get(name)}


def needed_by(test: ast.expr, stands: Mapping[str, str], outer: Outer) -> Needs:
    """What a test needs to hold, and not to."""
    match test:
        case ast.Name(id=name) if name in stands:
            return (stands[name],), (FALSE + stands[name],)
        case ast.Compare(left=ast.Name(id=name), ops=[operator], comparators=[other]) if name in stands:
            return _compared(stands[name], operator, other, outer)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            holds, fails = needed_by(operand, stands, outer)
            return fails, holds
        case ast.BoolOp(op=ast.And(), values=values):
            return tuple(name for each in values for name in needed_by(each, stands, outer)[0]), ()
        case ast.BoolOp(op=ast.Or(), values=values):
            together = tuple(name for each in values for name in needed_by(each, stands, outer)[1])
            all_need = [needed_by(each, stands, outer)[0] for each in values]
            return (all_need[0] if all(each == all_need[0] for each in all_need) else ()), together
    return NEITHER


def given_by(
    call: ast.Call, stands: Mapping[str, str], is_value: Callable[[ast.expr], bool], outer: Outer
) -> tuple[tuple[str, str], ...]:
    """(position or name, source) of what a call gives."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return GIVES_ANYTHING
    pairs = [(str(at), each) for at, each in enumerate(call.args)]
    pairs += [(each.arg or REST, each.value) for each in call.keywords]
    return tuple((slot, _given(value, stands, is_value, outer)) for slot, value in pairs)


def _compared(name: str, operator: ast.cmpop, other: ast.expr, outer: Outer) -> Needs:
    holds: Needs = NEITHER
    if isinstance(operator, ast.Is | ast.IsNot) and _is_nothing(other):
        holds = (NOT + name,), (name,)
    elif isinstance(operator, ast.Is | ast.IsNot) and (function := outer(other)):
        holds = (f"{name}{NAME}{function}",), (f"{NOT}{name}{NAME}{function}",)
    elif texts := _texts(other, isinstance(operator, ast.In | ast.NotIn)):
        holds = (f"{name}{TEXT}{texts}",), (f"{NOT}{name}{TEXT}{texts}",)
    return (holds[1], holds[0]) if isinstance(operator, ast.IsNot | ast.NotEq | ast.NotIn) else holds


def _texts(node: ast.expr, several: bool) -> str:
    """The texts that a parameter is compared with, "" where it is compared with anything else."""
    parts = node.elts if several and isinstance(node, ast.Tuple | ast.List | ast.Set) else [] if several else [node]
    texts = [text for each in parts if (text := _text(each))]
    return OR.join(texts) if len(texts) == len(parts) else ""


def _text(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) and len(value) <= MAX_TEXT and OR not in value else ""


def _given(value: ast.expr, stands: Mapping[str, str], is_value: Callable[[ast.expr], bool], outer: Outer) -> str:
    """What one argument gives."""
    if _is_nothing(value):
        return NOTHING
    if isinstance(value, ast.Constant):
        return TRUE if value.value is True else f"{TEXT}{text}" if (text := _text(value)) else VALUE
    if is_value(value):
        return VALUE
    if isinstance(value, ast.Name) and value.id in stands:
        return stands[value.id]
    if isinstance(value, ast.Lambda) or (isinstance(value, ast.Name | ast.Attribute) and outer(value)):
        return NAME if isinstance(value, ast.Lambda) else NAME + outer(value)
    return VALUE if isinstance(value, _LITERAL) else UNSURE


def _chosen(value: ast.expr) -> tuple[str, ...]:
    """The names one of which an expression is: ``a or b``, ``a if x else b``; none for any other expression."""
    if isinstance(value, ast.Name):
        return (value.id,)
    parts = value.values if isinstance(value, ast.BoolOp) else []
    parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else parts
    named = [_chosen(each) for each in parts]
    return tuple(name for each in named for name in each) if all(named) else ()


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)


def _no_value(_value: ast.expr) -> bool:
    return False


def _no_name(_value: ast.expr) -> str:
    return ""
