"""TensorFlow's macros for types, for repositories of ops that include its header and do not hold it.

``TF_CALL_float(REGISTER)`` registers nothing where nobody knows the macro: a kernel would be missing without a word.
What a macro for one type stands for follows from its name. Which types a group has is as TensorFlow 2.12 says
(https://github.com/tensorflow/tensorflow/blob/v2.12.0/tensorflow/core/framework/register_types.h); other versions have
other groups, so whoever uses one is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location

HEADER = "tensorflow/core/framework/register_types.h"
_OF_CPP = ("float", "double", "bool")
_OF_TENSORFLOW = (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("qint8", "qint16", "qint32", "quint8", "quint16", "bfloat16", "complex64", "complex128", "tstring"),
)
_TYPES = {
    **{name: name for name in (*_OF_CPP, *_OF_TENSORFLOW)},
    "half": "Eigen::half",
    "string": "tstring",
    "resource": "ResourceHandle",
    "variant": "Variant",
}
_GROUPS: Mapping[str, Sequence[str]] = {
    "INTEGRAL_TYPES_NO_INT32": ("uint64", "int64", "uint32", "uint16", "int16", "uint8", "int8"),
    "INTEGRAL_TYPES": ("INTEGRAL_TYPES_NO_INT32", "int32"),
    "FLOAT_TYPES": ("half", "bfloat16", "float", "double"),
    "REAL_NUMBER_TYPES": ("INTEGRAL_TYPES", "FLOAT_TYPES"),
    "REAL_NUMBER_TYPES_NO_BFLOAT16": ("INTEGRAL_TYPES", "half", "float", "double"),
    "REAL_NUMBER_TYPES_NO_INT32": ("FLOAT_TYPES", "INTEGRAL_TYPES_NO_INT32"),
    "COMPLEX_TYPES": ("complex64", "complex128"),
    "NUMBER_TYPES": ("REAL_NUMBER_TYPES", "COMPLEX_TYPES"),
    "NUMBER_TYPES_NO_INT32": ("REAL_NUMBER_TYPES_NO_INT32", "COMPLEX_TYPES"),
    "POD_TYPES": ("NUMBER_TYPES", "bool"),
    "ALL_TYPES": ("POD_TYPES", "tstring", "resource", "variant"),
    "POD_STRING_TYPES": ("POD_TYPES", "tstring"),
    "GPU_NUMBER_TYPES": ("half", "bfloat16", "float", "double"),
    "GPU_ALL_TYPES": ("GPU_NUMBER_TYPES", "COMPLEX_TYPES", "bool"),
    "GPU_NUMBER_TYPES_NO_HALF": ("float", "double"),
    "QUANTIZED_TYPES": ("qint8", "quint8", "qint32"),
}
_USED_GROUP = re.compile(rb"\bTF_CALL_([A-Z][A-Z0-9_]*)\b")


def header() -> bytes:
    """A text that defines what the header does."""
    single = (f"#define TF_CALL_{name}(m) m({meant})" for name, meant in _TYPES.items())
    groups = (f"#define TF_CALL_{name}(m) {_calls(members)}" for name, members in _GROUPS.items())
    return "\n".join((*single, *groups, "")).encode()


def _calls(members: Iterable[str]) -> str:
    return " ".join(f"TF_CALL_{member}(m)" for member in members)


def doubt(path: str, data: bytes) -> Gap | None:
    """That a file uses a group of types, whose members are those of one version; None for a file that uses none."""
    used = _USED_GROUP.search(data)
    if used is None:
        return None
    what = f"{HEADER} is not in this tree: TF_CALL_{used[1].decode()} is as in TensorFlow 2.12"
    line = data.count(b"\n", 0, used.start()) + 1
    return Gap(GapKind.FILE.value, what, "kernels for other types", Location(path, line, 0))
