"""Node makers: one method per rule of ``grammars/starlark.lark``, called by the parser's loop as children complete.

children of a reduction -> its node. A fixed word (``(``, ``+``, ``if``) arrives as the offset where it starts, NAME as
``Ident``, literals as ``Literal``, everything else as what its own method returned.

Form that the grammar leaves open is checked at once (``operands.py``); statements in wrong places are for
``checks.py``, which sees them in context.
"""

from __future__ import annotations

import re

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Arg, Expr, Ident, Param, Stmt
from bzlgraph.syntax.checks import DEFINE
from bzlgraph.syntax.depth import MAX_BLOCKS, MAX_DEPTH
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lalr.operands import (
    check_arguments,
    check_augmented_target,
    check_parameters,
    check_target,
    load_statement,
)
from bzlgraph.syntax.problem import Problem

_OPERATOR = re.compile(r"//|<<|>>|[=!<>]=|[-+*/%&|^<>]|\w+")
_LAST_COMMA = re.compile(r"(?>(?:\s|\\\r?\n|#[^\n]*(?:\n|\Z))*),")  # atomic: a comma inside a comment is none

Clause = ast.ForClause | ast.IfClause


class Builder:
    """Makes the nodes of one file and collects the problems met on the way.

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

    # ---------------------------------------------------------------------------------------------------- sequences
    def nothing(self) -> list[Stmt]:
        """An empty list of statements or items."""
        return []

    def nothing_given(self) -> None:
        """An operand that is left out, as in ``x[:1]``."""
        return None

    def one(self, item: ast.Node) -> list[ast.Node]:
        """A list of one item."""
        return [item]

    def first(self, items: list[ast.Node], *_: object) -> list[ast.Node]:
        """The items before a last comma or a line end."""
        return items

    def more(self, items: list[ast.Node], _comma: int, item: ast.Node) -> list[ast.Node]:
        """One more item behind a comma."""
        items.append(item)
        return items

    def append(self, items: list[ast.Node], item: ast.Node) -> list[ast.Node]:
        """One more item."""
        items.append(item)
        return items

    def extend(self, items: list[ast.Node], more: list[ast.Node]) -> list[ast.Node]:
        """More statements of one line."""
        items += more
        return items

    def block(self, _newline: int, _indent: int, statements: list[Stmt], _dedent: int) -> list[Stmt]:
        """The statements of an indented block."""
        return statements

    # --------------------------------------------------------------------------------------------- small statements
    def expression_statement(self, value: Expr) -> Stmt:
        """``f(x)``"""
        return ast.ExprStmt(value.start, value.end, value)

    def assignment(self, target: Expr, op_start: int, value: Expr) -> Stmt:
        """``x = 1``"""
        check_target(target, self.problems)
        return ast.Assign(target.start, value.end, target, None, op_start, value)

    def declaration(self, target: Expr, _colon: int, kind: Expr) -> Stmt:
        """``x: int``, which does nothing."""
        self._drop(kind)
        return ast.Branch(target.start, kind.end, "pass")

    def annotated_assignment(self, target: Expr, _colon: int, kind: Expr, op_start: int, value: Expr) -> Stmt:
        """``x: int = 1``"""
        self._drop(kind)
        return self.assignment(target, op_start, value)

    def type_alias(self, start: int, name: Ident, op_start: int, kind: Expr) -> Stmt:
        """``type T = list[int]``: a name that stands for nothing else."""
        self._drop(kind)
        return ast.Assign(start, kind.end, name, None, op_start, Ident(kind.start, kind.end, "None"))

    def augmented_assignment(self, target: Expr, op_start: int, value: Expr) -> Stmt:
        """``x += 1``"""
        op = self.word(op_start)
        if (plain := op.removesuffix("=")) != "+":
            self._check_operator(plain, op_start)
        check_augmented_target(target, op, self.problems)
        return ast.Assign(target.start, value.end, target, op, op_start, value)

    def return_nothing(self, start: int) -> Stmt:
        """``return``"""
        return ast.Return(start, start + len("return"), None)

    def return_value(self, start: int, value: Expr) -> Stmt:
        """``return x``"""
        return ast.Return(start, value.end, value)

    def branch(self, start: int) -> Stmt:
        """``pass``, ``break``, ``continue``"""
        keyword = self.word(start)
        return ast.Branch(start, start + len(keyword), keyword)

    def empty_load(self, start: int, _open: int, close: int) -> Stmt:
        """``load()``, which is refused."""
        return load_statement(start, close + 1, [], self.problems)

    def load(self, start: int, _open: int, args: list[Arg], close: int) -> Stmt:
        """``load("a.bzl", "b")``"""
        return load_statement(start, close + 1, args, self.problems)

    # ------------------------------------------------------------------------------------------ compound statements
    def bare_def(self, start: int, name: Ident, _open: int, _close: int, _colon: int, body: list[Stmt]) -> Stmt:
        """``def f(): ...``"""
        return ast.Def(start, body[-1].end, name, [], body)

    def def_(
        self, start: int, name: Ident, _open: int, params: list[Param], _close: int, _colon: int, body: list[Stmt]
    ) -> Stmt:
        """``def f(x): ...``"""
        self._check_parameters(params)
        return ast.Def(start, body[-1].end, name, params, body)

    def generic(self, name: Ident, _open: int, _names: list[Ident], _close: int) -> Ident:
        """``f[T]``: a name with parameters of its types."""
        return name

    def result(self, _arrow: int, kind: Expr, colon: int) -> int:
        """``-> int:``"""
        self._drop(kind)
        return colon

    def _drop(self, kind: Expr) -> None:
        """Forget a type."""
        while self.ellipses and self.ellipses[-1].start >= kind.start:
            self.ellipses.pop()

    def for_(self, start: int, target: Expr, _in: int, iterable: Expr, _colon: int, body: list[Stmt]) -> Stmt:
        """``for x in y: ...``"""
        check_target(target, self.problems)
        return ast.For(start, body[-1].end, target, iterable, body)

    def while_(self, start: int, test: Expr, _colon: int, body: list[Stmt]) -> Stmt:
        """``while x: ...``"""
        return ast.While(start, body[-1].end, test, body)

    def if_(self, branches: ast.If) -> Stmt:
        """An ``if`` without ``else``."""
        return branches

    def if_else(self, branches: ast.If, _else: int, _colon: int, body: list[Stmt]) -> Stmt:
        """``else: ...``"""
        branches.otherwise = body
        branches.end = body[-1].end
        return branches

    def if_branch(self, start: int, test: Expr, _colon: int, body: list[Stmt]) -> ast.If:
        """``if x: ...``"""
        return ast.If(start, body[-1].end, [test], [body], [])

    def elif_branch(self, branches: ast.If, _elif: int, test: Expr, _colon: int, body: list[Stmt]) -> ast.If:
        """``elif x: ...``"""
        branches.tests.append(test)
        branches.bodies.append(body)
        branches.end = body[-1].end
        return branches

    # -------------------------------------------------------------------------------------------------- expressions
    def open_tuple(self, item: Expr, comma: int, items: list[Expr] | None = None) -> Expr:
        """``a, b`` without parentheses, where a last comma is refused."""
        node = self.target_tuple(item, comma, items)
        assert isinstance(node, ast.TupleExpr)
        if _LAST_COMMA.match(self.text, node.items[-1].end):
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
            self._measure(otherwise)
        return ast.Conditional(then.start, otherwise.end, then, test, otherwise)

    def bare_lambda(self, start: int, _colon: int, body: Expr) -> Expr:
        """``lambda: x``"""
        return self.lambda_(start, [], _colon, body)

    def lambda_(self, start: int, params: list[Param], _colon: int, body: Expr) -> Expr:
        """``lambda x: x``"""
        if not self.dialect.definitions:
            self.problems.append(
                Problem(start, body.end, f"functions may not be defined in {self.dialect.name} files", _MOVE)
            )
        elif not self.dialect.inner_functions:
            self.problems.append(Problem(start, body.end, "there is no `lambda` before Bazel 5", DEFINE))
        self._check_parameters(params)
        self._measure(body)
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
            self._check_operator(op, op_start)
        # A parenthesized left side starts before its first operand and stays a node of its own.
        if left.__class__ is ast.Binary and left.start == left.operands[0].start and _LEVEL[left.ops[0]] == _LEVEL[op]:
            left.operands.append(right)
            left.ops.append(op)
            left.op_starts.append(op_start)
            left.end = right.end
            return left
        return ast.Binary(left.start, right.end, [left, right], [op], [op_start])

    def _check_operator(self, op: str, start: int) -> None:
        """Operators that a later Bazel brought."""
        missing = "" if self.dialect.floats or op != "/" else "4"
        missing = "0.29" if op in _BIT_OPERATORS and not self.dialect.bit_operators else missing
        if missing:
            self.problems.append(Problem(start, start + len(op), f"there is no operator `{op}` before Bazel {missing}"))

    def unary(self, start: int, operand: Expr) -> Expr:
        """``-x``, ``not x``"""
        if self.text[start] in "+~":
            self._check_operator(self.text[start], start)
        if operand.__class__ is ast.Unary:
            self._measure(operand)
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
            self._measure(value)
        return ast.Dot(value.start, name.end, value, name.name, name.start)

    def bare_call(self, func: Expr, paren: int, close: int) -> Expr:
        """``f()``"""
        return self.call(func, paren, [], close)

    def call(self, func: Expr, paren: int, args: list[Arg], close: int) -> Expr:
        """``f(x, y = 1)``"""
        if func.__class__ is not Ident:
            self._measure(func)
        if len(args) > 1 or self.strict:
            check_arguments(args, self.dialect, self.problems)
            if self.strict:
                self._check_last_comma(args)
        return ast.Call(func.start, close + 1, func, args, paren)

    def _check_parameters(self, params: list[Param]) -> None:
        check_parameters(params, self.dialect, self.problems)
        self._check_last_comma(params)

    def _check_last_comma(self, items: list[Arg] | list[Param]) -> None:
        """A comma behind the last argument or parameter, where a ``*`` stands before it."""
        if self.dialect.comma_after_star or not any(each.kind for each in items):
            return
        if comma := _LAST_COMMA.match(self.text, items[-1].end):
            message = "a trailing comma after `*` or `**` is not allowed before Bazel 0.29"
            self.problems.append(Problem(comma.end() - 1, comma.end(), message))

    def index(self, value: Expr, bracket: int, key: Expr, close: int) -> Expr:
        """``x[0]``"""
        self._measure(value)
        return ast.Index(value.start, close + 1, value, key, bracket)

    def slice(self, value: Expr, bracket: int, low: Expr | None, _colon: int, high: Expr | None, *rest: object) -> Expr:
        """``x[1:2:3]``"""
        self._measure(value)
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
        self._drop(kind)
        return Param(name.start, kind.end if default is None else default.end, "", name, default)

    def typed_star_parameter(self, start: int, name: Ident, _colon: int, kind: Expr) -> Param:
        """``def f(*x: int)``, ``def f(**x: int)``"""
        self._drop(kind)
        return self.star_parameter(start, name)

    # ------------------------------------------------------------------------------------------------------- checks
    def finish(self) -> None:
        """The checks that need the whole file."""
        for node in self.trailing:
            hint = "write `(a, b,)`, or leave the comma out"
            self.complain(node, "a tuple with a trailing comma needs parentheses", hint)
        for each in self.ellipses:
            self.complain(each, "`...` is only allowed in types")

    def _measure(self, node: Expr) -> None:
        """Count the run of nodes that hang on one another by their first (or last) operand."""
        if self.chain >= MAX_DEPTH:
            return
        length = 1
        inner: Expr | None = node
        while length < MAX_DEPTH and (inner := _next(inner)) is not None:
            length += 1
        if length > self.chain:
            self.chain = length


_MOVE = "move the function to a .bzl file and load it"

_BIT_OPERATORS = frozenset({"&", "^", "~", "<<", ">>", "+"})
"""What came with Bazel 0.29; of ``+`` the one that stands before a number. Depsets were united by ``|`` before."""
_LEVEL = {"|": 0, "^": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "/": 5, "//": 5, "%": 5}


def _next(node: Expr | None) -> Expr | None:
    """The operand a chain goes on with."""
    if isinstance(node, ast.Dot | ast.Index | ast.Slice):
        return node.value
    if isinstance(node, ast.Call):
        return node.func
    if isinstance(node, ast.Unary):
        return node.operand
    if isinstance(node, ast.Conditional):
        return node.otherwise
    return node.body if isinstance(node, ast.Lambda) else None
