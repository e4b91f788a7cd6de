"""Python syntax nodes with positions: small constructors, because generated trees are made by the thousand.

The *end* of a node is where Bazel reports it (the operator, the opening parenthesis); the *start* is the same place,
except for ``x.f(...)``, where it is the dot: a missing attribute is reported there.
"""

from __future__ import annotations

import ast as py
import sys
from functools import cache
from typing import Any, TypeVar

Place = tuple[int, int]
"""A line (from 1) and a column (from 0)."""

LOAD, STORE = py.Load(), py.Store()

_Placed = TypeVar("_Placed", bound=py.expr | py.stmt | py.arg | py.keyword)


def name(ident: str, place: Place) -> py.Name:
    """A name that is read."""
    return put(py.Name(ident, LOAD), place)


def store(ident: str, place: Place) -> py.Name:
    """A name that is bound."""
    return put(py.Name(ident, STORE), place)


def constant(value: Any, place: Place) -> py.Constant:
    """A literal. ``compile`` takes tuples of constants too, which the types of ``ast`` do not say."""
    return put(py.Constant(value), place)


def call(function: py.expr, args: list[py.expr], place: Place, keywords: list[py.keyword] | None = None) -> py.Call:
    """A call."""
    return put(py.Call(function, args, keywords or []), place)


@cache
def _helper_name(ident: str) -> py.Name:
    """The name of a helper, which is always there: nobody asks where it stands."""
    return name(ident, (1, 0))


def helper(ident: str, args: list[py.expr], place: Place) -> py.Call:
    """A call of one of our own helpers."""
    return call(_helper_name(ident), args, place)


def put(node: _Placed, place: Place) -> _Placed:
    """The node itself, with its position set: half the time of giving it to the constructor by name."""
    node.lineno = node.end_lineno = place[0]
    node.col_offset = node.end_col_offset = place[1]
    return node


def tuple_of(items: list[py.expr], place: Place) -> py.Tuple:
    """A tuple that is read."""
    return put(py.Tuple(items, LOAD), place)


def assign(target: py.expr, value: py.expr, place: Place) -> py.Assign:
    """``target = value``"""
    return put(py.Assign([target], value), place)


def statement(value: py.expr, place: Place) -> py.Expr:
    """An expression evaluated for its effect."""
    return put(py.Expr(value), place)


def function(ident: str, args: py.arguments, body: list[py.stmt], place: Place) -> py.FunctionDef:
    """``def ident(args): body``"""
    made = py.FunctionDef(ident, args, body, [])
    if sys.version_info >= (3, 12):
        made.type_params = []
    return put(made, place)
