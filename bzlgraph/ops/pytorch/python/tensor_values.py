"""What a Python definition of PyTorch names, and the operators between tensors in it: ``input - input.tanh()`` calls
``Tensor.__sub__``.

A function and a judge of calls -> the special methods that its operators call, each where it stands. What is a tensor:
parameters annotated so, what a call gives that the judge says so of, what an operator or an index makes of one, and
local names that are given nothing else.

>>> tree = ast.parse("def f(x: Tensor, n: int):\\n  y = 1 - x.mT\\n  y *= n\\n  return -y[0] > n * 2 if y > 1 else n")
>>> values = TensorValues(tree.body[0], lambda _call: False)
>>> [each.name for each in operators(tree.body[0], values)]
['__rsub__', 'mT', '__imul__', '__neg__', '__getitem__', '__gt__', '__bool__', '__gt__']
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.ops.python.branches import Running, running
from bzlgraph.ops.python.values.function_parts import NOTHING_KNOWN
from bzlgraph.ops.python.values.operators import BINARY, UNARY
from bzlgraph.ops.pytorch.overloads import ONE, SEVERAL
from bzlgraph.ops.pytorch.python.parameters import Given, bound_by, given_by, stored_by
from bzlgraph.python_source.syntax import AnyFunction, children, last_name, walk

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


DECIDED = dict.fromkeys(
    ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic", "is_scripting"), False
)
"""Questions with one answer for tensors of PyTorch's own class and functions that are not compiled."""


class Operator(NamedTuple):
    """A special method that an operator calls, where its expression ends, how much it is given, whether it runs in
    every call of the function; the id of its node."""

    name: str
    line: int
    column: int
    given: int = 0
    certain: bool = True
    node: int = 0


Judge = Callable[[ast.Call], str]
"""What a call gives (``overloads``)."""


def operators(
    function: AnyFunction, values: TensorValues, constants: Mapping[str, object] = NOTHING_KNOWN
) -> list[Operator]:
    """The operators of a function that work on tensors, in the order in which their expressions end. ``constants`` are
    what parameters are known to be."""
    runs = running(function.body, DECIDED, constants)
    found = [
        Operator(
            name,
            *_end_of(node.test if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else node),
            int(isinstance(node, ast.BinOp | ast.AugAssign | ast.Compare)),
            runs[id(node)],
            id(node),
        )
        for node in walk(function)
        if id(node) in runs
        for name in values.called(node)
    ]
    return sorted(found, key=lambda each: each[1:3])


def _end_of(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


@dataclass(frozen=True, slots=True)
class Reference:
    """A dotted name in a definition. ``known``: its first part is surely a tensor; ``other``: surely none; ``local``: a
    variable of the function; ``made``: it is called where a module gives a name its value, when it is imported;
    ``certain``: every call of the function gets there; ``imported``: what its first part is in the function itself."""

    parts: tuple[str, ...]
    called: bool
    line: int
    column: int
    known: bool = False
    other: bool = False
    local: bool = False
    made: bool = False
    given: Given | None = None
    """What it is called with, None when that is not seen."""
    certain: bool = True
    imported: str = ""
    call: ast.Call | None = None
    node: int = 0
    """The id of its node."""

    @property
    def is_method(self) -> bool:
        """Whether it may call a method of a tensor: one that collections and texts have, too, of a tensor only."""
        return self.called and not self.other and (self.known or self.parts[-1] not in _OF_COLLECTIONS)


_OF_COLLECTIONS = frozenset(name for kind in (dict, list, set, str, tuple) for name in dir(kind))
NOT_IMPORTED: Mapping[str, str] = {}
_FOR_SHAPES = frozenset({"meta", "doc"})
"""What ``torch._prims`` gives to the makers of functions, and what is not run by these."""
_REGISTERING = re.compile(r"(?:^|_)register(?:_|$)")
"""The names of functions that keep what they are given for others."""


def references(
    node: ast.stmt,
    values: TensorValues | None = None,
    imports: Mapping[str, str] = NOT_IMPORTED,
    constants: Mapping[str, object] = NOTHING_KNOWN,
) -> Iterator[Reference]:
    """The dotted names in a definition; annotations, decorators and defaults left out. ``values`` are a function's,
    ``imports`` what it imports itself, ``constants`` what its parameters are known to be."""
    roots: list[ast.AST] = list(node.body) if isinstance(node, AnyFunction) else [node]
    if isinstance(node, ast.ClassDef):
        roots = list(methods_run(node))
    made = isinstance(node, ast.Assign | ast.AnnAssign)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        roots = [node.value] if node.value is not None else []
    bound = bound_by(node) if isinstance(node, AnyFunction) else frozenset()
    certain = _running(node, roots, constants)
    for root in roots:
        called: dict[int, ast.Call] = {}
        inner: set[int] = set()
        for each, local in _within(root, bound):
            if isinstance(each, ast.Call):
                called[id(each.func)] = each
            if isinstance(each, ast.Attribute | ast.Name) and id(each) not in inner and id(each) in certain:
                parts = dotted_parts(each, inner)
                if parts:
                    call = called.get(id(each))
                    place = each.end_lineno or 0, each.end_col_offset or 0
                    known, other = values.judged(each, parts[0]) if values is not None else (False, False)
                    at_import = made and call is not None
                    given = given_by(call) if call is not None else None
                    sure, imported = certain[id(each)], imports.get(parts[0], "")
                    of_function = parts[0] in local and not imported
                    yield Reference(
                        *(parts, call is not None, *place, known, other, of_function),
                        *(at_import, given, sure, imported, call, id(each)),
                    )


def _running(node: ast.stmt, roots: Sequence[ast.AST], constants: Mapping[str, object]) -> Running:
    """The nodes of a definition that run, and whether they surely do."""
    if isinstance(node, AnyFunction):
        return running(node.body, DECIDED, constants)
    found: dict[int, bool] = {}
    for each in roots:
        if isinstance(each, ast.expr | AnyFunction):  # a value, or a method
            found.update(running(each.body if isinstance(each, AnyFunction) else each, DECIDED))
    return found or running([node], DECIDED)


def _within(root: ast.AST, bound: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """A node and all below it, those around others first, with the local names that are known there."""
    waiting = [(root, bound)]
    for node, known in waiting:
        if isinstance(node, AnyFunction | ast.Lambda):
            known = known | bound_by(node)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            known = known.union(*(stored_by(each.target) for each in node.generators))
        yield node, known
        aside = {id(each) for each in _not_run(node)} if isinstance(node, ast.Call) else ()
        waiting += [(each, known) for each in children(node) if id(each) not in aside]


def _not_run(call: ast.Call) -> Iterator[ast.AST]:
    """What a call is given that it does not run: functions for shapes, and those that it registers for others."""
    yield from (each for each in call.keywords if each.arg in _FOR_SHAPES)
    named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if _REGISTERING.search(named) is not None:
        yield from (each for each in call.args if isinstance(each, ast.Attribute | ast.Name))


def methods_run(node: ast.stmt | None) -> list[ast.FunctionDef]:
    """The methods of a class that say what its objects do: what runs when one is called, else a ``step`` (of an
    optimizer)."""
    methods = (
        [each for each in node.body if isinstance(each, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
    )
    called = [each for each in methods if each.name in ("forward", "__call__") or each.name.endswith("_forward")]
    return called or [each for each in methods if each.name == "step"]


def dotted_parts(node: ast.expr, inner: set[int]) -> tuple[str, ...]:
    """``a.b.c`` as a tuple; () when the chain begins with no name. A call in front counts as some local object."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
        inner.add(id(node))
    if isinstance(node, ast.Name):
        parts.append(node.id)
    elif parts:
        inner.discard(id(node))
        parts = [parts[0], "<value>"]
    return tuple(reversed(parts))


def returns_tensor(function: AnyFunction) -> bool:
    """Whether a function says that it gives a tensor."""
    return _is_annotated(function.returns)


def _is_annotated(node: ast.expr | None) -> bool:
    """``Tensor``, ``"Tensor"``, ``Optional[Tensor]``, ``Tensor | None``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.rpartition(".")[2] in _TENSORS
    if isinstance(node, ast.BinOp):
        return _is_annotated(node.left) or _is_annotated(node.right)
    if isinstance(node, ast.Subscript):
        return last_name(node.value) == "Optional" and _is_annotated(node.slice)
    return node is not None and last_name(node) in _TENSORS


def _documented(function: AnyFunction, given: Sequence[ast.arg]) -> set[str]:
    """The parameters without an annotation that its text says to be tensors: ``tensor (Tensor): what ...``.

    >>> function = ast.parse("def f(a, b: int, c):\\n  'a (Tensor): A'").body[0]
    >>> _documented(function, function.args.args)
    {'a'}
    """
    told = re.findall(r"^\s*(\w+) \(Tensor\)", ast.get_docstring(function) or "", re.MULTILINE)
    return {each.arg for each in given if each.annotation is None} & {*told}


def _narrowed(function: AnyFunction, annotated: Mapping[str, ast.expr]) -> set[int]:
    """The ids of the names of parameters that are tensors as they are nothing else: of ``Union[Tensor, float]`` in the
    ``elif`` behind ``if isinstance(x, float):``."""
    found: set[int] = set()
    for node in walk(function):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Call) and last_name(node.test.func) == "isinstance":
            name, *kinds = map(last_name, node.test.args)
            words = {last_name(each) for each in walk(annotated[name])} if name in annotated else set()
            if words - {"Union", ""} == {"Tensor", *kinds}:
                after = node.orelse[0].test if node.orelse and isinstance(node.orelse[0], ast.If) else ast.Pass()
                found |= {id(each) for each in walk(after) if isinstance(each, ast.Name) and each.id == name}
    return found


_TENSORS = frozenset({"Tensor", "TensorLike", "TensorLikeType"})
"""The class, and what ``torch._prims_common`` calls it."""


def _is_something_else(annotation: ast.expr) -> bool:
    """Whether an annotation leaves no room for a tensor."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.replace(".", "_").isidentifier() and _is_closed(annotation.value.rpartition(".")[2])
    words = [last_name(each) for each in walk(annotation) if isinstance(each, ast.Name | ast.Attribute)]
    return bool(words) and all(map(_is_closed, words))


def _is_closed(word: str) -> bool:
    """Whether a word in an annotation is a type of its own: no tensor, no variable of types, nothing that holds any."""
    return "Tensor" not in word and word not in _ANYTHING and not word.endswith("T") and len(word) > 1


_ANYTHING = frozenset({"Any", "object", "PyTree", "Callable", "Self"})


def _stored_in_parts(function: AnyFunction) -> set[str]:
    """The names that a function gives values otherwise than by ``x = ...`` and ``x += ...``."""
    whole = {
        id(target)
        for node in walk(function)
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    named = (node for node in walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {node.id for node in named if id(node) not in whole}


class TensorValues:
    """What the names of a function stand for. ``known`` are parameters that are tensors whatever is said of them."""

    def __init__(self, function: AnyFunction, gives: Judge, known: Collection[str] = ()) -> None:
        self._gives = gives
        given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        annotated = {each.arg for each in given if _is_annotated(each.annotation)} | _documented(function, given)
        self.tensors = annotated | {*known} - _stored_in_parts(function)
        noted = {each.arg for each in given if each.annotation and _is_something_else(each.annotation)}
        self.others = noted - set().union(*map(stored_by, function.body))
        self._narrowed = _narrowed(function, {each.arg: each.annotation for each in given if each.annotation})
        self._numbers = {each.arg for each in given if each.annotation and last_name(each.annotation) in _NUMBERS}
        assigned = [
            (target.id, node.value)
            for node in walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        # `Union[Tensor, float]`: until it is given
        mixed = {each.arg for each in given if each.annotation} - self.tensors
        self._several: set[str] = set()
        """Variables that hold several tensors each."""
        for _ in range(_ROUNDS):
            once = {name for name, value in assigned if self.is_tensor(value)}
            others = {name for name, value in assigned if not self._stays(value, name if name in once else "")}
            self.tensors |= {name for name, _value in assigned} - others - mixed
            self.tensors -= others - annotated
            self._several |= {name for name, value in assigned if self._are_several(value)} - {
                name for name, value in assigned if not self._are_several(value)
            }

    def _stays(self, value: ast.expr, name: str) -> bool:
        """Whether what is given to a variable is a tensor, where that variable is one: ``x = x / 2``."""
        new = {name} - self.tensors if name else set()
        self.tensors |= new
        found = self.is_tensor(value)
        self.tensors -= new
        return found

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is surely a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors or id(node) in self._narrowed
        if isinstance(node, ast.Call):
            of_class = last_name(node.func) == "super" and any(map(_is_annotated, node.args))  # `super(Tensor, self)`
            return of_class or self._gives(node) == ONE
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return type(node.op) in UNARY and self.is_tensor(node.operand)
        if isinstance(node, ast.Subscript):
            return self.is_tensor(node.value) or (
                self._are_several(node.value) and not isinstance(node.slice, ast.Slice)
            )
        if isinstance(node, ast.Compare):
            return type(node.ops[0]) in _COMPARISONS and any(map(self.is_tensor, (node.left, node.comparators[0])))
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) and self.is_tensor(node.orelse)
        return (
            isinstance(node, ast.Attribute)
            and (node.attr in _PROPERTIES or node.attr == "data")
            and self.is_tensor(node.value)
        )

    def _are_several(self, node: ast.expr) -> bool:
        """Whether an expression is surely several tensors, of which Python takes one."""
        if isinstance(node, ast.Name):
            return node.id in self._several
        return isinstance(node, ast.Call) and self._gives(node) == SEVERAL

    def judged(self, node: ast.expr, first: str) -> tuple[bool, bool]:
        """Whether a dotted name begins with what surely is a tensor, and with what surely is none."""
        of_call = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call) and self.is_tensor(node.value)
        return first in self.tensors or of_call, first in self.others

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
