"""Methods of bytes (only in the specification's dialect)."""

from __future__ import annotations

from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.evaluation.budget import charge_items
from bzlgraph.starlark.values import List


def elems(self: bytes, /) -> List:
    charge_items(len(self))
    return List(self)


BYTES_METHODS = method_table(elems=elems)
