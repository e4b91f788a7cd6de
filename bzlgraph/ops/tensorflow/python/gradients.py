"""Gradients that are registered in Python: ``@ops.RegisterGradient("Op")`` and ``ops.NotDifferentiable("Op")``, in
TensorFlow itself, or anywhere in a tree with ops of its own.

The ops of a gradient are those that its function makes itself, or with helpers of its file, and those of the nearest
wrappers behind each function of other files that these call: ``math_ops.reduce_sum`` makes Sum. What is made in a
branch there counts only where nothing else is made. Those that its result is made of count, too, where sizes and
orders are nearer (Range in ``matrix_transpose``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from bzlgraph.base.codec import Codec
from bzlgraph.base.span import Location
from bzlgraph.ops.model import NO_GRADIENT, GradientRegistration, OpUse, PythonStep
from bzlgraph.ops.python.resolve import Symbol, shown
from bzlgraph.ops.tensorflow.python.call_rules import IMPLIED
from bzlgraph.ops.tensorflow.python.sources import PythonSources

FOLDER = "tensorflow"
CALLS = (b"RegisterGradient(", b"NotDifferentiable(", b"NoGradient(", b"no_gradient(")
NAMED = re.compile(rb"""\b(?:RegisterGradient|NotDifferentiable|NoGradient|no_gradient)\(\s*["']([\w>]+)["']""")
NONE = re.compile(rb"""\b(?:NotDifferentiable|NoGradient|no_gradient)\(\s*["']([\w>]+)["']\s*\)""")

_FILES = Codec(dict[str, tuple[str, ...]])


@dataclass
class PythonGradients:
    """Gradients of one tree."""

    side: PythonSources
    _results: dict[PythonStep, frozenset[str]] = field(default_factory=dict)

    def of(self, op: str) -> tuple[GradientRegistration, ...]:
        """What is registered for an op."""
        return tuple(
            self._with_ops(found, symbol) if symbol is not None else found
            for path in self._files.get(op, ())
            for found, symbol in self._in_file(path)
            if found.op == op
        )

    @cached_property
    def _files(self) -> dict[str, tuple[str, ...]]:
        """Op -> the files that register gradients of it."""
        return self.side.tree.remember(self._folder, "files of gradients", _FILES, self._search)

    @property
    def _folder(self) -> str:
        return FOLDER if self.side.version else ""

    def _search(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for path in self.side.tree.containing(self._folder, CALLS):
            for op in NAMED.findall(self.side.tree.bytes_of(path)):
                found.setdefault(op.decode(), {})[path] = None
        return {op: tuple(paths) for op, paths in found.items()}

    def by_op(self) -> dict[str, list[GradientRegistration]]:
        """All of the tree, without the ops that they make."""
        found: dict[str, list[GradientRegistration]] = {}
        for path in self.side.tree.containing(self._folder, CALLS):
            for each, _symbol in self._in_file(path):
                found.setdefault(each.op, []).append(each)
        return found

    def _in_file(self, path: str) -> Iterator[tuple[GradientRegistration, Symbol | None]]:
        """Each with its function, None for one that is registered as missing."""
        data = self.side.tree.bytes_of(path)
        for match in NONE.finditer(data):
            line = data.count(b"\n", 0, match.start()) + 1
            yield GradientRegistration(match.group(1).decode(), NO_GRADIENT, Location(path, line, 0)), None
        for each in self.side.tree.module(path).decorated:
            if each.function.rpartition(".")[2] == "RegisterGradient":
                symbol = Symbol("function", path, each.symbol)
                place = Location(path, each.defined_at, 0)
                yield from ((GradientRegistration(op, shown(symbol), place), symbol) for op in each.names)

    def _with_ops(self, found: GradientRegistration, symbol: Symbol) -> GradientRegistration:
        uses = self._made(symbol)
        possible = tuple(use.op for use in uses if not use.certain)
        return replace(found, ops=tuple(use.op for use in uses), possible=possible, uses=uses)

    def _made(self, symbol: Symbol) -> tuple[OpUse, ...]:
        """The ops that the function makes itself or with helpers of its file, and, of each other function that it
        calls, those of the nearest wrappers."""
        uses = [(use, _outside(use, symbol.path)) for use in self._uses(symbol) if use.op != IMPLIED]
        behind: dict[PythonStep, list[OpUse]] = {}
        for use, outside in uses:
            if outside is not None and use.generated:
                behind.setdefault(outside, []).append(use)
        main = {id(use) for outside, made in behind.items() for use in self._main(outside, made)}
        return tuple(use for use, outside in uses if outside is None or id(use) in main)

    def _main(self, outside: PythonStep, uses: list[OpUse]) -> list[OpUse]:
        """Those of the ops behind a function of another file that are nearest, and those that it is for."""
        nearest = _nearest(uses)
        if len(nearest) == len(uses):
            return nearest
        return [*nearest, *_nearest([use for use in uses if use.op in self._result(outside)])]

    def _result(self, step: PythonStep) -> frozenset[str]:
        """The ops that the result of a function is made of."""
        if step not in self._results:
            symbol = Symbol("function", step.location.path, step.name.partition(".")[2])
            self._results[step] = frozenset(self.side.walker.walk(symbol).returned)
        return self._results[step]

    def _uses(self, symbol: Symbol) -> list[OpUse]:
        """All that a function may make. What the class of the graphs of 2.x refuses to do (``TensorArray.grad``) is
        done in graphs of 1.x, by the other classes."""
        walk = self.side.walker.walk(symbol)
        if walk.refused:
            walk = self.side.undecided(frozenset(walk.refused)).walk(symbol)
        return list(walk.found.values())


def _nearest(uses: list[OpUse]) -> list[OpUse]:
    """The ops that are surely made, else all, as far away as the nearest."""
    distances = [(not use.certain, use.depth) for use in uses]
    return [use for use, distance in zip(uses, distances, strict=True) if distance == min(distances)]


def _outside(use: OpUse, path: str) -> PythonStep | None:
    """The first function of another file on the way to an op, None for none."""
    return next((step for step in use.steps if step.location.path != path), None)
