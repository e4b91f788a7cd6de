"""What is kept of a checkout, for questions that are asked of an open one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from bzlgraph.base.codec import Codec
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.label import Label, RepoMapping, parse
from bzlgraph.graph.view import GraphView
from bzlgraph.questions.reply import Checkout, targets_in
from bzlgraph.snapshot.evaluation.faults import faults_of
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.evaluation.view import KeptView, gap_of, view_of
from bzlgraph.snapshot.kept import KeptGraph, Unanswered
from bzlgraph.workspace.repositories.origin import Origin

_ORIGIN = Codec(Origin)


class KeptNames(RepoMapping):
    """What names of repositories mean, of those that the kept graph has."""

    def __init__(self, graph: KeptGraph) -> None:
        self._graph = graph

    def __call__(self, current: str, apparent: str, /) -> str:
        if current or apparent not in self._graph.apparent:
            raise Unanswered
        return self._graph.apparent[apparent]

    def canonical(self, repo: str, /) -> str:
        if repo not in self._graph.canonical:
            raise Unanswered
        return self._graph.canonical[repo]

    def of_canonical(self, canonical: str, /) -> NoReturn:
        raise Unanswered

    def of_module(self, module: str, repository: str, /) -> NoReturn:
        raise Unanswered


class KeptCheckout(Checkout):
    """What one evaluation may know of its checkout."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.view = view_of(run)

    @property
    def folder(self) -> str:
        folder: str = self._run.graph.facts["folder"]
        return folder

    @property
    def mapping(self) -> RepoMapping:
        return KeptNames(self._run.graph)

    @property
    def root_is_everything(self) -> bool:
        if "root_is_everything" not in self._run.graph.facts:
            raise Unanswered
        return bool(self._run.graph.facts["root_is_everything"])

    def label(self, text: str, /) -> Label:
        return parse(text, "", self.folder, self.mapping)

    def targets(
        self, patterns: Iterable[str], graph: GraphView, keep_going: bool = False, assume_declared: bool = False
    ) -> tuple[list[int], list[Diagnostic]]:
        return targets_in(self, patterns, graph, keep_going, assume_declared)

    def written(self, graph: GraphView, /) -> KeptView:
        """What is kept says it itself."""
        return self.view

    def origin(self, repo: str, /) -> Origin | None:
        known = self._run.graph.table("origins")
        if repo and repo not in known:
            raise Unanswered
        return _ORIGIN.decode(known[repo]) if repo and known[repo] is not None else None

    def completeness(self, problems: Iterable[Diagnostic], gaps: Iterable[Gap]) -> Completeness:
        facts, faults = self._run.graph.facts, list(faults_of(self._run))
        told = [*facts["problems"], *(text for texts, _ in faults for text in texts)]
        hidden = [*facts["gaps"], *(gap for _, gaps in faults for gap in gaps)]
        return Completeness().with_more((*problems, *map(self.view.diagnostic, told)), (*gaps, *map(gap_of, hidden)))
