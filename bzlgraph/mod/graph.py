"""The module graph as ``bazel mod`` sees it: the modules that are used, those that lost, and what led from one to the
other.

``module_graph(ResolvedModules)`` -> ``ModuleGraph``. A dependency whose version was changed leads to two modules: the
one that is used and, seen with ``--include_unused``, the one that was written. Mirrors
``BazelModuleInspectorFunction.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import Edge, Reason, ResolvedModule, ResolvedModules
from bzlgraph.bzlmod.version import VersionKey, version_key

BUILT_IN = frozenset({ModuleKey("bazel_tools", ""), ModuleKey("local_config_platform", "")})
"""The modules that everybody depends on: left out unless they are asked for."""


def sort_key(key: ModuleKey) -> tuple[str, VersionKey]:
    """Modules are listed by name, then by version."""
    return key.name, version_key(key.version)


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """A module. ``dependencies`` are those that hold, ``replaced`` those that were written and lost, each by module.

    ``asked_by``: the modules that write this very version. ``file_known``: whether its MODULE.bazel was read.
    """

    key: ModuleKey
    name: str
    version: str
    repo_name: str = ""
    used: bool = True
    file_known: bool = False
    dependencies: Mapping[ModuleKey, Edge] = field(default_factory=dict)
    replaced: Mapping[ModuleKey, Edge] = field(default_factory=dict)
    asked_by: tuple[ModuleKey, ...] = ()

    def below(self, *, unused: bool, built_in: bool) -> dict[ModuleKey, Edge]:
        """The modules it depends on, in order; with ``unused`` those that lost too, without ``built_in`` not those."""
        all_of_them = {**self.dependencies, **(self.replaced if unused else {})}
        shown = (key for key in all_of_them if built_in or key not in BUILT_IN)
        return {key: all_of_them[key] for key in sorted(shown, key=sort_key)}


@dataclass(frozen=True)
class ModuleGraph:
    """All modules by key, and the resolution that they come from."""

    nodes: Mapping[ModuleKey, ModuleNode]
    resolved: ResolvedModules

    def versions(self, name: str) -> list[ModuleNode]:
        """The modules of a name."""
        return [node for node in self.nodes.values() if node.name == name]

    def canonical(self, key: ModuleKey) -> str | None:
        """The canonical name of a module's repository; None for one that was not read."""
        module = self.resolved.modules.get(key) or self.resolved.unused.get(key)
        return module.canonical if module is not None else None


def module_graph(resolved: ResolvedModules) -> ModuleGraph:
    """The graph of the modules that were resolved."""
    read = {**resolved.unused, **resolved.modules}
    asked_by: dict[ModuleKey, dict[ModuleKey, None]] = {}
    for module in (*resolved.modules.values(), *resolved.unused.values()):
        for edge in _visible(module.edges):
            asked_by.setdefault(edge.written.key, {})[module.key] = None
    nodes = {key: _node(module, key in resolved.modules, asked_by.get(key, ())) for key, module in read.items()}
    for key in _mentioned(read.values()):
        if key not in nodes:
            nodes[key] = ModuleNode(key, key.name, key.version, used=False, asked_by=tuple(asked_by.get(key, ())))
    return ModuleGraph(nodes, resolved)


def _node(module: ResolvedModule, used: bool, asked_by: Iterable[ModuleKey]) -> ModuleNode:
    edges = _visible(module.edges)
    file = module.file
    return ModuleNode(
        module.key,
        file.name if file is not None and module.key == ROOT else module.key.name,
        file.version if file is not None else module.key.version,
        file.repo_name if file is not None else "",
        used,
        file is not None,
        {edge.target: edge for edge in edges if edge.target is not None},
        {edge.written.key: edge for edge in edges if edge.reason is not Reason.ORIGINAL},
        tuple(asked_by),
    )


def _visible(edges: Iterable[Edge]) -> list[Edge]:
    """Without what only asks for a version."""
    return [edge for edge in edges if edge.target is not None]


def _mentioned(modules: Iterable[ResolvedModule]) -> Iterator[ModuleKey]:
    for module in modules:
        for edge in _visible(module.edges):
            yield edge.written.key
            if edge.target is not None:
                yield edge.target
