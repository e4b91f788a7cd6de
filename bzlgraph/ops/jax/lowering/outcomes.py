"""A lowering rule -> what becomes of the primitive: which custom calls, operations of HLO or other primitives.

``kind`` of an outcome, the first that holds:

=============== ==========================================================================================
custom call     a function outside of the program is called; ``what`` are patterns of names
callback        Python is called back; ``what`` are patterns of the custom calls that do it
named by caller a custom call whose name is an argument of the primitive, or put together while it runs
hlo             operations that XLA compiles; ``what`` are their names
primitives      a function of JAX is traced; ``what`` are the primitives that it uses
traced          the same, of a function that its arguments decide: ``what`` is how it is written
inner           the computation that the primitive carries is lowered
operands        nothing: it gives its operands back
constant        a constant
not supported   the rule raises an error
pallas          code inside a kernel of Pallas
unknown         none of these is found
=============== ==========================================================================================

What is made around an operation (shapes, broadcasts, shardings) counts only when there is nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.lowering.binds import Binds
from bzlgraph.ops.jax.lowering.lowerings import PALLAS, Lowering
from bzlgraph.ops.jax.lowering.registering import PerPlatform, per_platform
from bzlgraph.ops.jax.lowering.rules import AROUND, CALLBACK, NAMED_LATER, Effect, RuleReader
from bzlgraph.ops.jax.primitives import primitive_of
from bzlgraph.python_source.syntax import dotted, parameter_names, statements_below, walk

EARLIER = "any platform, in a branch"
"""What a rule does before it chooses by platform."""
CONSTANT = ("ir_constant", "ir_constants", "full_like_aval", "dense_int_array")

Follow = Callable[[str, tuple[str, ...]], list[str]]
"""The primitives that names, as written in a module, lead to."""


class Outcome(NamedTuple):
    """What one rule does, on one platform."""

    platform: str
    rule: str
    path: str
    line: int
    kind: str
    what: tuple[str, ...] = ()
    where: tuple[tuple[str, int], ...] = ()
    """For custom calls: where each is called."""
    condition: str = ""
    """What is asked before the rule is registered."""


class OutcomeReader:
    """Reads the rules of a tree."""

    def __init__(self, code: PythonCode, follow: Follow) -> None:
        self._code = code
        self._binds = Binds(code)
        self._rules = RuleReader(code)
        self._follow = follow

    def outcomes(self, lowering: Lowering) -> Iterator[Outcome]:
        """What a rule comes to; a rule may call for one size of the operands and be HLO for another."""
        if lowering.platform in PALLAS.values():
            yield self._outcome(lowering, "pallas")
            return
        if isinstance(lowering.rule, ast.Subscript):  # the rule of another primitive, out of the table of rules
            other = primitive_of(self._code.definition(lowering.path, dotted(lowering.rule.slice) or "_"))
            if other is not None:
                yield self._outcome(lowering, "primitives", (other.name,))
                return
        split = per_platform(lowering.rule, lowering.path, self._code)
        if split is not None:
            yield from self._split(lowering, split)
            return
        found = list(self._of(lowering, self._made(lowering, AROUND)))
        if not found:
            found = list(self._of(lowering, self._made(lowering, frozenset())))
            if found and (through := self._gives_back(lowering)):
                yield self._outcome(lowering, "operands")
                asked = [*filter(None, [lowering.condition]), f"{through} computes something from its operand"]
                found = [each._replace(condition=" and ".join(asked)) for each in found]
        yield from found or [self._of_nothing(lowering)]

    def _made(self, lowering: Lowering, left_out: frozenset[str]) -> list[Effect]:
        bound_with = self._binds.keywords(lowering.primitive)
        return self._rules.made(lowering.rule, lowering.path, left_out, bound_with)

    def _gives_back(self, lowering: Lowering) -> str:
        """The function that a rule calls for what it returns, if that may give its operand as it is; "" for none."""
        rule = self._code.definition(lowering.path, dotted(lowering.rule)) if dotted(lowering.rule) else None
        if rule is None or not isinstance(rule.node, ast.FunctionDef):
            return ""
        for called in _given_operands(rule.node):
            inside = (each for each in walk(rule.node) if isinstance(each, ast.FunctionDef) and each.name == called)
            found = self._code.definition(rule.path, called)
            function = next(inside, found.node if found is not None else None)
            given = parameter_names(function.args) if isinstance(function, ast.FunctionDef) else []
            if isinstance(function, ast.FunctionDef) and any(dotted(each) in given for each in _returned(function)):
                return called.rpartition(".")[2]
        return ""

    def _of(self, lowering: Lowering, made: list[Effect]) -> Iterator[Outcome]:
        calls = [each for each in made if each.kind == "custom call"]
        kinds = {each.kind for each in made}
        if calls or CALLBACK in kinds:
            where = tuple((each.path, each.line) for each in calls)
            kind = CALLBACK if CALLBACK in kinds else "custom call"
            yield self._outcome(lowering, kind, tuple(each.what for each in calls), where)
            return
        if NAMED_LATER in kinds:
            yield self._outcome(lowering, NAMED_LATER)
            return
        traced = [each for each in made if each.kind == "traced"]
        primitives = [name for each in traced for name in self._follow(each.path, each.names)]
        operations = [each.what for each in made if each.kind == "hlo"]
        if operations:
            yield self._outcome(lowering, "hlo", tuple(dict.fromkeys(operations)))
        if primitives:
            yield self._outcome(lowering, "primitives", tuple(dict.fromkeys(primitives)))
        if not operations and not primitives and "inner" in kinds:
            yield self._outcome(lowering, "inner")
        elif not operations and not primitives and traced:
            yield self._outcome(lowering, "traced", tuple(each.what for each in traced))

    def _split(self, lowering: Lowering, split: PerPlatform) -> Iterator[Outcome]:
        """A rule that chooses another one for each platform."""
        before = self._rules.inside(split.before, lowering.path)
        yield from self._of(replace(lowering, platform=EARLIER), before)
        for platform, rule in split.rules:
            if not isinstance(rule, ast.FunctionDef):
                yield from self.outcomes(replace(lowering, platform=platform, rule=rule, line=rule.lineno))
                continue
            inner = replace(lowering, platform=platform, rule=ast.Name(rule.name), line=rule.lineno)
            found = list(self._of(inner, self._rules.inside(rule.body, lowering.path)))
            yield from found or [self._of_nothing(inner, rule.body)]

    def _of_nothing(self, lowering: Lowering, body: list[ast.stmt] | None = None) -> Outcome:
        """A rule that makes nothing: it gives its operands back, or raises."""
        rule = lowering.rule
        if isinstance(rule, ast.Lambda):
            body = [ast.Return(rule.body)]
        elif body is None and dotted(rule):
            found = self._code.definition(lowering.path, dotted(rule))
            body = found.node.body if found is not None and isinstance(found.node, ast.FunctionDef) else None
        if body and isinstance(body[-1], ast.Raise):
            return self._outcome(lowering, "not supported")
        calls = [dotted(each.func) for part in body or () for each in walk(part) if isinstance(each, ast.Call)]
        if any(name.rpartition(".")[2] in CONSTANT for name in calls):
            return self._outcome(lowering, "constant")
        if body and not calls and isinstance(body[-1], ast.Return):
            return self._outcome(lowering, "operands")
        return self._outcome(lowering, "unknown")

    def _outcome(
        self, lowering: Lowering, kind: str, what: tuple[str, ...] = (), where: tuple[tuple[str, int], ...] = ()
    ) -> Outcome:
        place = lowering.path, lowering.line
        return Outcome(lowering.platform, lowering.rule_name, *place, kind, what, where, lowering.condition)


def _returned(function: ast.FunctionDef) -> list[ast.expr]:
    """What a function itself returns."""
    returns = (each for each in statements_below(function) if isinstance(each, ast.Return))
    return [each.value for each in returns if each.value is not None]


def _given_operands(rule: ast.FunctionDef) -> list[str]:
    """The functions that a rule gives its operands as they are, for what it returns: ``return [place(ctx, x)]``,
    ``return list(map(place, xs))``."""
    stored = {each.id for each in walk(rule) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    rest = [rule.args.vararg.arg] if rule.args.vararg is not None else []
    operands = {*parameter_names(rule.args)[1:], *rest} - stored
    calls = (each for one in _returned(rule) for each in walk(one) if isinstance(each, ast.Call))
    given = [each for each in calls if not operands.isdisjoint(map(dotted, each.args))]
    return [dotted(each.args[0] if dotted(each.func) == "map" else each.func) for each in given]
