"""How deep a tree may be: the parser refuses deeper ones, and whoever walks a tree by recursion makes room for it.

statements -> problems. CPython's own parser stops at the same numbers (``MAXLEVEL``, ``MAXINDENT``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bzlgraph.syntax import ast
from bzlgraph.syntax.problem import Problem

MAX_BRACKETS = 200
"""Brackets in brackets. Real files stay below 20."""
MAX_BLOCKS = 100
"""Blocks in blocks, and clauses of a comprehension."""
MAX_DEPTH = 200
"""Expressions in expressions."""

_LADDER = 12  # operators that can nest without brackets: one of each precedence
_FRAMES = 10_000


def check_depth(body: list[ast.Stmt], brackets: int, chain: int, problems: list[Problem]) -> None:
    """No expression is deeper than ``MAX_DEPTH``. Walks the tree only if the bound from the parser allows for it."""
    if (brackets + 1) * (chain + _LADDER) <= MAX_DEPTH:
        return
    todo: list[tuple[ast.Node, int]] = [(statement, 0) for statement in reversed(body)]
    while todo:
        node, depth = todo.pop()
        if isinstance(node, ast.Expr):
            depth += 1
            if depth > MAX_DEPTH:
                message = f"expressions are nested more than {MAX_DEPTH} levels deep"
                problems.append(Problem(node.start, node.end, message, "split it into several statements"))
                return
        todo.extend((child, depth) for child in ast.children(node))


def longest_chain(node: ast.Expr, known: int) -> int:
    """The longest run of nodes that hang on one another by their first (or last) operand: ``known``, or that which
    begins at ``node``. No more than ``MAX_DEPTH`` are counted."""
    if known >= MAX_DEPTH:
        return known
    length = 1
    inner: ast.Expr | None = node
    while length < MAX_DEPTH and (inner := _next(inner)) is not None:
        length += 1
    return max(length, known)


def _next(node: ast.Expr | None) -> ast.Expr | None:
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


@contextmanager
def room() -> Iterator[None]:
    """Stack enough to walk the deepest tree, at a few frames for each level."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
