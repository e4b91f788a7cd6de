"""What operators of PyTorch let through of tensors whose elements are not in memory as they are read: those of zeros
without data (``ZeroTensorFallback.cpp``), and views that are conjugated or negated when they are read
(``ConjugateFallback.cpp``, ``NegateFallback.cpp``). Before any other operator runs they are made plain.

entries, files -> ``LetThrough``; an operator, what it may be given -> what those may be that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from bzlgraph.ops.pytorch.cpp.questions import NO_BITS, NO_ZEROS
from bzlgraph.ops.pytorch.entries import IMPLICIT_KEYS, NativeFunction
from bzlgraph.ops.pytorch.running.steps import Step
from bzlgraph.workspace.sources.source import Source

Kinds = frozenset[tuple[str, str]]
"""Kinds of such tensors, each as the fact that no tensor is one."""
ALL_KINDS: Kinds = frozenset([NO_ZEROS, NO_BITS])
_LISTS = "aten/src/ATen/native/MathBitFallThroughLists.h"
_FILES = {
    NO_ZEROS: ("aten/src/ATen/ZeroTensorFallback.cpp", _LISTS),
    NO_BITS: ("aten/src/ATen/ConjugateFallback.cpp", "aten/src/ATen/native/NegateFallback.cpp", _LISTS),
}
_OWN_KEYS = {NO_ZEROS: frozenset({"ZeroTensor"}), NO_BITS: frozenset({"Conjugate", "Negative"})}
_SETTING = frozenset({"_conj", "_neg_view"})
"""The operators that make a view which is conjugated or negated."""
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
        self._makers: dict[str, bool] = dict.fromkeys(_SETTING, True)
        letting = {kind: _letting(entries, files, kind) for kind in ALL_KINDS}
        letting[NO_BITS] |= self._views
        self._let = {name: frozenset(kind for kind, names in letting.items() if name in names) for name in entries}

    def below(self, op: str, given: Kinds, below: Sequence[Step]) -> Kinds:
        """What those may be given that an operator calls: what it lets through, and such a view where it makes one."""
        kinds = given & self._let.get(op, ALL_KINDS)
        return kinds if NO_BITS in kinds or not any(self._makes(each.op) for each in below) else kinds | {NO_BITS}

    def _makes(self, op: str) -> bool:
        """Whether what an operator gives may be a conjugated or negated view of a plain tensor."""
        if op not in self._makers:
            self._makers[op] = False
            self._makers[op] = op in self._views and any(self._makes(each.op) for each in self._steps(op))
        return self._makers[op]


def let_all(_op: str, given: Kinds, _below: Sequence[Step]) -> Kinds:
    """As if every operator let everything through."""
    return given


def _letting(entries: Mapping[str, NativeFunction], files: Source, kind: tuple[str, str]) -> set[str]:
    """The operators that let tensors of a kind through: those that are registered so, those that have a function for
    them, and those made of others; all where no file registers any."""
    texts = [files.read(path).decode(errors="replace") for path in _FILES[kind] if files.is_file(path)]
    listed = {name for text in texts for name in _LET_THROUGH.findall(text)}
    keys = {name: {key for key, _ in entry.kernels} for name, entry in entries.items()}
    return {*listed, *(name for name in entries if keys[name] & (_OWN_KEYS[kind] | IMPLICIT_KEYS) or not listed)}
