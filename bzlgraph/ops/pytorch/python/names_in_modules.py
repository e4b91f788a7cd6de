"""Where the names in PyTorch's Python are defined, through re-exports, and the classes that classes are derived from.

a dotted name -> the module of the tree and the name in it; each file is read once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bzlgraph.ops.pytorch.python.modules import (
    Module,
    Place,
    definition_of,
    made_by_constructor,
    module_of,
    order_of,
    registered_tensors,
)
from bzlgraph.ops.pytorch.python.tensor_values import dotted_parts
from bzlgraph.python_source.syntax import parse_any
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

MAX_EXPORTS = 60
"""Re-exports that are followed for one name."""


class NamesInModules:
    """The modules of a tree. ``broken`` collects (file, line, message) of those that could not be read."""

    def __init__(self, files: Source) -> None:
        self._files = files
        self._modules: dict[str, Module | None] = {}
        self._misses: dict[tuple[str, ...], int] = {}
        self.broken: list[tuple[str, int, str]] = []

    def module(self, name: str) -> Module | None:
        """The module of a dotted name, None where the tree has none that can be read."""
        if name not in self._modules:
            base = name.replace(".", "/")
            paths = (f"{base}.py", f"{base}/__init__.py")
            path = next((each for each in paths if self._files.is_file(each)), None)
            self._modules[name] = self._read(name, path) if path is not None else None
        return self._modules[name]

    def _read(self, name: str, path: str) -> Module | None:
        try:
            with reading():
                return module_of(name, path, parse_any(self._files.read(path)).body)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget) as error:
            self.broken.append((path, getattr(error, "lineno", None) or 1, str(error)))
            return None

    def locate(self, name: str, seen: int = 0) -> Place | None:
        """The module and the name in it that a dotted name stands for; re-exports followed."""
        parts = name.split(".")
        for size in range(len(parts) - 1, 0, -1):
            module = self.module(".".join(parts[:size]))
            if module is not None:
                return self._in_module(module, parts[size:], seen)
        return None

    def _in_module(self, module: Module, rest: list[str], seen: int) -> Place | None:
        if rest[0] in module.definitions:
            return module, ".".join(rest)
        missed = (module.name, *rest)
        if seen > MAX_EXPORTS or self._misses.get(missed, MAX_EXPORTS + 1) <= seen:
            return None
        found = self._elsewhere(module, rest, seen)
        if found is None:
            self._misses[missed] = seen  # for who asks later, or from as far away, too
        return found

    def _elsewhere(self, module: Module, rest: list[str], seen: int) -> Place | None:
        if rest[0] in module.imports:
            return self.locate(".".join([module.imports[rest[0]], *rest[1:]]), seen + 1)
        for star in module.stars:
            below = self.module(star)
            if below is not None and below is not module:
                found = self._in_module(below, rest, seen + 1)
                if found is not None:
                    return found
        return None

    def order(self, module: Module, name: str) -> Iterator[Place]:
        """A class of a module and those that it is derived from, in the order in which Python looks into them."""
        order = order_of((module.name, name), self._bases)
        return ((found, each) for full, each in order if (found := self.module(full)) is not None)

    def _bases(self, of: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that a class (its module, its name) is derived from, as far as they stand in the tree."""
        module = self.module(of[0])
        node = definition_of(module, of[1]) if module is not None else None
        if module is None or not isinstance(node, ast.ClassDef):
            return []
        places = (self.class_at(dotted_parts(base, set()), module) for base in node.bases)
        return [(place[0].name, place[1]) for place in places if place is not None]

    def class_at(self, parts: Sequence[str], module: Module) -> Place | None:
        """The class that a dotted name stands for at the top of a module."""
        target = module.imports.get(parts[0]) if parts else None
        place = self.locate(".".join([target, *parts[1:]])) if target else (module, ".".join(parts))
        return place if place is not None and isinstance(definition_of(*place), ast.ClassDef) else None

    def part(self, module: Module, owner: str, attribute: str) -> Place | None:
        """The class of a module that the constructor of a class keeps: ``self.norm1 = LayerNorm(...)``."""
        made = {tuple(parts) for parts in made_by_constructor(definition_of(module, owner), attribute)}
        return self.class_at(made.pop(), module) if len(made) == 1 else None

    def keeps_tensor(self, module: Module, owner: str, attribute: str) -> bool:
        """Whether an attribute of a class is a buffer or a parameter that it or one above registers."""
        return any(attribute in registered_tensors(definition_of(*place)) for place in self.order(module, owner))
