"""What the selects of a target are, as data: branches of parts of attributes, each with its values.

A *branch* is one entry of one ``select()``: ``conditions`` is its key. A value that nobody can
evaluate (``if_cuda(...)`` of an absent repository) is a branch too, whose condition is the call; where it stands inside
a branch of a select, both conditions must hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import AttrType, Condition, Rule, Selector
from bzlgraph.config.verdict import Reason
from bzlgraph.graph.model import DEFAULT_CONDITION


class ConditionKind(Enum):
    """What a condition is. The value is the word shown to people."""

    SETTING = "setting"  # a label: a config_setting, or an alias or group of them
    DEFAULT = "default"  # //conditions:default
    UNKNOWN = "unknown"  # a call that could not be evaluated


class Value(NamedTuple):
    """One element of what a branch adds: an item of a list, an entry of a dictionary, or the value itself.

    ``value`` is a label, text, number or truth value, a ``(key, value)`` pair for dictionaries, ``[]`` or ``{}`` where
    the branch adds nothing, None where it leaves the attribute at its default. ``edge``: it is a dependency.
    """

    value: Any
    edge: bool


class Holds(NamedTuple):
    """Whether a branch holds: ``yes``, ``no`` or ``unknown``, and in a few words why.

    ``reasons`` are all comparisons that were made, also those that did not decide; ``setting`` is the label that the
    condition comes down to, through aliases; ``refused`` is what Bazel says when it refuses the select().
    """

    truth: str
    reason: str
    reasons: tuple[Reason, ...] = ()
    setting: Label | None = None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch. ``index`` numbers it in its select, from 1; ``conditions`` is a conjunction, mostly of one."""

    index: int
    conditions: tuple[Condition, ...]
    values: tuple[Value, ...]

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
    """One select in an attribute of a rule: the ``part``-th of a concatenation, from 1, as ``written``."""

    rule: Rule
    attribute: str
    type: AttrType
    part: int
    parts: int
    written: Selector
    branches: tuple[Branch, ...]

    @property
    def evaluated(self) -> bool:
        """A real ``select()``; False for a call that could not be evaluated."""
        return any(condition.label is not None for condition, _ in self.written.branches)

    @property
    def location(self) -> Location | None:
        """Where the ``select()``, or the call nobody can evaluate, stands."""
        return self.written.location


def condition_kind(condition: Condition) -> ConditionKind:
    """What a single condition is."""
    if condition.label is None:
        return ConditionKind.UNKNOWN
    return ConditionKind.DEFAULT if condition.label == DEFAULT_CONDITION else ConditionKind.SETTING


_RANK = {ConditionKind.DEFAULT: 0, ConditionKind.SETTING: 1, ConditionKind.UNKNOWN: 2}


def macro_calls(rule: Rule) -> Iterator[tuple[str, Location]]:
    """The macros a rule was made in, outermost first: each with the place it was called at."""
    frames = rule.stack
    for outer, inner in zip(frames[:0:-1], frames[-2::-1], strict=True):
        yield inner.function, outer.location
