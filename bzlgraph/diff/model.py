"""The answer of ``diff-config`` as data: differences between two sides, each one configuration of the same targets.

A difference is told by what each side says: it is there, it is not, or that is unknown (``Truth``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.config.settings import Settings
from bzlgraph.config.verdict import Truth
from bzlgraph.graph.view import GraphView


class What(Enum):
    """What is added or removed. The value is the word shown to people."""

    TARGET = "target"  # a rule, a generated file...
    SOURCE = "source"  # a source file
    EDGE = "edge"
    COPTS = "copts"
    DEFINES = "defines"
    LINKOPTS = "linkopts"
    ATTRIBUTE = "attribute"  # a value of any other attribute


class Change(Enum):
    """From the left side to the right one."""

    ADDED = "added"
    REMOVED = "removed"
    MAYBE_ADDED = "possibly added"
    MAYBE_REMOVED = "possibly removed"

    @property
    def certain(self) -> bool:
        """Whether both sides are known."""
        return self in (Change.ADDED, Change.REMOVED)

    @property
    def adds(self) -> bool:
        """Whether it is the right side that has, or may have, more."""
        return self in (Change.ADDED, Change.MAYBE_ADDED)


CERTAINTY = {Truth.NO: 0, Truth.UNKNOWN: 1, Truth.YES: 2}
"""How sure it is that something is there."""


def change_of(left: Truth, right: Truth) -> Change | None:
    """The change between what two sides say; None when they say the same.

    >>> change_of(Truth.NO, Truth.YES), change_of(Truth.YES, Truth.UNKNOWN), change_of(Truth.YES, Truth.YES)
    (<Change.ADDED: 'added'>, <Change.MAYBE_REMOVED: 'possibly removed'>, None)
    """
    if left is right:
        return None
    adds = CERTAINTY[right] > CERTAINTY[left]
    if Truth.UNKNOWN in (left, right):
        return Change.MAYBE_ADDED if adds else Change.MAYBE_REMOVED
    return Change.ADDED if adds else Change.REMOVED


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that only one side has.

    ``target`` has it in ``attribute``; ``value`` is the label an edge leads to, or the text of a value. ``condition``
    is that of its select(), which stands at ``location``; ``reason`` says why it holds, or not, on the right side.
    ``inside``: an edge between targets of which one is added or removed itself.
    """

    change: Change
    what: What
    target: Label
    kind: str = ""
    attribute: str = ""
    value: Label | str = ""
    condition: str = ""
    location: Location | None = None
    reason: str = ""
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration: the targets of the question in it, its settings, and its options as typed.

    ``excluded_flags`` are the flags of edges that the question does not follow.
    ``built(label)``: the target is built for the machine that the configuration is about, not only as a tool.
    ``settings_of(label)``: those of the configurations that a target is in, of which transitions make more than one.
    ``roots`` are the targets of the patterns themselves, which are there in any case.
    """

    graph: GraphView
    nodes: tuple[int, ...]
    settings: Settings
    words: str
    excluded_flags: int = 0
    built: Callable[[Label], bool] = lambda label: True
    settings_of: Callable[[Label], tuple[Settings, ...]] = lambda label: ()
    roots: frozenset[Label] = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """How many targets an option is passed to, and what they are."""

    option: str
    targets: int
    what: str


@dataclass(frozen=True, slots=True)
class OptionChange:
    """One option of a command line by itself: ``words`` as typed, ``sets`` the options that it stands for and that the
    left side does not have so, the differences that it makes, the targets that it is passed to. ``already``: where the
    left side sets what it has like that, or sets it still without the option."""

    words: str
    sets: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    reaches: tuple[Reach, ...] = ()
    already: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """All differences: by what they are, then by target.

    ``targets`` counts those of the left and of the right side, ``same`` those that both have; package groups do not
    count. ``unknown`` counts edges and values that are unknown on both sides: there may be more differences among them.
    ``changes``: what each option by itself does that only one side has.
    """

    left: Side
    right: Side
    differences: tuple[Difference, ...]
    targets: tuple[int, int]
    same: int
    text: str = ""
    unknown: int = 0
    changes: tuple[OptionChange, ...] = ()

    def of(self, what: What) -> tuple[Difference, ...]:
        """The differences of one sort."""
        return tuple(each for each in self.differences if each.what is what)
