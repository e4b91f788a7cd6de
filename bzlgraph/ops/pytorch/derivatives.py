"""``derivatives.yaml``: where and how the gradient of an operator is given.

>>> read_derivatives('- name: "relu(Tensor self) -> Tensor"\\n  self: threshold_backward(grad, result, 0)\\n')
{'relu': [Derivative(line=1, formulas=(('self', 'threshold_backward(grad, result, 0)'),))]}
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bzlgraph.ops.pytorch.entries import yaml_items

PATH = "tools/autograd/derivatives.yaml"
_NAME = re.compile(r"\s*(\w+(?:\.\w+)?)")
_NO_FORMULAS = frozenset({"name", "dispatch", "output_differentiability"})


class Derivative(NamedTuple):
    """One entry: its line, and a formula for each argument (several arguments may share one)."""

    line: int
    formulas: tuple[tuple[str, str], ...]


def read_derivatives(text: str) -> dict[str, list[Derivative]]:
    """Operators (``add.Tensor``) and what is said of them. Raises BrokenEntries."""
    found: dict[str, list[Derivative]] = {}
    for line, item in yaml_items(text):
        name = _NAME.match(str(item.get("name", "")))
        if name is not None:
            found.setdefault(name.group(1), []).append(Derivative(line, tuple(_formulas(item))))
    return found


def _formulas(item: dict[str, Any]) -> list[tuple[str, str]]:
    """The formulas of an entry; by dispatch key they are nested one level deeper."""
    plain = [(key, value) for key, value in item.items() if isinstance(value, str) and key not in _NO_FORMULAS]
    dispatch = item.get("dispatch")
    if isinstance(dispatch, dict):
        for key, below in dispatch.items():
            inner = below.items() if isinstance(below, dict) else ()
            plain += [(f"{name} ({key})", value) for name, value in inner if isinstance(value, str)]
    return plain
