"""What a loop body may do, seen from outside: can it change the value the loop iterates over?

Bazel forbids changing a list or dict while a loop runs over it. The lock costs time, so it is left out where nothing
in the body can change anything: no assignment to an element, no ``+=``, no call except of builtins and of methods that
change nothing; or where the value is made on the spot, so that nobody else knows it.
"""

from __future__ import annotations

from bzlgraph.starlark.codegen.scope import Block, FileScope, Kind
from bzlgraph.starlark.methods.table import METHODS, MUTATORS
from bzlgraph.syntax import ast

KNOWN_METHODS = frozenset(name for table in METHODS.values() for name in table)
_FRESH_METHODS = frozenset({"keys", "values", "items", "split", "rsplit", "splitlines", "elems"})
_FRESH_BUILTINS = frozenset({"range", "enumerate", "zip", "sorted", "reversed", "list", "tuple", "dict", "glob"})
_DISPLAYS = (ast.ListExpr, ast.TupleExpr, ast.DictExpr, ast.Comprehension, ast.Slice)


def needs_lock(iterable: ast.Expr, repeated: list[ast.Node], scope: FileScope, block: Block | None) -> bool:
    """Whether what is ``repeated`` may change what is iterated over."""
    return not is_fresh(iterable, scope, block) and may_change(repeated, scope, block)


def is_fresh(node: ast.Expr, scope: FileScope, block: Block | None) -> bool:
    """Whether an iterable is made on the spot."""
    if isinstance(node, _DISPLAYS):
        return True
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Dot):
            return node.func.name in _FRESH_METHODS
        if isinstance(node.func, ast.Ident) and node.func.name in _FRESH_BUILTINS:
            return scope.lookup(node.func.name, block) is Kind.PREDECLARED
    return False


def may_change(nodes: list[ast.Node], scope: FileScope, block: Block | None) -> bool:
    """Whether running these nodes may change a list or dict that exists already."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is ast.Ident or kind is ast.Literal:
            continue
        if kind is ast.Call and not _harmless(node, scope, block):  # type: ignore[arg-type]
            return True
        if kind is ast.Assign and (node.op is not None or not _binds_names(node.target)):  # type: ignore[attr-defined]
            return True
        if kind is not ast.Lambda:
            todo.extend(ast.children(node))
    return False


def _binds_names(target: ast.Expr) -> bool:
    if isinstance(target, (ast.TupleExpr, ast.ListExpr)):
        return all(map(_binds_names, target.items))
    return isinstance(target, ast.Ident)


def _harmless(call: ast.Call, scope: FileScope, block: Block | None) -> bool:
    if any(arg.name == "key" for arg in call.args):  # sorted(x, key = f) calls f
        return False
    function = call.func
    if isinstance(function, ast.Ident):
        return scope.lookup(function.name, block) is Kind.PREDECLARED
    if isinstance(function, ast.Dot):
        if function.name in MUTATORS:
            return False
        if function.name in KNOWN_METHODS:
            return True
        owner = function.value
        return isinstance(owner, ast.Ident) and scope.lookup(owner.name, block) is Kind.PREDECLARED
    return False
