"""An overview: what is drawn of a graph, before it is known how.

Every target of the question is in exactly one place: in a part, in a hub, among Bazel's own tools, or hidden as a mere
condition. Every edge between two targets is in exactly one place, too: ``Overview.account`` adds them up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bzlgraph.export.pictures.picture import ArrowStyle


@dataclass(frozen=True, slots=True)
class Part:
    """A box: a target or a folded group of them. ``detail`` is its small second line, ``family`` its look."""

    name: str
    members: tuple[int, ...]
    detail: str
    family: str
    folder: str = ""
    root: bool = False
    place: str = ""
    """Where one target is declared, and by which macro."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """All edges from one part to another: how many pairs of targets, how they hold, through which attributes."""

    count: int
    style: ArrowStyle
    reasons: tuple[tuple[str, int], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What is drawn between two parts, the upper one first: edges down, edges up against the order of levels, or both.

    ``up`` alone closes a cycle; both make the two parts depend on each other.
    """

    upper: int
    lower: int
    down: Bundle | None
    up: Bundle | None

    @property
    def count(self) -> int:
        """How many pairs of targets it stands for."""
        return sum(bundle.count for bundle in (self.down, self.up) if bundle)

    @property
    def mutual(self) -> bool:
        """Whether each of the two parts depends on the other."""
        return self.down is not None and self.up is not None


@dataclass(frozen=True, slots=True)
class Hub:
    """A part that so many others use that it is listed at the side. ``users`` and ``needs`` are other parts by name,
    with the number of edges."""

    part: Part
    users: Mapping[str, int]
    needs: Mapping[str, int]
    edges: int


@dataclass(frozen=True, slots=True)
class Tools:
    """What Bazel brings along, folded away: targets by repository, how many edges lead there or leave."""

    members: tuple[int, ...]
    repositories: Mapping[str, int]
    users: int
    edges: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Parts from the top level down, lines among them, and what was left out, with its numbers."""

    title: str
    parts: tuple[Part, ...]
    levels: tuple[int, ...]
    """The level of each part: 0 has no line to another part, n lines lead down at most to n - 1."""
    lines: tuple[Line, ...]
    hubs: tuple[Hub, ...] = ()
    tools: Tools | None = None
    hidden: tuple[int, ...] = ()
    """Conditions of selects and package groups that nothing depends on."""
    hidden_edges: int = 0
    inside: int = 0
    """Edges between targets of one part."""
    implied: tuple[tuple[int, int, Bundle], ...] = ()
    """Lines that are left out because a longer way says the same."""
    others: int = 0
    """Hubs found for all parts: how many parts there are to use each."""
    folded: str = ""

    @property
    def targets(self) -> int:
        """How many targets the question has."""
        placed = sum(len(part.members) for part in (*self.parts, *(hub.part for hub in self.hubs)))
        return placed + len(self.hidden) + (len(self.tools.members) if self.tools else 0)

    @property
    def account(self) -> dict[str, int]:
        """Where the edges between two targets are: the values add up to all of them."""
        return {
            "drawn": sum(line.count for line in self.lines),
            "implied": sum(bundle.count for _, _, bundle in self.implied),
            "inside": self.inside,
            "hubs": sum(hub.edges for hub in self.hubs),
            "tools": self.tools.edges if self.tools else 0,
            "hidden": self.hidden_edges,
        }
