"""Expression -> set of nodes, evaluated from the inside out; a set is a Python set of node numbers.

A word that is no pattern and an undefined variable are failures of the evaluation (exit code 7), not of the syntax (2),
as in Bazel. A bad regular expression is wrong wherever it is typed (2), unlike in Bazel (7).

A pattern that stands for nothing fails the query, or, with ``keep_going``, is noted and empty: Bazel's rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.java.regex import PatternError
from bzlgraph.base.label import Label, LabelError, RepoMapping
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.query.answer import Order, QueryAnswer
from bzlgraph.query.environment import Environment
from bzlgraph.query.functions import filters, macros, package_files, reach
from bzlgraph.query.functions.signatures import SIGNATURES, ArgumentKind
from bzlgraph.query.functions.suites import tests
from bzlgraph.query.functions.visible import visible
from bzlgraph.query.language.ast import Call, Chain, Expression, Let, Operator, SetOf, Variable, Word
from bzlgraph.query.language.parser import failure_at, parse, placed, problem_at
from bzlgraph.query.names import suggestion, undeclared
from bzlgraph.query.notes import empty, patterns_of, remarks_on
from bzlgraph.query.patterns import chosen, cover, is_all_of_external, parse_pattern

# Semantics: https://bazel.build/query/language#functions. Arguments are as `signatures.py` says.
_FOLLOWING: tuple[Callable[..., Iterable[int]], ...] = (
    *(reach.allpaths, reach.allrdeps, reach.deps, reach.deps_by, reach.rdeps, reach.rdeps_by),
    *(reach.same_pkg_direct_rdeps, reach.somepath),
)
_ALL: tuple[Callable[..., Iterable[int]], ...] = (
    *(filters.attr, filters.executables, filters.filter_, filters.kind, filters.labels, filters.some),
    *(macros.callers, macros.made_by, macros.uncertain),
    *(package_files.buildfiles, package_files.loadfiles, package_files.owner, package_files.rbuildfiles),
    *(package_files.siblings, tests, visible),
    *_FOLLOWING,
)
FUNCTIONS = {function.__name__.removesuffix("_"): function for function in _ALL}
FOLLOWING = frozenset(function.__name__ for function in _FOLLOWING)
"""Those that follow edges: no other answer depends on which edges are there."""


Bindings = Mapping[str, frozenset[int]]


def query(text: str, environment: Environment) -> QueryAnswer:
    """Answer a query. Raises QueryProblem for its text, LoadProblem for a pattern without targets."""
    expression = parse(text)
    environment.inferred = tuple(patterns_of(expression))
    nodes = _Evaluator(text, environment).evaluate(expression, {})
    if _refuse_undeclared(text, environment):
        nodes = _Evaluator(text, environment).evaluate(expression, {})
    environment.check_asked()
    order = _order_of(expression)
    labels = environment.graph.labels
    ordered = tuple(nodes) if order is Order.PATH else tuple(_by_label(nodes, labels, environment.settings.mapping))
    gaps = tuple(dict.fromkeys((*environment.graph.gaps_of({*ordered, *environment.seen}), *environment.gaps)))
    excluded_flags = environment.settings.excluded_flags
    hints = () if ordered else environment.unmatched
    remarks = (*environment.remarks, *hints, *remarks_on(expression, text, set(ordered), environment))
    if not ordered and not remarks and not environment.problems:
        remarks = (empty(expression, text, environment),)
    shown, nodes_shown = environment.graph.one_per_label(ordered)
    possible = _only_possible(text, expression, ordered, environment)
    problems = tuple(environment.problems)
    return QueryAnswer(shown, nodes_shown, problems, gaps, excluded_flags, text, remarks, order, possible)


def _refuse_undeclared(text: str, environment: Environment) -> bool:
    """Refuse the typed labels that nothing is known to stand behind, now that all edges of the question are known.

    With ``keep_going`` they are noted, and the query has to be evaluated without them. Raises LoadProblem else.
    """
    if environment.settings.assume_declared:
        return False
    found = undeclared(environment.typed, environment.graph)
    for node, problem in found.items():
        at = environment.typed[node]
        faults = placed(text, at, problem.diagnostics) if at >= 0 else problem.diagnostics
        if not environment.settings.keep_going:
            raise LoadProblem(faults)
        for each in faults:
            environment.note(replace(each, severity="warning"))
    environment.refused |= found.keys()
    environment.asked -= found.keys()
    return bool(found)


def _by_label(nodes: Iterable[int], labels: Sequence[Label], mapping: RepoMapping) -> list[int]:
    """Nodes in the order of their labels: by canonical name of the repository, then by package and name."""
    listed = list(nodes)
    canonical = {repo: mapping.canonical(repo) for repo in {labels[node].repo for node in listed}}
    if all(repo == name for repo, name in canonical.items()):
        return sorted(listed, key=labels.__getitem__)
    return sorted(listed, key=lambda node: (canonical[labels[node].repo], *labels[node][1:]))


def _only_possible(
    text: str, expression: Expression, nodes: Iterable[int], environment: Environment
) -> frozenset[Label]:
    """What an answer would not have without the edges that only something unknown may add."""
    graph, settings = environment.graph, replace(environment.settings, possible_deps=False, keep_going=True)
    possible = any(flags & EdgeFlag.POSSIBLE for flags in set(graph.columns.edge_flags))
    if not possible or not _follows_edges(expression):
        return frozenset()
    without = Environment(graph, settings, inferred=environment.inferred, refused=environment.refused)
    certain = {graph.labels[node] for node in _Evaluator(text, without).evaluate(expression, {})}
    return frozenset(label for node in nodes if (label := graph.labels[node]) not in certain)


def _follows_edges(expression: Expression) -> bool:
    match expression:
        case Let():
            return _follows_edges(expression.value) or _follows_edges(expression.body)
        case Chain():
            return _follows_edges(expression.first) or any(_follows_edges(operand) for _, operand in expression.rest)
        case Call():
            return expression.function in FOLLOWING or any(map(_follows_edges, expression.arguments))
    return False


def _order_of(expression: Expression) -> Order:
    """A path stays as it is; all else is sorted by label, a path inside of something else too, as Bazel does."""
    is_path = isinstance(expression, Call) and expression.function == "somepath"
    return Order.PATH if is_path else Order.LABEL


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
                return self._variable(expression, bindings)
            case SetOf():
                return set().union(*(self.evaluate(word, bindings) for word in expression.words))
            case Let():
                if not expression.name.isidentifier():
                    at = self.text.index(expression.name, expression.start + len("let"))
                    raise failure_at(self.text, at, f"`{expression.name}` is not a valid name for a variable")
                value = frozenset(self.evaluate(expression.value, bindings))
                return self.evaluate(expression.body, {**bindings, expression.name: value})
            case Chain():
                return self._chain(expression, bindings)
            case Call():
                return self._call(expression, bindings)

    def _variable(self, variable: Variable, bindings: Bindings) -> frozenset[int]:
        found = bindings.get(variable.name)
        if found is None:
            known = f"bound here: {', '.join('$' + name for name in sorted(bindings))}" if bindings else None
            hint = known or "let x = //a/... in $x"
            raise failure_at(self.text, variable.start, f"undefined variable `${variable.name}`", hint)
        return found

    def _chain(self, chain: Chain, bindings: Bindings) -> set[int]:
        found = set(self.evaluate(chain.first, bindings))
        for operator, operand in chain.rest:
            other = set(self.evaluate(operand, bindings))
            if operator is Operator.UNION:
                found |= other
            elif operator is Operator.EXCEPT:
                found -= self.environment.graph.same_label(other)
            else:
                found &= self.environment.graph.same_label(other)
        return found

    def _pattern(self, word: Word) -> set[int]:
        settings = self.environment.settings
        if word.text.startswith(("-", "*")):  # as Bazel since 1.2.0 at the latest
            raise problem_at(self.text, word.start, f"a target pattern may not start with `{word.text[0]}`")
        try:
            pattern = parse_pattern(word.text, "", settings.package, settings.mapping)
            covered = cover(pattern, self.environment.graph)
            found = chosen(pattern, covered, self.environment.graph) - self.environment.refused
            if settings.facts.external_all_is_empty and is_all_of_external(pattern):
                found -= covered
            self.environment.seen |= covered
            self.environment.asked |= found
            if not pattern.below and not pattern.wildcard:
                self.environment.typed |= dict.fromkeys(found, word.start)
            return found
        except LabelError as error:
            hint = suggestion(word.text, self.environment.graph)
            faults = failure_at(self.text, word.start, str(error), hint).diagnostics
        except LoadProblem as problem:
            faults = placed(self.text, word.start, problem.diagnostics)
        return self._without(faults)

    def _without(self, faults: Iterable[Diagnostic]) -> set[int]:
        """The value of what cannot be evaluated, under ``keep_going``."""
        if not self.environment.settings.keep_going:
            raise LoadProblem(faults) from None
        for diagnostic in faults:
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
                number = parameter.kind is ArgumentKind.NUMBER
                arguments.append(int(argument.text) if number else argument.text)
            elif isinstance(argument, Variable):  # `$compiler`, an implicit attribute
                arguments.append(f"${argument.name}")
            else:
                message = f"the {parameter.name} of {call.function} must be {parameter.kind.value}"
                raise problem_at(self.text, argument.start, message, signature.usage)
        try:
            return FUNCTIONS[call.function](self.environment, *arguments)
        except PatternError as error:
            raise problem_at(self.text, call.arguments[0].start, str(error)) from None
        except ValueError as error:
            raise failure_at(self.text, call.arguments[0].start, str(error)) from None
        except LoadProblem as problem:
            return self._without(placed(self.text, call.arguments[0].start, problem.diagnostics))
