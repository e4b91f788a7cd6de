"""Rules that one registration gives several platforms: helpers that register them, rules that choose among them.

``registered(helper, call, code)`` -> the calls of ``register_lowering`` that a call of the helper comes to. The helper
is read, not run: parameters become what they were given, loops over literals are unrolled, both sides of an ``if``
count, and an entry of a module's dict is looked up.

    def register_both(prim, rule, platforms=("cpu", "cuda")):
      for platform in platforms:
        mlir.register_lowering(prim, partial(rule, prefix=PREFIXES[platform]), platform=platform)
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.jax.lowering.turns import Substitution, turns
from bzlgraph.python_source.syntax import dotted, last_name, parameter_defaults, parameter_names, walk

REGISTERING = ("register_lowering", "register_lowering_rule", "register_translation")
CHOOSING, RULES = "lower_per_platform", 2
"""The function that chooses, and which of its arguments has the rules."""
MAX_REGISTERED = 100
"""More rules than there are platforms come from no helper."""


def names_of_helpers(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The functions of a module that register a rule for a primitive, or for a platform, among their parameters."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.name not in REGISTERING:
            parameters = frozenset(parameter_names(statement.args))
            calls = (node for node in walk(statement) if registers(node))
            if any(each.args and {dotted(each.args[0]), platform_of(each)} & parameters for each in calls):
                yield statement.name


def registered(helper: Definition, call: ast.Call, code: PythonCode) -> list[ast.Call]:
    """The calls of ``register_lowering`` that a call of the helper comes to, with what it was given."""
    if not isinstance(helper.node, ast.FunctionDef):
        return []
    given = dict(parameter_defaults(helper.node.args))
    given |= zip(parameter_names(helper.node.args), call.args, strict=False)
    given |= {each.arg: each.value for each in call.keywords if each.arg}
    found = _run(helper.node.body, given, helper.path, code)
    return [each for each, _ in zip(found, range(MAX_REGISTERED), strict=False)]


class PerPlatform(NamedTuple):
    """A rule that ends with a choice: what it does before, and (platform, function inside or expression) values."""

    before: list[ast.stmt]
    rules: list[tuple[str, ast.FunctionDef | ast.expr]]


def per_platform(rule: ast.expr, path: str, code: PythonCode) -> PerPlatform | None:
    """The choice of ``return lower_per_platform(ctx, name, dict(cpu=f, ...), ...)`` that a rule of a module ends with;
    functions inside of the rule are told as such. None for a rule that makes no such choice."""
    found = code.definition(path, dotted(rule)) if dotted(rule) else None
    body = found.node.body if found is not None and isinstance(found.node, ast.FunctionDef) else []
    chosen = body[-1].value if body and isinstance(body[-1], ast.Return) else None
    if not (isinstance(chosen, ast.Call) and last_name(chosen.func) == CHOOSING and len(chosen.args) > RULES):
        return None
    inner = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
    rules = [(platform, inner.get(_innermost(each), each)) for platform, each in _entries(chosen.args[RULES])]
    used = [each for _, each in rules]
    return PerPlatform([each for each in body[:-1] if each not in used], rules) if rules else None


def _entries(table: ast.expr) -> list[tuple[str, ast.expr]]:
    """``dict(cpu=f)`` and ``{"cpu": f}`` as pairs."""
    if isinstance(table, ast.Call) and dotted(table.func) == "dict":
        return [(each.arg, each.value) for each in table.keywords if each.arg]
    if not isinstance(table, ast.Dict):
        return []
    pairs = zip(table.keys, table.values, strict=True)
    return [(str(key.value), value) for key, value in pairs if isinstance(key, ast.Constant)]


def _innermost(rule: ast.expr) -> str:
    """The name of a function, through ``partial``."""
    while isinstance(rule, ast.Call) and last_name(rule.func) == "partial" and rule.args:
        rule = rule.args[0]
    return dotted(rule)


def _run(body: Sequence[ast.stmt], given: Mapping[str, ast.expr], path: str, code: PythonCode) -> Iterator[ast.Call]:
    known = dict(given)
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = _looked_up(_given(value, known), path, code)
            case ast.For(target=target, iter=values):
                for turn in turns(target, _given(values, known)) or ():
                    yield from _run(statement.body, {**known, **turn}, path, code)
            case ast.If():
                yield from _run([*statement.body, *statement.orelse], known, path, code)
            case ast.Expr(value=value) if registers(value):
                registering = _given(value, known)
                assert isinstance(registering, ast.Call)
                yield registering


def platform_of(call: ast.Call) -> str:
    """The dotted name that ``register_lowering`` is given as the platform, "" where it is given none by a name."""
    given = [*(each.value for each in call.keywords if each.arg == "platform"), *call.args[2:3]]
    return dotted(given[0]) if given else ""


def registers(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether it calls what registers a rule."""
    return isinstance(node, ast.Call) and last_name(node.func) in REGISTERING


def _given(expression: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    made: ast.expr = Substitution(known).visit(copy.deepcopy(expression))
    return made


def _looked_up(expression: ast.expr, path: str, code: PythonCode) -> ast.expr:
    """``TABLE["cpu"]`` as what the module's dict holds; any other expression as it is."""
    if not isinstance(expression, ast.Subscript) or not isinstance(expression.slice, ast.Constant):
        return expression
    found = code.definition(path, dotted(expression.value)) if dotted(expression.value) else None
    if found is None or not isinstance(found.node, ast.Dict):
        return expression
    wanted = expression.slice.value
    entries = zip(found.node.keys, found.node.values, strict=True)
    return next((value for key, value in entries if isinstance(key, ast.Constant) and key.value == wanted), expression)
