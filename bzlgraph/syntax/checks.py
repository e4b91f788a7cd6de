"""Statements in wrong places: File -> problems.

What a kind of file forbids comes from its ``Dialect``; what needs names (undefined ones, rebinding) is for
``bzlgraph.starlark``. Bazel: ``net.starlark.java.syntax.Resolver``, ``DotBazelFileSyntaxChecker``.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.syntax import ast
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.problem import Problem

DEFINE = "define a function at the top level of the file"
MOVE = "move the function to a .bzl file and load it"


@dataclass(frozen=True, slots=True)
class BlockScope:
    """Where a block of statements stands."""

    in_function: bool = False
    in_loop: bool = False
    in_block: bool = False


def check_statements(body: list[ast.Stmt], dialect: Dialect, problems: list[Problem]) -> None:
    """Every statement of a file is where its dialect allows it."""
    _check_block(body, BlockScope(), dialect, problems)
    _check_loads(body, dialect, problems)


def _check_block(body: list[ast.Stmt], place: BlockScope, dialect: Dialect, problems: list[Problem]) -> None:
    for statement in body:
        kind = statement.__class__
        if kind is ast.ExprStmt or kind is ast.Assign:
            continue
        message, hint = _misplaced(statement, place, dialect)
        if message:
            problems.append(Problem(statement.start, _head_end(statement), message, hint))
        if isinstance(statement, ast.Def):
            _check_block(statement.body, BlockScope(in_function=True, in_block=True), dialect, problems)
        elif isinstance(statement, ast.For | ast.While):
            inner = BlockScope(place.in_function, in_loop=True, in_block=True)
            _check_block(statement.body, inner, dialect, problems)
        elif isinstance(statement, ast.If):
            inner = BlockScope(place.in_function, place.in_loop, in_block=True)
            for block in (*statement.bodies, statement.otherwise):
                _check_block(block, inner, dialect, problems)


def _misplaced(statement: ast.Stmt, place: BlockScope, dialect: Dialect) -> tuple[str, str | None]:
    """What is wrong with a statement at its place; an empty message when nothing is."""
    if isinstance(statement, ast.Load):
        return _misplaced_load(place, dialect), None
    if isinstance(statement, ast.Def) and not dialect.definitions:
        return f"functions may not be defined in {dialect.name} files", MOVE
    if isinstance(statement, ast.Def) and place.in_function and not dialect.inner_functions:
        return "nested functions are not allowed before Bazel 5", DEFINE
    if isinstance(statement, ast.Return) and not place.in_function:
        return "`return` is only allowed in a function", None
    if isinstance(statement, ast.Branch) and statement.keyword != "pass" and not place.in_loop:
        return f"`{statement.keyword}` is only allowed in a loop", None
    if isinstance(statement, ast.While) and not dialect.while_loops:
        return "there are no `while` loops", "write `for _ in range(LIMIT):` and `break`"
    if place.in_block or dialect.toplevel_control or not isinstance(statement, ast.If | ast.For | ast.While):
        return "", None
    return _toplevel_control(statement, dialect)


def _misplaced_load(place: BlockScope, dialect: Dialect) -> str:
    if place.in_block:
        return "`load` is only allowed at the top level of a file"
    return "" if dialect.loads else f"`load` is not allowed in {dialect.name} files"


def _toplevel_control(statement: ast.Stmt, dialect: Dialect) -> tuple[str, str | None]:
    word = "if" if isinstance(statement, ast.If) else "for" if isinstance(statement, ast.For) else "while"
    other = "a conditional expression (`a if c else b`)" if word == "if" else "a comprehension"
    if dialect.definitions:
        return f"`{word}` statements are not allowed at the top level", f"move it into a function, or use {other}"
    return f"`{word}` statements are not allowed in {dialect.name} files", f"move it to a .bzl file, or use {other}"


def _head_end(statement: ast.Stmt) -> int:
    """The end of the part worth underlining: a compound statement's first line is enough."""
    if isinstance(statement, ast.Def):
        return statement.name.end
    if isinstance(statement, ast.For | ast.While):
        return (statement.iterable if isinstance(statement, ast.For) else statement.test).end
    return statement.tests[0].end if isinstance(statement, ast.If) else statement.end


def _check_loads(body: list[ast.Stmt], dialect: Dialect, problems: list[Problem]) -> None:
    """Loads first, where a dialect wants it."""
    if not dialect.loads_first:
        return
    other: ast.Stmt | None = None
    for statement in body:
        if not isinstance(statement, ast.Load):
            doc = isinstance(statement, ast.ExprStmt) and isinstance(statement.value, ast.Literal)
            other = other or (None if doc else statement)
        elif other is not None:
            message = "`load` statements must come before all other statements"
            problems.append(Problem(statement.start, statement.end, message, None, ((other.start, "this one"),)))
