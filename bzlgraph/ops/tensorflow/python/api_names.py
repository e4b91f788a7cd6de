"""Op -> the public names of functions that make it: of the generated function itself, and of what wraps it directly.

``near`` looks into the few files that mention the generated function; ``of`` reads every exporting file once, for the
table of all ops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.ops.model import ApiName
from bzlgraph.ops.tensorflow.python.exports import MARKERS, ROOT, Export
from bzlgraph.ops.tensorflow.python.sources import PythonSources


def merged(names: Iterable[ApiName]) -> tuple[ApiName, ...]:
    """Each name once, with the versions of all."""
    found: dict[str, ApiName] = {}
    for each in names:
        before = found.get(each.name)
        versions = sorted({*each.versions, *(before.versions if before else ())})
        deprecated = each.deprecated and (before is None or before.deprecated)
        found[each.name] = ApiName(each.name, tuple(versions), deprecated)
    return tuple(found.values())


@dataclass(slots=True)
class ApiNames:
    """Names of one tree."""

    side: PythonSources
    _all: dict[str, list[ApiName]] | None = field(default=None)

    def near(self, op: str) -> tuple[ApiName, ...]:
        """Names of exported functions that call the op's generated function themselves."""
        generated = self.side.names.by_op.get(op)
        if not generated:
            return ()
        needle = utf8(f".{generated}")
        found: list[ApiName] = []
        for path in self.side.tree.containing(ROOT, MARKERS):
            data = self.side.tree.bytes_of(path)
            if needle in data and b"gen_" in data:
                for name, ops in self._direct(path):
                    if op in ops:
                        found += name.names
        return merged(found)

    def of(self, op: str) -> tuple[ApiName, ...]:
        """All names, from a reading of the whole tree."""
        if self._all is None:
            self._all = {}
            for path in self.side.tree.containing(ROOT, MARKERS):
                for exported, ops in self._direct(path):
                    for each in ops:
                        self._all.setdefault(each, []).extend(exported.names)
        return merged((*self.side.exports.of_op(op), *self._all.get(op, ())))

    def _direct(self, path: str) -> Iterator[tuple[Export, set[str]]]:
        """What a file exports, with the ops that each definition makes itself."""
        for each in self.side.exports.of_file(path):
            if each.symbol.kind == "generated":
                yield each, {self.side.names.op(each.symbol.name)}
            elif each.symbol.path == path:
                yield each, set(self.side.walker.nearly_direct(each.symbol))
