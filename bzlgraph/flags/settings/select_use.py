"""Which selects use which setting: each branch of each ``select()`` of the packages in the graph, by its condition.

graph -> ``Uses``: per condition label the branches it chooses, and what they add over the other branches; and the same
for calls that nobody can evaluate, by the name of the function that is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Condition, Package, Rule, RuleClass, Selector, SelectorList
from bzlgraph.graph.edges import Finder, label_finder, written_name
from bzlgraph.graph.model import DEFAULT_CONDITION
from bzlgraph.graph.view import GraphView

_CONDITIONAL = (Selector, SelectorList)
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
    uses = Uses()
    finders: dict[tuple[RuleClass, str], Finder] = {}
    for key in keys:
        package = graph.packages.get(key)
        for rule in package.rules() if package is not None else ():
            for name, value in rule.values.items():
                if type(value) in _CONDITIONAL:
                    _note(uses, rule, name, value, _finder(finders, rule, name, graph.packages[key]))
    return uses


def _finder(finders: dict[tuple[RuleClass, str], Finder], rule: Rule, name: str, package: Package) -> Finder:
    if rule.rule_class.unknown:
        return label_finder(rule, name, package)
    key = (rule.rule_class, name)
    if key not in finders:
        finders[key] = label_finder(rule, name, package)
    return finders[key]


def _note(uses: Uses, rule: Rule, name: str, value: Any, finder: Finder) -> None:
    shown = written_name(name, rule.rule_class)
    for part, selector in enumerate(_selectors(value), 1):
        labels = [list(_labels(branch, finder)) for _, branch in selector.branches]
        texts = [] if any(labels) else [list(_texts(branch)) for _, branch in selector.branches]
        for index, (condition, branch) in enumerate(selector.branches):
            added = tuple(_added(selector, labels, index))
            use = Use(rule, shown, part, selector.location, added, tuple(_added(selector, texts, index)))
            if condition.label is None:
                uses.by_call.setdefault(called(condition), []).append(use)
            elif condition.label != DEFAULT_CONDITION:
                uses.by_label.setdefault(condition.label, []).append(use)
            if type(branch) in _CONDITIONAL:
                _note(uses, rule, name, branch, finder)


def called(condition: Condition) -> str:
    """The name of the function that nobody can evaluate: ``if_cuda`` of ``if_cuda([...])``."""
    found = _FUNCTION.match(condition.unknown)
    return found[0] if found else condition.unknown


def _selectors(value: Any) -> Iterator[Selector]:
    for part in value.parts if type(value) is SelectorList else (value,):
        if type(part) is Selector:
            yield part


def _labels(value: Any, finder: Finder) -> Iterator[Label]:
    """The dependencies in a branch, what it holds on a condition of its own included."""
    if type(value) is SelectorList:
        for part in value.parts:
            yield from _labels(part, finder)
    elif type(value) is Selector:
        for _, branch in value.branches:
            yield from _labels(branch, finder)
    else:
        yield from finder(value)


def _texts(value: Any) -> Iterator[str]:
    """The words of a branch of an attribute without dependencies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (each for each in value if isinstance(each, str))


def _added(selector: Selector, items: list[list[Any]], index: int) -> Iterable[Any]:
    """What a branch has and the default branch, or else any other, has not."""
    if not items or not items[index]:
        return ()
    default = [at for at, (condition, _) in enumerate(selector.branches) if condition.label == DEFAULT_CONDITION]
    others = default or [at for at in range(len(items)) if at != index]
    without = {item for at in others for item in items[at]} if index not in default else ()
    return dict.fromkeys(item for item in items[index] if item not in without)
