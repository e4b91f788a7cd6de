"""The state of a translation: the file, its names, the block, what was spent, and the limits of CPython's compiler."""

from __future__ import annotations

import ast as py

from bzlgraph.starlark.codegen import nodes
from bzlgraph.starlark.codegen.nodes import Place
from bzlgraph.starlark.codegen.places import Places
from bzlgraph.starlark.codegen.scope import Block, FileScope, Kind
from bzlgraph.syntax import ast
from bzlgraph.syntax.problem import Problem

MAX_PYTHON_BLOCKS = 18
"""Loops in loops of one function; ``syntax.depth.MAX_BLOCKS`` limits what is written."""
MAX_BODIES = 5_000
"""Functions and comprehensions of a file: what CPython's compiler does with them grows with their square, and nothing
can interrupt it."""


class Translation:
    """What is known of one file while it is translated. ``block`` is the innermost function or comprehension; ``used``
    are the names in the outermost one that stand for something outside of it."""

    def __init__(self, file: ast.File, scope: FileScope) -> None:
        self.file = file
        self.scope = scope
        self.block: Block | None = None
        self.weight = 0
        self.blocks = 0
        self.marks = 0
        self.bodies = 0
        self.used: dict[str, None] = {}
        self.places = Places(file)
        self.at = self.places.at

    def expr(self, node: ast.Expr) -> py.expr:
        """The Python node for a Starlark expression."""
        raise NotImplementedError

    def nest(self, levels: int, node: ast.Node) -> None:
        """Go ``levels`` blocks deeper (the caller comes back); CPython has room for 20 in a function."""
        self.blocks += levels
        if self.blocks > MAX_PYTHON_BLOCKS >= self.blocks - levels:
            self.scope.problems.append(Problem(node.start, node.end, "loops are nested too deeply"))

    def count_body(self, node: ast.Node) -> None:
        """One more function or comprehension."""
        self.bodies += 1
        self.limit(self.bodies, MAX_BODIES, "functions and comprehensions in a file", node, once=True)

    def limit(self, count: int, most: int, what: str, node: ast.Node, *, once: bool = False) -> None:
        """Refuse what would take too long to compile."""
        if count > most and not (once and count > most + 1):
            self.scope.problems.append(Problem(node.start, node.start + 1, f"more than {most} {what}"))

    def python_name(self, name: str) -> str:
        """What a global of the file is called in generated code."""
        hides = name in self.scope.predeclared and not self.scope.dialect.predeclared_until_bound
        if hides or name.startswith("__"):
            return f"$g${name}"
        return name

    def target_name(self, node: ast.Ident) -> py.Name:
        """The Python name to bind for ``node``."""
        kind = self.scope.lookup(node.name, self.block)
        name = node.name if kind is Kind.LOCAL else self.python_name(node.name)
        return nodes.store(name, self.at(node.start))

    def new_mark(self, place: Place) -> py.Name:
        """The name of the "is running" mark of one more function."""
        self.marks += 1
        return nodes.name(f"$r{self.marks - 1}", place)
