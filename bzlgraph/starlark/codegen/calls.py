"""Calls: in Python's own form where it evaluates in Starlark's order, else by a helper."""

from __future__ import annotations

import ast as py

from bzlgraph.starlark.codegen import nodes
from bzlgraph.starlark.codegen.effects import KNOWN_METHODS
from bzlgraph.starlark.codegen.nodes import LOAD, Place
from bzlgraph.starlark.codegen.patterns import format_template
from bzlgraph.starlark.codegen.scope import Kind
from bzlgraph.starlark.codegen.translation import Translation
from bzlgraph.starlark.ops.fast import MAX_FIXED
from bzlgraph.starlark.ops.named import NAMED
from bzlgraph.syntax import ast

MAX_ARGUMENTS = 2_000
"""Arguments of a call: what CPython's compiler does with them grows with their square."""


class Calls(Translation):
    """Translates the calls of one file."""

    def call(self, node: ast.Call) -> py.expr:
        """The Python node for a call."""
        self.weight += 4 + (len(node.args) >> 1)
        if len(node.args) > MAX_ARGUMENTS:
            self.limit(len(node.args), MAX_ARGUMENTS, "arguments in a call", node)
        place = self.at(node.paren)
        kinds = {arg.kind for arg in node.args}
        function = node.func
        if self.scope.dialect.named_parameters and self._may_name(node):
            return self._call_in_order(node, place, "$named")
        # Python warns of a literal that is called, and evaluates `*args` before the named arguments; Starlark does not.
        if isinstance(function, (ast.Literal, ast.TupleExpr)) or ("*" in kinds and any(arg.name for arg in node.args)):
            return self._call_in_order(node, place, "$call")
        if kinds <= {""}:
            template = format_template(node)
            if template is not None:
                values = nodes.tuple_of([self.expr(arg.value) for arg in node.args], place)
                return nodes.helper("$format", [nodes.constant(template, place), values], place)
            if isinstance(function, ast.Dot) and function.name in KNOWN_METHODS:
                return self._call_method(node, function, place)
        callee = self.expr(function)
        args, keywords = self._passed(node, place)
        return nodes.call(callee, args, place, keywords)

    def _call_method(self, node: ast.Call, function: ast.Dot, place: Place) -> py.expr:
        """``x.name(...)`` for a name that plain types have: one helper finds the method and calls it, so that no bound
        method is made. The call begins at its dot, where a missing attribute is reported."""
        self.weight += 2
        fixed = len(node.args) <= MAX_FIXED and not any(arg.name for arg in node.args)
        arity = len(node.args) if fixed and function.name != "format" else ""
        receiver = self.expr(function.value)
        args, keywords = self._passed(node, place)
        made = nodes.call(nodes.name(f"${arity}.{function.name}", place), [receiver, *args], place, keywords)
        made.lineno, made.col_offset = min(self.places.dot(function), place)
        return made

    def _passed(self, node: ast.Call, place: Place) -> tuple[list[py.expr], list[py.keyword]]:
        """The arguments of a call whose order of evaluation is Python's."""
        args: list[py.expr] = []
        keywords: list[py.keyword] = []
        for arg in node.args:
            value = self.expr(arg.value)
            if arg.kind == "*":
                star = nodes.helper("$star", [value], self.at(arg.start))
                args.append(nodes.put(py.Starred(star, LOAD), place))
            elif arg.kind == "**":
                star_star = nodes.helper("$starstar", [value], self.at(arg.start))
                keywords.append(nodes.put(py.keyword(None, star_star), place))
            elif arg.name is not None:
                keywords.append(nodes.put(py.keyword(arg.name, value), place))
            else:
                args.append(value)
        return args, keywords

    def _may_name(self, node: ast.Call) -> bool:
        """Whether a call may name what has no name in newer Bazels (``ops.named``)."""
        function = node.func
        if all(arg.name is None and arg.kind != "**" for arg in node.args):
            return False
        if isinstance(function, ast.Ident):
            return function.name in NAMED and self.scope.lookup(function.name, self.block) is Kind.PREDECLARED
        return isinstance(function, ast.Dot) and function.name in NAMED

    def _call_in_order(self, node: ast.Call, place: Place, helper: str) -> py.expr:
        """A call with ``*args`` and named arguments: the named ones are evaluated first."""
        function = self.expr(node.func)
        positional: list[py.expr] = []
        names: list[py.expr | None] = []
        values: list[py.expr] = []
        star: py.expr = nodes.constant((), place)
        star_star: py.expr = nodes.put(py.Dict([], []), place)
        for arg in node.args:
            value = self.expr(arg.value)
            if arg.kind == "*":
                star = nodes.helper("$star", [value], self.at(arg.start))
            elif arg.kind == "**":
                star_star = nodes.helper("$starstar", [value], self.at(arg.start))
            elif arg.name is not None:
                names.append(nodes.constant(arg.name, place))
                values.append(value)
            else:
                positional.append(value)
        named = nodes.put(py.Dict(names, values), place)
        return nodes.helper(helper, [function, nodes.tuple_of(positional, place), named, star, star_star], place)
