"""``op NAME --needs``: the transitive dependencies of the libraries of an op."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import place_text
from bzlgraph.graph.model import Node, NodeKind
from bzlgraph.ops.tracer import Answer

COLUMNS = ("label", "kind", "place", "for")


class Graph(Protocol):
    """What is asked of a graph, in a configuration or not."""

    def resolve(self, label: Label) -> int:
        """The node of a label, its package loaded."""

    def closure(self, roots: Iterable[int], excluded_flags: int = 0, depth: int | None = None) -> set[int]:
        """Nodes reached."""

    def describe(self, number: int) -> Node:
        """A node, looked up."""


def targets_of(answers: Iterable[Answer], most: int | None = None) -> dict[str, str]:
    """The targets that build what registers an op and its kernels -> the op; those of the first answers come first.

    ``most`` 1 takes the library of each file, and not what bundles its files too.
    """
    found: dict[str, str] = {}
    for answer in answers:
        for story in answer.stories:
            listed = [each.targets for each in story.registrations] + [each.targets for each in story.kernels]
            for target in (label for targets in listed for label in targets[:most]):
                found.setdefault(target, story.op)
    return found


def needs_rows(graph: Graph, answers: Iterable[Answer]) -> Iterator[tuple[str, str, str, str]]:
    """A row for each target and file, those of the op first, then by label."""
    numbers = {graph.resolve(parse(label, "", "")): op for label, op in targets_of(answers, most=1).items()}
    found = graph.closure(numbers)
    nodes = sorted((graph.describe(number) for number in found), key=lambda node: (node.id not in numbers, node.label))
    for node in nodes:
        place = place_text(node.location)
        if node.kind is NodeKind.SOURCE:
            place = node.label.package + "/" + node.label.name if not node.label.repo else ""
        yield str(node.label), node.kind_words, place, numbers.get(node.id, "")
