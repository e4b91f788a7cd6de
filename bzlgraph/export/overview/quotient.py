"""Groups of nodes -> bundles of the edges between them, each counted once, with how they hold and through what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bzlgraph.export.overview.fold import Group
from bzlgraph.export.overview.model import Bundle
from bzlgraph.export.pictures.elements import arrow, style_of
from bzlgraph.export.pictures.picture import ArrowStyle
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView

_STYLES = list(ArrowStyle)
REASONS = 6


class Quotient:
    """The edges between groups. ``inside`` counts those that stay in one, ``bundles`` has the others."""

    def __init__(self, graph: GraphView, plain: Mapping[int, Sequence[int]], groups: Sequence[Group], excluded: int):
        self.graph = graph
        self.plain = plain
        self.groups = groups
        self.excluded = excluded
        self.home = {node: number for number, group in enumerate(groups) for node in group.members}
        self.inside = 0
        self._counts: Counter[tuple[int, int]] = Counter()
        for node, ends in plain.items():
            here = self.home.get(node)
            if here is not None:
                self._counts.update((here, there) for end in ends if (there := self.home.get(end)) is not None)
        for number in range(len(groups)):
            self.inside += self._counts.pop((number, number), 0)

    @property
    def counts(self) -> Mapping[tuple[int, int], int]:
        """How many pairs of targets lead from one group to another."""
        return self._counts

    def bundles(self) -> dict[tuple[int, int], Bundle]:
        """What leads from group to group, in the order of the groups."""
        reasons: dict[tuple[int, int], Counter[str]] = {pair: Counter() for pair in self._counts}
        styles: dict[tuple[int, int], int] = {}
        columns = self.graph.columns
        style_numbers: dict[tuple[int, bool], int] = {}
        for node, here in self.home.items():
            for edge in self.graph.edges_from(node):
                there = self.home.get(columns.edge_target[edge], here)
                flags = columns.edge_flags[edge]
                if there == here or flags & self.excluded:
                    continue
                kind = (flags, columns.edge_condition[edge] != 0)
                if kind not in style_numbers:
                    style_numbers[kind] = _STYLES.index(style_of(EdgeFlag(flags), conditional=kind[1]))
                pair = here, there
                styles[pair] = min(styles.get(pair, len(_STYLES)), style_numbers[kind])
                reasons[pair][columns.attributes[columns.edge_attribute[edge]] or "written by"] += 1
        return {pair: self._bundle(pair, styles[pair], reasons[pair]) for pair in sorted(self._counts)}

    def _bundle(self, pair: tuple[int, int], style: int, reasons: Counter[str]) -> Bundle:
        """A bundle; that of two single targets says the conditions as well."""
        source, target = (self.groups[number].members for number in pair)
        listed = tuple(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:REASONS])
        if len(source) > 1 or len(target) > 1:
            return Bundle(self._counts[pair], _STYLES[style], listed)
        graph = self.graph
        edges = graph.edges_between(source[0], target[0], self.excluded)
        drawn = arrow(edges, graph.describe(source[0]), graph.describe(target[0]))
        each = tuple((reason, 1) for reason in drawn.tooltip.split("\n")[1:])
        return Bundle(self._counts[pair], drawn.style, each, drawn.text)
