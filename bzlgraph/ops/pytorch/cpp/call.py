"""A call in the body of a C++ function of PyTorch: what is called, with what, below which conditions.

>>> [conditions for _, conditions in made_with(("Tensor", "either T"))]
[('T == Tensor',), ('T != Tensor',)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.ops.pytorch.cpp.values.types import TENSOR

ADDING = re.compile(r"add(?:_\w+)?_output")
"""Methods that say what the result is of what goes over tensors."""
ADDING_INPUT = re.compile(r"add(?:_\w+)?_input")
"""Methods that say what else is gone over."""
EITHER = "either "
"""How the kind of an argument begins that is of a template's type, which may be tensors or numbers."""
PARAMETER = "parameter"
"""The kind of a call of what a function is given."""


class Call(NamedTuple):
    """``kind``: ``function``, also a member of a class that is known (``TensorIterator::build``); ``method`` of a
    value that may be a tensor; ``member`` of one whose type is a template's parameter; ``value``, a qualified name or
    that of a stub that is handed on; ``PARAMETER``. ``arguments`` are ``Tensor``, ``Scalar`` (a number), ``bool``,
    ``list``, "other" (values of registers), or "" for what is not known; the first of a method is what it is called
    on."""

    kind: str
    name: str
    arguments: tuple[str, ...]
    line: int
    """In what ``calls_of`` gives the offset in the file's text."""
    conditions: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    """Each argument of a function (or of ``ADDING``, ``ADDING_INPUT``) as written that is one name or number, "" for
    any other."""
    template: tuple[str, ...] = ()
    """So each argument of a template."""
    checked: tuple[str, ...] = ()
    """What is made sure of before it."""
    undefined: tuple[str, ...] = ()
    """Variables among ``given`` that are no tensors yet."""
    written: tuple[str, ...] = ()
    """``arguments`` of a function or method, written as those of ``given`` are."""
    made_by: tuple[str, int] = ("", 0)
    """The method that gives what another one is called on, and how many arguments that has."""
    special: int = 1
    """Whether what is given may be a tensor of a special kind, and how that comes about (``special_uses``)."""


def made_with(given: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What a call is given, and the condition for that: where it is of a template's type, a tensor or a number."""
    types = [each.removeprefix(EITHER) for each in given if each.startswith(EITHER)]
    for kind, compared in ((TENSOR, "=="), ("Scalar", "!=")) if types else ():
        made = tuple(kind if each.startswith(EITHER) else each for each in given)
        yield made, (f"{types[0]} {compared} {TENSOR}",)
    if not types:
        yield given, ()
