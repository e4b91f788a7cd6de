"""Laws of equality, hashing, printing and formatting, checked on values made at random."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.methods.format import format_braces
from bzlgraph.starlark.methods.percent import format_percent
from bzlgraph.starlark.ordering import contains
from bzlgraph.starlark.printing import int_repr, to_repr, to_str
from bzlgraph.starlark.values import Dict, List, get_item, hash_key, set_item
from tests.starlark.bare import evaluate

TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.sampled_from([0.0, 1.0, 2.5]) | TEXT
KEYS = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


def _dict(pairs: list[tuple[Any, Any]]) -> Dict:
    made = Dict()
    for key, value in pairs:
        set_item(made, key, value)
    return made


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    items = st.lists(inner, max_size=4)
    return items.map(List) | items.map(tuple) | st.lists(st.tuples(KEYS, inner), max_size=3).map(_dict)


VALUES = st.recursive(SCALARS, _containers, max_leaves=12)


def strict_equal(x: Any, y: Any) -> bool:
    """Equality the long way: by shapes, with bool apart."""
    if isinstance(x, bool) or isinstance(y, bool):
        return x is y
    if isinstance(x, dict) and isinstance(y, dict):
        if len(x) != len(y):
            return False
        pairs = [(value, other) for key, value in x.items() for k, other in y.items() if strict_equal(key, k)]
        return len(pairs) == len(x) and all(strict_equal(value, other) for value, other in pairs)
    for shape in (list, tuple):
        if isinstance(x, shape) and isinstance(y, shape):
            return len(x) == len(y) and all(map(strict_equal, x, y))
    if isinstance(x, (list, tuple, dict)) or isinstance(y, (list, tuple, dict)):
        return False
    return bool(x == y)


@given(VALUES, VALUES)
def test_equality(x: Any, y: Any) -> None:
    assert equals(x, y) is strict_equal(x, y)
    assert equals(x, x)


@given(KEYS, KEYS)
def test_equal_keys_hash_alike_and_unequal_ones_stay_apart(x: Any, y: Any) -> None:
    made = _dict([(x, 1), (y, 2)])
    assert len(made) == (1 if equals(x, y) else 2)
    assert get_item(made, y) == 2
    assert equals(hash_key(x), hash_key(y)) or not equals(x, y)


@given(st.lists(VALUES, max_size=5), VALUES)
def test_membership(items: list[Any], x: Any) -> None:
    assert contains(x, List(items)) is any(equals(item, x) for item in items)


@given(VALUES)
def test_what_is_printed_reads_back(x: Any) -> None:
    assert equals(evaluate(to_repr(x)), x)


@given(st.integers(4000, 9000), st.integers(1, 9))
def test_long_integers_print(digits: int, first: int) -> None:
    assert int_repr(first * 10**digits) == str(first) + "0" * digits
    assert int_repr(-(10**digits)) == "-1" + "0" * digits


@given(st.lists(TEXT | st.integers(), max_size=5))
def test_formats_agree_with_joining(values: list[Any]) -> None:
    wanted = "-".join(map(to_str, values))
    assert format_percent("-".join(["%s"] * len(values)), tuple(values)) == wanted
    assert format_braces("-".join(["{}"] * len(values)), *values) == wanted
