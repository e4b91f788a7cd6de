"""A value of an attribute -> its selects, branch by branch, as data.

A *branch* is one entry of one ``select()``: ``conditions`` is its key. A value that cannot be evaluated
(``if_cuda(...)`` of an absent repository) is a branch too, whose condition is the call; where it stands inside a branch
of a select, both conditions must hold.

Rules
- Every branch of every ``select()`` is there, also one that adds nothing (``[]``) or leaves the default (None).
- Parts of a concatenation are counted as written, those without a condition too; the latter give no branch.
- A value is an edge when the graph has one for it: by the type of the attribute, as in ``graph.edges``.

This module is imported before anything heavy is.
"""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.bazel.condition import DEFAULT_CONDITION, Selector
from bzlgraph.bazel.conditional import Chosen, is_conditional, labels_in, parts, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    from bzlgraph.base.span import Frame, Location
    from bzlgraph.bazel.condition import Condition

    Finder = Callable[[object], Sequence[Label]]
    """From a plain value of an attribute, or a part of one, to the labels in it that are dependencies."""

    class Selecting(Protocol):
        """What is told of a rule beside its selects."""

        @property
        def label(self) -> Label: ...

        @property
        def kind(self) -> str:
            """``cc_library rule``"""

        @property
        def stack(self) -> tuple[Frame, ...]:
            """The calls that made it, innermost first."""

        @property
        def location(self) -> Location: ...


SETTING, DEFAULT, UNKNOWN = "setting", "default", "unknown"
"""What a condition is: a label (of a config_setting, or an alias or group of them); ``//conditions:default``; a call
that could not be evaluated."""
_RANK = {DEFAULT: 0, SETTING: 1, UNKNOWN: 2}


def condition_kind(condition: Condition) -> str:
    """What a single condition is."""
    if condition.label is None:
        return UNKNOWN
    return DEFAULT if condition.label == DEFAULT_CONDITION else SETTING


class Value(Record):
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


class Branch(Record):
    """One branch with the value ``plain``. ``number`` is that of the branch in its select, from 1; ``path`` leads to
    it, mostly in one step."""

    number: int
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
    def kind(self) -> str:
        """UNKNOWN when any condition is."""
        return max(map(condition_kind, self.conditions), key=_RANK.__getitem__)


class Select(Record):
    """One select in an attribute of a rule: the ``part``-th of the concatenation ``whole``, from 1, as ``written``.
    ``type`` is that of the attribute, in Bazel's word."""

    rule: Selecting
    attribute: str
    type: str
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


class Reading(Record):
    """How values of an attribute are read in all rules of a class. ``name`` is the one that people write, ``type``
    Bazel's word; ``labels``: whether labels in values are dependencies, ``by_looks``: as are, because the class is not
    known, texts that look like some. ``default`` is the value where there is none."""

    name: str
    type: str
    labels: bool
    by_looks: bool
    default: object


class ValueReader:
    """Reads values; remembers the branches of those that several rules share: macros give the same ``select()`` to
    hundreds of targets."""

    def __init__(self) -> None:
        self._branches: dict[tuple[int, int], tuple[Selector, Reading, tuple[Branch, ...]]] = {}
        """By the identities of a selector and of how it is read, which are held so that no other gets them."""

    def read(self, rule: Selecting, reading: Reading, value: object, finder: Finder | None = None) -> Iterator[Select]:
        """The selects of a value of a rule. ``finder``: what is a dependency of this rule alone, for values that are
        read by their looks."""
        for number, part in enumerate(parts(value), 1):
            if isinstance(part, Selector):
                branches = self.branches(part, reading, finder)
                yield Select(rule, reading.name, reading.type, number, value, part, branches)

    def branches(self, part: Selector, reading: Reading, finder: Finder | None = None) -> tuple[Branch, ...]:
        """The branches of one of the parts of a value."""
        if finder is not None:
            return _branches(part, finder, reading.default)
        key = id(part), id(reading)
        if key not in self._branches:
            finder = _dependencies if reading.labels else _nothing
            self._branches[key] = part, reading, _branches(part, finder, reading.default)
        return self._branches[key][2]


def dependencies(plain: object, reading: Reading, finder: Finder | None = None) -> list[Label]:
    """The dependencies in a plain value of an attribute, as its ``Branch`` has them; None, its default, has none."""
    if finder is None and not reading.labels:
        return []
    find = _dependencies if finder is None else finder
    return [label for each in elements(plain) for label in find(each)]


def _nothing(_value: object) -> Sequence[Label]:
    return ()


def _dependencies(value: object) -> Sequence[Label]:
    """The labels in a plain value."""
    if type(value) is Label:
        return (value,)
    return () if type(value) is str else tuple(labels_in(value))


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
