"""The names of functions in C++ of PyTorch by what a call of them gives: a tensor, several, or surely none.

names of operators, functions of headers and of a file -> sets of them, which ``Values`` asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bzlgraph.cpp.tokens import Token


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
    tensors alone."""

    tensors: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    tuples: frozenset[str] = frozenset()


_SPACES = frozenset({"at", "c10", "torch", "::", "const", "&"})


def holds_tensors_alone(arguments: Sequence[str]) -> bool:
    """Whether the arguments of ``tuple<...>``, as words, are tensors alone.

    >>> [holds_tensors_alone(each.split()) for each in ("at :: Tensor , const Tensor &", "Tensor , int64_t", "")]
    [True, False, False]
    """
    return [each for each in arguments if each not in _SPACES] == ["Tensor", *[",", "Tensor"] * arguments.count(",")]


MAX_WORDS = 40
"""Words of a type that is returned."""


def gives_tuple(tokens: Sequence[Token], named: int) -> bool:
    """Whether the type that stands before a function's name is a tuple of tensors alone.

    >>> from bzlgraph.cpp.tokens import tokenize
    >>> [gives_tuple(tokens, len(tokens) - 4) for each in ("Tensor, Tensor", "Tensor, int")
    ...     for tokens in [list(tokenize(f"std::tuple<{each}> f() {{"))]]
    [True, False]
    """
    words = [each.text for each in tokens[max(named - MAX_WORDS, 0) : named]]
    if words[-1:] != [">"] or "<" not in words:
        return False
    opening = len(words) - 1 - words[::-1].index("<")
    return words[opening - 1] in ("tuple", "pair") and holds_tensors_alone(words[opening + 1 : -1])
