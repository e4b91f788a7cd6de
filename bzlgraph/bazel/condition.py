"""Values that depend on conditions, those of the branches of a ``select()``, and of the edges that stand in these.

This module is imported before anything heavy is: nothing but built-in modules and ``Record`` here.
"""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_CONDITION = Label("", "conditions", "default")


class Condition(Record):
    """What must hold for a branch: a ``config_setting``'s label, or, when ``unknown``, the call nobody can evaluate
    (``if_cuda(...)`` of an absent repository), as text."""

    label: Label | None
    unknown: str = ""

    def __str__(self) -> str:
        return str(self.label) if self.label is not None else self.unknown


class Selector(Record):
    """One ``select({...})``: branches in source order. A branch value ``None`` means "the attribute's default".

    A use of an Unknown value inside an attribute is a Selector too: one branch, an unknown condition, the labels that
    may be added as its value.
    """

    branches: tuple[tuple[Condition, object], ...]
    no_match_error: str = ""
    location: Location | None = None


class SelectorList(Record):
    """A configurable value: parts in order, each a plain value (unconditional) or a ``Selector``."""

    parts: tuple[object, ...]


class Term(Record):
    """One condition of an edge. ``others`` are all other conditions of its select(), in their order: which branch holds
    depends on them too, and for ``//conditions:default`` none of them may hold."""

    condition: Condition
    others: tuple[Condition, ...] = ()

    @property
    def is_default(self) -> bool:
        """The branch that holds when no other does."""
        return self.condition.label == DEFAULT_CONDITION

    def __str__(self) -> str:
        if self.condition.label is None:
            return f"{self.condition.unknown} adds it (unknown)"
        if self.is_default and self.others:
            return f"//conditions:default (not {', '.join(str(other) for other in self.others)})"
        return str(self.condition.label)


EdgeCondition = tuple[Term, ...]
"""The conjunction under which an edge exists; () is always."""


def condition_text(condition: EdgeCondition) -> str:
    """The conjunction in words, "" when the edge always exists."""
    return " and ".join(str(term) for term in condition)


def always_holds(conditions: Iterable[EdgeCondition]) -> bool:
    """Whether one of these conditions holds in every configuration: all branches of a select() name the same label.

    >>> windows, default = Condition(Label("", "c", "windows")), Condition(DEFAULT_CONDITION)
    >>> always_holds([(Term(windows),), (Term(default, (windows,)),)]), always_holds([(Term(windows),)])
    (True, False)
    """
    listed = set(conditions)
    single = {condition[0].condition for condition in listed if len(condition) == 1}
    return () in listed or any(
        len(condition) == 1 and condition[0].is_default and single.issuperset(condition[0].others)
        for condition in listed
    )
