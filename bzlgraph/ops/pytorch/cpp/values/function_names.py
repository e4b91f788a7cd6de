"""The names of functions in C++ of PyTorch by what a call of them gives, a tensor, several, or surely none; and what
other names of a file stand for.

outline of a file -> ``FileNames``; the names of operators and of functions of headers are ``TensorNames``. ``Values``
asks both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Token
from bzlgraph.ops.pytorch.cpp.values.places import Places, places_of
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR, TUPLE, Types

NAMING = re.compile(r"(?:typename|class|using)\b")
"""What makes a name of a type known in a file."""


class TensorNames(NamedTuple):
    """``functions`` and ``methods`` of operators give a tensor, so do ``helpers``, which headers declare; ``vectors``
    give values of registers (``Vectorized``), ``others`` surely no tensor, ``lists`` several tensors, some of them
    (``chunk``) always, others (``where``) when they are given some; ``several`` a tuple of tensors alone, or
    (``max``) one tensor, ``tuples`` always such a tuple."""

    functions: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    helpers: frozenset[str] = frozenset()
    vectors: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    tuples: frozenset[str] = frozenset()


class FileNames(NamedTuple):
    """What names of a file stand for: ``tensors`` are its functions that return one, ``parameters`` the types that its
    templates are made with, ``types`` those that ``using`` names, ``tuples`` its functions that return a tuple of
    tensors alone, ``results`` what its other functions return."""

    tensors: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    tuples: frozenset[str] = frozenset()
    results: Mapping[str, str] = MappingProxyType({})


def names_of_file(outline: Outline[Token], more: Sequence[Token] = ()) -> FileNames:
    """The names of one file; ``more`` are tokens that stand elsewhere in it, of what says ``NAMING``."""
    words = [token.text for token in (*outline.tokens, *more)]
    types = {
        words[at + 1]
        for kind in ("typename", "class")
        for at in places_of(words, kind)
        if words[at + 2 : at + 3] and words[at + 2] in (",", ">", "=")
    }
    named = {words[at + 1] for at in places_of(words, "using") if words[at + 2 : at + 3] == ["="]}
    returned = Types(outline, Places(outline))
    given: dict[str, set[str]] = {}
    for scope in outline.scopes:
        if scope.kind == "function":
            given.setdefault(scope.name, set()).add(returned.of_function(scope))
    # Of several functions of one name each returns another type.
    several = {kind: frozenset(name for name, kinds in given.items() if kind in kinds) for kind in (TENSOR, TUPLE)}
    results = {name: kind for name, (kind, *more) in given.items() if kind and not more and kind not in types}
    return FileNames(several[TENSOR], frozenset(types), frozenset(named) - {TENSOR}, several[TUPLE], results)
