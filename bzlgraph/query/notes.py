"""Remarks on an answer: what whoever asked has probably not meant. They go to stderr and change nothing.

The known mistakes: the arguments of ``rdeps`` the other way round, and ``deps``/``rdeps`` containing the target itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.causes import EMPTY, NO_DEPENDENCIES, NO_PATH, NOT_KNOWN, ONLY_ITSELF
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.graph.model import NodeKind
from bzlgraph.query.environment import Environment, Nodes
from bzlgraph.query.functions.signatures import SIGNATURES, ArgumentKind
from bzlgraph.query.language.ast import Call, Chain, Expression, Let, SetOf, Word
from bzlgraph.query.language.parser import parse
from bzlgraph.query.patterns import expand_list

WILDCARDS = ("...", ":all", ":*", ":all-targets")
EVERYTHING = "//..."
"""What depends on anything at all is nobody's question; what depends on anything in a folder may be."""


def remarks_on(expression: Expression, text: str, found: Nodes, environment: Environment) -> Iterator[Diagnostic]:
    """At most one remark on the outermost call."""
    if not isinstance(expression, Call) or (len(expression.arguments) < 2 and expression.function != "deps"):
        return
    shown = [text[each.start : each.end] for each in expression.arguments]
    if expression.function == "rdeps" and (why := _reversed(expression, shown, found, environment)):
        hint = f"rdeps(universe, target): did you mean rdeps({shown[1]}, {shown[0]})?"
        yield Diagnostic(why, hint=hint, severity="note")
    elif len(found) == 1 and expression.function in ("deps", "rdeps") and _asks_for(expression, found, environment):
        what = f"nothing in {shown[0]} depends on it"
        if expression.function == "deps":
            unloaded = environment.graph.kinds[next(iter(found))] == NodeKind.UNLOADED
            what = NOT_KNOWN if unloaded else NO_DEPENDENCIES
        yield Diagnostic(ONLY_ITSELF.format(what), severity="note")


def empty(expression: Expression, text: str, environment: Environment) -> Diagnostic:
    """That there is no target in the answer: nothing printed may also be taken for a failure."""
    paths = isinstance(expression, Call) and expression.function in ("allpaths", "somepath")
    return Diagnostic(
        NO_PATH if paths else EMPTY, hint=_of_build_file(expression, text, environment) or None, severity="note"
    )


def _of_build_file(expression: Expression, text: str, environment: Environment) -> str:
    """Nothing names a BUILD file, so nothing depends on it, though much may on what it declares."""
    if not isinstance(expression, Call) or expression.function not in ("rdeps", "allrdeps"):
        return ""
    asked = expression.arguments[_ABOUT[expression.function]]
    if not isinstance(asked, Word):
        return ""
    graph, settings = environment.graph, environment.settings
    labels = [graph.labels[node] for node in expand_list([asked.text], graph, settings.mapping, settings.package)]
    packages = [graph.packages.get((each.repo, each.package)) for each in labels]
    if not labels or [package and package.build_file for package in packages] != labels:
        return ""
    asking = f"{text[: asked.start]}siblings({text[asked.start : asked.end]}){text[asked.end :]}"
    return f"what depends on what this BUILD file declares: {asking.strip()}"


def _reversed(call: Call, shown: list[str], found: Nodes, environment: Environment) -> str:
    """How it shows that the universe and the target were given the other way round; "" when it does not."""
    universe, target = call.arguments[0], call.arguments[1]
    if not isinstance(universe, Word) or not isinstance(target, Word):
        return ""
    alone = len(found) <= 1 or target.text.startswith(EVERYTHING)
    if alone and target.text.endswith(WILDCARDS) and not universe.text.endswith(WILDCARDS):
        return "the universe is a single target and the target a wildcard"
    if found:
        return ""
    graph, settings = environment.graph, environment.settings
    try:
        needed = expand_list([universe.text], graph, settings.mapping, settings.package)
        needing = expand_list([target.text], graph, settings.mapping, settings.package)
    except LoadProblem:  # with --keep_going: it is noted already
        return ""
    if needed.isdisjoint(graph.closure(needing, settings.excluded_flags)):
        return ""
    return f"nothing in {shown[0]} depends on {shown[1]}, but {shown[1]} depends on {shown[0]}"


def _asks_for(call: Call, found: Nodes, environment: Environment) -> bool:
    """Whether the one target found is the one that was asked about, without a depth of 0."""
    asked = call.arguments[0 if call.function == "deps" else 1]
    depth = call.arguments[1 if call.function == "deps" else 2 :]
    if not isinstance(asked, Word) or asked.text.endswith(WILDCARDS):
        return False
    if any(isinstance(each, Word) and each.text == "0" for each in depth):
        return False
    label = environment.graph.labels[next(iter(found))]
    return asked.text in (str(label), label.shorthand)


def patterns_of(expression: Expression) -> Iterator[str]:
    """The target patterns of an expression, from left to right: what --infer_universe_scope looks in."""
    match expression:
        case Word():
            yield expression.text
        case SetOf():
            yield from (word.text for word in expression.words if isinstance(word, Word))
        case Let():
            yield from patterns_of(expression.value)
            yield from patterns_of(expression.body)
        case Chain():
            yield from patterns_of(expression.first)
            for _, operand in expression.rest:
                yield from patterns_of(operand)
        case Call():
            parameters = SIGNATURES[expression.function].parameters
            for position, argument in enumerate(expression.arguments):
                if parameters[min(position, len(parameters) - 1)].kind is ArgumentKind.TARGETS:
                    yield from patterns_of(argument)


_ABOUT = {"deps": 0, "allrdeps": 0, "rdeps": 1, "same_pkg_direct_rdeps": 0}
"""Function -> which of its arguments is what the answer is about, and holds it, too."""


def without_itself(text: str) -> str:
    """The text of a query without the targets that it asks about. Raises QueryProblem; UsageProblem for a query that
    asks about none by itself.

    >>> without_itself("deps(//a:b, 2)")
    '(deps(//a:b, 2)) except (//a:b)'
    """
    expression = parse(text)
    if not isinstance(expression, Call) or expression.function not in _ABOUT:
        hint = f"write it with 'except', or ask one of {', '.join(_ABOUT)} by itself"
        raise UsageProblem(Diagnostic("--exclude_self does not know which targets to leave out", hint=hint))
    about = expression.arguments[_ABOUT[expression.function]]
    return f"({text}) except ({text[about.start : about.end]})"
