"""The Python of a JAX tree: definitions as syntax trees, found by the dotted names that other modules give them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.loading.executors import in_parallel
from bzlgraph.ops.python.resolve import Resolver
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.python.values.inner_names import own_imports
from bzlgraph.python_source.syntax import definitions, flattened, parse_any
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, or what a module-level name is assigned."""

    path: str
    name: str
    node: ast.FunctionDef | ast.Lambda | ast.expr
    line: int


@dataclass(slots=True)
class PythonCode:
    """``tree`` finds modules and what their names stand for; whole syntax trees are kept for those that are read."""

    tree: PythonTree
    resolver: Resolver
    _bodies: dict[str, list[ast.stmt]] = field(default_factory=dict)
    _named: dict[str, dict[str, Definition]] = field(default_factory=dict)

    def body(self, path: str) -> list[ast.stmt]:
        """The statements of a module; none when it cannot be read (the tree has the gap)."""
        if path not in self._bodies:
            readable = not self.tree.module(path).problem
            self._bodies[path] = self.within(path, lambda: self._parsed(path)) if readable else []
        return self._bodies[path]

    def _parsed(self, path: str) -> list[ast.stmt]:
        """Names are those of what was read before (``read_module``)."""
        body = parse_any(self.tree.bytes_of(path)).body
        own_imports(body, path.split("/")[:-1])
        return body

    def within(self, path: str, work: Callable[[], Iterable[T]]) -> list[T]:
        """What work on a module gives; nothing, and a gap, where it takes more than any file needs."""
        try:
            with reading():
                return list(work())
        except OverBudget as problem:
            self.tree.gaps[path] = Gap(GapKind.FILE.value, path, f"not read to its end: {problem}")
            return []

    def within_each(self, works: Sequence[tuple[str, Callable[[], Iterable[T]]]]) -> list[list[T]]:
        """``within`` of each (module, work), in order, on all cores: what is made travels between processes."""
        gaps = self.tree.gaps

        def run(number: int) -> tuple[list[T], dict[str, Gap]]:
            before = set(gaps)
            return self.within(*works[number]), {path: gap for path, gap in gaps.items() if path not in before}

        made: list[list[T]] = []
        for found, fresh in in_parallel(run, range(len(works)), self.tree.jobs):
            made.append(found)
            for path, gap in fresh.items():
                gaps.setdefault(path, gap)
        return made

    def definition(self, path: str, name: str) -> Definition | None:
        """What a dotted name stands for where it is written; None for what is no definition of this tree."""
        found = self.resolver.resolve(path, name)
        return self.at(found.path, found.name) if found is not None else None

    def definitions(self, path: str) -> Iterator[Definition]:
        """The functions, values and methods of a module, those below ``if`` and ``try`` included."""
        for name, statement in definitions(self.body(path)):
            for each in flattened(statement.body) if isinstance(statement, ast.ClassDef) else ():
                if isinstance(each, ast.FunctionDef):
                    yield Definition(path, f"{name}.{each.name}", each, each.lineno)
            node = statement if isinstance(statement, ast.FunctionDef) else getattr(statement, "value", None)
            if node is not None:
                yield Definition(path, name, node, statement.lineno)

    def at(self, path: str, name: str) -> Definition | None:
        """The definition of that name in a module itself."""
        if path not in self._named:
            self._named[path] = {each.name: each for each in self.definitions(path)}
        return self._named[path].get(name)


def open_code(source: Source, folder: Path | None, jobs: int = 0, roots: tuple[str, ...] = ("",)) -> PythonCode:
    """The Python of a tree; ``folder`` is the cache's; ``jobs`` and ``roots``: see ``PythonTree``."""
    tree = PythonTree(source, folder, jobs=jobs, roots=roots)
    return PythonCode(tree, Resolver(tree, lambda _module, _name: False))
