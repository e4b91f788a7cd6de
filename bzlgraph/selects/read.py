"""A rule -> its selects, in the order of its attributes.

Rules
- Every branch of every ``select()`` is there, also one that adds nothing (``[]``) or leaves the default (None).
- Parts of a concatenation are counted as written, those without a condition too; the latter give no branch.
- A value is an edge when the graph has one for it: by the type of the attribute, as in ``graph.edges``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bzlgraph.bazel.model import AttrType, Condition, Package, Rule, RuleClass, Selector, SelectorList
from bzlgraph.graph.edges import Finder, label_finder, written_name
from bzlgraph.selects.model import Branch, Select, Value

_CONDITIONAL = (Selector, SelectorList)


class SelectReader:
    """Reads rules; remembers per rule class which attributes hold dependencies."""

    def __init__(self) -> None:
        self._finders: dict[tuple[RuleClass, str], Finder] = {}

    def read(self, rule: Rule, package: Package) -> Iterator[Select]:
        """The selects of a rule."""
        for name, value in rule.values.items():
            if type(value) in _CONDITIONAL:
                yield from self._of_attribute(rule, name, value, package)

    def _of_attribute(self, rule: Rule, name: str, value: Any, package: Package) -> Iterator[Select]:
        attribute = rule.rule_class.attributes.get(name)
        shown = written_name(name, rule.rule_class)
        finder = self._finder(rule, name, package)
        default = attribute.default if attribute is not None else None
        parts = value.parts if type(value) is SelectorList else (value,)
        for number, part in enumerate(parts, 1):
            if type(part) is Selector:
                branches = tuple(_branches(part, (), finder, default))
                kind = attribute.type if attribute is not None else AttrType.UNKNOWN
                yield Select(rule, shown, kind, number, len(parts), part, branches)

    def _finder(self, rule: Rule, name: str, package: Package) -> Finder:
        if rule.rule_class.unknown:  # what looks like a label depends on the package
            return label_finder(rule, name, package)
        key = (rule.rule_class, name)
        finder = self._finders.get(key)
        if finder is None:
            finder = self._finders[key] = label_finder(rule, name, package)
        return finder


def _branches(selector: Selector, above: tuple[Condition, ...], finder: Finder, default: Any) -> Iterator[Branch]:
    for index, (condition, value) in enumerate(selector.branches, 1):
        conditions = (*above, condition)
        if type(value) not in _CONDITIONAL:
            yield Branch(index, conditions, _values(value, finder, default))
            continue
        for part in value.parts if type(value) is SelectorList else (value,):
            if type(part) is Selector:
                yield from _branches(part, conditions, finder, default)
            else:
                yield Branch(index, conditions, _values(part, finder, default))


def _values(value: Any, finder: Finder, default: Any) -> tuple[Value, ...]:
    """The elements of a plain value; one that says "nothing" or "the default" when there is none."""
    kind = type(value)
    if value is None:
        return (Value(None, bool(default is not None and type(default) not in _CONDITIONAL and finder(default))),)
    if kind is list or kind is tuple:
        return tuple([Value(item, bool(finder(item))) for item in value]) or _NOTHING_IN_LIST
    if isinstance(value, dict):
        return tuple([Value(entry, bool(finder(entry))) for entry in value.items()]) or _NOTHING_IN_DICTIONARY
    return (Value(value, bool(finder(value))),)


_NOTHING_IN_LIST = (Value([], False),)
_NOTHING_IN_DICTIONARY = (Value({}, False),)
