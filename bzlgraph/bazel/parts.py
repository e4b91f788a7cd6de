"""What a configurable value is made of beside plain values: a select(), or what nobody can evaluate (``unknown``); and
what an attribute takes for a list (``depset``).

Whoever only asks what a value is needs nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.base.span import Location
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import Value


@dataclass(slots=True, eq=False)
class Select(Value):
    """One ``select({...})``: branches in source order. Only ever seen as a part of a SelectValue."""

    type_name: ClassVar[str] = "select"
    branches: dict[object, object]
    no_match_error: str = ""
    location: Location | None = None

    def to_repr(self) -> str:
        return f"select({to_repr(self.branches)})"


class Uncertain(Value):
    """A value that cannot be evaluated: ``text`` says which, ``candidates`` what may be in it."""

    __slots__ = ()
    text: str
    location: Location | None

    @property
    def repository(self) -> str:
        """The repository that it should have come from, "" for the main one."""
        return ""

    def candidates(self) -> list[object]:
        """Strings, labels and dicts that the value may hold."""
        raise NotImplementedError


class Flattened(Value):
    """A value that an attribute takes for a list (a depset)."""

    __slots__ = ()

    def to_list(self) -> list[object]:
        """Its elements."""
        raise NotImplementedError
