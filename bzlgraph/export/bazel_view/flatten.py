"""A value with conditions -> what it may be: Bazel's formats that know no select() show all possibilities together.

>>> from bzlgraph.bazel.model import AttrType, Condition, Selector, SelectorList
>>> from bzlgraph.base.label import parse
>>> fast = Condition(parse("//:fast", "", ""))
>>> value = SelectorList((["a"], Selector(((fast, ["b"]), (fast, ["a"])))))
>>> possible_values(value, AttrType.STRING_LIST)
[['a', 'b', 'a']]

Rules: lists are joined, each label once; of dictionaries and single values each possible one is listed, concatenated in
all combinations. Mirrors ``PossibleAttributeValues.forRuleAndAttribute``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from bzlgraph.bazel.model import AttrType, Selector, SelectorList

LIST_TYPES = frozenset(
    {
        AttrType.STRING_LIST,
        AttrType.LABEL_LIST,
        AttrType.OUTPUT_LIST,
        AttrType.INTEGER_LIST,
        AttrType.DISTRIBUTION_SET,
    }
)
DICT_TYPES = frozenset(
    {
        AttrType.STRING_DICT,
        AttrType.STRING_LIST_DICT,
        AttrType.LABEL_DICT_UNARY,
        AttrType.LABEL_KEYED_STRING_DICT,
        AttrType.STRING_KEYED_LABEL_DICT,
    }
)
_SCALARS = {AttrType.BOOLEAN: False, AttrType.INTEGER: 0, AttrType.TRISTATE: -1, AttrType.STRING: ""}
MAX_COMBINATIONS = 64
"""Two are enough to say "it depends"."""


def type_default(kind: AttrType) -> Any:
    """What a branch that is None stands for where Bazel prints it: the default of the type, not of the attribute."""
    if kind in LIST_TYPES:
        return []
    return {} if kind in DICT_TYPES else _SCALARS.get(kind)


def possible_values(value: Any, kind: AttrType) -> list[Any]:
    """The values an attribute may have; one when it does not depend on the configuration."""
    if not isinstance(value, (Selector, SelectorList)):
        return [value]
    parts = value.parts if isinstance(value, SelectorList) else (value,)
    if kind in LIST_TYPES:
        items = [item for part in parts for item in _items(part, kind)]
        return [list(dict.fromkeys(items)) if kind is AttrType.LABEL_LIST else items]
    choices = [list(_choices(part, kind)) for part in parts]
    return [_joined(each) for each in islice(product(*choices), MAX_COMBINATIONS)]


def _items(part: Any, kind: AttrType) -> Iterator[Any]:
    for value in _choices(part, kind):
        yield from value if isinstance(value, (list, tuple)) else ()


def _choices(part: Any, kind: AttrType) -> Iterator[Any]:
    """The values of one part; a branch without value means the default, for labels nothing at all."""
    if not isinstance(part, Selector):
        yield part
        return
    for _, value in part.branches:
        chosen = type_default(kind) if value is None else value
        if chosen is not None:
            yield chosen


def _joined(parts: tuple[Any, ...]) -> Any:
    """``a + b`` of strings and dictionaries; nothing else can be added."""
    first = parts[0]
    if isinstance(first, dict):
        return {key: item for part in parts for key, item in part.items()}
    return "".join(parts) if isinstance(first, str) else first
