"""Which selects use which setting: each branch of each ``select()`` of the packages in the graph, by its condition.

graph -> ``Uses``: per condition label the branches it chooses, and what they add over the other branches; and the same
for calls that nobody can evaluate, by the name of the function that is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Condition, Rule
from bzlgraph.graph.model import DEFAULT_CONDITION
from bzlgraph.graph.selects import Branch, Select, SelectReader, elements
from bzlgraph.graph.view import GraphView

Item = TypeVar("Item")
_FUNCTION = re.compile(r"^[\w.]+")


@dataclass(frozen=True, slots=True)
class Use:
    """One branch of a select: ``adds`` are the dependencies that it has and the default branch has not (where there is
    no default: that no other branch has); ``sets`` the same for what is no dependency (copts, defines, ...).
    ``part`` numbers the selects of an attribute, from 1.
    """

    rule: Rule
    attribute: str
    part: int
    location: Location | None
    adds: tuple[Label, ...]
    sets: tuple[str, ...] = ()

    @property
    def select(self) -> tuple[Label, str, int]:
        """What tells its select from all others."""
        return self.rule.label, self.attribute, self.part


@dataclass(slots=True)
class Uses:
    """Branches by condition, and calls by function."""

    by_label: dict[Label, list[Use]] = field(default_factory=dict)
    by_call: dict[str, list[Use]] = field(default_factory=dict)


def select_uses(graph: GraphView, keys: Iterable[tuple[str, str]]) -> Uses:
    """The uses in these packages (repository, name) of a graph."""
    uses, reader = Uses(), SelectReader()
    chosen: dict[int, tuple[Select, list[_Chosen]]] = {}  # by the identity of branches, which each select holds
    for key in keys:
        package = graph.packages.get(key)
        for rule in package.rules() if package is not None else ():
            for select in reader.read(rule, graph.packages[key]):
                known = chosen.get(id(select.branches))
                if known is None:
                    known = chosen[id(select.branches)] = select, list(_chosen(select))
                _file(uses, select, known[1])
    return uses


class _Chosen(NamedTuple):
    """What a condition of a select chooses, whatever rule has the select."""

    condition: Condition
    location: Location | None
    adds: tuple[Label, ...]
    sets: tuple[str, ...]


def _chosen(select: Select) -> Iterator[_Chosen]:
    """The branches of a select, and the calls inside of them that cannot be evaluated."""
    indexes = range(len(select.written.branches))
    groups = [[branch for branch in select.branches if branch.index == index + 1] for index in indexes]
    labels = [list(_labels(group)) for group in groups]
    texts = [] if any(labels) else [list(_texts(group)) for group in groups]
    for index, (condition, _) in enumerate(select.written.branches):
        adds, sets = _added(select, labels, index), _added(select, texts, index)
        yield _Chosen(condition, select.location, tuple(adds), tuple(sets))
    for branch in select.branches:
        if len(branch.path) > 1:
            last, inside = branch.path[-1], tuple(_labels([branch]))
            texts_inside = () if inside else (each for each in elements(branch.plain) if isinstance(each, str))
            yield _Chosen(last.condition, last.selector.location, inside, tuple(texts_inside))


def _file(uses: Uses, select: Select, chosen: Iterable[_Chosen]) -> None:
    for condition, place, adds, sets in chosen:
        use = Use(select.rule, select.attribute, select.part, place, adds, sets)
        if condition.label is None:
            uses.by_call.setdefault(called(condition), []).append(use)
        elif condition.label != DEFAULT_CONDITION:
            uses.by_label.setdefault(condition.label, []).append(use)


def called(condition: Condition) -> str:
    """The name of the function that nobody can evaluate: ``if_cuda`` of ``if_cuda([...])``."""
    found = _FUNCTION.match(condition.unknown)
    return found[0] if found else condition.unknown


def _labels(branches: Iterable[Branch]) -> Iterator[Label]:
    """The dependencies in a branch, what it holds on a condition of its own included; not those of the default."""
    return (label for each in branches if each.plain is not None for value in each.values for label in value.labels)


def _texts(branches: Iterable[Branch]) -> Iterator[str]:
    """The words of a branch of an attribute without dependencies."""
    plain = (each.plain for each in branches if len(each.path) == 1)
    return (text for value in plain for text in elements(value) if isinstance(text, str))


def _added(select: Select, items: list[list[Item]], index: int) -> Iterable[Item]:
    """What a branch has and the default branch, or else any other, has not."""
    if not items or not items[index]:
        return ()
    default = [at for at, (condition, _) in enumerate(select.written.branches) if condition.label == DEFAULT_CONDITION]
    others = default or [at for at in range(len(items)) if at != index]
    without = {item for at in others for item in items[at]} if index not in default else ()
    return dict.fromkeys(item for item in items[index] if item not in without)
