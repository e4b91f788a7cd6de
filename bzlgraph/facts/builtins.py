"""Names that Bazel predeclares and that mean nothing in the loading phase, as data (``builtins.json``).

``namespaces()`` -> ``{"cc_common": Fields(...)}``; ``inert_globals()`` -> providers and functions; ``constants()`` ->
fixed values.

>>> "compile" in namespaces()["cc_common"].names, namespaces()["py_internal"].open
(True, True)
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple


class Fields(NamedTuple):
    """The fields of a namespace; ``open`` when there may be others."""

    names: frozenset[str]
    open: bool


@cache
def _table() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files(__package__).joinpath("builtins.json").read_bytes())
    return data


@cache
def namespaces() -> dict[str, Fields]:
    """Inert namespaces of .bzl files of any Bazel, by name."""
    found = {}
    for name, text in _table()["namespaces"].items():
        names = frozenset(text.split())
        found[name] = Fields(names - {"*"}, "*" in names)
    return found


@cache
def inert_globals() -> tuple[str, ...]:
    """Inert providers and functions of .bzl files of any Bazel."""
    return tuple(_table()["globals"].split())


def constants() -> dict[str, Any]:
    """Names and dotted names that are plain values."""
    found: dict[str, Any] = _table()["constants"]
    return found
