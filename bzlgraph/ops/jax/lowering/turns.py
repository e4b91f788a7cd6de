"""Loops whose members are written out: what each turn gives the variables of the loop, and the statements of a turn.

>>> loop = ast.parse("for p, f in zip([a_p, b_p], (one, two)):\\n  register(p, lambda f: f)\\n  register(p, f)").body[0]
>>> [[ast.unparse(each) for each in turn] for turn in unrolled(loop)]
[['register(a_p, lambda f: f)', 'register(a_p, one)'], ['register(b_p, lambda f: f)', 'register(b_p, two)']]
>>> unrolled(ast.parse("for p in found: register(p)").body[0]) is None
True
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from bzlgraph.python_source.syntax import dotted, parameter_names

MAX_TURNS = 100
"""Longer loops are not over primitives or platforms."""


def unrolled(loop: ast.For) -> list[list[ast.stmt]] | None:
    """The statements of each turn, with its members in place of the variables; None for members that are not known."""
    found = turns(loop.target, loop.iter)
    if found is None:
        return None
    return [[Substitution(turn).visit(copy.deepcopy(each)) for each in loop.body] for turn in found]


def turns(target: ast.expr, through: ast.expr) -> list[dict[str, ast.expr]] | None:
    """The variables of a loop in each turn; None for members that are not known."""
    members = _members(through)
    if members is None or len(members) > MAX_TURNS:
        return None
    found = [_unpacked(target, each) for each in members]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def _members(through: ast.expr) -> list[ast.expr] | None:
    """What a loop goes through: members of lists and tuples, of ``zip`` and ``enumerate``, items of a dict."""
    match through:
        case ast.List(elts=found) | ast.Tuple(elts=found):
            return None if any(isinstance(each, ast.Starred) for each in found) else found
        case ast.Call(func=ast.Name(id="zip"), args=given) if given:
            parts = [_members(each) for each in given]
            known = [each for each in parts if each is not None]
            # with strict= a difference in length is an error, without it the shortest ends the loop
            return _rows(known) if len(known) == len(parts) else None
        case ast.Call(func=ast.Name(id="enumerate"), args=[counted], keywords=[]):
            inner = _members(counted)
            return _rows([[ast.Constant(at) for at in range(len(inner))], inner]) if inner is not None else None
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items"), args=[]):
            own = [each for each in keys if each is not None]
            return _rows([own, values]) if len(own) == len(values) else None
    return None


def _rows(columns: list[list[ast.expr]]) -> list[ast.expr]:
    return [ast.Tuple(list(each), ast.Load()) for each in zip(*columns, strict=False)]


def _unpacked(target: ast.expr, member: ast.expr) -> dict[str, ast.expr] | None:
    match target, member:
        case ast.Name(id=name), _:
            return {name: member}
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=members) | ast.List(elts=members))):
            found: dict[str, ast.expr] = {}
            for left, right in zip(targets, members, strict=False):
                found |= _unpacked(left, right) or {}
            whole = len(targets) == len(members) and not any(isinstance(each, ast.Starred) for each in members)
            return found if whole and found.keys() == {dotted(each) for each in _leaves(target)} else None
    return None


def _leaves(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for each in target.elts for leaf in _leaves(each)]
    return [target]


class Substitution(ast.NodeTransformer):
    """Names that are read -> what stands for them; parameters of functions inside stand for themselves."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """One name."""
        return node if isinstance(getattr(node, "ctx", None), ast.Store) else self._given.get(node.id, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """A function in an expression."""
        node.args = self.visit(node.args)
        node.body = self._inside(node.args).visit(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function inside: its defaults and decorators are written outside of it."""
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        inside = self._inside(node.args)
        node.body = [inside.visit(each) for each in node.body]
        return node

    def _inside(self, args: ast.arguments) -> Substitution:
        rest = [each.arg for each in (*args.kwonlyargs, args.vararg, args.kwarg) if each is not None]
        own = {*parameter_names(args), *rest}
        return Substitution({name: value for name, value in self._given.items() if name not in own})
