"""Groups that are few and large -> more of them: packages taken apart by what their targets alone need.

Rules
- What one call of a macro makes stays together, and a generated file stays with its rule.
- A target that all ways to another go through takes that along: it is a box with what only it needs. Those become
  boxes that take the most along, or that the most others use.
- What is left is one box for each kind of target, those apart that nothing here needs, and one for what is rare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import ceil

from bzlgraph.base.words import counted
from bzlgraph.bazel.model import OutputFile, Rule
from bzlgraph.export.overview.fold import Group
from bzlgraph.graph.algorithms.components import reachable
from bzlgraph.graph.algorithms.dominators import dominator_tree
from bzlgraph.graph.view import GraphView

FEW = 10
"""Fewer boxes than that say little of many targets."""
KINDS_SHARE, FEWEST_KINDS = 4, 3
"""Boxes for kinds of targets: at most one in KINDS_SHARE of a package's, but FEWEST_KINDS where there are few."""
_EVERYONE = -1
"""What needs the targets of a package that nothing in it needs, or something elsewhere."""


def taken_apart(
    graph: GraphView, rest: Mapping[int, Sequence[int]], groups: Sequence[Group], budget: int
) -> list[Group]:
    """At most ``budget`` groups for the nodes of these: each gets as many as its share of the nodes is, the largest
    first."""
    found: list[Group] = []
    spare, nodes = budget - len(groups), sum(len(group.members) - 1 for group in groups)
    for group in sorted(groups, key=lambda each: (-len(each.members), each.name)):
        more = ceil(spare * (len(group.members) - 1) / max(nodes, 1))
        parts = _Package(graph, rest, group).groups(1 + more) if more else [group]
        found += parts
        spare -= len(parts) - 1
        nodes -= len(group.members) - 1
    return found


@dataclass(slots=True)
class _Unit:
    """What stays together: a target, or those of one call of a macro; ``lead`` names it."""

    members: list[int]
    lead: int
    made_by: str = ""


class _Package:
    """One group, and what is in it."""

    def __init__(self, graph: GraphView, rest: Mapping[int, Sequence[int]], group: Group) -> None:
        self._graph, self._group = graph, group
        self._units = self._found(group.members)
        self._home = {node: number for number, unit in enumerate(self._units) for node in unit.members}
        self._ends = {number: self._needs(rest, unit, number) for number, unit in enumerate(self._units)}
        self._users = Counter(end for ends in self._ends.values() for end in ends)
        self._ends[_EVERYONE] = self._tops(rest)
        self._above = dominator_tree(self._ends, _EVERYONE)
        self._size = self._sizes()

    def groups(self, room: int) -> list[Group]:
        """At most ``room`` groups."""
        order = sorted(self._above, key=lambda number: (-self._size[number] - self._users[number], number))
        most = min(room, max(room // KINDS_SHARE, FEWEST_KINDS))
        for many in range(min(room, len(order)), -1, -1):
            chosen = order[:many]
            kinds = self._kinds(set(chosen), most)
            if many + len(kinds) <= room:
                break
        held: dict[int, list[int]] = {number: [] for number in chosen}
        held |= {number: [] for numbers in kinds.values() for number in numbers}
        for number, holder in self._holders(held).items():
            held[holder].append(number)
        boxes = [self._box(number, held[number]) for number in chosen]
        return boxes + [self._kind_box(kind, [held[number] for number in numbers]) for kind, numbers in kinds.items()]

    # ------------------------------------------------------------------------------------------------- units
    def _found(self, nodes: Iterable[int]) -> list[_Unit]:
        units: dict[object, _Unit] = {}
        for node in nodes:
            rule = self._rule_of(node)
            made_by = rule.generator if rule is not None else None
            key = (made_by.name, made_by.function) if made_by is not None else rule.label if rule is not None else node
            unit = units.setdefault(key, _Unit([], node, made_by.function if made_by is not None else ""))
            unit.members.append(node)
            name = made_by.name if made_by is not None else rule.label.name if rule is not None else ""
            if self._graph.labels[node].name == name:
                unit.lead = node
        return list(units.values())

    def _rule_of(self, node: int) -> Rule | None:
        """A rule, or that which makes a file, if it is in the same group."""
        target = self._graph.target(node)
        if isinstance(target, OutputFile):
            made = self._graph.find(target.rule)
            target = self._graph.target(made) if made is not None else None
        return target if isinstance(target, Rule) else None

    def _needs(self, rest: Mapping[int, Sequence[int]], unit: _Unit, number: int) -> list[int]:
        ends = dict.fromkeys(self._home.get(end, number) for node in unit.members for end in rest[node])
        return [end for end in ends if end != number]

    def _tops(self, rest: Mapping[int, Sequence[int]]) -> list[int]:
        """What is needed from elsewhere, or by nothing; one of each circle that nothing else leads to."""
        outside = (ends for node, ends in rest.items() if node not in self._home)
        tops = dict.fromkeys(self._home[end] for ends in outside for end in ends if end in self._home)
        tops.update((number, None) for number in self._ends if not self._users[number])
        met = reachable(self._ends, tops)
        for number in self._ends:
            if number not in met:
                tops[number] = None
                met |= reachable(self._ends, [number], met)
        return list(tops)

    # ------------------------------------------------------------------------------------------------- boxes
    def _sizes(self) -> Counter[int]:
        """How many nodes a unit is with all that only it needs."""
        found = Counter({number: len(unit.members) for number, unit in enumerate(self._units)})
        for number in reversed(self._above):  # the dominator tree from below: a chain is as deep as it is long
            found[self._above[number]] += found[number]
        return found

    def _holders(self, boxes: Container[int]) -> dict[int, int]:
        """The box that each unit is part of: that of the unit itself, or the next one above."""
        found: dict[int, int] = {}
        for number, above in self._above.items():  # each after the one above
            found[number] = number if number in boxes else found[above]
        return found

    def _kinds(self, chosen: Set[int], most: int) -> dict[str, list[int]]:
        """What no box is above of, in at most ``most`` kinds."""
        kinds: dict[str, list[int]] = {}
        for number, above in self._above.items():
            if above == _EVERYONE and number not in chosen:
                kind = f"{self._graph.kind_words(self._units[number].lead)}s"
                kinds.setdefault(kind if self._users[number] else f"top-level {kind}", []).append(number)
        if len(kinds) <= most:
            return kinds
        order = sorted(kinds, key=lambda kind: (-len(kinds[kind]), kind))
        rare = [number for kind in order[most - 1 :] for number in kinds[kind]]
        return {**{kind: kinds[kind] for kind in order[: most - 1]}, "other targets": rare}

    def _nodes(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple(node for number in numbers for node in self._units[number].members)

    def _box(self, number: int, inside: Sequence[int]) -> Group:
        """A unit with what only it needs; ``inside`` are all of these. What names it comes first."""
        unit = self._units[number]
        members = tuple(dict.fromkeys([unit.lead, *unit.members, *self._nodes(inside)]))
        together = f"{counted(len(unit.members), 'target')} by {unit.made_by}" if len(unit.members) > 1 else ""
        more = len(members) - len(unit.members)
        detail = " · ".join(filter(None, (together, f"+ {more:,} used only by it" if more else "")))
        return Group(str(self._graph.labels[unit.lead]), members, self._group.name, detail)

    def _kind_box(self, kind: str, units: Sequence[Sequence[int]]) -> Group:
        """Units of a kind, each with what only it needs; one alone is a box like others."""
        if len(units) == 1:
            return self._box(next(each for each in units[0] if self._above[each] == _EVERYONE), units[0])
        name = f"{len(units):,} {kind} of {self._group.name}"
        return Group(name, self._nodes(each for unit in units for each in unit), self._group.name)
