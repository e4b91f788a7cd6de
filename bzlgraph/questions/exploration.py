"""The question ``explore``: a part of the graph with all that it needs, in every configuration that has a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.arguments import ConfigArguments, workspace_bazelrc
from bzlgraph.explore.exploration import Exploration, Scenario, explore
from bzlgraph.graph.build import BuildGraph
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import UNCONFIGURED, QueryOptions, Session, query_in

MODES = ("fastbuild", "opt", "dbg")
"""The compilation modes; the first is Bazel's default."""
_RC_COMMANDS = ("always", "common", "build")
"""The commands of an rc file whose lines a build heeds."""


def ask_explore(
    session: Session, text: str, options: QueryOptions, arguments: ConfigArguments = UNCONFIGURED
) -> Reply[Exploration]:
    """The targets of a query and all that they need. ``arguments`` are part of every configuration.

    Raises as ``ask_query``.
    """
    session = session.under(arguments)
    graph = session.graph
    found = query_in(session, graph, text, options)
    exploration = explore(graph, found.answer.nodes, text, found.answer.excluded_flags)
    scenarios, notes = _scenarios(session, arguments, exploration.conditions)
    answer = replace(exploration, scenarios=scenarios)
    completeness = found.completeness.with_more(graph.missing_among(answer.nodes), graph.package_gaps_of(answer.nodes))
    return Reply(answer, completeness, (*found.notes, *notes))


def _scenarios(
    session: Session, arguments: ConfigArguments, conditions: tuple[int, ...]
) -> tuple[tuple[Scenario, ...], tuple[str, ...]]:
    """Those that can be chosen, and what is to be said of those that cannot."""
    found, refused = list[Scenario](), list[str]()
    for words in dict.fromkeys(_choices(session, arguments)):
        asked = replace(arguments, tokens=(*arguments.tokens, *words))
        try:
            view = session.view(asked)
            elsewhere = session.under(asked) is not session
        except UsageProblem as problem:
            refused.append(f"note: {' '.join(words)} is not offered: {problem.diagnostics[0].message}")
            continue
        assert not isinstance(view, BuildGraph)  # options were given
        rows = view.columns.conditions
        truths = tuple(view.truth(rows[number]) for number in conditions)
        found.append(Scenario(" ".join(asked.tokens), truths, elsewhere))
    return tuple(found), tuple(refused)


def _choices(session: Session, arguments: ConfigArguments) -> Iterator[tuple[str, ...]]:
    """What is added to the options for each: nothing, a compilation mode, a config that has a name."""
    if arguments.given:
        yield ()
    yield from (("-c", mode) for mode in MODES)
    rc = workspace_bazelrc(session.loader.workspace, arguments)
    for name in rc.configs():
        if any(rc.defines(command, name) for command in _RC_COMMANDS):
            yield (f"--config={name}",)
