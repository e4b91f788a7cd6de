"""``Record`` does what ``typing.NamedTuple`` does."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import pytest

from bzlgraph.base.record import Record


class Plain(NamedTuple):
    """A place."""

    path: str
    line: int = 0
    column: int = 1

    @property
    def short(self) -> str:
        """Without the column."""
        return f"{self.path}:{self.line}"


class Place(Record):
    """A place."""

    path: str
    line: int = 0
    column: int = 1

    @property
    def short(self) -> str:
        """Without the column."""
        return f"{self.path}:{self.line}"


class Shown(Record):
    """A value that says itself how it is shown."""

    value: int

    def __repr__(self) -> str:
        return f"<{self.value}>"


class Unmade(Record):
    """Nobody makes one but by ``_make``."""

    first: int
    second: int


@pytest.mark.parametrize("kind", [Plain, Place])
def test_a_record_is_a_named_tuple(kind: Any) -> None:
    place = kind("a", column=4)
    assert place == ("a", 0, 4)
    assert (place.path, place.line, place.short) == ("a", 0, "a:0")
    assert repr(place) == f"{kind.__name__}(path='a', line=0, column=4)"
    assert place._replace(line=3) == kind("a", 3, 4)
    assert type(place._replace(line=3)) is kind
    assert kind._make(["b", 1, 2])._asdict() == {"path": "b", "line": 1, "column": 2}
    assert kind._fields == kind.__match_args__ == ("path", "line", "column")
    assert kind._field_defaults == {"line": 0, "column": 1}
    assert kind.__doc__ == "A place."
    assert not hasattr(place, "__dict__")
    assert pickle.loads(pickle.dumps(place)) == copy.deepcopy(place) == place
    assert type(pickle.loads(pickle.dumps(place))) is kind


@pytest.mark.parametrize("kind", [Plain, Place])
def test_wrong_fields_are_refused(kind: Any) -> None:
    for wrong in (lambda: kind(), lambda: kind("a", 1, 2, 3), lambda: kind("a", size=1), lambda: kind._make("ab")):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises((TypeError, ValueError)):  # until Python 3.13 a ValueError
        kind("a")._replace(size=1)
    with pytest.raises(AttributeError):
        kind("a").line = 2


def test_methods_of_the_class_win() -> None:
    assert repr(Shown(3)) == "<3>"


def test_a_record_that_was_never_constructed_is_one() -> None:
    assert Unmade._make((1, 2)).second == 2
    assert tuple.__new__(Unmade, (1, 2)) == Unmade(1, second=2)
