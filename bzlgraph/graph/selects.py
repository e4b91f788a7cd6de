"""A rule -> its selects, in the order of its attributes: the one reader for everybody who asks what depends on what.

A *branch* is one entry of one ``select()``: ``conditions`` is its key. A value that cannot be evaluated
(``if_cuda(...)`` of an absent repository) is a branch too, whose condition is the call; where it stands inside a branch
of a select, both conditions must hold.

Rules
- Every branch of every ``select()`` is there, also one that adds nothing (``[]``) or leaves the default (None).
- Parts of a concatenation are counted as written, those without a condition too; the latter give no branch.
- A value is an edge when the graph has one for it: by the type of the attribute, as in ``graph.edges``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import Chosen, is_conditional, parts, walk
from bzlgraph.bazel.model import AttrType, Condition, Package, Rule, RuleClass, Selector
from bzlgraph.graph.edges import Finder, label_finder, written_name
from bzlgraph.graph.model import DEFAULT_CONDITION


class ConditionKind(Enum):
    """What a condition is. The value is the word shown to people."""

    SETTING = "setting"  # a label: a config_setting, or an alias or group of them
    DEFAULT = "default"  # //conditions:default
    UNKNOWN = "unknown"  # a call that could not be evaluated


_RANK = {ConditionKind.DEFAULT: 0, ConditionKind.SETTING: 1, ConditionKind.UNKNOWN: 2}


def condition_kind(condition: Condition) -> ConditionKind:
    """What a single condition is."""
    if condition.label is None:
        return ConditionKind.UNKNOWN
    return ConditionKind.DEFAULT if condition.label == DEFAULT_CONDITION else ConditionKind.SETTING


class Value(NamedTuple):
    """One element of what a branch adds: an item of a list, an entry of a dictionary, or the value itself.

    ``value`` is a label, text, number or truth value, a ``(key, value)`` pair for dictionaries, ``[]`` or ``{}`` where
    the branch adds nothing, None where it leaves the attribute at its default. ``labels``: its dependencies.
    """

    value: object
    labels: Sequence[Label] = ()

    @property
    def edge(self) -> bool:
        """Whether it is a dependency."""
        return bool(self.labels)


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch with the value ``plain``. ``index`` numbers it in its select, from 1; ``path`` leads to it, mostly in
    one step."""

    index: int
    path: tuple[Chosen, ...]
    plain: object
    values: tuple[Value, ...]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A conjunction, mostly of one."""
        return tuple([each.condition for each in self.path])

    @property
    def condition(self) -> str:
        """The condition as text."""
        return " and ".join(map(str, self.conditions))

    @property
    def kind(self) -> ConditionKind:
        """UNKNOWN when any condition is."""
        return max((condition_kind(each) for each in self.conditions), key=_RANK.__getitem__)


@dataclass(frozen=True, slots=True)
class Select:
    """One select in an attribute of a rule: the ``part``-th of the concatenation ``whole``, from 1, as ``written``."""

    rule: Rule
    attribute: str
    type: AttrType
    part: int
    whole: object
    written: Selector
    branches: tuple[Branch, ...]

    @property
    def parts(self) -> int:
        """How many parts the concatenation has."""
        return len(parts(self.whole))

    @property
    def evaluated(self) -> bool:
        """A real ``select()``; False for a call that could not be evaluated."""
        return any(condition.label is not None for condition, _ in self.written.branches)

    @property
    def location(self) -> Location | None:
        """Where the ``select()``, or the call that could not be evaluated, stands."""
        return self.written.location


class SelectReader:
    """Reads rules; remembers per rule class which attributes hold dependencies, and the branches of values that several
    rules share: macros give the same ``select()`` to hundreds of targets."""

    def __init__(self) -> None:
        self._finders: dict[tuple[RuleClass, str], Finder] = {}
        self._branches: dict[tuple[int, RuleClass, str], tuple[Selector, tuple[Branch, ...]]] = {}
        """By the identity of a selector, which is held so that no other gets it."""

    def read(self, rule: Rule, package: Package) -> Iterator[Select]:
        """The selects of a rule."""
        for name, value in rule.values.items():
            if is_conditional(value):
                yield from self._of_attribute(rule, name, value, package)

    def _of_attribute(self, rule: Rule, name: str, value: object, package: Package) -> Iterator[Select]:
        attribute = rule.rule_class.attributes.get(name)
        shown = written_name(name, rule.rule_class)
        finder = self._finder(rule, name, package)
        default = attribute.default if attribute is not None else None
        kind = attribute.type if attribute is not None else AttrType.UNKNOWN
        for number, part in enumerate(parts(value), 1):
            if isinstance(part, Selector):
                read = self._branches.get((id(part), rule.rule_class, name))
                if read is None or rule.rule_class.unknown:
                    read = part, _branches(part, finder, default)
                    self._branches[id(part), rule.rule_class, name] = read
                yield Select(rule, shown, kind, number, value, part, read[1])

    def _finder(self, rule: Rule, name: str, package: Package) -> Finder:
        if rule.rule_class.unknown:  # what looks like a label depends on the package
            return label_finder(rule, name, package)
        key = (rule.rule_class, name)
        finder = self._finders.get(key)
        if finder is None:
            finder = self._finders[key] = label_finder(rule, name, package)
        return finder


def _branches(part: Selector, finder: Finder, default: object) -> tuple[Branch, ...]:
    found = ((path, plain, _values(plain, finder, default)) for path, plain in walk(part))
    return tuple([Branch(each[0][0].position + 1, *each) for each in found])


def _values(value: object, finder: Finder, default: object) -> tuple[Value, ...]:
    """The elements of a plain value; one that says "nothing" or "the default" when there is none."""
    if value is None:
        return (Value(None, () if default is None or is_conditional(default) else finder(default)),)
    return tuple([Value(item, finder(item)) for item in elements(value)]) or (Value(value),)


def elements(value: object) -> Iterable[object]:
    """The items of a list, the entries of a dictionary as pairs, or the plain value itself; nothing in None."""
    if type(value) is list or type(value) is tuple:
        return value
    if isinstance(value, dict):
        return value.items()
    return () if value is None else (value,)
