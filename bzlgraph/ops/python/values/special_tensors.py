"""Tests of a function that ask for a sparse or ragged tensor: ``isinstance(x, SparseTensor)`` -> True.

What stands behind them runs for few callers, so it is told after what runs for all.
"""

from __future__ import annotations

import ast

from bzlgraph.python_source.syntax import last_name

_CLASSES = (
    "ExtendedDType",
    "Sparse",
    "Ragged",
    "IndexedSlices",
    "CompositeTensor",
    "ResourceVariable",
    "BaseResourceVariable",
)
_TYPES = ("extended",)
_QUANTIFIERS = ("all", "any")
_TESTS = frozenset(["is_ragged", "is_sparse", "_is_sparse", "is_composite_tensor", "is_extension_type"])


def is_special(test: ast.expr) -> bool | None:
    """Which outcome of a test means a sparse or ragged tensor, None when it is not about that.

    A test of several things joined by ``and`` is about it when one is; by ``or``, when all are;
    ``all(is_sparse(x) for x in y)`` when what it asks of each is.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = is_special(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [is_special(each) for each in test.values]
        if isinstance(test.op, ast.Or):
            return True if all(parts) else (False if False in parts and True not in parts else None)
        return True if True in parts else None
    if not isinstance(test, ast.Call):
        return None
    called = last_name(test.func)
    first = test.args[0] if test.args else None
    if called.removeprefix("py_") in _QUANTIFIERS and isinstance(first, ast.GeneratorExp):
        return is_special(first.elt)
    if called == "isinstance" and len(test.args) == 2:
        kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
        names = [last_name(each) for each in kinds]
        return True if names and all(name.startswith(_CLASSES) for name in names) else None
    if called == "issubdtype" and len(test.args) == 2:
        return True if last_name(test.args[1]) in _TYPES else None
    return True if called in _TESTS else None
