"""Names of Python that PyTorch binds to C++ by hand, in tables of its sources, beside those that are made of entries.

the tables of methods and functions -> for each name the operator, or the function of C++, that it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

from bzlgraph.ops.pytorch.cpp.definitions import FUNCTIONS, METHODS
from bzlgraph.workspace.sources.source import Source

_METHOD = re.compile(rb'\{\s*"(\w+)"\s*,[^}]*?(THPVariable_(\w+))')
ATTRIBUTES = "torch/csrc/autograd/python_variable.cpp"
"""The table of the attributes that tensors have in Python."""
_ATTRIBUTE = re.compile(rb'\{\s*"(\w+)"\s*,\s*\(getter\)')
_ALIAS = re.compile(rb'\{\s*"(\w+)"\s*,\s*"(\w+)"\s*\}')
"""A second name of a function, which the module gets when it is imported."""
_WRITTEN = re.compile(rb"PyObject\s*\*\s*(THPVariable_\w+)\s*\(")
"""The functions of this file itself, which others' bindings do not make."""
INDEXING = {"__getitem__": "THPVariable_getitem", "__setitem__": "THPVariable_setitem"}
"""What CPython calls by the place in a table, not by name."""


class BoundByHand:
    """The tables of a tree. ``made`` are the names of methods that entries make."""

    def __init__(self, files: Source, made: Collection[str]) -> None:
        self._files = files
        self._made = made

    def written_in(self, function: str) -> str:
        """The file of a function of C++ that is written by hand."""
        own = function in self.functions.values()
        return next(filter(self._files.is_file, FUNCTIONS), METHODS) if own else METHODS

    @cached_property
    def _tables(self) -> list[bytes]:
        """The files with the functions of ``torch`` that are written by hand."""
        return [self._files.read(path) for path in FUNCTIONS if self._files.is_file(path)]

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Second names of functions of ``torch``: ``hsmm`` is ``hspmm``."""
        found = (each for text in self._tables for each in _ALIAS.findall(text))
        return {second.decode(): first.decode() for first, second in found}

    @cached_property
    def functions(self) -> dict[str, str]:
        """Functions of ``torch`` that no entry makes, and the function of C++ that each is."""
        found: dict[str, str] = {}
        for text in self._tables:
            for name, function, _ in ((each.decode() for each in row) for row in _METHOD.findall(text)):
                found.setdefault(name, function)
        return found

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Attributes of tensors that are written by hand: ``mT``."""
        found = _ATTRIBUTE.findall(self._files.read(ATTRIBUTES)) if self._files.is_file(ATTRIBUTES) else ()
        return frozenset(each.decode() for each in found)

    @cached_property
    def methods(self) -> dict[str, str]:
        """Methods of tensors that are written by hand (rule 4), and the operator or function that each is."""
        if not self._files.is_file(METHODS):
            return {}
        text, found = self._files.read(METHODS), dict(INDEXING)
        written = {each.decode() for each in _WRITTEN.findall(text)}
        for method, function, name in ((each.decode() for each in found) for found in _METHOD.findall(text)):
            found[method] = name if name in self._made and function not in written else function
        return found
