"""What PyTorch makes no function in Python for, though an entry has that variant: the lists of its generator.

``tools/autograd/gen_python_functions.py`` -> ``LeftOut``. Patterns and schemas are read as text, nothing is run; a
pattern that could take long to match is left out.

>>> names = 'SKIP_PYTHON_BINDINGS = ["alias", ".*_backward", "(a*)*"]'
>>> schemas = 'SKIP_PYTHON_BINDINGS_SIGNATURES = ["f(int n) -> int"]'
>>> found = read_left_out(ast.parse(f"{names}; {schemas}"))
>>> [found.has_name(each) for each in ("alias", "alias_copy", "elu_backward", "aa")], sorted(found.schemas)
([True, False, True, False], ['f(int n) -> int'])
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.python_source.syntax import parse_any
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

GENERATOR = "tools/autograd/gen_python_functions.py"
_NAMES, _SCHEMAS = ("_SKIP_PYTHON_BINDINGS", "SKIP_PYTHON_BINDINGS"), ("SKIP_PYTHON_BINDINGS_SIGNATURES",)
_QUICK = re.compile(r"[\w?.]*(?:(?:\.\*|\([\w|?()]*\))[\w?]*){0,2}")
"""Patterns with at most two ``.*`` or groups, and no star in a group."""


class LeftOut(NamedTuple):
    """Patterns of names, and the schemas of overloads."""

    patterns: tuple[re.Pattern[str], ...] = ()
    schemas: frozenset[str] = frozenset()

    def has_name(self, name: str) -> bool:
        """Whether no binding is made for the entries of a name."""
        return any(each.fullmatch(name) is not None for each in self.patterns)


def left_out(files: Source) -> LeftOut:
    """What the generator of a tree leaves out; nothing where it has none that can be read."""
    try:
        with reading():
            return read_left_out(parse_any(files.read(GENERATOR) if files.is_file(GENERATOR) else b""))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget):
        return LeftOut()


def read_left_out(tree: ast.Module) -> LeftOut:
    """What the lists in a module say."""
    quick = (each for each in _texts(tree, _NAMES) if _QUICK.fullmatch(each))
    return LeftOut(tuple(_compiled(quick)), frozenset(_texts(tree, _SCHEMAS)))


def _texts(tree: ast.Module, names: tuple[str, ...]) -> Iterator[str]:
    """The texts in the lists of these names."""
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.List):
            continue
        if any(isinstance(each, ast.Name) and each.id in names for each in node.targets):
            texts = (each.value for each in node.value.elts if isinstance(each, ast.Constant))
            yield from (each for each in texts if isinstance(each, str))


def _compiled(patterns: Iterator[str]) -> Iterator[re.Pattern[str]]:
    for each in patterns:
        try:
            yield re.compile(each)
        except re.error:
            continue
