"""Names of ops that are written once for TensorFlow and TFLite (``tensorflow/lite/kernels/shim``).

``Class::OpName()`` -> the text. ``class Kernel : public TfOpKernel<Impl, T>`` is of the op that ``Impl`` names, with
``kOpName`` or in ``OpName``; ``using Kernel = Other<int>`` is another name of a class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

OP_NAME = "::OpName"
"""Behind a class: the function that gives the name of its op."""
MAX_CLASSES = 8
"""Names of classes that stand for one another."""
_TEXT = r'\s*\[\s*\]\s*=\s*"([^"\n]*)"'
_NAMED = re.compile(rf'\bkOpName{_TEXT}|\bOpName\s*\(\s*\)\s*\{{\s*return\s*"([^"\n]*)"')
_KERNEL = re.compile(r"\bTfOpKernel\s*<\s*([\w:]+)")
_CLASS = re.compile(r"\b(?:class|struct)\s+\w+[^;{}()]*\{")


def op_name(class_name: str, texts: Iterable[str]) -> str | None:
    """The name of the op of a class; ``texts`` are those of the files where it may be defined.

    >>> impl = 'class AddOp : public OpKernelShim<AddOp, Rt> { static const char kOpName[] = "X>Add"; };'
    >>> kernel = "class AddKernel : public shim::TfOpKernel<AddOp> {};\\nusing Instance = text::AddKernel;"
    >>> op_name("Instance", [kernel, impl]), op_name("Other", [kernel])
    ('X>Add', None)
    """
    listed = list(texts)
    for _each in range(MAX_CLASSES):
        found = next((one for text in listed if (one := _said(class_name, text)) is not None), None)
        if found is None or found[0]:
            return found[0] if found is not None else None
        class_name = found[1].rpartition("::")[2]
    return None


def _said(class_name: str, text: str) -> tuple[str, str] | None:
    """What a file says of a class: (its op's name, "") or ("", the class that has it); None for nothing."""
    name = re.escape(class_name)
    apart = re.search(rf"\b{name}\s*(?:<[^<>;]*>)?\s*::\s*kOpName{_TEXT}", text)
    if apart is not None:
        return apart.group(1), ""
    other = re.search(rf"\busing\s+{name}\s*=\s*([\w:]+)", text)
    if other is not None:
        return "", other.group(1)
    head = re.search(rf"\b(?:class|struct)\s+{name}\b([^;{{}}()]*)\{{", text)
    if head is None:
        return None
    kernel = _KERNEL.search(head.group(1))
    if kernel is not None:
        return "", kernel.group(1)
    behind = _CLASS.search(text, head.end())
    named = _NAMED.search(text, head.end(), behind.start() if behind is not None else len(text))
    return (named.group(1) or named.group(2), "") if named is not None else None
