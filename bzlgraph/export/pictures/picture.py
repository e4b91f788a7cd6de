"""A picture before it has a format: boxes, arrows and what must be said below them.

dot, Mermaid and HTML are made from this; it knows of neither graphs nor layouts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum


class ArrowStyle(Enum):
    """How an edge is drawn; the value is what the legend says."""

    PLAIN = "always"
    CONDITIONAL = "only under a condition"
    POSSIBLE = "possible: from a call whose definition is not on disk"
    IMPLICIT = "implicit (rule default or toolchain)"
    NAMED = "condition or visibility, not a dependency"
    LOST = "requested, but another version was selected"
    INDIRECT = "through hidden modules"
    ORIGIN = "comes from"
    ADDED = "added"
    REMOVED = "removed"
    MAYBE_ADDED = "possibly added"
    MAYBE_REMOVED = "possibly removed"
    MUTUAL = "depend on each other"
    UPWARD = "closes a cycle"


@dataclass(frozen=True, slots=True)
class Box:
    """A target, or a group of them. ``detail`` is the small second line, ``family`` decides shape and colour, ``place``
    is where one target is declared."""

    id: str
    text: str
    detail: str
    family: str
    cluster: str = ""
    tooltip: str = ""
    strong: bool = False
    root: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between boxes. ``count`` is how many edges it stands for."""

    source: str
    target: str
    text: str = ""
    style: ArrowStyle = ArrowStyle.PLAIN
    tooltip: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Aside:
    """What is listed at the side instead of drawn: a heading and entries, each with a small second line."""

    heading: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes and arrows in a fixed order; ``notes`` are the lines below ("17 transitively redundant edges hidden").

    ``members`` are the targets that a folded box, or an entry at the side, stands for, by its id.
    """

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    notes: tuple[str, ...] = ()
    downwards: bool = False
    asides: tuple[Aside, ...] = ()
    members: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def clusters(self) -> list[tuple[str, list[Box]]]:
        """The boxes by frame, by name; "" holds those without a frame."""
        found: dict[str, list[Box]] = {}
        for box in self.boxes:
            found.setdefault(box.cluster, []).append(box)
        return sorted(found.items(), key=lambda item: item[0])
