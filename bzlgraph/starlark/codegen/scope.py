"""Scopes: which names a file, its functions and its comprehensions bind -> what each name in use stands for.

Rules.
1. A name bound anywhere at the top level is a global of the whole file (also above its binding, also when Bazel has
   a builtin of that name); loaded names are local to the file, but behave alike inside it.
2. A name bound anywhere in a function is local to the whole function; parameters and loop variables count.
3. A comprehension has a scope of its own; its first ``for`` iterable is outside of it.
4. All names are looked up before anything runs: an unknown one rejects the file.

Bazel: ``net.starlark.java.syntax.Resolver``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum

from bzlgraph.base.spell import nearest
from bzlgraph.starlark.value import CONSTANTS
from bzlgraph.syntax import ast
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.problem import Problem


class Kind(Enum):
    """What a name in use stands for."""

    LOCAL = "local"
    GLOBAL = "global"
    LOADED = "loaded"
    PREDECLARED = "predeclared"
    UNDEFINED = "undefined"


def bound_names(target: ast.Expr) -> Iterator[ast.Ident]:
    """The names an assignment target binds."""
    if isinstance(target, ast.Ident):
        yield target
    elif isinstance(target, (ast.TupleExpr, ast.ListExpr)):
        for item in target.items:
            yield from bound_names(item)


def bindings(body: list[ast.Stmt]) -> Iterator[ast.Ident]:
    """The names a block binds (not those of functions inside it), in file order."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            yield from bound_names(statement.target)
        elif isinstance(statement, ast.Def):
            yield statement.name
        elif isinstance(statement, ast.For):
            yield from bound_names(statement.target)
            yield from bindings(statement.body)
        elif isinstance(statement, ast.While):
            yield from bindings(statement.body)
        elif isinstance(statement, ast.If):
            for block in (*statement.bodies, statement.otherwise):
                yield from bindings(block)


@dataclass(slots=True)
class Block:
    """A function's or a comprehension's own names."""

    names: set[str]
    parent: Block | None


@dataclass(slots=True)
class FileScope:
    """The names of a file, and the problems found with them."""

    dialect: Dialect
    predeclared: Collection[str]
    globals: dict[str, ast.Ident] = field(default_factory=dict)
    loaded: dict[str, ast.LoadBinding] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def lookup(self, name: str, block: Block | None) -> Kind:
        """What ``name`` stands for inside ``block``."""
        while block is not None:
            if name in block.names:
                return Kind.LOCAL
            block = block.parent
        if name in self.globals:
            return Kind.GLOBAL
        if name in self.loaded:
            return Kind.LOADED
        return Kind.PREDECLARED if name in self.predeclared or name in CONSTANTS else Kind.UNDEFINED

    def undefined(self, node: ast.Ident, block: Block | None) -> None:
        """Report a name nobody binds."""
        known = {*self.globals, *self.loaded, *self.predeclared}
        while block is not None:
            known |= block.names
            block = block.parent
        near = nearest(node.name, sorted(known))
        suggestion = f" (did you mean '{near}'?)" if near else ""
        self.problems.append(Problem(node.start, node.end, f"name '{node.name}' is not defined{suggestion}"))

    def check_name(self, node: ast.Ident) -> None:
        """Refuse the few names that generated code cannot bind."""
        if node.name in CONSTANTS or node.name == "__debug__":
            self.problems.append(Problem(node.start, node.end, f"cannot assign to '{node.name}'"))


def collect(file: ast.File, dialect: Dialect, predeclared: Collection[str]) -> FileScope:
    """The scope of a file, with problems for names bound twice where that is not allowed."""
    scope = FileScope(dialect, predeclared)
    for statement in file.body:
        if isinstance(statement, ast.Load):
            here: dict[str, ast.LoadBinding] = {}
            for binding in statement.bindings:
                if here.setdefault(binding.local, binding) is binding:
                    _bind_loaded(scope, binding)
                else:
                    message = f"load statement defines '{binding.local}' more than once"
                    scope.problems.append(Problem(binding.start, binding.end, message))
        else:
            for ident in bindings([statement]):
                _bind_global(scope, ident)
    return scope


def _bind_global(scope: FileScope, ident: ast.Ident) -> None:
    scope.check_name(ident)
    first = scope.globals.get(ident.name)
    loaded = scope.loaded.get(ident.name)
    if loaded is not None and not scope.dialect.global_reassign:
        note = ((loaded.start, f"'{ident.name}' loaded here"),)
        message = f"conflicting global declaration of '{ident.name}'"
        scope.problems.append(Problem(ident.start, ident.end, message, None, note))
    if first is None:
        scope.globals[ident.name] = ident
    elif not scope.dialect.global_reassign:
        note = ((first.start, f"'{ident.name}' previously declared here"),)
        message = f"cannot reassign global '{ident.name}'"
        scope.problems.append(Problem(ident.start, ident.end, message, _REASSIGN_HINT, note))


_REASSIGN_HINT = "a global of a .bzl file is bound once; use another name"


def _bind_loaded(scope: FileScope, binding: ast.LoadBinding) -> None:
    name = binding.local
    before = scope.loaded.get(name) or scope.globals.get(name)
    if before is not None and not scope.dialect.global_reassign:
        what = "loaded name" if name in scope.loaded else "global"
        note = ((before.start, f"'{name}' previously declared here"),)
        message = f"cannot reassign {what} '{name}'"
        scope.problems.append(Problem(binding.start, binding.end, message, None, note))
    scope.loaded.setdefault(name, binding)
