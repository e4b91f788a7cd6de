"""Functions that register the rules that they are given, for one platform after the other.

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
from typing import TypeGuard

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.python_source.syntax import dotted, last_name, parameter_defaults, parameter_names

REGISTERING = ("register_lowering", "register_lowering_rule")
MAX_REGISTERED = 100
"""More rules than there are platforms come from no helper."""


def names_of_helpers(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The functions of a module that register a rule for a primitive among their parameters."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.name not in REGISTERING:
            parameters = frozenset(parameter_names(statement.args))
            calls = (node for node in ast.walk(statement) if _registers(node))
            if any(each.args and dotted(each.args[0]) in parameters for each in calls):
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


def _run(body: Sequence[ast.stmt], given: Mapping[str, ast.expr], path: str, code: PythonCode) -> Iterator[ast.Call]:
    known = dict(given)
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = _looked_up(_given(value, known), path, code)
            case ast.For(target=ast.Name(id=name), iter=values):
                values = _given(values, known)
                for each in values.elts if isinstance(values, ast.Tuple | ast.List) else ():
                    yield from _run(statement.body, {**known, name: each}, path, code)
            case ast.If():
                yield from _run([*statement.body, *statement.orelse], known, path, code)
            case ast.Expr(value=value) if _registers(value):
                registering = _given(value, known)
                assert isinstance(registering, ast.Call)
                yield registering


def _registers(node: ast.AST) -> TypeGuard[ast.Call]:
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


class Substitution(ast.NodeTransformer):
    """Names -> what stands for them."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """One name."""
        return self._given.get(node.id, node)
