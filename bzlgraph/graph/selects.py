"""A rule -> its selects, in the order of its attributes: the one reader for everybody who asks what depends on what.

What a value is read as depends on its attribute alone, as ``graph.edges`` reads it; how is in ``bazel.selects``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import AttrType, Package, Rule, RuleClass
from bzlgraph.bazel.selects import Reading, Select, ValueReader
from bzlgraph.graph.edges import holds_dependencies, labels_by_looks, written_name

if TYPE_CHECKING:
    from bzlgraph.base.label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.graph.view import GraphView


class SelectReader:
    """Reads rules; remembers per rule class how its attributes are read."""

    def __init__(self) -> None:
        self._readings: dict[tuple[RuleClass, str], Reading] = {}
        self._values = ValueReader()

    def read(self, rule: Rule, package: Package) -> Iterator[Select]:
        """The selects of a rule."""
        for name, value in rule.values.items():
            if is_conditional(value):
                reading = self._reading(rule.rule_class, name)
                finder = labels_by_looks(rule, package) if reading.by_looks else None  # it depends on the package
                yield from self._values.read(rule, reading, value, finder)

    def _reading(self, rule_class: RuleClass, name: str) -> Reading:
        key = rule_class, name
        if key not in self._readings:
            self._readings[key] = reading_of(rule_class, name)
        return self._readings[key]


class GraphSelects:
    """The selects of the targets of a graph."""

    def __init__(self, graph: GraphView) -> None:
        self._graph = graph

    def reader(self) -> Callable[[int], Iterator[Select]]:
        """What reads those of a node; it remembers what targets share."""
        graph, reader = self._graph, SelectReader()

        def read(node: int) -> Iterator[Select]:
            target = graph.target(node) if graph.has_selects(node) else None
            return reader.read(target, graph.package_of(node)) if isinstance(target, Rule) else iter(())

        return read

    def place(self, label: Label) -> Location | None:
        """Where a target is written, None where that is not known."""
        node = self._graph.find(label)
        target = self._graph.target(node) if node is not None else None
        return target.location if target is not None else None


def reading_of(rule_class: RuleClass, name: str) -> Reading:
    """How the values of an attribute of a class are read."""
    attribute = rule_class.attributes.get(name)
    kind, default = (attribute.type, attribute.default) if attribute is not None else (AttrType.UNKNOWN, None)
    labels, by_looks = holds_dependencies(rule_class, name)
    return Reading(written_name(name, rule_class), kind.value, labels, by_looks, default)
