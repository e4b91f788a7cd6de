"""Expression -> set of nodes, evaluated from the inside out; a set is a Python set of node numbers.

A pattern that stands for nothing fails the query, or, with ``keep_going``, is noted and empty: Bazel's rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import LabelError
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.ast import Call, Chain, Expression, Let, Operator, SetOf, Variable, Word
from bzlgraph.query.environment import Environment
from bzlgraph.query.functions import FUNCTIONS
from bzlgraph.query.parser import parse
from bzlgraph.query.patterns import expand, parse_pattern
from bzlgraph.query.problem import problem_at
from bzlgraph.query.signatures import SIGNATURES, ArgumentKind

Bindings = Mapping[str, frozenset[int]]


def query(text: str, environment: Environment) -> QueryAnswer:
    """Answer a query. Raises QueryProblem for its text, LoadProblem for a pattern without targets."""
    expression = parse(text)
    nodes = _Evaluator(text, environment).evaluate(expression, {})
    ordered = _in_order(expression, nodes, environment)
    gaps = environment.graph.gaps_of(ordered)
    without = environment.settings.without
    return QueryAnswer(environment.graph, ordered, tuple(environment.problems), gaps, without, text)


def _in_order(expression: Expression, nodes: Iterable[int], environment: Environment) -> tuple[int, ...]:
    """Sorted by label, as Bazel prints since 4.0; a path stays in its own order."""
    if isinstance(expression, Call) and expression.function == "somepath":
        return tuple(nodes)
    labels = environment.graph.labels
    return tuple(sorted(nodes, key=lambda number: str(labels[number])))


class _Evaluator:
    def __init__(self, text: str, environment: Environment) -> None:
        self.text = text
        self.environment = environment

    def evaluate(self, expression: Expression, bindings: Bindings) -> Iterable[int]:
        """The nodes of any expression."""
        match expression:
            case Word():
                return self._pattern(expression)
            case Variable():
                return bindings[expression.name]
            case SetOf():
                return self._union([self.evaluate(word, bindings) for word in expression.words])
            case Let():
                value = frozenset(self.evaluate(expression.value, bindings))
                return self.evaluate(expression.body, {**bindings, expression.name: value})
            case Chain():
                return self._chain(expression, bindings)
            case Call():
                return self._call(expression, bindings)

    def _union(self, parts: Iterable[Iterable[int]]) -> set[int]:
        return set().union(*parts)

    def _chain(self, chain: Chain, bindings: Bindings) -> set[int]:
        found = set(self.evaluate(chain.first, bindings))
        for operator, operand in chain.rest:
            other = set(self.evaluate(operand, bindings))
            if operator is Operator.UNION:
                found |= other
            elif operator is Operator.EXCEPT:
                found -= other
            else:
                found &= other
        return found

    def _pattern(self, word: Word) -> set[int]:
        settings = self.environment.settings
        try:
            pattern = parse_pattern(word.text, "", settings.package, settings.mapping)
        except LabelError as error:
            raise problem_at(self.text, word.start, str(error)) from None
        try:
            return expand(pattern, self.environment.graph)
        except LoadProblem as problem:
            if not settings.keep_going:
                raise
            for diagnostic in problem.diagnostics:
                self.environment.note(replace(diagnostic, severity="warning"))
            return set()

    def _call(self, call: Call, bindings: Bindings) -> Iterable[int]:
        signature = SIGNATURES[call.function]
        arguments: list[object] = []
        for position, argument in enumerate(call.arguments):
            parameter = signature.parameters[min(position, len(signature.parameters) - 1)]
            if parameter.kind is ArgumentKind.TARGETS:
                arguments.append(set(self.evaluate(argument, bindings)))
            elif isinstance(argument, Word):
                arguments.append(self._number(argument) if parameter.kind is ArgumentKind.NUMBER else argument.text)
            else:
                message = f"the {parameter.name} of {call.function} must be {parameter.kind.value}"
                raise problem_at(self.text, argument.start, message, signature.usage)
        try:
            return FUNCTIONS[call.function](self.environment, *arguments)
        except ValueError as error:
            raise problem_at(self.text, call.arguments[0].start, str(error)) from None

    def _number(self, word: Word) -> int:
        try:
            return int(word.text)
        except ValueError:
            raise problem_at(self.text, word.start, f"expected a number, not `{word.text}`") from None
