"""Rules of primitives that a function makes together with them.

``made_with(path, call, code)`` -> the rules that the maker, or one that it calls, registers for what it makes, or
enters into a table as before MLIR; what a parameter of the maker is given counts before what stands in its place.

    def standard_primitive(shape_rule, dtype_rule, name, translation_rule=None):
      prim = Primitive(name)
      xla.translations[prim] = translation_rule or partial(standard_translate, name)
      return prim
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.lowering.registering import registers
from bzlgraph.ops.jax.lowering.turns import Substitution
from bzlgraph.python_source.syntax import dotted, flattened, last_name, parameter_defaults, parameter_names

TABLE = "translations"
MAX_MAKERS = 4
"""Makers that call each other."""


class MadeRule(NamedTuple):
    """A rule, where its names mean what they mean, the line that enters or gives it, and the call that registers it."""

    rule: ast.expr
    path: str
    line: int
    registering: ast.Call | None = None


def made_with(path: str, call: ast.Call, code: PythonCode) -> Iterator[MadeRule]:
    """The rules for what a call in the module at ``path`` makes."""
    yield from _made_by(path, path, call, code, MAX_MAKERS)


def _made_by(origin: str, path: str, call: ast.Call, code: PythonCode, left: int) -> Iterator[MadeRule]:
    maker = code.definition(path, dotted(call.func)) if dotted(call.func) and left else None
    if maker is None:
        return
    if isinstance(maker.node, ast.Call) and last_name(maker.node.func) == "partial" and maker.node.args:
        first, *more = maker.node.args
        whole = ast.Call(first, [*more, *call.args], [*maker.node.keywords, *call.keywords])
        yield from _made_by(origin, maker.path, whole, code, left - 1)
    elif isinstance(maker.node, ast.FunctionDef):
        given = dict(parameter_defaults(maker.node.args))
        given |= zip(parameter_names(maker.node.args), call.args, strict=False)
        given |= {each.arg: each.value for each in call.keywords if each.arg}
        body = list(flattened(maker.node.body))
        returned = {dotted(each.value) for each in body if isinstance(each, ast.Return) and each.value is not None}
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Subscript(value=table, slice=ast.Name(id=made))], value=rule) if (
                    last_name(table) == TABLE and made in returned
                ):
                    yield from _chosen(rule, given, MadeRule(rule, maker.path, statement.lineno), origin)
                case ast.Expr(value=ast.Call(args=[ast.Name(id=made), rule, *_]) as call) if (
                    registers(call) and made in returned
                ):
                    yield from _chosen(rule, given, MadeRule(rule, maker.path, call.lineno, call), origin)
                case ast.Assign(targets=[ast.Name(id=made)], value=ast.Call() as inner) if made in returned:
                    yield from _made_by(origin, maker.path, _with(inner, given), code, left - 1)
                case ast.Return(value=ast.Call() as inner):
                    yield from _made_by(origin, maker.path, _with(inner, given), code, left - 1)


def _chosen(rule: ast.expr, given: Mapping[str, ast.expr], entered: MadeRule, origin: str) -> Iterator[MadeRule]:
    """The first of ``given or default`` that is there; what was given is written where the primitive is."""
    for each in rule.values if isinstance(rule, ast.BoolOp) and isinstance(rule.op, ast.Or) else [rule]:
        value = given.get(dotted(each))
        if value is None:
            yield entered._replace(rule=_substituted(each, given))
            return
        if not (isinstance(value, ast.Constant) and value.value is None):
            yield entered._replace(rule=value, path=origin, line=value.lineno)
            return


def _substituted(node: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    made: ast.expr = Substitution(given).visit(copy.deepcopy(node))
    return made


def _with(call: ast.Call, given: Mapping[str, ast.expr]) -> ast.Call:
    keywords = [ast.keyword(each.arg, _substituted(each.value, given)) for each in call.keywords]
    return ast.Call(call.func, [_substituted(each, given) for each in call.args], keywords)
