"""Node makers: one method per rule of ``grammars/starlark.lark``, called by the parser's loop as children complete.

children of a reduction -> its node. A fixed word (``(``, ``+``, ``if``) arrives as the offset where it starts, NAME as
``Ident``, literals as ``Literal``, everything else as what its own method returned.

Form that the grammar leaves open is checked at once (``operands.py``, ``dialect_checks.py``); statements in wrong
places are for ``checks.py``, which sees them in context.
"""

from __future__ import annotations

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Arg, Expr, Ident, Param, Stmt
from bzlgraph.syntax.lalr.build_expressions import ExpressionBuilder
from bzlgraph.syntax.lalr.dialect_checks import check_operator
from bzlgraph.syntax.lalr.operands import check_augmented_target, check_target, load_statement


class Builder(ExpressionBuilder):
    """Makes the nodes of one file."""

    __slots__ = ()

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
        self.forget_type(kind)
        return ast.Branch(target.start, kind.end, "pass")

    def annotated_assignment(self, target: Expr, _colon: int, kind: Expr, op_start: int, value: Expr) -> Stmt:
        """``x: int = 1``"""
        self.forget_type(kind)
        return self.assignment(target, op_start, value)

    def type_alias(self, start: int, name: Ident, op_start: int, kind: Expr) -> Stmt:
        """``type T = list[int]``: a name that stands for nothing else."""
        self.forget_type(kind)
        return ast.Assign(start, kind.end, name, None, op_start, Ident(kind.start, kind.end, "None"))

    def augmented_assignment(self, target: Expr, op_start: int, value: Expr) -> Stmt:
        """``x += 1``"""
        op = self.word(op_start)
        if op != "+":
            check_operator(op, op_start, self.dialect, self.problems)
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
        self.check_parameters(params)
        return ast.Def(start, body[-1].end, name, params, body)

    def generic(self, name: Ident, _open: int, _names: list[Ident], _close: int) -> Ident:
        """``f[T]``: a name with parameters of its types."""
        return name

    def result(self, _arrow: int, kind: Expr, colon: int) -> int:
        """``-> int:``"""
        self.forget_type(kind)
        return colon

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

    def finish(self) -> None:
        """The checks that need the whole file."""
        for node in self.trailing:
            hint = "write `(a, b,)`, or leave the comma out"
            self.complain(node, "a tuple with a trailing comma needs parentheses", hint)
        for each in self.ellipses:
            self.complain(each, "`...` is only allowed in types")
