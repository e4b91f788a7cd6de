"""Operators that old Bazels had on plain values, for reading old trees.

``{} + {}`` was the union of dictionaries, the right one winning, until --incompatible_disallow_dict_plus (0.20).
"""

from __future__ import annotations

from typing import Any

from bzlgraph.starlark.ops.arithmetic import bit_or


def old_operators(op: str, left: Any, right: Any) -> Any:
    """``left OP right`` as Bazel 0.19 has it; NotImplemented when it has not either."""
    if op == "+" and isinstance(left, dict) and isinstance(right, dict):
        return bit_or(left, right)
    return NotImplemented
