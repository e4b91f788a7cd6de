"""Placeholders in a syntax tree -> names and calls that evaluate to unknown values (placeholder.py)."""

from __future__ import annotations

from bzlgraph.bazel.repository.placeholder import is_placeholder, names_in
from bzlgraph.syntax import ast


def reveal(file: ast.File) -> None:
    """Put names in the place of string literals that hold a placeholder, and calls in that of a bare one.

    A placeholder that is a statement stands for text that nobody knows: a call that may make anything.
    """
    for statement in file.body:
        _reveal_below(statement)


def _reveal_below(top: ast.Node) -> None:
    stack = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.ExprStmt) and isinstance(node.value, ast.Ident) and is_placeholder(node.value.name):
            node.value = ast.Call(node.start, node.end, node.value, [], node.end)
            continue
        for name in node.fields:
            value = getattr(node, name)
            if isinstance(value, list):
                value[:] = [_revealed(item) for item in value]
            elif name != "module":
                setattr(node, name, _revealed(value))
        stack += ast.children(node)


def _revealed(value: object) -> object:
    if isinstance(value, ast.Literal) and isinstance(value.value, str):
        found = next(names_in(value.value), None)
        return ast.Ident(value.start, value.end, found) if found else value
    return value
