"""``why`` of a kept graph as text, where there is a way: the same functions as the full way runs, on what is kept of
nodes and edges, before anything heavy is imported. Everything else is left to ``why_and_expand``.
"""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.base.span import Location
from bzlgraph.base.words import Prose, location_text, visible
from bzlgraph.export.why_formats.text import render
from bzlgraph.graph.visibility import Visibilities
from bzlgraph.snapshot.evaluation.faults import faults_of, gaps_of
from bzlgraph.snapshot.evaluation.patterns import one_named, pattern
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import Unanswered
from bzlgraph.snapshot.nodes.columns import Dependents
from bzlgraph.snapshot.nodes.kept_nodes import KeptNodes
from bzlgraph.snapshot.nodes.walk import LARGE
from bzlgraph.why.ask import MAX_PATHS, why
from bzlgraph.why.visibility import visibility_on
from bzlgraph.workspace.repositories.origin import Origin, OriginStep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Set
    from typing import Any, NoReturn

    from bzlgraph.graph.index import SparseRows
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.run import Place
    from bzlgraph.snapshot.kept import KeptGraph


class ToldGap(Record):
    """A gap as ``base.causes`` and texts want it."""

    kind: str
    what: str
    hides: str
    place: Place | None
    repository: str

    @property
    def location(self) -> str:
        """Where it was noticed, "" where that is not known."""
        return location_text(*self.place) if self.place is not None else ""


class _Index(Record):
    """``GraphIndex``, of what is kept."""

    dependents: Dependents | SparseRows


class _Nodes(KeptNodes):
    """What ``why`` asks of a graph. What is wrong is told as text, and gaps are plain."""

    run: Run

    def index(self, excluded_flags: int = 0) -> _Index:
        """The graph against its direction."""
        if len(self) >= LARGE and not excluded_flags:
            from bzlgraph.graph.index import SparseRows  # with which ways among many are found

            return _Index(SparseRows(self.run.graph.whole("first_user"), self.run.graph.whole("users")))
        return _Index(Dependents(self.run, excluded_flags))

    def same_label(self, nodes: Iterable[int]) -> set[int]:
        """All nodes that have the labels of these."""
        return set(nodes)

    def count_labels(self, nodes: Iterable[int]) -> int:
        """How many labels nodes have."""
        return len(set(nodes))

    def missing_among(self, nodes: Set[int]) -> list[str]:
        """Why each MISSING node among these does not exist, by label."""
        return self.run.missing_texts(set(nodes))

    def problems_of(self, nodes: Iterable[int]) -> list[str]:
        """What Bazel would refuse in a configuration."""
        return []

    def gaps_of(self, nodes: Iterable[int]) -> tuple[ToldGap, ...]:
        """What is not known and touches these nodes."""
        package_of, nodes = self.run.graph.whole("package_of"), set(nodes)
        found = gaps_of(self.run, {package_of[node] for node in nodes}, self.run.unpinned_among(nodes))
        return tuple(dict.fromkeys(ToldGap(*each) for each in found))

    def whole(self) -> NoReturn:
        """There is no way: the full way looks for one that is near."""
        raise Unanswered


class _Names:
    """What names of repositories mean is not known here."""

    def __call__(self, current: str, apparent: str, /) -> NoReturn:
        raise Unanswered

    def of_canonical(self, canonical: str, /) -> NoReturn:
        raise Unanswered

    def canonical(self, repo: str, /) -> NoReturn:
        raise Unanswered

    def of_module(self, module: str, repository: str, /) -> NoReturn:
        raise Unanswered


def why_text(
    graph: KeptGraph, cache: str, asked: Asked
) -> tuple[bytes, tuple[str, ...], tuple[str, ...], tuple[ToldGap, ...], set[ToldGap]]:
    """stdout, notes, problems, gaps, and those gaps that stdout tells of. Raises Unanswered, DamagedFile."""
    run, among = Run(graph, 0, cache), asked.from_.split()
    if len(among) != 1 or "root_is_everything" not in graph.facts:
        raise Unanswered
    nodes = _Nodes(run)
    end, starts = one_named(run, asked.text), nodes.by_label(pattern(run, among[0]))
    answer: Any = why(  # with texts and plain gaps
        nodes, end, starts, paths=MAX_PATHS if asked.whole else 0, depth=asked.depth or 1
    )
    written = Visibilities(nodes, _Names(), bool(graph.facts["root_is_everything"]))
    visibility = tuple(visibility_on(nodes, answer.steps, written))
    problems, told = _completeness(run, answer.problems, (*answer.gaps, *answer.other_gaps))
    answer = answer._replace(
        visibility=visibility, problems=problems, among=tuple(among), origin=_origin(graph, answer.target.label.repo)
    ).within(told)
    return Prose(visible(f"{render(answer)}\n").encode()), (), problems, told, set(told)


def _completeness(
    run: Run, problems: Iterable[str], gaps: Iterable[ToldGap]
) -> tuple[tuple[str, ...], tuple[ToldGap, ...]]:
    """``KeptCheckout.completeness``."""
    facts, faults = run.graph.facts, list(faults_of(run))
    told = [*problems, *facts["problems"], *(text for texts, _ in faults for text in texts)]
    hidden = [*facts["gaps"], *(gap for _, found in faults for gap in found)]
    known = run.graph.table("diagnostics")
    if any(known.get(run.without_place(text)[0]) is None for text in told):
        raise Unanswered  # one text stands for several
    return tuple(dict.fromkeys(told)), tuple(dict.fromkeys((*gaps, *(ToldGap(*each) for each in hidden))))


def _origin(graph: KeptGraph, repo: str) -> Origin | None:
    """``KeptCheckout.origin``."""
    if not repo:
        return None
    known = graph.table("origins")
    if repo not in known:
        raise Unanswered
    plain = known[repo]
    if plain is None:
        return None
    name, kind, steps, others = plain
    return Origin(name, kind, tuple(map(_step, steps)), tuple(map(_step, others)))


def _step(plain: Any) -> OriginStep:
    word, what, place, note = plain
    return OriginStep(word, what, Location(*place) if place is not None else None, note)
