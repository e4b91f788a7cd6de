"""Shapes of code with a quicker translation, and shapes of assignment targets: node -> what it is or becomes."""

from __future__ import annotations

import ast as py
import re

from bzlgraph.starlark.codegen import nodes
from bzlgraph.starlark.codegen.nodes import Place
from bzlgraph.starlark.evaluation.budget import LONG
from bzlgraph.starlark.iterate import Shape
from bzlgraph.starlark.methods.format import literal_template
from bzlgraph.syntax import ast


def format_template(node: ast.Call) -> str | None:
    """The template of ``"literal".format(...)`` when its fields are the arguments in their order."""
    function = node.func
    if not isinstance(function, ast.Dot) or function.name != "format" or not isinstance(function.value, ast.Literal):
        return None
    pattern = function.value.value
    named = [arg.name if arg.name is not None else position for position, arg in enumerate(node.args)]
    return literal_template(pattern, named) if isinstance(pattern, str) else None


_ONLY_STRINGS = re.compile(r"(?:[^%]|%%)*(?:%s(?:[^%]|%%)*)+")


def percent_helper(node: ast.Binary) -> str:
    """The quick form of ``"..." % x`` where the literal holds one ``%s``, or one for each of a tuple's items."""
    pattern, operand = node.operands
    if isinstance(pattern, ast.Literal) and isinstance(pattern.value, str) and _ONLY_STRINGS.fullmatch(pattern.value):
        count = pattern.value.replace("%%", "").count("%s")
        if isinstance(operand, ast.TupleExpr):
            return "$%t" if len(operand.items) == count else "$%"
        return "$%s" if count == 1 else "$%"
    return "$%"


def each(
    target: ast.Expr, iterable: ast.Expr, translated: py.expr, weight: int, place: Place, helper: str = "$each"
) -> py.expr:
    """What a loop goes over, of a statement or of a comprehension: a call of the helper that counts the steps of each
    round (``weight``), refuses a change of what is iterated over, and checks how many parts there are for ``a, b``. The
    parts of a target that is nested are for others to check."""
    steps = nodes.constant(weight, place)
    if isinstance(target, ast.Ident) or not is_flat(target):
        return nodes.helper(helper, [translated, steps], place)
    if len(items_of(target)) == 2 and is_items_call(iterable):
        return nodes.helper("$each_item", [receiver_of(translated), steps], place)
    count = nodes.constant(len(items_of(target)), place)
    return nodes.helper(f"{helper}_unpacked", [translated, steps, count], place)


def receiver_of(call: py.expr) -> py.expr:
    """``x`` of a translated ``x.items()``"""
    assert isinstance(call, py.Call)
    return call.args[0]


def is_items_call(node: ast.Expr) -> bool:
    """``x.items()``"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Dot) and node.func.name == "items" and not node.args


def is_flat(target: ast.Expr) -> bool:
    """Whether a target is ``a, b`` with names only."""
    return all(isinstance(item, ast.Ident) for item in items_of(target))


def items_of(node: ast.Expr) -> list[ast.Expr]:
    """The parts of a tuple or list target."""
    return node.items if isinstance(node, (ast.TupleExpr, ast.ListExpr)) else [node]


def shape_of(node: ast.Expr) -> Shape:
    """A nested target as nested tuples of None, for the helper that checks values against it."""
    if not isinstance(node, (ast.TupleExpr, ast.ListExpr)):
        return None
    return tuple(shape_of(item) for item in items_of(node))


def compares_natively(node: ast.Expr) -> bool:
    """Whether ``==`` with this literal is the same in Python: strings, None, and ints that no bool equals."""
    if isinstance(node, ast.Literal):
        value = node.value
        return (type(value) is str and len(value) <= LONG) or (type(value) is int and value > 1)
    return isinstance(node, ast.Ident) and node.name == "None"
