"""What operators of PyTorch let through of tensors whose elements are not in memory as they are read: those of zeros
without data (``ZeroTensorFallback.cpp``), and views that are conjugated or negated when they are read
(``ConjugateFallback.cpp``, ``NegateFallback.cpp``). Before any other operator runs they are made plain.

entries, files -> ``LetThrough``; an operator, what it may be given -> what those may be that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bzlgraph.ops.pytorch.cpp.known import simplified
from bzlgraph.ops.pytorch.cpp.questions import FALSE, NO_CONJUGATED, NO_NEGATED, NO_ZEROS
from bzlgraph.ops.pytorch.entries import IMPLICIT_KEYS, NativeFunction
from bzlgraph.ops.pytorch.running.steps import Step
from bzlgraph.workspace.sources.source import Source

Kinds = frozenset[tuple[str, str]]
"""Kinds of such tensors, each as the fact that no tensor is one."""
ALL_KINDS: Kinds = frozenset([NO_ZEROS, NO_CONJUGATED, NO_NEGATED])
_LISTS = "aten/src/ATen/native/MathBitFallThroughLists.h"
_FILES = {
    NO_ZEROS: ("aten/src/ATen/ZeroTensorFallback.cpp", _LISTS),
    NO_CONJUGATED: ("aten/src/ATen/ConjugateFallback.cpp", _LISTS),
    NO_NEGATED: ("aten/src/ATen/native/NegateFallback.cpp", _LISTS),
}
_OWN_KEYS = {NO_ZEROS: "ZeroTensor", NO_CONJUGATED: "Conjugate", NO_NEGATED: "Negative"}
_MAKERS = {NO_CONJUGATED: "_conj", NO_NEGATED: "_neg_view"}
"""The operator that makes such a view."""
_LET_THROUGH = re.compile(r"^[ \t]*m\.impl\(\"([\w.]+)\", *torch::CppFunction::makeFallthrough", re.M)
_VIEW = re.compile(r"\([a-z]\)")


class LetThrough:
    """Of the operators of a tree."""

    def __init__(
        self, entries: Mapping[str, NativeFunction], files: Source, steps: Callable[[str], Iterable[Step]]
    ) -> None:
        """``steps`` are those of an operator whatever it is given."""
        self._steps = steps
        self._views = {name for name, entry in entries.items() if _VIEW.search(entry.schema) is not None}
        self._made: dict[str, Kinds] = {name: frozenset([kind]) for kind, name in _MAKERS.items()}
        letting = {kind: _letting(entries, files, kind) for kind in ALL_KINDS}
        for kind in _MAKERS:
            letting[kind] |= self._views
        self._let = {name: frozenset(kind for kind, names in letting.items() if name in names) for name in entries}

    def below(self, op: str, given: Kinds, below: Sequence[Step]) -> Kinds:
        """What those may be given that an operator calls: what it lets through, and such views as it makes."""
        kinds = given & self._let.get(op, ALL_KINDS)
        return kinds if kinds >= {*_MAKERS} else kinds.union(*map(self._makes, _running(below, given)))

    def _makes(self, op: str) -> Kinds:
        """What the view may be of a plain tensor that an operator gives."""
        if op not in self._made:
            self._made[op] = frozenset()
            steps = self._steps(op) if op in self._views else ()
            self._made[op] = frozenset().union(*map(self._makes, _running(steps, frozenset())))
        return self._made[op]


def _running(steps: Iterable[Step], given: Kinds) -> Iterator[str]:
    """The operators that are called where tensors of some kinds are given: others stand below a question for one."""
    none = dict(ALL_KINDS - given)
    return (each.op for each in steps if FALSE not in (simplified(text, none) for text in each.conditions))


def let_all(_op: str, given: Kinds, _below: Sequence[Step]) -> Kinds:
    """As if every operator let everything through."""
    return given


def _letting(entries: Mapping[str, NativeFunction], files: Source, kind: tuple[str, str]) -> set[str]:
    """The operators that let tensors of a kind through: those that are registered so, those that have a function for
    them, and those made of others; all where no file registers any."""
    texts = [files.read(path).decode(errors="replace") for path in _FILES[kind] if files.is_file(path)]
    listed = {name for text in texts for name in _LET_THROUGH.findall(text)}
    keys = {name: {key for key, _ in entry.kernels} for name, entry in entries.items()}
    return {*listed, *(name for name in entries if keys[name] & {_OWN_KEYS[kind], *IMPLICIT_KEYS} or not listed)}
