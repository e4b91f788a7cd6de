"""What the targets of a graph say of who may see them, for ``graph.visibility``: read from the targets themselves."""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import EnvironmentGroup, OutputFile, PackageGroup, Rule, SourceFile
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.graph.visibility import Group


class WrittenInTargets:
    """Of a graph, which may grow when a package group is asked for."""

    def __init__(self, graph: GraphView) -> None:
        self._graph = graph

    def visibility(self, node: int) -> tuple[tuple[Label | str, ...], bool] | None:
        """The ``items``; None of what nobody is asked about: of no target, of a package group, of a file that nothing
        exports."""
        target = self._graph.target(node)
        if target is None or isinstance(target, PackageGroup | EnvironmentGroup):
            return None
        if isinstance(target, SourceFile) and target.visibility is None:
            return None
        return self.items(target)

    def items(self, target: Rule | SourceFile | OutputFile) -> tuple[tuple[Label | str, ...], bool]:
        """The items of a target's visibility, and whether they are those of its package's default."""
        home = self._graph.packages[target.label.repo, target.label.package]
        written: tuple[Label | str, ...] | None
        if isinstance(target, OutputFile):
            rule = home.targets.get(target.rule.name)
            written = rule.visibility if isinstance(rule, Rule) else None
        else:
            written = target.visibility
        return (home.default_visibility, True) if written is None else (written, False)

    def in_macro(self, node: int) -> bool:
        """Whether a symbolic macro made a target."""
        graph, target = self._graph, self._graph.target(node)
        rule = graph.target(graph.resolve(target.rule)) if isinstance(target, OutputFile) else target
        return isinstance(rule, Rule) and bool(rule.macros)

    def group(self, label: Label) -> Group | None:
        """A package group; None for a label that is none."""
        target = self._graph.target(self._graph.resolve(label))
        return Group(target.packages, target.includes) if isinstance(target, PackageGroup) else None

    def is_hidden(self, label: Label) -> bool:
        """Whether it is not known what a label stands for."""
        return self._graph.kinds[self._graph.resolve(label)] == NodeKind.UNLOADED
