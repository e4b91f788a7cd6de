"""The values of an attribute as the texts that ``attr()`` matches: Bazel's Java ``toString`` of each possible value.

Booleans are 0 and 1, lists ``[a, b]``, dictionaries ``{k=v}``; a select gives one text per branch, a concatenation one
per combination (as long as there are few), and an attribute that is not set counts with its default.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule, Selector, SelectorList

MAX_COMBINATIONS = 256


def attribute_texts(rule: Rule, name: str) -> Iterator[str]:
    """Every text the attribute may have; none when the rule has no such attribute."""
    if name == "name":
        yield rule.label.name
    elif name == "visibility":
        yield _text(list(rule.visibility or ()))
    elif name in rule.values or name in rule.rule_class.attributes:
        for value in _possible(rule.get(name), rule, name):
            if value is not None:
                yield _text(value)


def _possible(value: Any, rule: Rule, name: str) -> Iterator[Any]:
    """The values that branches and combinations of branches give."""
    if isinstance(value, SelectorList):
        choices = [list(_possible(part, rule, name)) for part in value.parts]
        for combination in islice(product(*choices), MAX_COMBINATIONS):
            yield _joined(combination)
    elif isinstance(value, Selector):
        attribute = rule.rule_class.attributes.get(name)
        default = attribute.default if attribute is not None else None
        for _, branch in value.branches:
            yield from _possible(default if branch is None else branch, rule, name)
    else:
        yield value


def _joined(parts: tuple[Any, ...]) -> Any:
    """``a + b`` for the kinds of values that can be added."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    if len(known) == 1:
        return known[0]
    if isinstance(known[0], dict):
        return {key: item for part in known for key, item in part.items()}
    if isinstance(known[0], list):
        return [item for part in known for item in part]
    return known[0] if not isinstance(known[0], str) else "".join(map(str, known))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list | tuple) and not isinstance(value, Label):  # a Label is a NamedTuple
        return f"[{', '.join(_text(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_text(key)}={_text(item)}' for key, item in value.items())}}}"
    return str(value)
