"""What ``explore --serve`` serves: a page under any options, whole, or in parts where it is too large for a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bzlgraph.explore.exploration import Exploration
from bzlgraph.export.explorer.asked import read
from bzlgraph.export.explorer.page import asking_page, page
from bzlgraph.export.row_formats.row_table import Row

# What only large explorations need is imported for those: it needs numpy.
if TYPE_CHECKING:
    from bzlgraph.export.explorer.outline import Outline

WHOLE = 60_000
"""The most targets of a page that is sent as a whole."""
_KEPT = 2
"""Explorations that are kept, those asked for last: that of the page and one to compare with."""


class ExplorationSite:
    """Explorations by options of Bazel, made when they are first asked for."""

    def __init__(
        self, explore: Callable[[str], Exploration], evidence: Sequence[Row] = (), *, whole: int = WHOLE
    ) -> None:
        """``explore`` raises BzlgraphError for options that are none; up to ``whole`` targets are sent at once."""
        self._explore, self._evidence, self._whole = explore, evidence, whole
        self._known: dict[str, Exploration] = {}
        self._outlines: dict[str, Outline] = {}

    def page(self, options: str) -> bytes:
        """The page, as HTML."""
        found = self._exploration(options)
        if len(found.nodes) > self._whole:
            return asking_page(found.title)
        return page(found, self._evidence, served=True)

    def part(self, options: str, state: str) -> bytes:
        """What a reader looks at, as JSON."""
        return self._outline(options).part(read(state))

    def find(self, options: str, text: str) -> bytes:
        """What a typed text may mean, as JSON."""
        return self._outline(options).find(text)

    def _exploration(self, options: str) -> Exploration:
        found = self._known.pop(options, None) or self._explore(options)
        self._known[options] = found  # the last one
        while len(self._known) > _KEPT:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._outlines.pop(oldest, None)
        return found

    def _outline(self, options: str) -> Outline:
        from bzlgraph.export.explorer.outline import Outline

        exploration = self._exploration(options)
        found = self._outlines.get(options)
        if found is None:
            found = self._outlines[options] = Outline(exploration, self._evidence)
        return found
