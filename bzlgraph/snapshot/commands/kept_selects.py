"""The selects of a kept graph's targets, from what is kept of values that depend on the configuration: no package is
read.

This module is as light as those that answer before anything heavy is imported.
"""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.selects import ValueReader
from bzlgraph.loading.configurable import Configurable
from bzlgraph.loading.written import Written
from bzlgraph.snapshot.kept import Unanswered
from bzlgraph.snapshot.nodes.packed import declared_by, packed_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from bzlgraph.base.span import Location
    from bzlgraph.bazel.selects import Select
    from bzlgraph.snapshot.evaluation.run import Run


class _Rule(Record):
    """What is told of a rule beside its selects."""

    label: Label
    kind: str
    stack: tuple[Frame, ...]

    @property
    def location(self) -> Location:
        """Where the outermost call stands in the BUILD file."""
        return self.stack[-1].location


class ByLooks(Unanswered):
    """What is a dependency of a rule depends on its package, because its class is not known."""


class KeptSelects:
    """``graph.selects.GraphSelects``, of what is kept. Raises ByLooks."""

    def __init__(self, run: Run) -> None:
        self._graph = run.graph
        has_selects = run.graph.whole("has_selects")
        self._written = packed_rows(run, "written", Written, declared_by(run))
        self._values = packed_rows(
            run, "configurable", Configurable, lambda nodes: has_selects[nodes.start : nodes.stop]
        )

    def reader(self) -> Callable[[int], Iterable[Select]]:
        """What reads those of a node; it remembers what targets share."""
        has_selects, reader = self._graph.whole("has_selects"), ValueReader()

        def read(node: int) -> Iterable[Select]:
            if not has_selects[node]:
                return
            (values, number), rule = self._values(node), self._rule(node)
            for reading, value in values.values(number):
                if reading.by_looks:
                    raise ByLooks
                yield from reader.read(rule, reading, value)

        return read

    def _rule(self, node: int) -> _Rule:
        graph, (written, number) = self._graph, self._written(node)
        package = graph.whole("package_of")[node]
        label = Label(*graph.key(package), graph.label(node)[len(graph.prefix(package)) :])
        words = graph.table("classes")[graph.whole("class_of")[node]][0]
        return _Rule(label, f"{words} rule", written.rule(number).stack)

    def place(self, label: Label) -> NoReturn:
        """No configuration was chosen."""
        raise Unanswered
