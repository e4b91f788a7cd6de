"""Packages -> graph: the one mutable graph, which grows by whole packages as questions reach them.

Theory of operation: a label named by an edge gets a number at once and is PENDING. When its package is added it becomes
a target or MISSING; when its repository is not on disk, UNLOADED. ``closure`` adds packages wave by wave.
``graph.index.GraphIndex`` is the frozen form with both directions, for questions that need them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import HIDING_TARGETS, Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Package, Rule, RuleClass, SourceFile, Target
from bzlgraph.graph.columns import EdgeColumns, EdgeRow
from bzlgraph.graph.edges import UNKNOWN_CLASS, EdgeReader
from bzlgraph.graph.given import GraphSource, PackageKey
from bzlgraph.graph.model import EdgeSpec, NodeKind
from bzlgraph.graph.stored import KINDS, PackageEdges, StoredTargets
from bzlgraph.graph.view import GraphView

_new = tuple.__new__
"""What ``Label(...)`` does, for a million."""


class BuildGraph(GraphView):
    """Targets and their edges in no configuration: all branches of every select() count."""

    columns: EdgeColumns

    def __init__(self, source: GraphSource | None = None) -> None:
        self.columns = EdgeColumns()
        self.source = source
        self.packages: dict[PackageKey, Package] = {}
        self.absent: dict[PackageKey, NodeKind] = {}
        self.diagnostics: dict[PackageKey, tuple[Diagnostic, ...]] = {}
        self.repository_gaps: dict[PackageKey, Gap] = {}
        self.loaded_files: dict[int, SourceFile] = {}
        """The nodes of files that packages load, and that no package need declare."""
        self.companions: dict[PackageKey, set[PackageKey]] = {}
        """By package: others that were looked into for its edges, whether or not they were added."""
        self._node_of: dict[Label, int] = {}
        self._pending: dict[PackageKey, list[int]] = {}
        self._homes: dict[PackageKey, PackageKey] = {}
        """One object of each, so that labels share the names of their packages."""
        self._reader = EdgeReader(self._class_of)
        self._reading: PackageKey = ("", "")

    @property
    def configuration(self) -> None:
        """None: it is not seen in one."""

    def toolchains_of(self, _node: int, /) -> tuple[()]:
        """None: which toolchains a target gets is decided in a configuration."""
        return ()

    # ------------------------------------------------------------------------------------------------ growing
    def node(self, label: Label) -> int:
        """The node of a label, new ones at the end."""
        node = self._node_of.get(label)
        if node is None:
            key = (label.repo, label.package)
            package = self.packages.get(key)
            kind = self.absent.get(key, NodeKind.PENDING) if package is None else undeclared_kind(package)
            node = self._node_of[label] = self.columns.add_node(label, kind)
            if kind is NodeKind.PENDING:
                self._pending.setdefault(key, []).append(node)
        return node

    def add(self, package: Package) -> None:
        """Add a package's targets and edges. Adding it again changes nothing."""
        key = (package.repo, package.name)
        if key in self.packages:
            return
        stored = package.targets if isinstance(package.targets, StoredTargets) else None
        edges = stored.edges() if stored is not None else None
        if stored is not None and edges is not None:
            nodes = self._own_nodes(package, stored)
        else:
            nodes = [self.node(target.label) for target in package.targets.values()]
            for node, target in zip(nodes, package.targets.values(), strict=True):
                self.columns.kinds[node] = KINDS[type(target)]
        self.packages[key] = package
        if package.diagnostics:
            self.diagnostics[key] = tuple(package.diagnostics)
        self._settle(key, undeclared_kind(package))
        if edges is not None:
            self._add_stored(nodes, edges)
            return
        self._reading = key
        for node, target in zip(nodes, package.targets.values(), strict=True):
            self.columns.add_edges(node, self._rows(self._reader.read(target, package)))

    def _own_nodes(self, package: Package, targets: StoredTargets) -> list[int]:
        """The nodes of a package's targets, whose kinds are set."""
        repo, name, kinds, nodes = package.repo, package.name, self.columns.kinds, list[int]()
        node_of, first, fresh, of_fresh = self._node_of, len(self.columns), list[Label](), bytearray()
        for target, kind in zip(targets, targets.kinds, strict=True):
            label = _new(Label, (repo, name, target))
            node = node_of.get(label)
            if node is None:
                node = node_of[label] = first + len(fresh)
                fresh.append(label)
                of_fresh.append(kind)
            else:
                kinds[node] = kind
            nodes.append(node)
        self.columns.add_nodes(fresh, of_fresh)
        return nodes

    def _add_stored(self, nodes: list[int], edges: PackageEdges) -> None:
        """Add the edges of a package's targets, which are these nodes."""
        columns, node_of, known = self.columns, self._node_of, self._homes
        homes = [known.setdefault(home, home) for home in edges.homes]
        for home, name in edges.others:
            label = _new(Label, (*homes[home], name))
            end = node_of.get(label)
            nodes.append(self.node(label) if end is None else end)
        attributes = [columns.attributes.intern(each) for each in edges.attributes]
        conditions = [columns.conditions.intern(each) for each in edges.conditions]
        *numbers, flags = (array(kind, column) for kind, column in zip("iiiH", edges.columns, strict=True))
        tables = zip((nodes, attributes, conditions), numbers, strict=True)
        ends, names, when = (map(table.__getitem__, column) for table, column in tables)
        columns.add_edge_columns(nodes, array("i", edges.counts), ends, names, when, flags)

    def _rows(self, specs: Iterable[EdgeSpec]) -> dict[EdgeRow, None]:
        """The edges of a target as rows, each once."""
        attributes, conditions, node_of = self.columns.attributes, self.columns.conditions, self._node_of
        attribute_numbers = attributes.numbers
        rows: dict[EdgeRow, None] = {}
        for attribute, target, condition, flags in specs:  # half a million in a large tree: look up, then call
            end = node_of.get(target)
            name = attribute_numbers.get(attribute)
            rows[
                self.node(target) if end is None else end,
                attributes.intern(attribute) if name is None else name,
                conditions.intern(condition) if condition else 0,
                flags,
            ] = None
        return rows

    def _class_of(self, label: Label) -> RuleClass | None:
        """The class of a rule, UNKNOWN_CLASS for what may be one. Its package is not added: nobody asked for it."""
        key = (label.repo, label.package)
        self.companions.setdefault(self._reading, set()).add(key)
        package = self.packages.get(key)
        if package is None and self.source is not None:
            try:
                package = self.source.package(*key)
            except LoadProblem:
                return None
        target = package.targets.get(label.name) if package is not None else None
        if isinstance(target, Rule):
            return target.rule_class
        is_known = package is not None and (target is not None or undeclared_kind(package) is not NodeKind.UNLOADED)
        return None if is_known else UNKNOWN_CLASS

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Ask the source for packages and add them; what it cannot give becomes missing or unloaded nodes."""
        for _ in self.load_in_turn(key for key in keys if key not in self.packages and key not in self.absent):
            pass

    def load_in_turn(self, keys: Iterable[PackageKey]) -> Iterator[PackageKey]:
        """The same; each, in order, once it is there: others are evaluated while somebody works on it. A list of keys
        may grow meanwhile."""
        for key in keys if self.source is None else self.source.in_turn(keys):
            if key not in self.packages and key not in self.absent:
                self._load(key)
            yield key

    def closure(self, roots: Iterable[int], excluded_flags: int = 0, depth: int | None = None) -> set[int]:
        """As of every graph. Where no depth limits it, what is behind a package is asked for as soon as it is there:
        no step waits for the largest package of the one before."""
        if depth is not None:
            return super().closure(roots, excluded_flags, depth)
        columns, wanted, waiting = self.columns, list[PackageKey](), dict[PackageKey, list[int]]()
        reached = set(roots)

        def follow(nodes: list[int]) -> None:
            for node in nodes:  # they become more
                if columns.kinds[node] == NodeKind.PENDING:
                    label = columns.labels[node]
                    key = (label.repo, label.package)
                    if key not in waiting:
                        wanted.append(key)
                    waiting.setdefault(key, []).append(node)
                    continue
                for edge in columns.edges_of(node):
                    end = columns.edge_target[edge]
                    if end not in reached and not columns.edge_flags[edge] & excluded_flags:
                        reached.add(end)
                        nodes.append(end)

        follow(sorted(reached))
        for key in self.load_in_turn(wanted):
            follow(waiting.pop(key))
        return reached

    def _load(self, key: PackageKey) -> None:
        """Add a package that the source may have."""
        if self.source is None:
            self._mark_absent(key, NodeKind.UNLOADED)
            return
        try:
            package = self.source.package(*key)
        except LoadProblem as problem:
            self.diagnostics[key] = problem.diagnostics
            self._mark_absent(key, NodeKind.MISSING)
            return
        if package is None:
            self._note_absent_repository(key)
            self._mark_absent(key, NodeKind.UNLOADED)
        else:
            self.add(package)

    def _mark_absent(self, key: PackageKey, kind: NodeKind) -> None:
        self.absent[key] = kind
        self._settle(key, kind)

    def _settle(self, key: PackageKey, kind: NodeKind) -> None:
        """The nodes that waited for a package, and are not among its targets, become this."""
        kinds = self.columns.kinds
        for node in self._pending.pop(key, ()):
            if kinds[node] == NodeKind.PENDING:
                kinds[node] = kind

    def _note_absent_repository(self, key: PackageKey) -> None:
        assert self.source is not None  # somebody said that it is absent
        self.repository_gaps[key] = self.source.absent(*key)

    def file_node(self, label: Label, location: Location) -> int:
        """The node of a file that a package loads, a .bzl or its BUILD file, also when no rule names it.

        ``location`` is that of the BUILD file that loads it, as Bazel has it.
        """
        node = self.node(label)
        if self.target(node) is None:
            self.loaded_files[node] = SourceFile(label, location, visibility=())
            self.columns.kinds[node] = NodeKind.SOURCE
        return node

    # ------------------------------------------------------------------------------------------------ looking
    def find(self, label: Label) -> int | None:
        """The node of a label already known, else None."""
        return self._node_of.get(label)

    def target(self, node: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""
        label = self.columns.labels[node]
        package = self.packages.get((label.repo, label.package))
        found = package.targets.get(label.name) if package is not None else None
        return found if found is not None else self.loaded_files.get(node)


def undeclared_kind(package: Package) -> NodeKind:
    """What a label is that no target of a loaded package answers to: an error, unless a gap may hide the target."""
    hidden = any(gap.kind in HIDING_TARGETS for gap in (*package.gaps, *package.hiding))
    return NodeKind.UNLOADED if hidden else NodeKind.MISSING
