"""A dotted name, as written in a module -> the definition that it stands for, through imports and re-exports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.ops.python.summary import Function, Module
from bzlgraph.ops.python.tree import PythonTree

MAX_HOPS = 60


class Symbol(NamedTuple):
    """A definition: ``kind`` is function, class, value, module, or generated (by a build, so not on disk)."""

    kind: str
    path: str
    name: str


def shown(symbol: Symbol) -> str:
    """``nn_ops.conv2d``."""
    if symbol.kind == "generated":
        return f"{symbol.path.rpartition('.')[2]}.{symbol.name}"
    parts = symbol.path.removesuffix("/__init__.py").removesuffix(".py").split("/")
    return f"{parts[-1]}.{symbol.name}" if symbol.name else parts[-1]


def no_public(_names: tuple[str, ...]) -> Symbol | None:
    """That a tree has no such interface."""
    return None


@dataclass(slots=True)
class Resolver:
    """``is_generated``: whether a module that is not on disk is written by the build, or made by a call of that name
    (``tf.load_op_library``), and has this function. ``public``: what stands for a name from the top that is in no
    module, but in a public interface that is put together from elsewhere."""

    tree: PythonTree
    is_generated: Callable[[str, str], bool]
    public: Callable[[tuple[str, ...]], Symbol | None] = no_public
    dtypes: dict[tuple[Symbol, frozenset[tuple[str, frozenset[str]]], int], str] = field(default_factory=dict)
    """What functions give, as far as that was asked for (``walk.gives``)."""
    classes: dict[Symbol, str] = field(default_factory=dict)
    """What they say of the classes of that."""
    _misses: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    """What was not found (a path and names; a class, "" and a method), after how many hops."""
    _found: dict[tuple[str, tuple[str, ...]], Symbol] = field(default_factory=dict)
    """What was."""

    def resolve(self, path: str, name: str, hops: int = 0) -> Symbol | None:
        """What ``name`` stands for in the module at ``path``; None when that is outside of the tree.

        ``hops``: how many imports led there, so that a circle of them has an end.
        """
        return self._in_module(path, tuple(name.split(".")), hops)

    def imported(self, path: str, name: str) -> Symbol | None:
        """The same, but for what the module itself gives the name: ``f = decorate(f)`` of an imported ``f``."""
        names = tuple(name.split("."))
        module = self.tree.module(path)
        if names[0] in module.imports:
            found = self._absolute((*module.imports[names[0]].split("."), *names[1:]), 0)
            if found is not None:
                return found
        return self._starred(module, names, 0)

    def absolute(self, name: str) -> Symbol | None:
        """What a dotted name from the top stands for."""
        return self._absolute(tuple(name.split(".")), 0)

    def function(self, symbol: Symbol) -> Function | None:
        """The body of a definition; None for a module, and for what has none of its own."""
        if symbol.kind == "module":
            return None
        module = self.tree.module(symbol.path)
        return module.functions.get(symbol.name) or module.values.get(symbol.name)

    def method(self, path: str, owner: str, method: str, hops: int = 0) -> Symbol | None:
        """The method of a class, looked up in its bases too."""
        module = self.tree.module(path)
        full = f"{owner}.{method}"
        if full in module.functions:
            return Symbol("function", path, full)
        if full in module.values:
            return Symbol("value", path, full)
        return self.inherited(path, owner, method, hops)

    def inherited(self, path: str, owner: str, method: str, hops: int = 0) -> Symbol | None:
        """The method that a class has from its bases."""
        module, missed = self.tree.module(path), (path, (owner, "", method))
        if hops > MAX_HOPS or owner not in module.classes or self._misses.get(missed, MAX_HOPS + 1) <= hops:
            return None
        for base in module.classes[owner].bases:
            found = self.resolve(path, base, hops + 1)
            if found is not None and found.kind == "class" and (found.path, found.name) != (path, owner):
                inherited = self.method(found.path, found.name, method, hops + 1)
                if inherited is not None:
                    return inherited
        self._misses[missed] = hops
        return None

    def _in_module(self, path: str, names: tuple[str, ...], hops: int) -> Symbol | None:
        """What a module has not, it has not for who asks later either, or from as far away."""
        if (known := self._found.get((path, names))) is not None:
            return known
        if hops > MAX_HOPS or self._misses.get((path, names), MAX_HOPS + 1) <= hops:
            return None
        found = self._defined(path, names, hops)
        if found is None:
            self._misses[path, names] = hops
        else:
            self._found[path, names] = found
        return found

    def _defined(self, path: str, names: tuple[str, ...], hops: int) -> Symbol | None:
        module = self.tree.module(path)
        head, rest = names[0], names[1:]
        if head in module.classes:
            return self._in_class(path, head, rest, hops)
        if head in module.functions:
            return Symbol("function", path, head) if not rest else None
        if head in module.imports:
            found = self._absolute((*module.imports[head].split("."), *rest), hops + 1)
            if found is not None or head not in module.values:
                return found
        if head in module.values:
            return self._in_value(path, head, rest, hops) if rest else self._value(path, head, hops)
        return self._starred(module, names, hops + 1)

    def _starred(self, module: Module, names: tuple[str, ...], hops: int) -> Symbol | None:
        """What a module has of a name by ``from m import *``. Only a module has something to give: of an ``m`` that is
        not there (``tensorflow.core.util.event_pb2``, which a build makes) no package above it says more. (Modules that
        import all of several such would ask each other for longer and longer names.)"""
        for star in module.stars:
            parts = tuple(star.split("."))
            if self.tree.path_of(parts) is not None:
                found = self._absolute((*parts, *names), hops)
            elif len(names) == 1 and self.is_generated(star, names[0]):
                found = Symbol("generated", star, names[0])
            else:
                found = self.public((*parts, *names))
            if found is not None:
                return found
        return None

    def _value(self, path: str, head: str, hops: int) -> Symbol:
        """``Convolution2D = Conv2D`` is the class itself; any other value stands for itself."""
        events = self.tree.module(path).values[head].events
        if len(events) == 1 and events[0].kind == "name" and events[0].text != head:
            found = self.resolve(path, events[0].text, hops + 1)
            if found is not None and found.kind != "module":
                return found
        return Symbol("value", path, head)

    def _in_value(self, path: str, head: str, rest: tuple[str, ...], hops: int) -> Symbol | None:
        """``Dataset = DatasetV2``, below an ``if`` maybe: the first class that it is and that has the name; or a
        function of a module that a call makes."""
        for event in self.tree.module(path).values[head].events:
            if event.kind == "call" and len(rest) == 1 and self.is_generated(event.text, rest[0]):
                return Symbol("generated", head, rest[0])
            if event.kind == "name" and event.text != head:
                found = self._in_module(path, (*event.text.split("."), *rest), hops + 1)
                if found is not None:
                    return found
        return None

    def _in_class(self, path: str, owner: str, rest: tuple[str, ...], hops: int) -> Symbol | None:
        if not rest:
            return Symbol("class", path, owner)
        module = self.tree.module(path)
        inner = f"{owner}.{rest[0]}"
        if inner in module.classes:
            return self._in_class(path, inner, rest[1:], hops)
        return self.method(path, owner, rest[0], hops) if len(rest) == 1 else None

    def _absolute(self, names: tuple[str, ...], hops: int) -> Symbol | None:
        if hops > MAX_HOPS:
            return None
        generated = len(names) >= 2 and self.is_generated(".".join(names[:-1]), names[-1])
        if generated and not self._is_file(names[:-1]) and not self._is_file(names[:-2]):
            return Symbol("generated", ".".join(names[:-1]), names[-1])
        for length in range(len(names), 0, -1):
            path = self.tree.path_of(names[:length])
            if path is not None:
                if length == len(names):
                    return self._rebound(names, hops) or Symbol("module", path, "")
                found = self._in_module(path, names[length:], hops + 1)
                if found is None and path.endswith("__init__.py"):
                    found = self._of_package(names, length - 1, hops)
                if found is not None:
                    return found
                break
        return Symbol("generated", ".".join(names[:-1]), names[-1]) if generated else self.public(names)

    def _rebound(self, names: tuple[str, ...], hops: int) -> Symbol | None:
        """What a package makes of the name of a module in it: ``from package.ops import gmm`` in the package is run
        after the module ``package.gmm`` was imported, and a function may be what it gives."""
        package = self.tree.path_of(names[:-1])
        imported = self.tree.module(package).imports.get(names[-1]) if package is not None else None
        if imported is None or imported == ".".join(names):
            return None
        found = self._absolute(tuple(imported.split(".")), hops + 1)
        return found if found is not None and found.kind != "module" else None

    def _of_package(self, names: tuple[str, ...], length: int, hops: int) -> Symbol | None:
        """What a package gives the name of a package in it, where it imports another one of that name: Keras's
        ``backend.numpy`` is ``numpy`` of the backend that is used."""
        path = self.tree.path_of(names[:length])
        other = self._import_of(path, names[length], set()) if path is not None else None
        if other is None or other == ".".join(names[: length + 1]):
            return None
        return self._absolute((*other.split("."), *names[length + 1 :]), hops + 1)

    def _import_of(self, path: str, name: str, seen: set[str]) -> str | None:
        """What a module imports by a name, itself or by ``*``. Each module is looked into once: packages that import
        all of each other would ask each other without an end."""
        seen.add(path)
        module = self.tree.module(path)
        if name in module.imports:
            return module.imports[name]
        for star in module.stars:
            found = self.tree.path_of(tuple(star.split(".")))
            if found is not None and found not in seen and (other := self._import_of(found, name, seen)) is not None:
                return other
        return None

    def _is_file(self, names: tuple[str, ...]) -> bool:
        """Whether a module is a file, not a package: what it has is said in it."""
        path = self.tree.path_of(names)
        return path is not None and not path.endswith("__init__.py")
