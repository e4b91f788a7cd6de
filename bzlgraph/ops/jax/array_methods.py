"""Methods and operators of JAX's arrays -> the functions that they run, as the tree's own tables give them.

Rules
1. ``_array_operators = {"add": wrap("+", ufuncs.add), ...}`` and its two fellows name what ``x + y``, ``x.sum()`` and
   ``x.T`` run: of a call in the table the last function among its arguments, of a lambda what it calls, of ``f._inner``
   f where that is all that is known.
2. ``x.at[i].set(v)``: the table's ``at`` is a class; an index of it makes an object whose method ``set`` runs.
3. Trees without these tables: an operator is the function of ``jax.lax`` of that meaning.
4. An index that takes all of an array (``x[:, None]``) only adds axes: ``jax.lax.expand_dims``.
5. What goes through an array (``a, b = x``) runs the function that the tree gives arrays as ``_iter``.
6. A method of a value of which nothing is known is that of the class of the same file, or else of the modules that it
   imports, which alone has one of that name, unless arrays or Python's own collections and texts have it, or Python
   calls it itself (``__call__``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import LOCALS
from bzlgraph.ops.python.values.arrays import EXPANDING, INDEXING
from bzlgraph.python_source.syntax import dotted

OF_PYTHON = frozenset(name for kind in (list, dict, set, str, bytes) for name in dir(kind))
METHODS = "jax/_src/numpy/array_methods.py"
PLACES = (METHODS, "jax/_src/numpy/lax_numpy.py")
OPERATOR_TABLES = ("_array_operators", "_operators")
TABLES = (*OPERATOR_TABLES, "_array_methods", "_array_properties")
ITERATING = ("jax/_src/lax/lax.py", "_iter")
"""Rule 5."""
OPERATORS = {
    "__add__": "add",
    "__sub__": "sub",
    "__mul__": "mul",
    "__truediv__": "div",
    "__mod__": "rem",
    "__neg__": "neg",
    "__and__": "bitwise_and",
    "__or__": "bitwise_or",
    "__xor__": "bitwise_xor",
    "__invert__": "bitwise_not",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
    "__eq__": "eq",
    "__ne__": "ne",
    "__abs__": "abs",
    "__pow__": "pow",
    "__matmul__": "dot_general",
}
"""Rule 3."""


class ArrayMethods:
    """The arrays' methods of a tree, read when the first is asked for."""

    def __init__(self, code: PythonCode) -> None:
        self._code = code
        self._known: dict[tuple[str, str], Symbol | None] = {}

    def function(self, name: str) -> Symbol | None:
        """What an operator (``__add__``), a method (``sum``, ``at.set``) or a property (``T``) runs."""
        changed, _, method = name.partition(".")
        if method:
            return self._of_changed(changed, method)
        if name == "__iter__":
            return self._code.resolver.resolve(*ITERATING)
        if name == EXPANDING:
            return self._code.resolver.absolute(f"jax.lax.{name}") or self.function(INDEXING)
        found = self._tables.get(name)
        if found is None and not self._tables and name in OPERATORS:
            return self._code.resolver.absolute(f"jax.lax.{OPERATORS[name]}")
        return found

    def of_file(self, path: str, method: str) -> Symbol | None:
        """Rule 6."""
        if method.startswith("__") or method in OF_PYTHON or self.function(method) is not None:
            return None
        if (path, method) not in self._known:
            having = self._having(path, method)
            having = having or [each for one in self._imported(path) for each in self._having(one, method)]
            self._known[path, method] = having[0] if len(having) == 1 else None
        return self._known[path, method]

    def _having(self, path: str, method: str) -> list[Symbol]:
        names = self._code.tree.module(path).functions
        own = (name for name in names if LOCALS not in name)
        return [Symbol("function", path, name) for name in own if name.endswith(f".{method}")]

    def _imported(self, path: str) -> list[str]:
        """The modules of the tree that a file imports as such."""
        names = dict.fromkeys(self._code.tree.module(path).imports.values())
        found = (self._code.resolver.absolute(each) for each in names)
        return [each.path for each in found if each is not None and each.kind == "module"]

    @cached_property
    def _tables(self) -> dict[str, Symbol]:
        return {
            name: found
            for path in PLACES
            for table in TABLES
            if self._code.tree.source.is_file(path)
            for name, found in self._read(self._code.at(path, table), table in OPERATOR_TABLES)
        }

    def _read(self, table: Definition | None, operators: bool) -> Iterator[tuple[str, Symbol]]:
        """Rule 1."""
        if table is None or not isinstance(table.node, ast.Dict):
            return
        for key, value in zip(table.node.keys, table.node.values, strict=True):
            tried = (self._code.resolver.resolve(table.path, each) for each in _named(value))
            found = next((each for each in tried if each is not None), None)
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and found is not None:
                yield f"__{key.value}__" if operators else key.value, found

    def _of_changed(self, changed: str, method: str) -> Symbol | None:
        """Rule 2."""
        helper = self._tables.get(changed)
        indexed = self._code.resolver.method(helper.path, helper.name, "__getitem__") if helper is not None else None
        function = self._code.resolver.function(indexed) if indexed is not None else None
        if indexed is None or function is None:
            return None
        for event in function.events:
            made = self._code.resolver.resolve(indexed.path, event.text) if event.kind == "call" else None
            if made is not None and made.kind == "class":
                return self._code.resolver.method(made.path, made.name, method)
        return None


def _named(value: ast.expr) -> list[str]:
    """The names that a value of a table may stand for, the likeliest first."""
    if isinstance(value, ast.Lambda):
        return _named(value.body.func) if isinstance(value.body, ast.Call) else []
    if isinstance(value, ast.Call):
        return [text for each in reversed(value.args) for text in _named(each)]
    text = dotted(value)
    return [each for each in (text, text.rpartition(".")[0]) if each]
