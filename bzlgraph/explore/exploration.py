"""An exploration: the targets of a question with all that they need, and the truth of every condition on the way.

graph, roots -> ``Exploration``. Its edges are those of no configuration, where every branch of a ``select()`` is there,
and those that only a configuration has (``scenarios``); each scenario says which of them hold in one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.config.verdict import Truth
from bzlgraph.graph.model import EdgeCondition, condition_text
from bzlgraph.graph.view import GraphView

ALWAYS = 0
"""The number of the condition that always holds."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One configuration. ``words`` choose it; ``truths`` has the truth of each of the exploration's conditions.

    ``other_repositories``: under these options repository rules write other files, which the exploration does not have.
    """

    words: str
    truths: tuple[Truth, ...]
    other_repositories: bool = False


class ShownCondition(NamedTuple):
    """When an edge is there: the branches of ``select()`` that it stands in, or, where it is one that configurations
    choose by themselves, their words. Edges of one text may hold in different scenarios: one is behind a transition."""

    text: str
    keys: tuple[str, ...] = ()


class ShownEdges(NamedTuple):
    """The edges among the nodes of an exploration, as columns by source: ``counts`` says how many each node has.

    ``target`` is a place in its ``nodes``, ``attribute`` a number of the graph's, ``condition`` one of its conditions.
    """

    counts: array[int]
    target: array[int]
    attribute: array[int]
    condition: array[int]
    flags: array[int]

    @classmethod
    def none(cls) -> ShownEdges:
        """Columns to be filled."""
        return cls(array("i"), array("i"), array("i"), array("i"), array("H"))

    def add(self, target: int, attribute: int, condition: int, flags: int) -> None:
        """One more edge of the node that is next to be counted."""
        self.target.append(target)
        self.attribute.append(attribute)
        self.condition.append(condition)
        self.flags.append(flags)


@dataclass(frozen=True, slots=True)
class Exploration:
    """``nodes`` are ``roots``, the targets that were asked for, and what they need; by label.

    ``only``: per node that no question without a configuration reaches, the number of the condition that it is there
    under.
    """

    graph: GraphView
    nodes: tuple[int, ...]
    roots: frozenset[int]
    title: str
    edges: ShownEdges
    conditions: tuple[ShownCondition, ...] = (ShownCondition(""),)
    scenarios: tuple[Scenario, ...] = ()
    only: Mapping[int, int] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        """How many of its nodes are labels of targets that do not exist; they are drawn, and are no targets."""
        return len(self.graph.missing_of(self.nodes))


class Part(NamedTuple):
    """The targets asked for and what they need in no configuration, before any configuration is looked at."""

    graph: GraphView
    nodes: frozenset[int]
    roots: frozenset[int]
    excluded_flags: int


def part_of(graph: GraphView, roots: Iterable[int], excluded_flags: int = 0) -> Part:
    """The targets ``roots`` and all that they need, along edges with none of the flags excluded."""
    asked = frozenset(roots)
    return Part(graph, frozenset(graph.closure(asked, excluded_flags)), asked, excluded_flags)


def shown(condition: EdgeCondition) -> ShownCondition:
    """A condition of the graph as it is shown."""
    return ShownCondition(condition_text(condition), tuple(str(term.condition) for term in condition))
