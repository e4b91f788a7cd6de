"""A value of a branch as one line of text, and as JSON.

>>> value_text("-O2"), value_text(""), value_text([]), value_text(None), value_text(("key", ["a", "b"]))
('-O2', '""', '[]', 'None', 'key: [a, b]')
>>> value_json(("key", ["a", "b"])), value_json(None)
({'key': 'key', 'value': ['a', 'b']}, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bzlgraph.base.label import Label


def value_text(value: Any) -> str:
    """As people read it: text without quotes; what is empty is written as Starlark writes it, None is the default."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return f"{value_text(value[0])}: {value_text(value[1])}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(value_text, value.items()))}}}"
    return str(value)


def value_json(value: Any) -> Any:
    """As programs read it: numbers and truth values as such, an entry of a dictionary as ``key`` and ``value``."""
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return {"key": value_json(value[0]), "value": value_json(value[1])}
    if isinstance(value, list):
        return [value_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): value_json(item) for key, item in value.items()}
    return value
