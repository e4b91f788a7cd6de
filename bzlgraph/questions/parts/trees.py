"""The questions ``deps`` and ``rdeps``: what hangs below the targets of an expression, as trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.graph.components import reachable
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import FOLLOW_EVERYTHING, UNCONFIGURED, QueryOptions, Session, ask_query
from bzlgraph.why.answer import EdgeReason, TreeAnswer
from bzlgraph.why.steps import edge_steps
from bzlgraph.why.tree import SOME, grow

EVERYTHING_HERE = "//..."
NO_DEPENDENCY = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)


def ask_tree(
    session: Session,
    direction: str,
    text: str,
    options: QueryOptions = FOLLOW_EVERYTHING,
    arguments: ConfigArguments = UNCONFIGURED,
    *,
    from_: str = EVERYTHING_HERE,
    depth: int = 3,
    whole: bool = False,
    some: bool = True,
) -> Reply[TreeAnswer]:
    """Trees of ``depth`` steps below the targets of an expression; ``direction`` is "deps" or "rdeps".

    ``from_``: patterns of the targets whose dependencies dependents are looked for in. ``whole``: also what
    only conditions and visibility name, and what Bazel itself brings along; ``some``: a few of large groups.
    Raises as ``ask_query``.
    """
    asked = ask_query(session, text, options, arguments).answer
    whole_text = f"deps({text})" if direction == "deps" else f"rdeps(set({from_}), {text})"
    reply = ask_query(session, whole_text, options, arguments)
    graph, excluded_flags = reply.answer.graph, reply.answer.excluded_flags
    nodes = {graph.labels[node]: node for node in reply.answer.nodes}
    roots = [found for label in asked if (found := nodes.get(label, graph.find(label))) is not None]
    edges = {node: graph.edges_by_end(node, excluded_flags) for node in sorted(nodes.values())}
    named: dict[int, list[int]] = {node: [] for node in {*edges, *roots}}
    for node, end in _followed(graph, edges, excluded_flags, whole):
        above, below = (node, end) if direction == "deps" else (end, node)
        named[above].append(below)

    def reasons(above: int, below: int) -> tuple[EdgeReason, ...]:
        source, end = (above, below) if direction == "deps" else (below, above)
        return edge_steps(graph, [graph.edge(number) for number in edges[source][end]]).reasons

    grown = grow(graph, roots, named, reasons, depth, SOME if some else None)
    words = graph.configuration.words if graph.configuration is not None else ""
    counts = (len(found - set(roots)) for found in (edges.keys(), reachable(named, roots), grown.shown))
    answer = TreeAnswer(direction, text, from_ if direction == "rdeps" else "", depth, words, grown.roots, *counts)
    return Reply(answer, reply.completeness, reply.notes)


def _followed(
    graph: GraphView, edges: Mapping[int, Iterable[int]], excluded_flags: int, whole: bool
) -> Iterator[tuple[int, int]]:
    """Who names whom, by number, without what is left out unless the ``whole`` is wanted: what only conditions and
    visibility name, and what Bazel itself brings along."""
    own = {repo for repo in {graph.labels[node].repo for node in edges} if not whole and is_own_tool(repo)}
    excluded_flags |= 0 if whole else NO_DEPENDENCY
    for node in edges:
        inside_own = graph.labels[node].repo in own
        for end in sorted(graph.ends_of(node, excluded_flags) & edges.keys() - {node}):
            if inside_own or graph.labels[end].repo not in own:
                yield node, end
