"""Conditions on Bazel's version, as ``try-import-if-bazel-version`` of rc files has them.

>>> holds(">=9.0.0", "7.7.1"), holds("!=4.2.3", "7.7.1"), holds("~7.7.0", "7.7.1"), holds("new", "7.7.1")
(False, True, True, None)
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from bzlgraph.facts.native import version_key

_FORM = re.compile(r"(>=|<=|==|!=|>|<|~)\s*(\d+(?:\.\d+)*)")
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "~": lambda ours, theirs: ours >= theirs and ours[:2] == theirs[:2],  # no older, and of the same minor version
}


def holds(condition: str, version: str) -> bool | None:
    """Whether a condition such as ``>=9.0.0`` holds for a version; None when it is no condition."""
    match = _FORM.fullmatch(condition.strip())
    return _TESTS[match[1]](_three(version), _three(match[2])) if match else None


def _three(version: str) -> tuple[int, ...]:
    return (*version_key(version), 0, 0)[:3]
