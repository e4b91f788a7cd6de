"""A query -> all that is found for it: the nodes, and what is told with them.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.base.causes import EMPTY, NO_DEPENDENCIES, NO_PATH, NOT_KNOWN, ONLY_ITSELF, possible_note
from bzlgraph.base.words import printable
from bzlgraph.snapshot.evaluation.evaluate import evaluate, follows_edges
from bzlgraph.snapshot.evaluation.faults import faults_of, gaps_of
from bzlgraph.snapshot.kept import NODE_MISSING, POSSIBLE, UNLOADED, Unanswered
from bzlgraph.snapshot.nodes.walk import Many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bzlgraph.snapshot.evaluation.expression import Tree
    from bzlgraph.snapshot.evaluation.run import KeptGap, Run

WILDCARDS = ("...", ":all", ":*", ":all-targets")
EVERYTHING = "//..."


class Found:
    """``nodes`` in the order of their labels, or, if it ``is_path``, of the path; ``possible``: those that are there
    only if something unknown adds them. ``problems`` and ``gaps`` each once."""

    __slots__ = ("gaps", "is_path", "nodes", "notes", "possible", "problems")

    def __init__(self, nodes: list[int] | Many, is_path: bool, possible: set[int]) -> None:
        self.nodes = nodes
        self.is_path = is_path
        self.possible = possible
        self.notes: list[str] = []
        self.problems: dict[str, None] = {}
        self.gaps: dict[KeptGap, None] = {}


def found_by(run: Run, tree: Tree, text: str) -> Found:
    """What an evaluation finds for an expression that ``is_known``. Raises Unanswered, DamagedFile."""
    nodes, is_path = evaluate(run, tree, {}), tree[:2] == ("call", "somepath")
    run.see(nodes)
    listed = nodes if isinstance(nodes, Many) else list(nodes) if is_path else sorted(nodes)
    if not listed and run.unmatched:
        raise Unanswered  # what may have been meant
    found, graph = Found(listed, is_path, _possible(run, tree, listed)), run.graph
    found.notes = [*run.remarks, *_remarks(run, tree, listed, text)]
    if found.possible:
        found.notes.append(possible_note(len(found.possible), len(listed)))
    found.problems = dict.fromkeys([*run.problems, *graph.facts["problems"]])
    if not listed and not found.notes and not run.problems:
        if tree[:2] == ("call", "allrdeps"):
            raise Unanswered  # of a BUILD file more is said
        found.notes = [f"note: {NO_PATH if tree[:2] in _PATHS else EMPTY}"]
    seen = {package for package, each in enumerate(run.seen) if each}
    found.gaps = dict.fromkeys([*gaps_of(run, seen, run.unpinned), *run.gaps, *graph.facts["gaps"]])
    for texts, hidden in faults_of(run):
        found.problems.update(dict.fromkeys(texts))
        found.gaps.update(dict.fromkeys(hidden))
    return found


_PATHS = (("call", "allpaths"), ("call", "somepath"))


def _remarks(run: Run, tree: Tree, nodes: list[int] | Many, text: str) -> list[str]:
    """``query.notes``: that the answer is the target that was asked about."""
    if tree[:1] != ("call",) or tree[1] not in ("deps", "rdeps"):
        return []
    if tree[1] == "rdeps" and tree[2][0][0] == tree[2][1][0] == "word":
        universe, target = tree[2][0][1], tree[2][1][1]
        if target.startswith(EVERYTHING) and not universe.endswith(WILDCARDS):
            raise Unanswered  # the two have changed places
    if len(nodes) > 1:
        return []
    if tree[1] == "deps":
        unloaded = [run.graph.whole("kinds")[node] for node in nodes] == [UNLOADED]
        why, (asked, *depth) = NOT_KNOWN if unloaded else NO_DEPENDENCIES, tree[2]
    else:
        universe, asked, *depth = tree[2]
        shown = _first_argument(universe, text)
        if not shown or not nodes or asked[0] != "word" or asked[1].endswith(WILDCARDS):
            raise Unanswered  # the two may have changed places, or the first cannot be quoted
        why = f"nothing in {shown} depends on it"
    if not nodes or asked[0] != "word" or depth == [("word", "0")]:
        return []
    label = run.graph.label(*nodes)
    return [f"note: {printable(ONLY_ITSELF.format(why))}"] if asked[1] in (label, _shorthand(label)) else []


def _first_argument(tree: Tree, text: str) -> str:
    """The universe of a call as it was typed; "" where that is not plain to see."""
    if tree[0] == "word":
        return tree[1] if f"({tree[1]}" in text.replace(" ", "") else ""
    begin, end = text.find("set("), text.find(")") + 1
    return text[begin:end] if tree[0] == "set" and begin >= 0 and "'" not in text and '"' not in text else ""


def _shorthand(label: str) -> str:
    """``Label.shorthand``."""
    package, _, name = label.rpartition(":")
    repo, _, folder = package.partition("//")
    if repo and not folder and name == repo[1:]:
        return repo
    return package if folder and folder.rpartition("/")[2] == name else label


def _possible(run: Run, tree: Tree, nodes: list[int] | Many) -> set[int]:
    """What of the answer is there only if something unknown adds it."""
    if not follows_edges(tree):
        return set()
    possible = run.graph.whole("package_possible")
    unsure = [package for package, told in enumerate(run.told) if told and possible[package]]
    if not unsure or (_has_its_ways(tree) and not _names_unsurely(run, unsure, nodes)):
        return set()
    return set(nodes).difference(evaluate(run.without(POSSIBLE), tree, {}))


def _has_its_ways(tree: Tree) -> bool:
    """Whether all that the edges followed for an answer lead from and to is in the answer, or missing."""
    if tree[0] != "call" or any(each[0] not in ("word", "set") for each in tree[2]):
        return False
    few_steps = tree[1] == "rdeps" and len(tree[2]) > 2  # the universe reaches them in any number
    return tree[1] in ("deps", "rdeps", "allpaths", "somepath") and not few_steps


def _names_unsurely(run: Run, packages: Iterable[int], nodes: list[int] | Many) -> bool:
    """Whether an edge that is only possible leads from one of these nodes in these packages to another, or to what is
    missing."""
    graph, inside = run.graph, nodes if isinstance(nodes, Many) else set(nodes)
    first, kinds = graph.whole("first_edge"), graph.whole("kinds")
    targets, flags = graph.column("edge_target"), graph.column("edge_flags")
    users = [node for package in packages for node in graph.nodes_of(package) if node in inside]
    run.check_edges(users)
    edges = (edge for node in users for edge in range(first[node], first[node + 1]) if flags[edge] & POSSIBLE)
    return any(targets[edge] in inside or kinds[targets[edge]] == NODE_MISSING for edge in edges)
