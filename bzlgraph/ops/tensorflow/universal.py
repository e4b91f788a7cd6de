"""What the walk over TensorFlow's Python does not enter, and what operators of tensors make.

Measured on 2.12 against the ops of 650 traced public functions (tests/differential/tensorflow_wheel).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

UNIVERSAL = (
    "tensorflow/python/framework/",
    "tensorflow/python/util/",
    "tensorflow/python/eager/",
    "tensorflow/python/platform/",
    "tensorflow/python/distribute/",
    "tensorflow/python/client/",
    "tensorflow/python/autograph/",
    "tensorflow/python/profiler/",
    "tensorflow/python/checkpoint/",
    "tensorflow/python/trackable/",
    "tensorflow/python/saved_model/",
    "tensorflow/python/types/",
    "tensorflow/python/tf2.py",
    "tensorflow/python/compat/",
    "tensorflow/python/lib/",
    "tensorflow/python/tpu/",
    "tensorflow/core/",
)
"""Folders of modules that everything uses: graphs, conversions, contexts, decorators, protos."""
ENTERED = (
    "tensorflow/python/framework/constant_op.py",
    "tensorflow/python/framework/smart_cond.py",
    "tensorflow/python/framework/random_seed.py",
)
"""Files of those folders that do make ops for their callers."""

OPERATORS = {
    "__add__": ("AddV2", "Add"),
    "__sub__": ("Sub",),
    "__mul__": ("Mul",),
    "__truediv__": ("RealDiv",),
    "__floordiv__": ("FloorDiv",),
    "__mod__": ("FloorMod",),
    "__pow__": ("Pow",),
    "__matmul__": ("MatMul",),
    "__and__": ("LogicalAnd",),
    "__or__": ("LogicalOr",),
    "__xor__": ("LogicalXor",),
    "__lt__": ("Less",),
    "__le__": ("LessEqual",),
    "__gt__": ("Greater",),
    "__ge__": ("GreaterEqual",),
    "__neg__": ("Neg",),
    "__invert__": ("LogicalNot",),
    "__abs__": ("Abs",),
    "__getitem__": ("StridedSlice",),
}
"""Special method of Tensor -> its op; the first that the tree registers."""
PACK = "Pack"
"""What a list with a tensor in it becomes (array_ops._autopacking_helper)."""
IMPLIED = "Const"
"""What a Python number, list or array that is given as a tensor becomes."""


def is_universal(path: str, name: str) -> bool:
    """Whether the walk stops before this definition."""
    return path.startswith(UNIVERSAL) and path not in ENTERED


def operator_op(names: Sequence[str], known: Callable[[str], bool]) -> str:
    """The first name that is an op, "" for none."""
    return next((name for name in names if known(name)), "")
