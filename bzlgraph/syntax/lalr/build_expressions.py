"""Node makers for expressions, arguments and parameters: see ``build_ast``, which has those for statements."""

from __future__ import annotations

import re

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Arg, Expr, Ident, Param
from bzlgraph.syntax.depth import MAX_BLOCKS, longest_chain
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lalr.dialect_checks import LAST_COMMA, check_lambda, check_last_comma, check_operator
from bzlgraph.syntax.lalr.operands import check_arguments, check_parameters, check_target
from bzlgraph.syntax.problem import Problem

_OPERATOR = re.compile(r"//|<<|>>|[=!<>]=|[-+*/%&|^<>]|\w+")
_LEVEL = {"|": 0, "^": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "/": 5, "//": 5, "%": 5}

Clause = ast.ForClause | ast.IfClause


class ExpressionBuilder:
    """Makes the expressions of one file and collects the problems met on the way.

    ``chain`` is the longest run of suffixes, prefix operators or ``else`` branches, so that the parser knows whether
    the tree can be too deep without walking it.
    """

    __slots__ = ("chain", "dialect", "ellipses", "problems", "strict", "text", "trailing")

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.dialect = dialect
        self.strict = not (dialect.star_arguments and dialect.comma_after_star)  # there is something to say of f(*x)
        self.problems: list[Problem] = []
        self.chain = 0
        self.ellipses: list[Expr] = []  # `...` that is not known to be part of a type
        self.trailing: list[ast.TupleExpr] = []  # tuples with a last comma whose parenthesis may still come

    def complain(self, node: ast.Node, message: str, hint: str | None = None) -> None:
        """Note a problem at a node."""
        self.problems.append(Problem(node.start, node.end, message, hint))

    def word(self, start: int) -> str:
        """The operator or word that starts at an offset."""
        match = _OPERATOR.match(self.text, start)
        return match[0] if match else ""

    def check_parameters(self, params: list[Param]) -> None:
        """The parameters of a function."""
        check_parameters(params, self.dialect, self.problems)
        check_last_comma(params, self.text, self.dialect, self.problems)

    def forget_type(self, kind: Expr) -> None:
        """Nothing is made of a type; an ``...`` in it is no fault."""
        while self.ellipses and self.ellipses[-1].start >= kind.start:
            self.ellipses.pop()

    def open_tuple(self, item: Expr, comma: int, items: list[Expr] | None = None) -> Expr:
        """``a, b`` without parentheses, where a last comma is refused."""
        node = self.target_tuple(item, comma, items)
        assert isinstance(node, ast.TupleExpr)
        if LAST_COMMA.match(self.text, node.items[-1].end):
            self.trailing.append(node)
        return node

    def target_tuple(self, item: Expr, comma: int, items: list[Expr] | None = None) -> Expr:
        """``a, b`` on the left side, or after ``for``."""
        items = [item, *items] if items else [item]
        end = comma + 1 if len(items) == 1 else items[-1].end
        return ast.TupleExpr(item.start, end, items, False)

    def conditional(self, then: Expr, _if: int, test: Expr, _else: int, otherwise: Expr) -> Expr:
        """``a if c else b``"""
        if otherwise.__class__ is ast.Conditional:
            self.chain = longest_chain(otherwise, self.chain)
        return ast.Conditional(then.start, otherwise.end, then, test, otherwise)

    def bare_lambda(self, start: int, _colon: int, body: Expr) -> Expr:
        """``lambda: x``"""
        return self.lambda_(start, [], _colon, body)

    def lambda_(self, start: int, params: list[Param], _colon: int, body: Expr) -> Expr:
        """``lambda x: x``"""
        check_lambda(start, body.end, self.dialect, self.problems)
        self.check_parameters(params)
        self.chain = longest_chain(body, self.chain)
        return ast.Lambda(start, body.end, params, body)

    def logical(self, left: Expr, op_start: int, right: Expr) -> Expr:
        """``a and b and c``: one node for all of them."""
        op = "or" if self.text[op_start] == "o" else "and"
        if left.__class__ is ast.Logical and left.op == op and left.start == left.operands[0].start:
            left.operands.append(right)
            left.end = right.end
            return left
        return ast.Logical(left.start, right.end, op, [left, right])

    def binary(self, left: Expr, op_start: int, right: Expr) -> Expr:
        """``a + b - c``: one node for a chain of one precedence."""
        op = self.word(op_start)
        if op != "+":
            check_operator(op, op_start, self.dialect, self.problems)
        # A parenthesized left side starts before its first operand and stays a node of its own.
        if left.__class__ is ast.Binary and left.start == left.operands[0].start and _LEVEL[left.ops[0]] == _LEVEL[op]:
            left.operands.append(right)
            left.ops.append(op)
            left.op_starts.append(op_start)
            left.end = right.end
            return left
        return ast.Binary(left.start, right.end, [left, right], [op], [op_start])

    def unary(self, start: int, operand: Expr) -> Expr:
        """``-x``, ``not x``"""
        if self.text[start] in "+~":
            check_operator(self.text[start], start, self.dialect, self.problems)
        if operand.__class__ is ast.Unary:
            self.chain = longest_chain(operand, self.chain)
        return ast.Unary(start, operand.end, "not" if self.text[start] == "n" else self.text[start], operand)

    def compare(self, left: Expr, op_start: int, right: Expr) -> Expr:
        """``a < b``"""
        return ast.Compare(left.start, right.end, left, self.word(op_start), op_start, right)

    def compare_not_in(self, left: Expr, op_start: int, _in: int, right: Expr) -> Expr:
        """``a not in b``"""
        return ast.Compare(left.start, right.end, left, "not in", op_start, right)

    def ellipsis(self, start: int) -> Expr:
        """``...``, as in ``tuple[int, ...]``"""
        self.ellipses.append(Ident(start, start + 3, "..."))
        return self.ellipses[-1]

    def dot(self, value: Expr, _dot: int, name: Ident) -> Expr:
        """``x.f``"""
        if value.__class__ is not Ident:
            self.chain = longest_chain(value, self.chain)
        return ast.Dot(value.start, name.end, value, name.name, name.start)

    def bare_call(self, func: Expr, paren: int, close: int) -> Expr:
        """``f()``"""
        return self.call(func, paren, [], close)

    def call(self, func: Expr, paren: int, args: list[Arg], close: int) -> Expr:
        """``f(x, y = 1)``"""
        if func.__class__ is not Ident:
            self.chain = longest_chain(func, self.chain)
        if len(args) > 1 or self.strict:
            check_arguments(args, self.dialect, self.problems)
            if self.strict:
                check_last_comma(args, self.text, self.dialect, self.problems)
        return ast.Call(func.start, close + 1, func, args, paren)

    def index(self, value: Expr, bracket: int, key: Expr, close: int) -> Expr:
        """``x[0]``"""
        self.chain = longest_chain(value, self.chain)
        return ast.Index(value.start, close + 1, value, key, bracket)

    def slice(self, value: Expr, bracket: int, low: Expr | None, _colon: int, high: Expr | None, *rest: object) -> Expr:
        """``x[1:2:3]``"""
        self.chain = longest_chain(value, self.chain)
        step = rest[1] if len(rest) > 1 else None
        assert step is None or isinstance(step, Expr)
        close = rest[-1]
        assert isinstance(close, int)
        return ast.Slice(value.start, close + 1, value, low, high, step, bracket)

    def empty_list(self, start: int, close: int) -> Expr:
        """``[]``"""
        return ast.ListExpr(start, close + 1, [])

    def list_display(self, start: int, items: list[Expr], close: int) -> Expr:
        """``[a, b]``"""
        return ast.ListExpr(start, close + 1, items)

    def empty_tuple(self, start: int, close: int) -> Expr:
        """``()``"""
        return ast.TupleExpr(start, close + 1, [], True)

    def parenthesized(self, start: int, value: Expr, close: int) -> Expr:
        """``(x)``: the node itself, as wide as its parentheses."""
        if value.__class__ is ast.TupleExpr:
            value.parenthesized = True
            if self.trailing and self.trailing[-1] is value:
                self.trailing.pop()
        value.start = start
        value.end = close + 1
        return value

    def empty_dict(self, start: int, close: int) -> Expr:
        """``{}``"""
        return ast.DictExpr(start, close + 1, [], [])

    def pair(self, key: Expr, _colon: int, value: Expr) -> tuple[Expr, Expr]:
        """``k: v``"""
        return key, value

    def dict_display(self, start: int, entries: list[tuple[Expr, Expr]], close: int) -> Expr:
        """``{k: v}``"""
        return ast.DictExpr(start, close + 1, [key for key, _ in entries], [value for _, value in entries])

    # ----------------------------------------------------------------------------------------------- comprehensions
    def list_comprehension(self, start: int, body: Expr, clauses: list[Clause], close: int) -> Expr:
        """``[x for x in y]``"""
        self._check_clauses(clauses)
        return ast.Comprehension(start, close + 1, None, body, clauses)

    def dict_comprehension(self, start: int, entry: tuple[Expr, Expr], clauses: list[Clause], close: int) -> Expr:
        """``{k: v for k, v in y}``"""
        self._check_clauses(clauses)
        return ast.Comprehension(start, close + 1, entry[0], entry[1], clauses)

    def _check_clauses(self, clauses: list[Clause]) -> None:
        if len(clauses) > MAX_BLOCKS:
            self.complain(clauses[MAX_BLOCKS], f"a comprehension may not have more than {MAX_BLOCKS} clauses")

    def for_clause(self, start: int, target: Expr, _in: int, iterable: Expr) -> Clause:
        """``for x in y`` in a comprehension"""
        check_target(target, self.problems)
        return ast.ForClause(start, iterable.end, target, iterable)

    def if_clause(self, start: int, test: Expr) -> Clause:
        """``if x`` in a comprehension"""
        return ast.IfClause(start, test.end, test)

    # -------------------------------------------------------------------------------------- arguments and parameters
    def positional(self, value: Expr) -> Arg:
        """``f(x)``"""
        return Arg(value.start, value.end, "", None, value)

    def named(self, name: Ident, _equals: int, value: Expr) -> Arg:
        """``f(x = 1)``"""
        return Arg(name.start, value.end, "", name.name, value)

    def star(self, start: int, value: Expr) -> Arg:
        """``f(*x)``, ``f(**x)``"""
        return Arg(start, value.end, "**" if self.text.startswith("**", start) else "*", None, value)

    def plain_parameter(self, name: Ident) -> Param:
        """``def f(x)``"""
        return Param(name.start, name.end, "", name, None)

    def optional_parameter(self, name: Ident, _equals: int, default: Expr) -> Param:
        """``def f(x = 1)``"""
        return Param(name.start, default.end, "", name, default)

    def bare_star_parameter(self, start: int) -> Param:
        """``def f(*, x)``"""
        return Param(start, start + 1, "*", None, None)

    def star_parameter(self, start: int, name: Ident) -> Param:
        """``def f(*x)``, ``def f(**x)``"""
        return Param(start, name.end, "**" if self.text.startswith("**", start) else "*", name, None)

    def typed_parameter(self, name: Ident, _: int, kind: Expr, _equals: int = 0, default: Expr | None = None) -> Param:
        """``def f(x: int = 1)``"""
        self.forget_type(kind)
        return Param(name.start, kind.end if default is None else default.end, "", name, default)

    def typed_star_parameter(self, start: int, name: Ident, _colon: int, kind: Expr) -> Param:
        """``def f(*x: int)``, ``def f(**x: int)``"""
        self.forget_type(kind)
        return self.star_parameter(start, name)
