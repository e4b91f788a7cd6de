"""Operators between tensors in a Python function of PyTorch: ``input - input.tanh()`` calls ``Tensor.__sub__``.

A function and a judge of calls -> the special methods that its operators call, each where it stands. What is a tensor:
parameters annotated so, what a call gives that the judge says so of, what an operator or an index makes of one, and
local names that are given nothing else.

>>> tree = ast.parse("def f(x: Tensor, n: int):\\n  y = 1 - x.mT\\n  y *= n\\n  return -y[0] > n * 2 if y > 1 else n")
>>> [each.name for each in operators(tree.body[0], lambda _call: False)]
['__rsub__', 'mT', '__imul__', '__neg__', '__getitem__', '__gt__', '__bool__', '__gt__']
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bzlgraph.ops.python.body import BINARY, UNARY
from bzlgraph.python_source.syntax import AnyFunction, last_name

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
}
_MIRRORED = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}
_PROPERTIES = {"T": "numpy_T", "mT": "mT", "H": "matrix_H", "mH": "mH", "real": "real", "imag": "imag"}
"""Attributes of tensors that call an operator (``python_variable.cpp``) and are tensors again; ``data`` calls none."""
_NUMBERS = frozenset({"int", "float", "bool", "complex"})
_ROUNDS = 3
"""How often assignments are gone through: a name may be given what a later line gives another name."""


class Operator(NamedTuple):
    """A special method that an operator calls, and where its expression ends."""

    name: str
    line: int
    column: int


Judge = Callable[[ast.Call], bool]
"""Whether a call gives a tensor."""


def operators(function: AnyFunction, gives: Judge) -> list[Operator]:
    """The operators of a function that work on tensors, in the order in which their expressions end."""
    values = _Values(function, gives)
    found = [
        Operator(name, *_end_of(node.test if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else node))
        for node in ast.walk(function)
        for name in values.called(node)
    ]
    return sorted(found, key=lambda each: each[1:])


def _end_of(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def tensor_names(function: AnyFunction, gives: Judge) -> frozenset[str]:
    """The local names that are surely tensors."""
    return frozenset(_Values(function, gives).tensors)


def returns_tensor(function: AnyFunction) -> bool:
    """Whether a function says that it gives a tensor."""
    return _is_annotated(function.returns)


def _is_annotated(node: ast.expr | None) -> bool:
    """``Tensor``, ``"Tensor"``, ``Optional[Tensor]``, ``Tensor | None``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.rpartition(".")[2] == "Tensor"
    if isinstance(node, ast.BinOp):
        return _is_annotated(node.left) or _is_annotated(node.right)
    if isinstance(node, ast.Subscript):
        return last_name(node.value) == "Optional" and _is_annotated(node.slice)
    return node is not None and last_name(node) == "Tensor"


class _Values:
    """What the names of a function stand for."""

    def __init__(self, function: AnyFunction, gives: Judge) -> None:
        self._gives = gives
        given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        self.tensors = {each.arg for each in given if _is_annotated(each.annotation)}
        self._numbers = {each.arg for each in given if each.annotation and last_name(each.annotation) in _NUMBERS}
        assigned = [
            (target.id, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        for _ in range(_ROUNDS):
            others = {name for name, value in assigned if not self.is_tensor(value)}
            self.tensors |= {name for name, _value in assigned} - others

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is surely a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Call):
            return self._gives(node)
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return type(node.op) in UNARY and self.is_tensor(node.operand)
        if isinstance(node, ast.Subscript):
            return self.is_tensor(node.value)
        if isinstance(node, ast.Compare):
            return type(node.ops[0]) in _COMPARISONS and any(map(self.is_tensor, (node.left, node.comparators[0])))
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) and self.is_tensor(node.orelse)
        return (
            isinstance(node, ast.Attribute)
            and (node.attr in _PROPERTIES or node.attr == "data")
            and self.is_tensor(node.value)
        )

    def called(self, node: ast.AST) -> Iterator[str]:
        """The special method that an operator calls."""
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            yield from self._between(BINARY[type(node.op)], node.left, node.right)
        elif isinstance(node, ast.AugAssign) and type(node.op) in BINARY and self.is_tensor(node.target):
            yield f"__i{BINARY[type(node.op)][2:]}"
        elif isinstance(node, ast.UnaryOp) and type(node.op) in UNARY and self.is_tensor(node.operand):
            yield UNARY[type(node.op)]
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
            name = _COMPARISONS[type(node.ops[0])]
            if self.is_tensor(node.left):
                yield name
            elif self.is_tensor(node.comparators[0]):
                yield _MIRRORED.get(name, name)
        elif isinstance(node, ast.Subscript) and self.is_tensor(node.value):
            yield "__getitem__" if isinstance(node.ctx, ast.Load) else "__setitem__"
        elif isinstance(node, ast.Attribute) and node.attr in _PROPERTIES and self.is_tensor(node.value):
            yield _PROPERTIES[node.attr]
        elif isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) and self.is_tensor(node.test):
            yield "__bool__"

    def _between(self, name: str, left: ast.expr, right: ast.expr) -> Iterator[str]:
        number = isinstance(left, ast.Constant) or (isinstance(left, ast.Name) and left.id in self._numbers)
        if self.is_tensor(left) or (self.is_tensor(right) and not number):
            yield name
        elif self.is_tensor(right):
            yield f"__r{name[2:]}"
