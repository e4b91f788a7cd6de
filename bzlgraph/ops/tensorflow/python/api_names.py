"""Op -> the public names of functions that make it: of the generated function itself, and of what wraps it directly;
of a class that does when a value of it is made or called, and of methods of classes.

``near`` looks into the few files that mention the generated function; ``of`` reads every exporting file once, for the
table of all ops.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.ops.model import ApiName
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import Function, Module
from bzlgraph.ops.tensorflow.python.exports import MARKERS, ROOT, Export
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.ops.tensorflow.python.walk.calls import CALLED
from bzlgraph.ops.tensorflow.python.walk.event_targets import Target
from bzlgraph.python_source.import_lines import imported_once

NAMING = ("call", "name")
"""Kinds of events that name a function."""
_RENAMES = re.compile(rb"(\w+) *= *gen_\w+\.\w+ *(?:#.*)?$|from [\w.]*\bgen_\w+ import \w+ as (\w+)")
"""A line that gives a generated function another name."""
_RENAMED = 2
"""How many names of a module's own may stand between a function and one that calls it: ``a = b``, ``b = f``."""


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
    definitions: dict[Symbol, set[str]] = field(default_factory=dict)
    """What the files export, with the ops that it makes itself, once ``of`` has read them."""
    _all: dict[str, list[ApiName]] | None = field(default=None)

    def near(self, op: str) -> tuple[ApiName, ...]:
        """Names of exported functions that call the op's generated function themselves."""
        generated = self.side.names.by_op.get(op)
        if not generated:
            return ()
        names = self._also_called(generated)
        found: list[ApiName] = []
        for path in self.side.tree.containing(ROOT, MARKERS):
            data = self.side.tree.bytes_of(path)
            if b"gen_" in data and self._may_call(data, names):
                for name, ops in self._direct(path, _Naming(self.side.tree.module(path), names)):
                    if op in ops:
                        found += name.names
        return merged(found)

    def _may_call(self, data: bytes, names: set[str]) -> bool:
        """Whether a file may name one of some generated functions: ``gen_array_ops.reshape``. Many files call wrappers
        of the same name, ``array_ops.reshape``, and to read them all takes longer than all else."""
        lines = b"\n".join(line for name in names for line in _lines_with(data, utf8(f".{name}")))
        imports = imported_once(data.decode("utf-8", "replace")) if lines else {}
        called = re.compile(rf"([\w.]*)\.({'|'.join(map(re.escape, names))})\b")
        found = called.findall(lines.decode("utf-8", "replace"))
        return any(self._may_mean(before, name, imports) for before, name in found)

    def _may_mean(self, before: str, name: str, imports: Mapping[str, str]) -> bool:
        """Whether ``before.name`` may be a generated function: what is not imported in a line of its own may be."""
        head, _, rest = before.partition(".")
        if head not in imports:
            return True
        meant = self.side.resolver.absolute(".".join(filter(None, (imports[head], rest, name))))
        return meant is None or meant.kind == "generated"

    def _also_called(self, generated: str) -> set[str]:
        """The names of a generated function: its own, and those that modules give it (``negative = gen_math_ops.neg``,
        ``from gen_array_ops import reverse_v2 as reverse``)."""
        needles = tuple(utf8(f"{before}{generated}") for before in (".", " import "))
        names = {generated}
        for path in self.side.tree.containing(ROOT, MARKERS):
            data = self.side.tree.bytes_of(path)
            lines = [line for needle in needles if needle in data for line in _lines_with(data, needle)]
            found = filter(None, map(_RENAMES.match, lines))
            names.update((each[1] or each[2]).decode() for each in found)
        return names

    def of(self, op: str) -> tuple[ApiName, ...]:
        """All names, from a reading of the whole tree."""
        if self._all is None:
            self._all = {}
            for path in self.side.tree.containing(ROOT, MARKERS):
                for exported, ops in self._direct(path):
                    self.definitions.setdefault(exported.symbol, set()).update(ops)
                    for each in ops:
                        self._all.setdefault(each, []).extend(exported.names)
        return merged((*self.side.exports.of_op(op), *self._all.get(op, ())))

    def _direct(self, path: str, naming: _Naming | None = None) -> Iterator[tuple[Export, set[str]]]:
        """What a file exports, with the ops that each definition makes itself; with ``naming`` only what is among it:
        to resolve all that the others call costs more than all else."""
        exported = self.side.exports.of_file(path)
        methods = (one for owner in exported for one in self.side.exports.methods(owner))
        for each in (*exported, *(one for one in methods if _last(one.symbol.name) not in CALLED)):
            if each.symbol.kind == "generated":
                yield each, {self.side.names.op(each.symbol.name)}
            elif each.symbol.path == path and (naming is None or naming.has(each.symbol.name)):
                yield each, set(self._made_directly(each.symbol))

    def _made_directly(self, symbol: Symbol) -> list[str]:
        """The ops of the generated functions that a definition names; for one that names none, those that the functions
        of its own file that it calls name."""
        if symbol.kind == "class":
            methods = (Symbol("function", symbol.path, f"{symbol.name}.{name}") for name in CALLED)
            return [op for each in methods for op in self._made_directly(each)]
        named = self._named(symbol, NAMING)
        found = [op for each in named if each.kind == "generated" and (op := self.side.names.op(each.name))]
        if found or self.side.resolver.function(symbol) is None:
            return found
        near = [each for each in self._named(symbol, ("call",)) if each.path == symbol.path and each != symbol]
        further = (one for each in near for one in self._named(each, NAMING))
        return [op for each in further if each.kind == "generated" and (op := self.side.names.op(each.name))]

    def _named(self, symbol: Symbol, kinds: Collection[str]) -> list[Symbol]:
        """The definitions that the events of one lead to."""
        function, targets = self.side.resolver.function(symbol), self.side.walker.targets
        events = [event for event in function.events if event.kind in kinds] if function is not None else []
        return [target.symbol for event in events for target in targets.of(Target(symbol), event)]


class _Naming:
    """The definitions of a module that may call functions, or something of the module that does, by what they name."""

    def __init__(self, module: Module, functions: set[str]) -> None:
        self._module = module
        calling = functions.union(name for name, meant in module.imports.items() if _last(meant) in functions)
        for _ in range(_RENAMED):
            calling.update(name for name in self._that_name(calling) if name in module.values)
        self._words = calling.union(*(name.split(".") for name in self._that_name(calling)))

    def has(self, name: str) -> bool:
        """Whether a definition may be one of those."""
        parts = (name, *(f"{name}.{method}" for method in CALLED)) if name in self._module.classes else (name,)
        found = (self._module.functions.get(each) or self._module.values.get(each) for each in parts)
        return any(each is not None and _names(each, self._words) for each in found)

    def _that_name(self, words: set[str]) -> list[str]:
        every = (*self._module.functions.items(), *self._module.values.items())
        return [name for name, definition in every if _names(definition, words)]


def _lines_with(data: bytes, name: bytes) -> list[bytes]:
    """The lines of a file that have a name, not one that begins with it. ``re`` looks for it seven times longer."""
    found, at = [], data.find(name)
    while at >= 0:
        end = at + len(name)
        if not data[end : end + 1].isalnum() and data[end : end + 1] != b"_":
            last = data.find(b"\n", at)
            found.append(data[data.rfind(b"\n", 0, at) + 1 : last if last >= 0 else len(data)])
        at = data.find(name, end)
    return found


def _names(definition: Function, words: set[str]) -> bool:
    return any(_last(event.text) in words for event in definition.events)


def _last(text: str) -> str:
    """The last name of ``a.b`` and of ``A|b``."""
    return text.rpartition(".")[2].rpartition("|")[2]
