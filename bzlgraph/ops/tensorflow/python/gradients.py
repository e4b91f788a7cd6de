"""Gradients that are registered in Python: ``@ops.RegisterGradient("Op")`` and ``ops.NotDifferentiable("Op")``.

The ops of a gradient are those that its function makes itself, or, when it makes none, those of the functions that it
calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.ops.model import NO_GRADIENT, GradientRegistration
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.tensorflow.python.call_rules import IMPLIED
from bzlgraph.ops.tensorflow.python.calls import shown
from bzlgraph.ops.tensorflow.python.sources import PythonSources

FOLDER = "tensorflow"
NONE = re.compile(rb"""\b(?:NotDifferentiable|NoGradient)\(\s*["']([\w>]+)["']\s*\)""")


@dataclass(slots=True)
class PythonGradients:
    """Gradients of one tree."""

    side: PythonSources

    def of(self, op: str) -> tuple[GradientRegistration, ...]:
        """What is registered for an op."""
        quoted = [utf8(f"{quote}{op}{quote}") for quote in "\"'"]
        needles = tuple(
            name + b"(" + text for text in quoted for name in (b"RegisterGradient", b"NotDifferentiable", b"NoGradient")
        )
        found: list[GradientRegistration] = []
        for path in self.side.tree.containing(FOLDER, needles):
            found += self._in_file(path, op)
        return tuple(found)

    def _in_file(self, path: str, op: str) -> Iterator[GradientRegistration]:
        data = self.side.tree.bytes_of(path)
        for match in NONE.finditer(data):
            if match.group(1).decode() == op:
                line = data.count(b"\n", 0, match.start()) + 1
                yield GradientRegistration(op, NO_GRADIENT, Location(path, line, 0))
        for each in self.side.tree.module(path).decorated:
            if each.function.rpartition(".")[2] == "RegisterGradient" and op in each.names:
                symbol = Symbol("function", path, each.symbol)
                yield GradientRegistration(op, shown(symbol), Location(path, each.defined_at, 0), self._ops(symbol))

    def _ops(self, symbol: Symbol) -> tuple[str, ...]:
        uses = [use for use in self.side.walker.uses(symbol) if use.op != IMPLIED]
        wrapped = [use for use in uses if use.generated]
        nearest = min((use.depth for use in wrapped), default=0)
        return tuple(use.op for use in wrapped if use.depth == nearest)
