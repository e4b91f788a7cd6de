"""Where the .bzl files inside Bazel make and define its own rules: (Bazel version, rule) -> frames.

``builtin_stacks.json`` is made by ``tools/record_builtin_stacks.py`` from what real Bazels print. Lines move from one
release to the next: only a recorded version has an answer.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

Frame = tuple[str, str, int, int]
"""Function, path, line, column."""


class BuiltinStacks(NamedTuple):
    """``made``: the frames of the macro inside Bazel that calls the rule; ``defined``: those of ``rule()``. Innermost
    first."""

    made: tuple[Frame, ...] = ()
    defined: tuple[Frame, ...] = ()


@cache
def builtin_stacks(version: str, rule: str) -> BuiltinStacks:
    """The frames of a rule; none where this Bazel has it in Java.

    >>> builtin_stacks("7.7.1", "cc_test").made[0][0], builtin_stacks("4.2.3", "cc_test").made
    ('cc_test', ())
    """
    entry = _table().get(version, {}).get(rule)
    return (
        BuiltinStacks(*(tuple(map(tuple, entry[name])) for name in BuiltinStacks._fields)) if entry else BuiltinStacks()
    )


@cache
def _table() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("builtin_stacks.json").read_bytes())
    return data
