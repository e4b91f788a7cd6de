"""Attribute values -> BUILD text in buildifier's layout, selects kept as selects.

>>> from bzlgraph.base.label import Label
>>> value_text([Label("", "a", "b"), Label("", "a/c", "c")], Label("", "a", "x"), "")
'[\\n    ":b",\\n    "//a/c",\\n]'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Selector, SelectorList

INDENT = "    "
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def value_text(value: Any, base: Label, indent: str) -> str:
    """The text of a value; ``indent`` is that of the line it starts on, ``base`` what labels are shortened against."""
    if isinstance(value, SelectorList):
        return " + ".join(value_text(part, base, indent) for part in value.parts)
    if isinstance(value, Selector):
        return _select(value, base, indent)
    if isinstance(value, dict):
        inner = indent + INDENT
        entries = (f"{value_text(k, base, inner)}: {value_text(v, base, inner)}" for k, v in value.items())
        return _block("{", entries, "}", indent)
    if isinstance(value, list | tuple) and not isinstance(value, Label):
        inner = indent + INDENT
        return _block("[", (value_text(item, base, inner) for item in value), "]", indent)
    return _scalar(value, base)


def _scalar(value: Any, base: Label) -> str:
    if isinstance(value, Label):
        return quoted(label_text(value, base))
    if isinstance(value, str):
        return quoted(value)
    return str(value)


def label_text(label: Label, base: Label) -> str:
    """``:b`` inside the package, else the shorthand."""
    same = (label.repo, label.package) == (base.repo, base.package)
    return f":{label.name}" if same else label.shorthand


def quoted(text: str) -> str:
    """A string literal."""
    return f'"{text.translate(_ESCAPES)}"'


def _select(selector: Selector, base: Label, indent: str) -> str:
    """``select({...})``; a call nobody could evaluate stands as its only key, marked as such."""
    inner = indent + INDENT
    entries = []
    for condition, branch in selector.branches:
        key = label_text(condition.label, base) if condition.label else f"unknown: {condition.unknown}"
        entries.append(f"{quoted(key)}: {value_text(branch, base, inner)}")
    message = f", no_match_error = {quoted(selector.no_match_error)}" if selector.no_match_error else ""
    return f"select({_block('{', entries, '}', indent)}{message})"


def _block(opening: str, entries: Iterable[str], closing: str, indent: str) -> str:
    """One entry per line, a lone short one and none at all on the same line."""
    listed = list(entries)
    if not listed:
        return opening + closing
    if len(listed) == 1 and "\n" not in listed[0] and opening == "[":
        return f"{opening}{listed[0]}{closing}"
    lines = "".join(f"{indent}{INDENT}{entry},\n" for entry in listed)
    return f"{opening}\n{lines}{indent}{closing}"
