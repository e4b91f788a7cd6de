"""The codec: what it cannot do it says at once, and what it can do is exact."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.codec import Codec, Special
from tests.every_field import fields_of, sample


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Point(NamedTuple):
    x: int
    name: str


class Nested(NamedTuple):
    point: Point
    colour: Colour


@dataclass(frozen=True)
class Leaf:
    text: str
    anything: Any = None


@dataclass(slots=True)
class Node:
    point: Point
    nested: Nested | None
    either: Leaf | Point | str
    maybe: Leaf | Point | str | None
    pair: tuple[str, Point]
    many: tuple[Leaf, ...]
    names: list[str]
    table: Mapping[str, Node]
    counted: dict[Point, int]
    number: int | None = None
    flags: tuple[bool, ...] = ()


CODEC = Codec(Node, records=(Leaf,), bare=None)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.builds(Leaf, st.text()),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
)


def test_every_field_comes_back() -> None:
    node = sample(Node)
    assert fields_of(CODEC.decode(marshal.loads(marshal.dumps(CODEC.encode(node))))) == fields_of(node)


@given(anything)
def test_anything_comes_back_with_its_types(value: object) -> None:
    leaf = Leaf("a", value)
    codec = Codec(Leaf, records=(Leaf,))
    assert fields_of(codec.decode(marshal.loads(marshal.dumps(codec.encode(leaf))))) == fields_of(leaf)


@given(anything | st.builds(Point, st.integers(), st.text()))
def test_a_union_says_which_member_it_is(value: object) -> None:
    codec = Codec(Leaf, records=(Leaf, Point))
    assert fields_of(codec.decode(codec.encode(Leaf("", [value, (value,)])))) == fields_of(Leaf("", [value, (value,)]))


def test_what_has_its_own_way_gets_the_context() -> None:
    table: list[str] = []
    special = {str: Special(lambda text, _: len(text), lambda size, known: known[size])}
    codec = Codec(Leaf, special={(Leaf, "text"): special[str]})
    assert codec.encode(Leaf("abc"), table) == (3, None)
    assert codec.decode((1, None), ["zero", "one"]) == Leaf("one")


@pytest.mark.parametrize("kind", [Callable[[], int], set[str], complex])
def test_a_type_without_plain_form_is_refused(kind: type) -> None:
    with pytest.raises(TypeError, match="has no plain form"):
        Codec(kind).decode(None)


def test_a_value_without_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="a complex has no plain form"):
        Codec(Leaf).encode(Leaf("", [1j]))
