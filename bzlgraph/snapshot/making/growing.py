"""A kept graph that grows while a question is asked: what the question reaches and the graph lacks is loaded and added.

Nothing else is loaded: what the graph knows is not read again. The file is written once, when the answer is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.cache.looks import Looks
from bzlgraph.snapshot.kept import PENDING, KeptGraph, NotLoaded
from bzlgraph.snapshot.making.make import columns_of
from bzlgraph.snapshot.making.parts import named_by
from bzlgraph.snapshot.mapped import Unwritten
from bzlgraph.snapshot.stale import Stale

if TYPE_CHECKING:
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.mapped import Column

_NOTHING = Stale(frozenset(), frozenset(), folders=False)


class Growing:
    """``graph``, and its ``columns`` once it is another one than that on the disk. ``environment``: what was looked at
    before any package."""

    def __init__(self, graph: KeptGraph, session: Session, looks: Looks, environment: Iterable[str]) -> None:
        self.graph = graph
        self.columns: dict[str, Column] | None = None
        self._session = session
        self._looks = looks
        self._environment = tuple(environment)
        self._stale = _NOTHING

    def load_anew(self, stale: Stale) -> None:
        """Load what has changed."""
        self._stale = stale
        if stale.packages:
            self._session.graph.load(sorted(stale.packages))
            self._add()

    def load_more(self, lacking: NotLoaded) -> None:
        """Load what a question lacks. Raises DamagedFile."""
        graph, labels = self._session.graph, self._session.graph.labels
        graph.load(sorted(lacking.packages))
        status = self.graph.package_status
        known = {self.graph.key(number) for number, each in enumerate(status) if each != PENDING}
        known -= self._stale.packages
        wave, seen = {graph.node(self._label(node)) for node in lacking.nodes}, set[int]()
        while wave:
            wave = {node for node in wave if labels[node][:2] not in known}
            graph.load(sorted({labels[node][:2] for node in wave}))
            seen |= wave
            wave = named_by(graph, wave) - seen if lacking.behind else set()
        self._add()

    def _label(self, node: int) -> Label:
        package = self.graph.whole("package_of")[node]
        return Label(*self.graph.key(package), self.graph.label(node)[len(self.graph.prefix(package)) :])

    def _add(self) -> None:
        self.columns = columns_of(self._session, self._looks, self._environment, self.graph, self._stale)
        self.graph, self._stale = KeptGraph(Unwritten(self.columns)), _NOTHING
