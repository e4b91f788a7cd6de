"""The values of packages that depend on the configuration, without reading a target.

An encoded package has them as a part of its own (``loading/configurable.py``); of one that is not encoded, or of a
rule whose class nobody knows, the targets are read. What packages share is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import Package, Rule, RuleClass
from bzlgraph.bazel.selects import Reading
from bzlgraph.graph.edges import labels_by_looks
from bzlgraph.graph.selects import reading_of
from bzlgraph.graph.stored import StoredTargets
from bzlgraph.loading.configurable import Configurable


class ConditionalValue(NamedTuple):
    """A value of the attribute of a rule, how it is read, and what finds dependencies where its looks decide."""

    rule: str
    rule_class: RuleClass
    reading: Reading
    value: object
    finder: Callable[[object], Sequence[Label]] | None


class PackageValues:
    """Reads packages; values and readings that several of them have are one object."""

    def __init__(self) -> None:
        self._shared: dict[bytes, Any] = {}
        self._readings: dict[tuple[RuleClass, str], Reading] = {}

    def of(self, package: Package) -> Iterator[ConditionalValue]:
        """Those of a package, in the order of its rules and of their attributes."""
        targets = package.targets
        found = self._encoded(targets) if isinstance(targets, StoredTargets) else self._of_rules(package)
        for name, rule_class, reading, value in found:
            rule = targets[name] if reading.by_looks else None
            finder = labels_by_looks(rule, package) if isinstance(rule, Rule) else None
            yield ConditionalValue(name, rule_class, reading, value, finder)

    def _encoded(self, targets: StoredTargets) -> Iterator[tuple[str, RuleClass, Reading, object]]:
        rules = [(name, each) for name, each in targets.classes.items() if each and targets.has_selects(name)]
        if rules:
            values = Configurable(targets.configurable, self._shared)
            numbers = {name: number for number, name in enumerate(sorted(name for name, _ in rules))}
            for name, rule_class in rules:
                yield from ((name, rule_class, *each) for each in values.values(numbers[name]))

    def _of_rules(self, package: Package) -> Iterator[tuple[str, RuleClass, Reading, object]]:
        for rule in package.rules():
            for name, value in rule.values.items():
                if is_conditional(value):
                    yield rule.label.name, rule.rule_class, self._reading(rule.rule_class, name), value

    def _reading(self, rule_class: RuleClass, name: str) -> Reading:
        key = rule_class, name
        if key not in self._readings:
            self._readings[key] = reading_of(*key)
        return self._readings[key]
