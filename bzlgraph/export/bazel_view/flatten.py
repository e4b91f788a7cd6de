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

from typing import Any

from bzlgraph.bazel.conditional import alternatives, is_conditional, plain_values
from bzlgraph.bazel.model import DICT_TYPES, LIST_TYPES, AttrType

PLAIN_LISTS = LIST_TYPES - {AttrType.LICENSE}
"""Licenses are printed as a message of their own."""
_SCALARS = {AttrType.BOOLEAN: False, AttrType.INTEGER: 0, AttrType.TRISTATE: -1, AttrType.STRING: ""}
MAX_COMBINATIONS = 64
"""Two are enough to say "it depends"."""


def type_default(kind: AttrType) -> Any:
    """What a branch that is None stands for where Bazel prints it: the default of the type, not of the attribute."""
    if kind in PLAIN_LISTS:
        return []
    return {} if kind in DICT_TYPES else _SCALARS.get(kind)


def possible_values(value: Any, kind: AttrType) -> list[Any]:
    """The values an attribute may have; one when it does not depend on the configuration."""
    if not is_conditional(value):
        return [value]
    if kind in PLAIN_LISTS:
        items = [item for plain in plain_values(value) if isinstance(plain, list | tuple) for item in plain]
        return [list(dict.fromkeys(items)) if kind is AttrType.LABEL_LIST else items]
    found = alternatives(value, type_default(kind), MAX_COMBINATIONS)
    return [each for each in found if each is not None]  # the default of a label is nothing at all
