"""The question ``explore``: a part of the graph with all that it needs, in every configuration that has a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.phase import each_of
from bzlgraph.config.arguments import ConfigArguments, workspace_bazelrc
from bzlgraph.config.configured.view import ConfiguredView, view_for
from bzlgraph.explore.exploration import Exploration, part_of
from bzlgraph.explore.scenarios import Setting, explore
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
    refused = list[str]()
    part = part_of(graph, found.answer.nodes, found.answer.excluded_flags)
    answer = explore(part, text, _settings(session, arguments, refused))
    completeness = found.completeness.with_more(graph.missing_among(answer.nodes), graph.package_gaps_of(answer.nodes))
    return Reply(answer, completeness, (*found.notes, *refused))


def _settings(session: Session, arguments: ConfigArguments, refused: list[str]) -> Iterator[Setting]:
    """The configurations that can be chosen; what is to be said of those that cannot is added to ``refused``."""
    for words in each_of("Looking at configurations", list(dict.fromkeys(_choices(session, arguments)))):
        asked = replace(arguments, tokens=(*arguments.tokens, *words))
        try:
            view = view_for(session.graph, session.loader.workspace, asked)
            elsewhere = session.under(asked) is not session
        except UsageProblem as problem:
            refused.append(f"note: {' '.join(words)} is not offered: {problem.diagnostics[0].message}")
            continue
        assert isinstance(view, ConfiguredView)  # options were given
        yield Setting(" ".join(asked.tokens), view, elsewhere)


def _choices(session: Session, arguments: ConfigArguments) -> Iterator[tuple[str, ...]]:
    """What is added to the options for each: nothing, a compilation mode, a config that has a name."""
    if arguments.given:
        yield ()
    yield from (("-c", mode) for mode in MODES)
    rc = workspace_bazelrc(session.loader.workspace, arguments)
    for name in rc.configs():
        if any(rc.defines(command, name) for command in _RC_COMMANDS):
            yield (f"--config={name}",)
