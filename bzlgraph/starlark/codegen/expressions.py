"""Expressions: Starlark node -> Python node. One method per kind of node, found in the table at the end.

Theory of operation. Where Python's construct means exactly the same it is used (names, tuples, ``and``, ``or``,
``not``, conditional expressions, calls, comprehensions; ``==`` with a string); everything else is a call of a helper
from ``ops.table``, whose names start with ``$`` so that no Starlark name can meet them. ``self.weight`` counts what the
translated code costs per execution, in steps.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable

from bzlgraph.starlark.codegen import nodes
from bzlgraph.starlark.codegen.calls import Calls
from bzlgraph.starlark.codegen.effects import needs_lock
from bzlgraph.starlark.codegen.nodes import STORE, Place
from bzlgraph.starlark.codegen.patterns import (
    compares_natively,
    each,
    is_flat,
    items_of,
    percent_helper,
    shape_of,
)
from bzlgraph.starlark.codegen.scope import Block, Kind, bound_names
from bzlgraph.starlark.value import CONSTANTS
from bzlgraph.syntax import ast
from bzlgraph.syntax.problem import Problem

LONG_CHAIN = 16
"""Chains of more operators are folded by one helper call, so that generated files do not nest."""

_COMPARE = {"<": "$lt", "<=": "$le", ">": "$gt", ">=": "$ge", "in": "$in"}


class Expressions(Calls):
    """Translates the expressions of one file."""

    def expr(self, node: ast.Expr) -> py.expr:
        """The Python node for a Starlark expression."""
        return _TABLE[node.__class__](self, node)

    # ------------------------------------------------------------------------------------------ names and literals

    def _ident(self, node: ast.Ident) -> py.expr:
        place = self.at(node.start)
        kind = self.scope.lookup(node.name, self.block)
        if kind is Kind.PREDECLARED and node.name in CONSTANTS:
            return nodes.constant(CONSTANTS[node.name], place)
        if kind is Kind.UNDEFINED:
            self.scope.undefined(node, self.block)
        name = self.python_name(node.name) if kind is Kind.GLOBAL or kind is Kind.LOADED else node.name
        if kind is not Kind.LOCAL:
            self.used[name] = None
        found = nodes.name(name, place)
        if kind is Kind.PREDECLARED and name in self.scope.dialect.computed_names:
            return nodes.call(found, [], place)
        return found

    def _literal(self, node: ast.Literal) -> py.expr:
        return nodes.constant(node.value, self.places.last)  # a literal cannot fail, so any position will do

    # ---------------------------------------------------------------------------------------------------- displays

    def _list(self, node: ast.ListExpr) -> py.expr:
        place = self.at(node.start)
        self.weight += 1 + (len(node.items) >> 2)
        if not node.items:
            return nodes.helper("$List", [], place)
        literals = [item.value for item in node.items if item.__class__ is ast.Literal]
        if len(literals) == len(node.items):
            return nodes.helper("$List", [nodes.constant(tuple(literals), place)], place)
        items = [self.expr(item) for item in node.items]
        return nodes.helper("$List", [nodes.tuple_of(items, place)], place)

    def _tuple(self, node: ast.TupleExpr) -> py.expr:
        self.weight += 1 + (len(node.items) >> 2)
        return nodes.tuple_of([self.expr(item) for item in node.items], self.at(node.start))

    def _dict(self, node: ast.DictExpr) -> py.expr:
        place = self.at(node.start)
        self.weight += 8 + len(node.keys)
        if not node.keys:
            return nodes.helper("$Dict", [], place)
        literals = {key.value for key in node.keys if isinstance(key, ast.Literal) and type(key.value) is str}
        if len(literals) == len(node.keys):
            keys: list[py.expr | None] = [self.expr(key) for key in node.keys]
            display = nodes.put(py.Dict(keys, [self.expr(value) for value in node.values]), place)
            return nodes.helper("$Dict", [display], place)
        places = tuple(self.places.shown(self.places.mark(":", key.end)) for key in node.keys)
        self.weight += 6 * len(places)
        args: list[py.expr] = [nodes.constant(places, place)]
        for key, value in zip(node.keys, node.values, strict=True):
            args += (self.expr(key), self.expr(value))
        return nodes.helper("$dict", args, place)

    # --------------------------------------------------------------------------------------------------- operators

    def _unary(self, node: ast.Unary) -> py.expr:
        place = self.at(self.file.text.find(node.op, node.start))  # a parenthesis around it widens the node
        operand = node.operand
        if node.op == "not":
            return nodes.put(py.UnaryOp(py.Not(), self.expr(operand)), place)
        if node.op == "-" and isinstance(operand, ast.Literal) and isinstance(operand.value, (int, float)):
            return nodes.constant(-operand.value, place)
        self.weight += 1
        return nodes.helper(f"${node.op}x", [self.expr(operand)], place)

    def operator(self, op: str) -> str:
        """What an operator of two values is called today."""
        return "//" if op == "/" and self.scope.dialect.floor_slash else op

    def _binary(self, node: ast.Binary) -> py.expr:
        self.weight += 2 * len(node.ops)
        operands = [self.expr(operand) for operand in node.operands]
        if len(node.ops) > LONG_CHAIN:
            place = self.at(node.op_starts[0])
            places = tuple(self.places.shown(start) for start in node.op_starts)
            named = tuple(map(self.operator, node.ops))
            ops: list[py.expr] = [nodes.constant(named, place), nodes.constant(places, place)]
            return nodes.helper("$chain", [*ops, *operands], place)
        if node.ops == ["%"]:
            return nodes.helper(percent_helper(node), operands, self.at(node.op_starts[0]))
        result = operands[0]
        for op, start, operand in zip(node.ops, node.op_starts, operands[1:], strict=True):
            result = nodes.helper(f"${self.operator(op)}", [result, operand], self.at(start))
        return result

    def _compare(self, node: ast.Compare) -> py.expr:
        op = node.op
        place = self.at(self.file.text.find("in", node.op_start) if op == "not in" else node.op_start)
        self.weight += 1
        left, right = self.expr(node.left), self.expr(node.right)
        if op in ("==", "!="):
            if compares_natively(node.left) or compares_natively(node.right):
                operator: py.cmpop = py.Eq() if op == "==" else py.NotEq()
                return nodes.put(py.Compare(left, [operator], [right]), place)
            return nodes.helper("$eq" if op == "==" else "$ne", [left, right], place)
        if op == "not in":
            inside = nodes.helper("$in", [left, right], place)
            return nodes.put(py.UnaryOp(py.Not(), inside), place)
        return nodes.helper(_COMPARE[op], [left, right], place)

    def _logical(self, node: ast.Logical) -> py.expr:
        self.weight += len(node.operands)
        op: py.boolop = py.And() if node.op == "and" else py.Or()
        values = [self.expr(operand) for operand in node.operands]
        return nodes.put(py.BoolOp(op, values), self.at(node.start))

    def _conditional(self, node: ast.Conditional) -> py.expr:
        self.weight += 1
        made = py.IfExp(self.expr(node.test), self.expr(node.then), self.expr(node.otherwise))
        return nodes.put(made, self.at(node.start))

    # ------------------------------------------------------------------------------------------- access

    def _dot(self, node: ast.Dot) -> py.expr:
        self.weight += 2
        place = self.places.dot(node)
        return nodes.helper("$attr", [self.expr(node.value), nodes.constant(node.name, place)], place)

    def _index(self, node: ast.Index) -> py.expr:
        self.weight += 2
        return nodes.helper("$index", [self.expr(node.value), self.expr(node.key)], self.at(node.bracket))

    def _slice(self, node: ast.Slice) -> py.expr:
        self.weight += 2
        place = self.at(node.bracket)
        parts = (node.low, node.high, node.step)
        bounds = [nodes.constant(None, place) if part is None else self.expr(part) for part in parts]
        return nodes.helper("$slice", [self.expr(node.value), *bounds], place)

    # ---------------------------------------------------------------------------------- comprehensions and lambdas

    def _comprehension(self, node: ast.Comprehension) -> py.expr:
        self.count_body(node)
        place = self.at(node.start)
        outer_weight = self.weight
        first = node.clauses[0]
        assert isinstance(first, ast.ForClause)
        outermost = self.expr(first.iterable)
        names = {
            ident.name
            for clause in node.clauses
            if isinstance(clause, ast.ForClause)
            for ident in bound_names(clause.target)
        }
        outer, levels = self.block, self.blocks
        self.block = Block(names, outer)
        self.weight = 0
        self.nest(1 + sum(isinstance(clause, ast.ForClause) for clause in node.clauses), node)
        body = self._comprehension_body(node, place)
        clauses = self._clauses(node, outermost)
        self.block, self.blocks = outer, levels
        self.weight += outer_weight + 3
        made = nodes.put(py.ListComp(body, clauses), self.at(first.start))
        return nodes.helper("$comp" if node.key is None else "$dictcomp", [made], place)

    def _comprehension_body(self, node: ast.Comprehension, place: Place) -> py.expr:
        self.weight += 1
        if node.key is None:
            return self.expr(node.body)
        self.weight += 5
        key = self.expr(node.key)
        if not (isinstance(node.key, ast.Literal) and isinstance(node.key.value, str)):
            key = nodes.helper("$key", [key], self.at(self.places.mark(":", node.key.end)))
        return nodes.tuple_of([key, self.expr(node.body)], place)

    def _clauses(self, node: ast.Comprehension, outermost: py.expr) -> list[py.comprehension]:
        """The ``for`` and ``if`` clauses, inner ones first so that each loop knows the weight of what it repeats."""
        made: list[py.comprehension] = []
        pending: list[py.expr] = []
        inner: list[ast.Node] = [node.body, *([node.key] if node.key is not None else [])]
        for position in range(len(node.clauses) - 1, -1, -1):
            clause = node.clauses[position]
            if isinstance(clause, ast.IfClause):
                pending.insert(0, self.expr(clause.test))
                inner.append(clause.test)
                continue
            weight = self.weight + 1
            self.weight = 0
            iterable = outermost if position == 0 else self.expr(clause.iterable)
            looped = self._looped(clause, iterable, weight, inner)
            made.insert(0, py.comprehension(self.target(clause.target, STORE), looped, pending, 0))
            pending = []
            inner.append(clause.iterable)
        return made

    def _looped(self, clause: ast.ForClause, iterable: py.expr, weight: int, inner: list[ast.Node]) -> py.expr:
        """What a clause goes over; ``inner`` is what it repeats."""
        place, held = self.at(clause.start), needs_lock(clause.iterable, inner, self.scope, self.block)
        looped = each(clause.target, clause.iterable, iterable, weight, place, "$each_held" if held else "$each")
        if is_flat(clause.target):
            return looped
        return nodes.helper("$nested", [looped, nodes.constant(shape_of(clause.target), place)], place)

    def target(self, node: ast.Expr, context: py.expr_context) -> py.expr:
        """A target made of names only."""
        if isinstance(node, ast.Ident):
            self.scope.check_name(node)
            return self.target_name(node)
        if not isinstance(node, (ast.TupleExpr, ast.ListExpr)):
            self.scope.problems.append(Problem(node.start, node.end, "a comprehension variable must be a name"))
            return nodes.store("_", self.at(node.start))
        items = [self.target(item, context) for item in items_of(node)]
        return nodes.put(py.Tuple(items, context), self.at(node.start))

    def _lambda(self, node: ast.Lambda) -> py.expr:
        self.count_body(node)
        place = self.at(node.start)
        arguments = self.arguments(node.params)
        outer, outer_weight, levels = self.block, self.weight, self.blocks
        self.blocks = sum(param.kind == "**" for param in node.params)  # the loop of ``_lambda_body``
        self.block = Block({param.name.name for param in node.params if param.name is not None}, outer)
        self.weight = 1
        body = self.expr(node.body)
        body = self._lambda_body(body, node, place)
        self.block, self.weight, self.blocks = outer, outer_weight + 1, levels
        return nodes.put(py.Lambda(arguments, body), place)

    def _lambda_body(self, body: py.expr, node: ast.Lambda, place: Place) -> py.expr:
        """A lambda is one expression, so entering and leaving are calls around it."""
        weight = nodes.constant(self.weight + 2, place)
        for param in node.params:
            if param.kind == "**" and param.name is not None:
                # No statement can make a Dict of **kwargs here. A loop over that one is no frame of the stack, as a
                # function around the body would be; Python allows assignments in few of the places of a lambda.
                name = param.name.name
                made = nodes.helper("$Dict", [nodes.name(name, place)], place)
                loop = py.comprehension(nodes.store(name, place), nodes.tuple_of([made], place), [], 0)
                listed = nodes.put(py.ListComp(body, [loop]), place)
                body = nodes.put(py.Subscript(listed, nodes.constant(0, place), py.Load()), place)
        if self.scope.dialect.recursion:
            return nodes.helper("$second", [nodes.helper("$charge", [weight], place), body], place)
        mark = self.new_mark(place)
        return nodes.helper("$leave", [mark, nodes.helper("$enter", [mark, weight], place), body], place)

    def arguments(self, params: list[ast.Param]) -> py.arguments:
        """A parameter list; defaults are evaluated outside of the function."""
        plain: list[py.arg] = []
        defaults: list[py.expr] = []
        named: list[py.arg] = []
        named_defaults: list[py.expr | None] = []
        star: py.arg | None = None
        star_star: py.arg | None = None
        after_star = False
        for param in params:
            default = None if param.default is None else self.expr(param.default)
            if param.name is None:  # a bare `*`: what follows it is given by name
                after_star = True
                continue
            self.scope.check_name(param.name)
            made = nodes.put(py.arg(param.name.name), self.at(param.name.start))
            if param.kind == "**":
                star_star = made
            elif param.kind == "*":
                star, after_star = made, True
            elif after_star:
                named.append(made)
                named_defaults.append(default)
            else:
                plain.append(made)
                if default is not None:
                    defaults.append(default)
        return py.arguments([], plain, star, named, named_defaults, star_star, defaults)


_TABLE: dict[type, Callable[..., py.expr]] = {
    ast.Ident: Expressions._ident,
    ast.Literal: Expressions._literal,
    ast.ListExpr: Expressions._list,
    ast.TupleExpr: Expressions._tuple,
    ast.DictExpr: Expressions._dict,
    ast.Unary: Expressions._unary,
    ast.Binary: Expressions._binary,
    ast.Compare: Expressions._compare,
    ast.Logical: Expressions._logical,
    ast.Conditional: Expressions._conditional,
    ast.Call: Expressions.call,
    ast.Dot: Expressions._dot,
    ast.Index: Expressions._index,
    ast.Slice: Expressions._slice,
    ast.Comprehension: Expressions._comprehension,
    ast.Lambda: Expressions._lambda,
}
