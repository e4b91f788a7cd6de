"""What the questions about modules answer, as data; text, JSON and pictures are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bzlgraph.base.span import Location
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import Edge, ExtensionId, Reason
from bzlgraph.mod.extensions import ExtensionTable, Imports
from bzlgraph.mod.graph import ModuleGraph
from bzlgraph.mod.tree import Tree, TreeOptions
from bzlgraph.workspace.repositories.origin import Origin


class ExtensionInfo(Enum):
    """How much a tree tells of extensions; each value tells what those before it do, too."""

    HIDDEN = "hidden"
    USAGES = "usages"
    REPOS = "repos"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ModOptions:
    """Bazel's options of ``mod``, with Bazel's defaults; modules and extensions as people write them.

    ``extension_filter`` None: no filter, (): the modules that use any extension.
    """

    start: tuple[str, ...] = (str(ROOT),)
    base_module: str = str(ROOT)
    verbose: bool = False
    extension_info: ExtensionInfo = ExtensionInfo.HIDDEN
    extension_filter: tuple[str, ...] | None = None
    extension_usages: tuple[str, ...] = ()
    tree: TreeOptions = TreeOptions()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class Change:
    """A dependency whose version is not the one that was written. ``version`` is the other end of it: the version that
    was written or, seen from a module that lost, the one that holds. ``asked_by``: who wrote the version that holds."""

    version: str
    reason: Reason
    lost: bool
    asked_by: tuple[ModuleKey, ...]


@dataclass(frozen=True)
class ModTree:
    """The modules to show, from the root; ``nothing`` says why there are none. ``extensions``: those that the filter
    leaves."""

    graph: ModuleGraph
    tree: Tree
    extensions: ExtensionTable = field(default_factory=ExtensionTable)
    options: ModOptions = ModOptions()
    nothing: str = ""

    def imports(self, extension: ExtensionId) -> Imports:
        """What the modules that are shown take from an extension."""
        return self.extensions.imports(extension, self.tree)

    def extensions_of(self, key: ModuleKey) -> list[ExtensionId]:
        """The extensions that are shown below a module: those that it takes repositories from."""
        if self.options.extension_info is ExtensionInfo.HIDDEN:
            return []
        used = self.extensions.used_by(key)
        return [each for each in used if self.extensions.usages[each][key].imports]

    def edge(self, key: ModuleKey, parent: ModuleKey | None) -> Edge | None:
        """The ``bazel_dep`` that leads from one module to another."""
        if parent is None:
            return None
        return self.graph.nodes[parent].below(unused=self.options.tree.include_unused, built_in=True).get(key)

    def change(self, key: ModuleKey, parent: ModuleKey | None) -> Change | None:
        """How the version of a dependency was changed, None when it was not."""
        edge = self.edge(key, parent)
        if edge is None or edge.reason is Reason.ORIGINAL or edge.target is None or key == ROOT:
            return None
        node, holds = self.graph.nodes[key], self.graph.nodes[edge.target]
        other = self.graph.nodes[edge.written.key] if node.used else holds
        asked_by = (node if node.used else holds).asked_by
        return Change(other.version, edge.reason, not node.used, asked_by if edge.reason is Reason.SELECTED else ())

    def requests(self, key: ModuleKey) -> list[tuple[ModuleKey, Location | None]]:
        """Who writes this very version of a module, and where."""
        found = self.graph.resolved.asking(key)
        return [(asking, edge.written.location) for asking, edge in found if edge.target is not None]


@dataclass(frozen=True, slots=True)
class ShownRepository:
    """A repository as ``show_repo`` tells it: the rule that makes it, with the values that it was given.

    ``defined_at``: the place where the rule is defined, None for a native one. ``origin``: why the repository is there.
    """

    shown_as: str
    canonical: str
    rule: str
    attributes: Mapping[str, object]
    defined_at: Location | None = None
    origin: Origin | None = None
