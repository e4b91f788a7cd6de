"""What attributes may hold beside plain values and selects: what nobody can evaluate, and what they take for a list.

``unknown`` and ``depset`` make them; whoever only asks what a value is needs neither.
"""

from __future__ import annotations

from bzlgraph.base.span import Location
from bzlgraph.starlark.value import Value


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
