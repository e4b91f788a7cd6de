"""Starlark as text, one argument and one item per line, so that a shrinker that drops lines drops those."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

INDENT = "    "


def string(text: str) -> str:
    """A literal.

    >>> string('a"b')
    '"a\\\\"b"'
    """
    return json.dumps(text, ensure_ascii=False)


def strings(texts: Iterable[str]) -> str:
    """A list of literals."""
    return listed(map(string, texts))


def listed(items: Iterable[str]) -> str:
    """A list of expressions."""
    return _lines("[", items, "]")


def dictionary(items: Mapping[str, str]) -> str:
    """A dictionary: keys are text, values expressions."""
    return _lines("{", (f"{string(key)}: {value}" for key, value in items.items()), "}")


def call(function: str, /, *positional: str, **arguments: str) -> str:
    """A call; arguments that are empty are left out.

    >>> print(call("filegroup", name='"a"', srcs="[]"))
    filegroup(
        name = "a",
        srcs = [],
    )
    """
    named = (f"{name} = {value}" for name, value in arguments.items() if value)
    return _lines(f"{function}(", (*positional, *named), ")")


def indented(lines: Iterable[str]) -> str:
    """The body of a function."""
    return "\n".join(INDENT + line for text in lines for line in text.split("\n"))


def _lines(start: str, items: Iterable[str], end: str) -> str:
    inner = [f"{item}," for item in items]
    return f"{start}\n{indented(inner)}\n{end}" if inner else start + end
