"""What questions are asked of: nodes and edges by number, in whatever way they are kept.

``BuildGraph`` grows by packages; a view of one configuration (config/configured) keeps those of its edges that hold; a
kept graph is mapped from a file (snapshot/evaluation). Each has its ``Columns`` and says what is special about it; what
follows from the columns alone is written here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.model import Package, Rule, RuleClass, Target
from bzlgraph.graph.columns import Columns
from bzlgraph.graph.given import ChosenConfiguration, GraphSource, PackageKey
from bzlgraph.graph.index import GraphIndex, index
from bzlgraph.graph.model import KIND_WORDS, Edge, EdgeFlag, Making, Node, NodeKind
from bzlgraph.graph.stored import call_of, class_of, has_selects_in


class GraphView(Protocol):
    """Targets and their edges. A label is one node, or two where it is built for two machines."""

    columns: Columns
    source: GraphSource | None
    packages: Mapping[PackageKey, Package]
    absent: Mapping[PackageKey, NodeKind]
    """Packages that were asked for and are not there, and what their labels are therefore."""
    diagnostics: Mapping[PackageKey, tuple[Diagnostic, ...]]
    repository_gaps: Mapping[PackageKey, Gap]

    # ------------------------------------------------------------------------------- what a kind of graph answers
    @property
    def configuration(self) -> ChosenConfiguration | None:
        """The configuration it is seen in, None when every branch of a select() counts."""

    def node(self, label: Label) -> int:
        """The node of a label, new ones at the end."""

    def find(self, label: Label) -> int | None:
        """The node of a label already known, else None."""

    def target(self, node: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Add packages; what is not there becomes missing or unloaded nodes."""

    def file_node(self, label: Label, location: Location) -> int:
        """The node of a file that a package loads, a .bzl or its BUILD file, also when no rule names it.

        ``location`` is that of the BUILD file that loads it, as Bazel has it.
        """

    # -------------------------------------------- the same without a configuration, when a label is one node
    def reach(self, wave: Sequence[int]) -> None:
        """Make sure that the edges of these nodes are known."""
        self.load_pending(wave)

    def edges_from(self, node: int) -> range:
        """The numbers of the edges that leave a node; none before its package is loaded."""
        return self.columns.edges_of(node)

    def same_label(self, nodes: Iterable[int]) -> set[int]:
        """All nodes that have the labels of these."""
        return set(nodes)

    def count_labels(self, nodes: Iterable[int]) -> int:
        """How many labels nodes have."""
        return len(set(nodes))

    def one_per_label(self, nodes: Sequence[int]) -> tuple[GraphView, tuple[int, ...]]:
        """A graph to show an answer in, where each label is one node, and the nodes of the answer there, in order."""
        return self, tuple(nodes)

    def possible_value(self, node: int, value: object) -> tuple[object, tuple[Gap, ...]]:
        """The value of an attribute of this node without the branches that are not taken, and what decides the rest
        and is not known."""
        return value, ()

    def problems_of(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """What Bazel would refuse about these nodes in this configuration (what it refuses while loading is a
        diagnostic of a package)."""
        return []

    def refused_behind(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """What an analysis of these nodes refuses in this configuration, in the packages that are loaded, though no
        edge was followed: cycles, and selects that cannot be resolved. The graph may grow."""
        return []

    def gaps_of(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        """What is not known and touches these nodes."""
        return self.package_gaps_of(nodes)

    def named_labels(self) -> set[Label]:
        """The labels that edges lead to, as far as they are known, in every configuration."""
        return set(map(self.columns.labels.__getitem__, set(self.columns.edge_target)))

    # ----------------------------------------------------------------------------------- what follows from that
    @property
    def labels(self) -> Sequence[Label]:
        """The label of each node."""
        return self.columns.labels

    @property
    def kinds(self) -> Sequence[int]:
        """The ``NodeKind`` of each node."""
        return self.columns.kinds

    def __len__(self) -> int:
        return len(self.columns)

    def by_label(self, nodes: Iterable[int]) -> list[int]:
        """Nodes in the order of their labels."""
        return sorted(nodes, key=self.columns.labels.__getitem__)

    def resolve(self, label: Label) -> int:
        """The node of a label whose package has been asked for: it is no longer PENDING."""
        node = self.node(label)
        if self.columns.kinds[node] == NodeKind.PENDING:
            self.load([(label.repo, label.package)])
        return node

    def missing_of(self, nodes: Iterable[int]) -> set[int]:
        """Those that are labels only: a package was loaded that has no such target."""
        kinds = self.columns.kinds
        return {node for node in nodes if kinds[node] == NodeKind.MISSING}

    def missing_among(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """Why each MISSING node among these does not exist, in Bazel's words, by label, and where the first of these
        is declared, by label, that names it.

        One that these nodes name only in arguments of what is unknown may never have been meant as a label: that it
        is not there is no fault, and the gap of the unknown rule tells of it.
        """
        among = list(nodes)
        missing = self.missing_of(among)
        labels, found = self.columns.labels, list[Diagnostic]()
        users = self._users_among(among, missing) if missing else {}
        for node in sorted(missing, key=labels.__getitem__):
            flags = {each for each, _ in users[node]}
            if not flags or not all(each & EdgeFlag.POSSIBLE for each in flags):
                naming = (user for each, user in users[node] if not each & EdgeFlag.OUTPUT)
                found.append(self._missing(node, min(naming, key=labels.__getitem__, default=None)))
        return found

    def _users_among(self, nodes: Iterable[int], ends: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """What of the nodes names each of ``ends``, behind the flags of the edge."""
        found: dict[int, list[tuple[int, int]]] = {end: [] for end in ends}
        target, flags = self.columns.edge_target, self.columns.edge_flags
        for node in nodes:
            for edge in self.edges_from(node):
                if (listed := found.get(target[edge])) is not None:
                    listed.append((flags[edge], node))
        return found

    def _missing(self, node: int, user: int | None) -> Diagnostic:
        label, where = self.columns.labels[node], self.describe(user).location if user is not None else None
        package = self.packages.get((label.repo, label.package))
        if package is None:
            known = self.diagnostics.get((label.repo, label.package))
            reason = known[0].message if known else f"no such package '{label.package_label}': BUILD file not found"
            return Diagnostic(f"{label}: {reason}", where, hint=known[0].hint if known else None)
        message = f"no such target '{label}': target '{label.name}' not declared in package '{label.package}'"
        return Diagnostic(message, where, hint="the package has errors before it" if package.broken else None)

    def load_pending(self, nodes: Iterable[int]) -> None:
        """Load the packages of those of these nodes that wait for theirs."""
        columns = self.columns
        pending = [columns.labels[node] for node in nodes if columns.kinds[node] == NodeKind.PENDING]
        if pending:
            self.load((label.repo, label.package) for label in pending)

    def whole(self) -> GraphView:
        """Itself: who needs less takes a graph that may know no more than that (``why.path_graph.WhyGraph``)."""
        return self

    def closure(self, roots: Iterable[int], excluded_flags: int = 0, depth: int | None = None) -> set[int]:
        """All nodes reached from ``roots`` (themselves included) along edges with none of the flags excluded.

        Packages are loaded as they are reached; ``depth`` limits the number of steps. Without a configuration what an
        aspect brings is two steps away, as in Bazel: one to the target that the aspect is applied to, and one from it.
        """
        edges_of, edge_target, edge_flags = self.columns.edges_of, self.columns.edge_target, self.columns.edge_flags
        delayed = int(EdgeFlag.ASPECT) if depth is not None and self.configuration is None else 0
        wave = sorted(set(roots))
        reached, late, skipped = set(wave), set[int](), excluded_flags | delayed
        while wave or late:
            self.reach(wave)
            if depth is not None:
                if depth == 0:
                    break
                depth -= 1
            fresh, late = late, self._ends_with(delayed, wave, excluded_flags) if delayed else set()
            for node in wave:
                for edge in edges_of(node):
                    if not edge_flags[edge] & skipped:
                        fresh.add(edge_target[edge])
            fresh -= reached
            reached |= fresh
            wave = sorted(fresh)
        return reached

    def loaded_closure(self, roots: Iterable[int]) -> set[int]:
        """All nodes reached from ``roots``, themselves included, as far as edges are known already."""
        columns = self.columns
        wave = set(roots)
        reached = set(wave)
        while wave:
            wave = {columns.edge_target[edge] for node in wave for edge in columns.edges_of(node)} - reached
            reached |= wave
        return reached

    def _ends_with(self, flag: int, nodes: Iterable[int], excluded_flags: int) -> set[int]:
        """Where the edges of nodes lead that have a flag, and none of those excluded."""
        columns = self.columns
        edges = (edge for node in nodes for edge in columns.edges_of(node))
        return {
            columns.edge_target[edge] for edge in edges if columns.edge_flags[edge] & (flag | excluded_flags) == flag
        }

    def depth(self, node: int) -> int:
        """How many folders deep the package of a node lies."""
        package = self.columns.labels[node].package
        return package.count("/") + 1 if package else 0

    def package_of(self, node: int) -> Package:
        """The package of a node; an empty one for a file of a package that nobody asked for."""
        label = self.labels[node]
        known = self.packages.get((label.repo, label.package))
        return known or Package(label.repo, label.package, Label(label.repo, label.package, "BUILD"))

    def describe(self, node: int) -> Node:
        """A node, looked up."""
        target, kind, label = self.target(node), NodeKind(self.kinds[node]), self.labels[node]
        if target is None:
            return Node(node, label, kind)
        if isinstance(target, Rule):
            made_by = target.generator.function if target.generator is not None else ""
            return Node(node, label, kind, target.rule_class.name, target.location, made_by, target.stack)
        return Node(node, label, kind, "", target.location)

    def making(self, node: int) -> Making | None:
        """How a rule is made, None for all that is none. Reads no target that was not read yet."""
        rule_class = self.rule_class(node)
        if rule_class is None:
            return None
        label = self.columns.labels[node]
        call = call_of(self.packages[label.repo, label.package].targets, label.name)
        return Making(rule_class.name, rule_class.bzl, call)

    def has_selects(self, node: int) -> bool:
        """Whether a value of a rule depends on the configuration. Reads no target that was not read yet."""
        if self.columns.kinds[node] != NodeKind.RULE:
            return False
        label = self.columns.labels[node]
        package = self.packages.get((label.repo, label.package))
        return package is not None and has_selects_in(package.targets, label.name)

    def rule_class(self, node: int) -> RuleClass | None:
        """The class of a rule, None for all that is none. Reads no target that was not read yet."""
        if self.columns.kinds[node] != NodeKind.RULE:
            return None
        label = self.columns.labels[node]
        return class_of(self.packages[label.repo, label.package].targets, label.name)

    def class_name(self, node: int) -> str:
        """The name of a rule's class, "" for all that is none. Reads no target that was not read yet."""
        rule_class = self.rule_class(node)
        return "" if rule_class is None else rule_class.name

    def definition(self, node: int, attribute: str) -> tuple[Label | None, Location | None]:
        """The file that defines the class of a rule, and the place of an attribute there, as far as they are known."""
        known = self.rule_class(node)
        return (None, None) if known is None else (known.bzl, known.defined_at(attribute))

    def kind_words(self, node: int) -> str:
        """``cc_library rule``, ``source file``..."""
        rule_class = self.rule_class(node)
        return KIND_WORDS[NodeKind(self.columns.kinds[node])] if rule_class is None else f"{rule_class.name} rule"

    def edge(self, number: int) -> Edge:
        """An edge, looked up."""
        columns = self.columns
        return Edge(
            number,
            columns.edge_source[number],
            columns.edge_target[number],
            columns.attributes[columns.edge_attribute[number]],
            columns.conditions[columns.edge_condition[number]],
            EdgeFlag(columns.edge_flags[number]),
        )

    def ends_of(self, node: int, excluded_flags: int = 0) -> set[int]:
        """What a node names through edges with none of the flags excluded."""
        ends, flags = self.columns.edge_target, self.columns.edge_flags
        return {ends[edge] for edge in self.edges_from(node) if not flags[edge] & excluded_flags}

    def edges_to(self, node: int) -> list[int]:
        """The numbers of the edges that lead to a node, as far as they are known."""
        return [edge for edge, end in enumerate(self.columns.edge_target) if end == node]

    def index(self, excluded_flags: int = 0) -> GraphIndex:
        """The graph against its direction, as it is now, along edges with none of the flags excluded."""
        return index(self.columns, excluded_flags)

    def declared(self, key: PackageKey) -> Iterable[int]:
        """The nodes that a package declares, which is loaded."""
        return [self.node(Label(*key, name)) for name in self.packages[key].targets]

    def attribute_of(self, edge: int) -> str:
        """The attribute that gives an edge."""
        return self.columns.attributes[self.columns.edge_attribute[edge]]

    def edges_by_end(self, source: int, excluded_flags: int) -> dict[int, list[int]]:
        """What a node names, with the numbers of the edges that are the reasons."""
        ends, flags = self.columns.edge_target, self.columns.edge_flags
        found: dict[int, list[int]] = {}
        for edge in self.edges_from(source):
            if not flags[edge] & excluded_flags:
                found.setdefault(ends[edge], []).append(edge)
        return found

    def edges_between(self, source: int, target: int, excluded_flags: int = 0) -> list[Edge]:
        """Every reason why ``source`` names ``target``."""
        columns = self.columns
        return [
            self.edge(edge)
            for edge in self.edges_from(source)
            if columns.edge_target[edge] == target and not columns.edge_flags[edge] & excluded_flags
        ]

    def package_gaps_of(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        """The gaps of the packages that these nodes are in, and of repositories that are absent."""
        keys = {(label.repo, label.package) for label in map(self.labels.__getitem__, nodes)}
        undeclared: dict[PackageKey, list[Gap]] = {}
        for node, gap in self.undeclared(nodes):
            label = self.labels[node]
            undeclared.setdefault((label.repo, label.package), []).append(gap)
        found: dict[Gap, None] = {}
        for key in sorted(keys):
            if key in self.repository_gaps:
                found[self.repository_gaps[key]] = None
            package = self.packages.get(key)
            if package is not None:
                found.update(dict.fromkeys((*package.gaps, *undeclared.get(key, ()))))
        return tuple(found)

    def undeclared(self, nodes: Iterable[int]) -> Iterator[tuple[int, Gap]]:
        """The nodes among these that are labels which nothing in their package declares, and the gap of each, by label:
        what a lock file does not have, and what only something unknown may declare (``Package.hiding``)."""
        for node in self.by_label({node for node in nodes if self.kinds[node] == NodeKind.UNLOADED}):
            label = self.labels[node]
            package = self.packages.get((label.repo, label.package))
            if package is None:
                continue
            yield from ((node, gap) for gap in package.hiding)
            if any(gap.pins(label.repo) for gap in package.gaps):
                near = nearest(label.name, package.targets)
                hint = f"; the nearest is {label._replace(name=near)}" if near else ""
                what = f"{label} is not pinned by the lock file{hint}"
                yield node, Gap(GapKind.LOCK.value, what, "whether it exists is unknown", repository=label.repo)
