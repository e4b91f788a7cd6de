"""``derivatives.yaml``: where and how the gradient of an operator is given, and what a formula calls.

A formula is C++ that is written into a function of PyTorch's autograd, so it is read as one: with the arguments of the
operator, their tangents (``x_t``, ``x_p``), the results and their gradients as variables, in the namespace of
``FunctionsManual.cpp``.

>>> read_derivatives('- name: "relu(Tensor self) -> Tensor"\\n  self: threshold_backward(grad, result, 0)\\n')
{'relu': [Derivative(line=1, formulas=(('self', 'threshold_backward(grad, result, 0)'),))]}
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bzlgraph.cpp.outline import read_outline
from bzlgraph.cpp.tokens import tokenize
from bzlgraph.ops.pytorch.cpp.body import calls_of
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.insides import Body, Inside
from bzlgraph.ops.pytorch.cpp.values.function_names import FileNames, TensorNames
from bzlgraph.ops.pytorch.entries import NativeFunction, yaml_items

PATH = "tools/autograd/derivatives.yaml"
_NAME = re.compile(r"\s*(\w+(?:\.\w+)?)")
_NAMESPACE = "torch::autograd::generated::details"
_ARGUMENT = re.compile(r"(Tensor|Scalar|int|SymInt|float|bool)(?:\([^)]*\))?(\[\d*\])?\??(\[\])?\??\s+(\w+)")
_CPP_TYPES = {"int": "int64_t", "float": "double"}
_RESULTS = ("grad", "result", *(f"{name}{number}" for name in ("grad", "result") for number in range(4)))
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


def formula_definition(entry: NativeFunction, line: int, formula: str, giving: TensorNames) -> Definition:
    """The function that a formula of an operator stands for; ``giving`` are the operators that return a tensor."""
    taken, _, given = entry.schema.partition("(")[2].partition("->")  # without `div.Tensor`: that is no argument
    made = "TensorList" if given.strip().endswith("[]") else "Tensor"  # one for each of a list: `result[i]`
    declared = [f"{made if name == 'result' else 'Tensor'} {name}" for name in _RESULTS]
    for kind, size, many, name in _ARGUMENT.findall(f"{taken} {given}"):
        listed = bool(size or many)
        if kind == "Tensor" and not listed:
            declared += [f"Tensor {name}", f"Tensor {name}_t", f"Tensor {name}_p", f"Tensor grad_{name}"]
        else:
            declared.append(f"{'TensorList' if kind == 'Tensor' else 'IntArrayRef'} {name}" if listed else "")
            declared[-1] = declared[-1] or f"{_CPP_TYPES.get(kind, kind)} {name}"
            declared += [f"Tensor {name}_t", f"Tensor {name}_p"] if kind == "Tensor" else []
    text = f"void formula({', '.join(declared)}) {{ return {formula}; }}"
    return Definition("formula", _NAMESPACE, PATH, line, body=Body(lambda: _inside(text, line, giving)))


def _inside(text: str, line: int, giving: TensorNames) -> Inside:
    outline, own = (
        read_outline(tokenize(text)),
        FileNames(giving.functions, tuples=giving.several),
    )  # `exp(x)` is `at::exp(x)`
    calls = [call for scope in outline.scopes for call in calls_of(outline, scope, giving, own)]
    return Inside(tuple(each._replace(line=line) for each in calls))
