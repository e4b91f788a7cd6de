"""Statements: Starlark node -> Python statements. See ``expressions`` for the rules.

Theory of operation.
* A function begins with its doc string, pays its weight and marks itself as running (``ops.enter``); ``try/finally``
  (free in CPython unless something is raised) takes the mark away.
* A ``for`` statement locks what it iterates over, unless ``effects`` shows that nothing can change it.
* A function that may be pure asks first whether this call is remembered (``ops.pure``): ``$call``.
* Temporaries are called ``$t1``, ``$t2``, ...
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable

from bzlgraph.starlark.codegen import nodes
from bzlgraph.starlark.codegen.effects import needs_lock
from bzlgraph.starlark.codegen.expressions import Expressions
from bzlgraph.starlark.codegen.nodes import STORE, Place
from bzlgraph.starlark.codegen.patterns import each, is_flat, items_of
from bzlgraph.starlark.codegen.scope import Block, FileScope, bindings
from bzlgraph.starlark.methods.table import MUTATORS
from bzlgraph.starlark.ops.enter import ACTIVE
from bzlgraph.starlark.ops.pure import variable_of
from bzlgraph.syntax import ast

MAX_LOCALS = 10_000
"""Names of a function: what CPython's compiler does with them grows with their square."""


class Statements(Expressions):
    """Translates the statements of one file."""

    def __init__(self, file: ast.File, scope: FileScope) -> None:
        super().__init__(file, scope)
        self.functions: list[tuple[int, int]] = []
        self.temporaries = 0
        self.candidates: list[tuple[int, tuple[str, ...]]] = []
        self._mark = ""
        self._may_be_pure = False
        self._gives = False

    def block_of(self, body: list[ast.Stmt]) -> list[py.stmt]:
        """A block; never empty, as Python wants it."""
        made: list[py.stmt] = []
        for statement in body:
            self.weight += 1
            made += _TABLE[statement.__class__](self, statement)
        return made or [nodes.put(py.Pass(), (1, 0))]

    def temporary(self) -> str:
        """A fresh name."""
        self.temporaries += 1
        return f"$t{self.temporaries}"

    def _expression(self, node: ast.ExprStmt) -> list[py.stmt]:
        value, place = self.expr(node.value), self.at(node.start)
        if isinstance(node.value, ast.Call) and not _is_mutation(node.value.func):
            value = nodes.helper("$discard", [value], place)
        return [nodes.statement(value, place)]

    def _branch(self, node: ast.Branch) -> list[py.stmt]:
        kind = {"pass": py.Pass, "break": py.Break, "continue": py.Continue}[node.keyword]
        return [nodes.put(kind(), self.at(node.start))]

    def _return(self, node: ast.Return) -> list[py.stmt]:
        value, place = None if node.value is None else self.expr(node.value), self.at(node.start)
        if value is not None and self._may_be_pure:
            self._gives = True
            value = nodes.helper("$keep", [nodes.name("$call", place), value], place)
        return [nodes.put(py.Return(value), place)]

    # -------------------------------------------------------------------------------------------------- assignment

    def _assign(self, node: ast.Assign) -> list[py.stmt]:
        place = self.at(node.op_start)
        if node.op is not None:
            return self._augmented(node, place)
        return self.store(node.target, self.expr(node.value), node.value, place)

    def store(self, target: ast.Expr, value: py.expr, source: ast.Expr | None, place: Place) -> list[py.stmt]:
        """``target = value``; ``source`` is the Starlark expression of the value, where there is one."""
        if isinstance(target, ast.Ident):
            return [nodes.assign(self.target_name(target), value, place)]
        if isinstance(target, ast.Index):
            self.weight += 6
            args = [value, self.expr(target.value), self.expr(target.key)]
            return [nodes.statement(nodes.helper("$setindex", args, place), place)]
        if isinstance(target, ast.Dot):
            at = self.places.dot(target)
            args = [value, self.expr(target.value), nodes.constant(target.name, at)]
            return [nodes.statement(nodes.helper("$setattr", args, at), place)]
        return self._unpack(items_of(target), value, source, place)

    def _unpack(self, targets: list[ast.Expr], value: py.expr, source: ast.Expr | None, place: Place) -> list[py.stmt]:
        """``a, b = value``: names directly, everything else through temporaries, left to right."""
        self.weight += 1
        if not (isinstance(source, ast.TupleExpr) and len(source.items) == len(targets)):
            count = nodes.constant(len(targets), place)
            value = nodes.helper("$unpack", [value, count], place)
        names: list[py.expr] = []
        later: list[tuple[ast.Expr, str]] = []
        direct = all(isinstance(target, ast.Ident) for target in targets)
        for target in targets:
            if direct and isinstance(target, ast.Ident):
                names.append(self.target_name(target))
            else:
                name = self.temporary()
                names.append(nodes.store(name, place))
                later.append((target, name))
        made: list[py.stmt] = [nodes.assign(nodes.put(py.Tuple(names, STORE), place), value, place)]
        for target, name in later:
            made += self.store(target, nodes.name(name, place), None, place)
        return made

    def _augmented(self, node: ast.Assign, place: Place) -> list[py.stmt]:
        """``target OP= value``: the parts of the target are evaluated once, before the value."""
        self.weight += 2
        helper = f"${self.operator(node.op or '')}="
        target = node.target
        if isinstance(target, ast.Ident):
            self.scope.check_name(target)
            stored = self.target_name(target)
            value = self.expr(node.value)
            current = nodes.name(stored.id, self.at(target.start))
            return [nodes.assign(stored, nodes.helper(helper, [current, value], place), place)]
        if isinstance(target, ast.Index):
            owner, key = self.temporary(), self.temporary()
            at = self.at(target.bracket)
            made: list[py.stmt] = [
                nodes.assign(nodes.store(owner, at), self.expr(target.value), at),
                nodes.assign(nodes.store(key, at), self.expr(target.key), at),
            ]
            parts: list[py.expr] = [nodes.name(owner, at), nodes.name(key, at)]
            current_item = nodes.helper("$index", parts, place)
            value = nodes.helper(helper, [current_item, self.expr(node.value)], place)
            return [*made, nodes.statement(nodes.helper("$setindex", [value, *parts], place), place)]
        assert isinstance(target, ast.Dot)
        owner = self.temporary()
        at = self.places.dot(target)
        parts = [nodes.name(owner, at), nodes.constant(target.name, at)]
        value = nodes.helper(helper, [nodes.helper("$attr", parts, at), self.expr(node.value)], place)
        return [
            nodes.assign(nodes.store(owner, at), self.expr(target.value), at),
            nodes.statement(nodes.helper("$setattr", [value, *parts], at), place),
        ]

    # ------------------------------------------------------------------------------------------------ control flow

    def _if(self, node: ast.If) -> list[py.stmt]:
        tests = [self.expr(test) for test in node.tests]
        bodies = [self.block_of(body) for body in node.bodies]
        rest: list[py.stmt] = self.block_of(node.otherwise) if node.otherwise else []
        for test, body, source in zip(reversed(tests), reversed(bodies), reversed(node.tests), strict=True):
            rest = [nodes.put(py.If(test, body, rest), self.at(source.start))]
        return rest

    def _while(self, node: ast.While) -> list[py.stmt]:
        place = self.at(node.start)
        outer, self.weight = self.weight, 2
        test = self.expr(node.test)
        self.nest(1, node)
        body = self.block_of(node.body)
        self.blocks -= 1
        pay = nodes.helper("$charge", [nodes.constant(self.weight, place)], place)
        self.weight = outer
        return [nodes.put(py.While(test, [nodes.statement(pay, place), *body], []), place)]

    def _for(self, node: ast.For) -> list[py.stmt]:
        place = self.at(node.start)
        iterable = self.expr(node.iterable)
        unpacked = [] if isinstance(node.target, ast.Ident) else [node.target]
        held = needs_lock(node.iterable, [*node.body, *unpacked], self.scope, self.block)
        source = self.temporary() if held else ""
        outer, self.weight = self.weight, 2
        target, head = self._for_target(node.target)
        levels = 2 if held else 1
        self.nest(levels, node)
        body = [*head, *self.block_of(node.body)]
        self.blocks -= levels
        weight, self.weight = self.weight, outer
        looped = each(node.target, node.iterable, nodes.name(source, place) if held else iterable, weight, place)
        loop: py.stmt = nodes.put(py.For(target, looped, body, []), place)
        if not held:
            return [loop]
        lock = self.temporary()
        release = nodes.statement(nodes.helper("$release", [nodes.name(lock, place)], place), place)
        return [
            nodes.assign(nodes.store(source, place), iterable, place),
            nodes.assign(nodes.store(lock, place), nodes.helper("$hold", [nodes.name(source, place)], place), place),
            nodes.put(py.Try([loop], [], [], [release]), place),
        ]

    def _for_target(self, target: ast.Expr) -> tuple[py.expr, list[py.stmt]]:
        """The Python loop variable, and what to do with it first."""
        place = self.at(target.start)
        if isinstance(target, ast.Ident):
            return self.target_name(target), []
        if isinstance(target, (ast.TupleExpr, ast.ListExpr)) and is_flat(target):
            names: list[py.expr] = [self.target_name(item) for item in target.items if isinstance(item, ast.Ident)]
            return nodes.put(py.Tuple(names, STORE), place), []
        name = self.temporary()
        return nodes.store(name, place), self.store(target, nodes.name(name, place), None, place)

    # -------------------------------------------------------------------------------------------------- functions

    def _def(self, node: ast.Def) -> list[py.stmt]:
        place = self.at(node.name.start)
        self.functions.append((place[0], place[1] + 1))
        self.count_body(node)
        arguments = self.arguments(node.params)
        ident = self.target_name(node.name).id
        outer, outer_weight, levels = self.block, self.weight, self.blocks
        names = {param.name.name for param in node.params if param.name is not None}
        for bound in bindings(node.body):
            self.scope.check_name(bound)
            names.add(bound.name)
        self.limit(len(names), MAX_LOCALS, "names in a function", node)
        self.block, self.weight, self.blocks = Block(names, outer), 2, 1
        if outer is None:
            self._gives = False
            self.used.clear()
        may_be_pure, self._may_be_pure = self._may_be_pure, outer is None and self._has_fixed_names(node)
        body = self.block_of(node.body)
        doc: list[py.stmt] = []
        first = node.body[0] if node.body else None
        if isinstance(first, ast.ExprStmt) and isinstance(first.value, ast.Literal) and type(first.value.value) is str:
            doc, body = body[:1], body[1:]
        prologue = self._prologue(node, place)
        made = self._guarded(prologue, body, place)
        self.block, self.weight, self.blocks = outer, outer_weight + 1, levels
        self._may_be_pure = may_be_pure
        return [nodes.function(ident, arguments, [*doc, *made], place)]

    def _prologue(self, node: ast.Def, place: Place) -> list[py.stmt]:
        """Pay, check the mark, take over ``**kwargs``."""
        weight = nodes.constant(self.weight, place)
        made: list[py.stmt] = []
        budget = self._first("$B", place, py.Store())
        if self.scope.dialect.recursion:
            made.append(nodes.statement(nodes.helper("$charge", [weight], place), place))
        else:
            mark = self.new_mark(place).id
            self._mark = mark
            made.append(nodes.put(py.AugAssign(budget, py.Sub(), weight), place))
            test = py.Compare(self._first("$B", place), [py.Lt()], [self._first(mark, place)])
            name = nodes.constant(node.name.name, place)
            stop = nodes.helper("$stop", [nodes.name(mark, place), name], place)
            made.append(nodes.put(py.If(nodes.put(test, place), [nodes.statement(stop, place)], []), place))
        for param in node.params:
            if param.kind == "**" and param.name is not None:
                name_node = nodes.name(param.name.name, place)
                made_dict = nodes.helper("$Dict", [name_node], place)
                made.append(nodes.assign(nodes.store(param.name.name, place), made_dict, place))
        if self._may_be_pure and self._gives:
            made += self._recall([param.name.name for param in node.params if param.name is not None], place)
        return made

    def _has_fixed_names(self, function: ast.Def) -> bool:
        """Whether a function may be pure, by its head: global names are bound once, and there is no ``*args``."""
        dialect = self.scope.dialect
        simple = not any(param.kind and param.name is not None for param in function.params)
        return simple and not dialect.global_reassign and not dialect.recursion

    def _recall(self, parameters: list[str], place: Place) -> list[py.stmt]:
        """``$call = $recall(candidate, (parameters)); if $call: return $call[0]``"""
        self.candidates.append((place[0], tuple(self.used)))
        passed: list[py.expr] = [nodes.name(each, place) for each in parameters]
        candidate = nodes.name(variable_of(place[0]), place)
        call = nodes.helper("$recall", [candidate, nodes.tuple_of(passed, place)], place)
        known = nodes.put(py.Return(self._first("$call", place)), place)
        return [
            nodes.assign(nodes.store("$call", place), call, place),
            nodes.put(py.If(nodes.name("$call", place), [known], []), place),
        ]

    def _first(self, name: str, place: Place, context: py.expr_context | None = None) -> py.Subscript:
        """``name[0]``"""
        subscript = py.Subscript(nodes.name(name, place), nodes.constant(0, place), context or nodes.LOAD)
        return nodes.put(subscript, place)

    def _guarded(self, prologue: list[py.stmt], body: list[py.stmt], place: Place) -> list[py.stmt]:
        """The body between setting and clearing the mark."""
        if self.scope.dialect.recursion:
            return [*prologue, *body]
        mark = self._mark
        begin = nodes.assign(self._first(mark, place, py.Store()), nodes.constant(ACTIVE, place), place)
        end = nodes.assign(self._first(mark, place, py.Store()), nodes.constant(0, place), place)
        guarded = nodes.put(py.Try(body or [nodes.put(py.Pass(), place)], [], [], [end]), place)
        return [*prologue, begin, guarded]

    # ------------------------------------------------------------------------------------------------------- load

    def _load(self, node: ast.Load) -> list[py.stmt]:
        place = self.at(node.start)
        module = nodes.constant(node.module.value, place)
        name = self.temporary()
        made: list[py.stmt] = [nodes.assign(nodes.store(name, place), nodes.helper("$load", [module], place), place)]
        for binding in node.bindings:
            at = self.at(binding.original_start + 1)  # the name stands behind the quote
            args: list[py.expr] = [nodes.name(name, at), module, nodes.constant(binding.original, at)]
            local = nodes.store(self.python_name(binding.local), at)
            made.append(nodes.assign(local, nodes.helper("$loaded", args, at), at))
        return made


def _is_mutation(function: ast.Expr) -> bool:
    """``x.append``: what loops call most, and what no host value has to hear of."""
    return isinstance(function, ast.Dot) and function.name in MUTATORS


_TABLE: dict[type, Callable[..., list[py.stmt]]] = {
    ast.ExprStmt: Statements._expression,
    ast.Assign: Statements._assign,
    ast.Def: Statements._def,
    ast.If: Statements._if,
    ast.For: Statements._for,
    ast.While: Statements._while,
    ast.Return: Statements._return,
    ast.Branch: Statements._branch,
    ast.Load: Statements._load,
}
