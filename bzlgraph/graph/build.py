"""Packages -> graph: the one mutable graph, which grows by whole packages as questions reach them.

Nodes and edges are numbered rows of compact columns; the edges of a node are one contiguous run, so forward
questions need nothing else. ``graph.index.GraphIndex`` is the frozen form with both directions, for the rest.

Theory of operation: a label named by an edge gets a number at once and is PENDING. When its package is added it becomes
a target or MISSING; when its repository is not on disk, UNLOADED. ``closure`` adds packages wave by wave.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import HIDING_TARGETS, Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import OutputFile, Package, PackageGroup, Rule, SourceFile, Target
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import Edge, EdgeCondition, EdgeFlag, EdgeSpec, Node, NodeKind
from bzlgraph.graph.source import GraphSource

PackageKey = tuple[str, str]
_KINDS: dict[type, NodeKind] = {
    Rule: NodeKind.RULE,
    SourceFile: NodeKind.SOURCE,
    OutputFile: NodeKind.GENERATED,
    PackageGroup: NodeKind.GROUP,
}


class BuildGraph:
    """Targets and their edges, by number. Columns are parallel arrays; ``labels[n]`` is node n."""

    def __init__(self, source: GraphSource | None = None) -> None:
        self.source = source
        self.labels: list[Label] = []
        self.kinds = bytearray()
        self.first_edge = array("i")
        self.edge_count = array("i")
        self.edge_source = array("i")
        self.edge_target = array("i")
        self.edge_attribute = array("i")
        self.edge_condition = array("i")
        self.edge_flags = bytearray()
        self.attributes: list[str] = []
        self.conditions: list[EdgeCondition] = [()]
        self.packages: dict[PackageKey, Package] = {}
        self.absent: dict[PackageKey, NodeKind] = {}
        self.gaps: dict[PackageKey, Gap] = {}
        self.diagnostics: dict[PackageKey, tuple[Diagnostic, ...]] = {}
        self.loaded_files: dict[int, SourceFile] = {}
        self._node_of: dict[Label, int] = {}
        self._attribute_of: dict[str, int] = {}
        self._condition_of: dict[EdgeCondition, int] = {(): 0}
        self._pending: dict[PackageKey, list[int]] = {}
        self._reader = EdgeReader()

    # ------------------------------------------------------------------------------------------------ growing
    def node(self, label: Label) -> int:
        """The number of a label, new ones at the end."""
        number = self._node_of.get(label)
        if number is None:
            number = self._node_of[label] = len(self.labels)
            self.labels.append(label)
            self.first_edge.append(0)
            self.edge_count.append(0)
            key = (label.repo, label.package)
            package = self.packages.get(key)
            kind = self.absent.get(key, NodeKind.PENDING) if package is None else _undeclared(package)
            self.kinds.append(kind)
            if kind is NodeKind.PENDING:
                self._pending.setdefault(key, []).append(number)
        return number

    def add(self, package: Package) -> None:
        """Add a package's targets and edges. Adding it again changes nothing."""
        key = (package.repo, package.name)
        if key in self.packages:
            return
        numbers = [self.node(target.label) for target in package.targets.values()]
        for number, target in zip(numbers, package.targets.values(), strict=True):
            self.kinds[number] = _KINDS[type(target)]
        self.packages[key] = package
        if package.diagnostics:
            self.diagnostics[key] = tuple(package.diagnostics)
        undeclared = _undeclared(package)
        for number in self._pending.pop(key, ()):
            if self.kinds[number] == NodeKind.PENDING:
                self.kinds[number] = undeclared
        for number, target in zip(numbers, package.targets.values(), strict=True):
            self._add_edges(number, self._reader.read(target, package))

    def _add_edges(self, source: int, specs: Iterable[EdgeSpec]) -> None:
        """Append the edges of a target, each once."""
        first = len(self.edge_target)
        attribute_of, node_of = self._attribute_of, self._node_of
        rows: dict[tuple[int, int, int, int], None] = {}
        for attribute, target, condition, flags in specs:
            end = node_of.get(target)
            name = attribute_of.get(attribute)
            rows[
                self.node(target) if end is None else end,
                _intern(attribute, attribute_of, self.attributes) if name is None else name,
                _intern(condition, self._condition_of, self.conditions) if condition else 0,
                flags,
            ] = None
        for end, name, when, flags in rows:
            self.edge_target.append(end)
            self.edge_attribute.append(name)
            self.edge_condition.append(when)
            self.edge_flags.append(flags)
        self.edge_source.extend([source] * len(rows))
        self.first_edge[source] = first
        self.edge_count[source] = len(rows)

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Ask the source for packages and add them; what it cannot give becomes missing or unloaded nodes."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self.packages and key not in self.absent]
        if self.source is None:
            for key in wanted:
                self._mark_absent(key, NodeKind.UNLOADED)
            return
        self.source.prefetch(wanted)
        for key in wanted:
            try:
                package = self.source.package(*key)
            except LoadProblem as problem:
                self.diagnostics[key] = problem.diagnostics
                self._mark_absent(key, NodeKind.MISSING)
                continue
            if package is None:
                self._note_absent_repository(key)
                self._mark_absent(key, NodeKind.UNLOADED)
            else:
                self.add(package)

    def _mark_absent(self, key: PackageKey, kind: NodeKind) -> None:
        self.absent[key] = kind
        for number in self._pending.pop(key, ()):
            self.kinds[number] = kind

    def _note_absent_repository(self, key: PackageKey) -> None:
        repo, package = key
        what = f"@{repo}//{package}" if repo else f"//{package}"
        self.gaps[key] = Gap(GapKind.REPOSITORY.value, what, "its targets and what they depend on")

    def resolve(self, label: Label) -> int:
        """The number of a label whose package has been asked for: it is no longer PENDING."""
        number = self.node(label)
        if self.kinds[number] == NodeKind.PENDING:
            self.load([(label.repo, label.package)])
        return number

    def file_node(self, label: Label, location: Location) -> int:
        """The number of a file that a package loads, a .bzl or its BUILD file: a node also when no rule names it.

        ``location`` is that of the BUILD file that loads it, as Bazel has it.
        """
        number = self.node(label)
        if self.target(number) is None:
            self.loaded_files[number] = SourceFile(label, location, visibility=())
            self.kinds[number] = NodeKind.SOURCE
        return number

    # ---------------------------------------------------------------------------------------------- traversal
    def closure(self, roots: Iterable[int], without: int = 0, depth: int | None = None) -> set[int]:
        """All nodes reached from ``roots`` (themselves included) along edges with none of the flags ``without``.

        Packages are loaded as they are reached; ``depth`` limits the number of steps.
        """
        wave = sorted(set(roots))
        reached = set(wave)
        while wave:
            self._reach(wave)
            if depth is not None:
                if depth == 0:
                    break
                depth -= 1
            found: set[int] = set()
            for number in wave:
                first = self.first_edge[number]
                for edge in range(first, first + self.edge_count[number]):
                    if not self.edge_flags[edge] & without:
                        found.add(self.edge_target[edge])
            found -= reached
            reached |= found
            wave = sorted(found)
        return reached

    def _reach(self, wave: Sequence[int]) -> None:
        """A traversal is about to follow the edges of these nodes: their packages are loaded."""
        pending = [self.labels[number] for number in wave if self.kinds[number] == NodeKind.PENDING]
        if pending:
            self.load((label.repo, label.package) for label in pending)

    def edges_from(self, number: int) -> range:
        """The numbers of the edges that leave a node."""
        return range(self.first_edge[number], self.first_edge[number] + self.edge_count[number])

    # ------------------------------------------------------------------------------------------------ looking
    def __len__(self) -> int:
        return len(self.labels)

    def find(self, label: Label) -> int | None:
        """The number of a label already known, else None."""
        return self._node_of.get(label)

    def target(self, number: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""
        label = self.labels[number]
        package = self.packages.get((label.repo, label.package))
        found = package.targets.get(label.name) if package is not None else None
        return found if found is not None else self.loaded_files.get(number)

    def package_of(self, number: int) -> Package:
        """The package of a node; an empty one for a file of a package that nobody asked for."""
        label = self.labels[number]
        known = self.packages.get((label.repo, label.package))
        return known or Package(label.repo, label.package, Label(label.repo, label.package, "BUILD"))

    def describe(self, number: int) -> Node:
        """A node, looked up."""
        target, kind, label = self.target(number), NodeKind(self.kinds[number]), self.labels[number]
        if target is None:
            return Node(number, label, kind)
        if isinstance(target, Rule):
            made_by = target.generator.function if target.generator is not None else ""
            return Node(number, label, kind, target.rule_class.name, target.location, made_by, target.stack)
        return Node(number, label, kind, "", target.location)

    def kind_words(self, number: int) -> str:
        """``cc_library rule``, ``source file``... as ``--output=label_kind`` prints it."""
        return self.describe(number).kind_words

    def edge(self, number: int) -> Edge:
        """An edge, looked up."""
        return Edge(
            number,
            self.edge_source[number],
            self.edge_target[number],
            self.attributes[self.edge_attribute[number]],
            self.conditions[self.edge_condition[number]],
            EdgeFlag(self.edge_flags[number]),
        )

    def edges_between(self, source: int, target: int, without: int = 0) -> list[Edge]:
        """Every reason why ``source`` names ``target``."""
        return [
            self.edge(edge)
            for edge in self.edges_from(source)
            if self.edge_target[edge] == target and not self.edge_flags[edge] & without
        ]

    # A view of one configuration (config/view.py) answers these differently: a label may be two nodes there.
    def alike(self, numbers: Iterable[int]) -> set[int]:
        """All nodes that have the labels of these."""
        return set(numbers)

    def problems_of(self, numbers: Iterable[int]) -> list[Diagnostic]:
        """What Bazel would refuse about these nodes in this configuration."""
        return []

    def open_conditions(self, numbers: Iterable[int]) -> tuple[Gap, ...]:
        """The conditions that nobody can tell and on which edges of these nodes depend."""
        return ()

    def project(self, numbers: Iterable[int]) -> tuple[BuildGraph, dict[int, int]]:
        """A graph to show these nodes in, one for each label, and the number there of each of them."""
        return self, {number: number for number in numbers}

    def package_diagnostics(self) -> list[Diagnostic]:
        """What is wrong in packages that were loaded; a package that is absent is a problem of whoever names it."""
        return [each for key, found in self.diagnostics.items() if key not in self.absent for each in found]

    def gaps_of(self, numbers: Iterable[int]) -> tuple[Gap, ...]:
        """The gaps that touch these nodes: of the packages they are in, and of repositories that are absent."""
        keys = {(label.repo, label.package) for label in map(self.labels.__getitem__, numbers)}
        found: dict[Gap, None] = {}
        for key in sorted(keys):
            if key in self.gaps:
                found[self.gaps[key]] = None
            package = self.packages.get(key)
            if package is not None:
                found.update(dict.fromkeys(package.gaps))
        return tuple(found)


def build_graph(packages: Iterable[Package]) -> BuildGraph:
    """A graph of exactly these packages; labels into others are unloaded nodes."""
    graph = BuildGraph()
    for package in packages:
        graph.add(package)
    graph.load((label.repo, label.package) for label in list(graph.labels))
    return graph


def _intern(value: Hashable, numbers: dict[Any, int], values: list[Any]) -> int:
    """The number of a value in a table, new ones at the end."""
    number = numbers.get(value)
    if number is None:
        number = numbers[value] = len(values)
        values.append(value)
    return number


def _undeclared(package: Package) -> NodeKind:
    """What a label is that no target of a loaded package answers to: an error, unless a gap may hide the target."""
    hidden = any(gap.kind in HIDING_TARGETS for gap in package.gaps)
    return NodeKind.UNLOADED if hidden else NodeKind.MISSING
