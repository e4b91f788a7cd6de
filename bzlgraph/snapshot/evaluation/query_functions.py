"""The functions of the query language that read targets, on the view of a kept graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.functions import filters, macros, reach
from bzlgraph.query.functions.suites import tests
from bzlgraph.query.functions.visible import visible
from bzlgraph.snapshot.evaluation.checkout import KeptNames
from bzlgraph.snapshot.evaluation.facts import facts_of
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.evaluation.view import kept_gap, view_of
from bzlgraph.snapshot.kept import IMPLICIT, NODEP, POSSIBLE, TOOL, Unanswered

_FUNCTIONS: dict[str, Callable[..., Iterable[int]]] = {
    function.__name__: function
    for function in (
        *(filters.attr, filters.executables, filters.labels, macros.made_by, macros.uncertain),
        *(reach.deps_by, reach.rdeps_by, tests, visible),
    )
}


def call(run: Run, name: str, arguments: Sequence[object]) -> Iterable[int]:
    """What a function gives; what it notes is noted. Raises Unanswered."""
    environment = Environment(view_of(run), _settings(run))
    try:
        found = _FUNCTIONS[name](environment, *arguments)
    except (BzlgraphError, ValueError):  # DamagedFile is a ValueError, too, and ends the same way
        raise Unanswered from None
    run.remarks.update(dict.fromkeys(each.render() for each in environment.remarks))
    run.unmatched = run.unmatched or bool(environment.unmatched)
    run.problems.update(dict.fromkeys(each.render() for each in environment.problems))
    run.gaps.update(dict.fromkeys(map(kept_gap, environment.gaps)))
    run.see(environment.seen)
    return found


def _settings(run: Run) -> QuerySettings:
    excluded, graph = run.excluded, run.graph
    return QuerySettings(
        implicit_deps=not excluded & IMPLICIT,
        tool_deps=not excluded & TOOL,
        nodep_deps=not excluded & NODEP,
        possible_deps=not excluded & POSSIBLE,
        package=graph.facts["folder"],
        mapping=KeptNames(graph),
        facts=facts_of(graph),
    )
