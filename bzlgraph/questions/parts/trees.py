"""The questions ``deps`` and ``rdeps``: what hangs below the targets of an expression, as trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.graph.algorithms.components import reachable
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.questions.reply import Asking, Reply
from bzlgraph.why.answer import EdgeReason, TreeAnswer
from bzlgraph.why.steps import edge_steps
from bzlgraph.why.tree import SOME, grow

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.query.answer import QueryAnswer
    from bzlgraph.questions.session import QueryOptions, Session

EVERYTHING_HERE = "//..."
NO_DEPENDENCY = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)


@dataclass(frozen=True, slots=True)
class TreeQuestion:
    """Trees of ``depth`` steps below the targets of an expression; ``direction`` is "deps" or "rdeps".

    ``from_``: patterns of the targets whose dependencies dependents are looked for in. ``whole``: also what
    only conditions and visibility name, and what Bazel itself brings along; ``some``: a few of large groups.
    """

    direction: str
    text: str
    from_: str = EVERYTHING_HERE
    depth: int = 3
    whole: bool = False
    some: bool = True


def ask_tree(
    session: Session, wanted: TreeQuestion, options: QueryOptions, arguments: ConfigArguments
) -> Reply[TreeAnswer]:
    """The trees of a question. Raises as ``ask_query``."""
    from bzlgraph.questions.session import ask_query  # which loads: the kept graph does without

    return tree_reply(lambda text: ask_query(session, text, options, arguments), wanted)


def tree_reply(ask: Asking, wanted: TreeQuestion) -> Reply[TreeAnswer]:
    """``ask_tree``, of whoever answers queries. Raises as it does."""
    text, is_deps = wanted.text, wanted.direction == "deps"
    asked = ask(text).answer
    call = f"deps({text})" if is_deps else f"rdeps(set({wanted.from_}), {text})"
    reply = ask(f"({text}) + {call}")  # the call alone would be remarked on, in words that nobody typed
    graph = reply.answer.graph
    nodes = {graph.labels[node]: node for node in reply.answer.nodes}
    roots = [found for label in asked if (found := nodes.get(label, graph.find(label))) is not None]
    return Reply(_grown(reply.answer, roots, wanted), reply.completeness, reply.notes)


def _grown(found: QueryAnswer, roots: Sequence[int], wanted: TreeQuestion) -> TreeAnswer:
    """The trees of roots; ``found``: all that may stand in them."""
    graph, excluded_flags, is_deps = found.graph, found.excluded_flags, wanted.direction == "deps"
    edges = {node: graph.edges_by_end(node, excluded_flags) for node in sorted(found.nodes)}
    named: dict[int, list[int]] = {node: [] for node in {*edges, *roots}}
    for node, end in _followed(graph, edges, excluded_flags, wanted.whole):
        above, below = (node, end) if is_deps else (end, node)
        named[above].append(below)

    def reasons(above: int, below: int) -> tuple[EdgeReason, ...]:
        source, end = (above, below) if is_deps else (below, above)
        return edge_steps(graph, [graph.edge(number) for number in edges[source][end]]).reasons

    grown = grow(graph, roots, named, reasons, wanted.depth, SOME if wanted.some else None)
    words = graph.configuration.words if graph.configuration is not None else ""
    counts = (len(each - set(roots)) for each in (edges.keys(), reachable(named, roots), grown.shown))
    within = "" if is_deps else wanted.from_
    return TreeAnswer(wanted.direction, wanted.text, within, wanted.depth, words, grown.roots, *counts)


def _followed(
    graph: GraphView, edges: Mapping[int, Iterable[int]], excluded_flags: int, whole: bool
) -> Iterator[tuple[int, int]]:
    """Who names whom, by number, without what is left out unless the ``whole`` is wanted: what only conditions and
    visibility name, and what Bazel itself brings along."""
    own = {repo for repo in {graph.labels[node].repo for node in edges} if not whole and is_own_tool(repo)}
    excluded_flags |= 0 if whole else NO_DEPENDENCY
    for node in edges:
        inside_own = graph.labels[node].repo in own
        for end in sorted(graph.ends_of(node, excluded_flags)):
            if end in edges and end != node and (inside_own or graph.labels[end].repo not in own):
                yield node, end
