"""The nodes and edges of a kept graph, one by one: what is known of them without reading a package.

This module is as light as those that answer before anything heavy is imported.
"""

from __future__ import annotations

from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.graph.model import Edge, EdgeFlag, Making, Node, NodeKind
from bzlgraph.graph.visibility import Group
from bzlgraph.loading.written import Written
from bzlgraph.snapshot.kept import ENVIRONMENTS, GROUP, OUTPUT, RULE, UNLOADED, NotLoaded, Unanswered
from bzlgraph.snapshot.nodes.columns import KeptColumns
from bzlgraph.snapshot.nodes.packed import declared_by, packed_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bzlgraph.graph.visibility import Item
    from bzlgraph.loading.written import RowOfRule
    from bzlgraph.snapshot.nodes.walk import Walk


class KeptNodes:
    """Of the packages that an evaluation has touched, in no configuration: what ``GraphView`` has of them."""

    configuration: None = None

    def __init__(self, run: Walk) -> None:
        self.run = run
        self.columns = KeptColumns(run)
        self._class_of, self._call_of = run.graph.whole("class_of"), run.graph.whole("call_of")
        self._package_of = run.graph.whole("package_of")
        self._makings: dict[tuple[int, int], Making] = {}
        self._found: dict[Label, int | None] = {}
        self._written = packed_rows(run, "written", Written, declared_by(run))

    def __len__(self) -> int:
        return len(self.columns)

    def by_label(self, nodes: Iterable[int]) -> list[int]:
        """Nodes in the order of their labels."""
        return sorted(nodes, key=None if self.run.graph.same_order else self.run.graph.by_label)

    @property
    def labels(self) -> Sequence[Label]:
        """The label of each node."""
        return self.columns.labels

    @property
    def kinds(self) -> Sequence[int]:
        """The ``NodeKind`` of each node."""
        return self.columns.kinds

    def find(self, label: Label) -> int | None:
        """The node of a label already known, else None."""
        if label not in self._found:
            package = self.run.graph.package(label.repo, label.package)
            self._found[label] = self.run.graph.node(package, label.name) if package is not None else None
        return self._found[label]

    def node(self, label: Label) -> int:
        """The node of a label; the kept graph gets no new ones."""
        node = self.find(label)
        if node is None:
            raise Unanswered
        return node

    def resolve(self, label: Label) -> int:
        """The node of a label whose package has been asked for."""
        node = self.node(label)
        self.load_pending([node])
        return node

    def load(self, keys: Iterable[tuple[str, str]]) -> None:
        """Note that packages are asked for."""
        for key in keys:
            number = self.run.graph.package(*key)
            if number is None:
                raise NotLoaded([key])
            self.run.touch(number)

    def load_pending(self, nodes: Iterable[int]) -> None:
        """Note that the packages of these nodes are asked for."""
        package_of = self.run.graph.whole("package_of")
        for number in {package_of[node] for node in nodes}:
            self.run.touch(number)

    # ------------------------------------------------------------------------------------------------ nodes
    def class_name(self, node: int) -> str:
        """The name of a rule's class, "" for all that is none."""
        package = self._package_of[node]
        if self.kinds[node] != RULE or not (self.run.touched[package] or self.run.knows(package)):
            return ""
        name: str = self.run.graph.table("classes")[self._class_of[node]][0]
        return name

    def has_selects(self, node: int) -> bool:
        """Whether a value of a rule depends on the configuration."""
        return self.run.graph.whole("has_selects")[node] == 1

    def making(self, node: int) -> Making | None:
        """How a rule is made, None for all that is none."""
        number = self._class_of[node], self._call_of[node]
        if not number[0] or not self.class_name(node):
            return None
        found = self._makings.get(number)
        return self._making(number) if found is None else found

    def _making(self, number: tuple[int, int]) -> Making:
        graph = self.run.graph
        name, *_, bzl = graph.table("classes")[number[0]]
        call = graph.table("calls")[number[1]]
        frame = Frame(call[0], Location(*call[1])) if call is not None else None
        found = self._makings[number] = Making(name, Label(*bzl) if bzl is not None else None, frame)
        return found

    def definition(self, node: int, attribute: str) -> tuple[Label | None, Location | None]:
        """The file that defines the class of a rule, and the place of an attribute there, as far as they are known."""
        made = self.making(node)
        if made is None:
            return None, None
        graph = self.run.graph
        place = graph.table("attribute_places")[graph.whole("class_of")[node]].get(attribute)
        return made.bzl, Location(*place) if place is not None else None

    def describe(self, node: int) -> Node:
        """A node, looked up."""
        kind, label = NodeKind(self.kinds[node]), self.labels[node]
        if kind > ENVIRONMENTS or not self.run.knows(self.run.graph.whole("package_of")[node]):
            return Node(node, label, kind)
        if kind != RULE:
            written, number = self._written(node)
            return Node(node, label, kind, "", written.place(number))
        row = self._rule(node)
        return Node(node, label, kind, self.class_name(node), row.stack[-1].location, row.made_by, row.stack)

    def _rule(self, node: int) -> RowOfRule:
        written, number = self._written(node)
        return written.rule(number)

    # ------------------------------------------------------------------------------------------------ visibility
    def visibility(self, node: int) -> tuple[tuple[Item, ...], bool] | None:
        """``graph.seen.WrittenInTargets``, which reads packages."""
        kind = self.kinds[node]
        if kind >= GROUP:
            return None
        row, number = self._written(node)
        if kind == NodeKind.SOURCE:
            listed = row.file_visibility(number)
            return (listed, False) if listed is not None else None
        listed = self._rule(node if kind == RULE else self._maker(node)).visibility
        return (row.default_visibility, True) if listed is None else (listed, False)

    def in_macro(self, node: int) -> bool:
        """Whether a symbolic macro made a target."""
        maker = self._maker(node) if self.kinds[node] == NodeKind.GENERATED else node
        return self.kinds[maker] == RULE and self._rule(maker).in_macro

    def group(self, label: Label) -> Group | None:
        """A package group; None for a label that is none."""
        node = self.resolve(label)
        if self.kinds[node] != GROUP:
            return None
        written, number = self._written(node)
        return Group(*written.group(number))

    def is_hidden(self, label: Label) -> bool:
        """Whether it is not known what a label stands for."""
        return self.kinds[self.resolve(label)] == UNLOADED

    def _maker(self, node: int) -> int:
        """The rule that makes a file."""
        ends, flags = self.columns.edge_target, self.columns.edge_flags
        found = [ends[edge] for edge in self.columns.edges_of(node) if flags[edge] & OUTPUT]
        if len(found) != 1:
            raise Unanswered
        return found[0]

    # ------------------------------------------------------------------------------------------------ edges
    def closure(self, roots: Iterable[int], excluded_flags: int = 0, depth: int | None = None) -> set[int]:
        """All nodes reached from ``roots`` along edges with none of the flags excluded."""
        found = self.run.closure(roots, excluded_flags, depth)
        return found if isinstance(found, set) else set(found)

    def edge(self, number: int) -> Edge:
        """An edge, looked up."""
        columns = self.columns
        return Edge(
            number,
            columns.edge_source[number],
            columns.edge_target[number],
            self.attribute_of(number),
            columns.conditions[columns.edge_condition[number]],
            EdgeFlag(columns.edge_flags[number]),
        )

    def edges_between(self, source: int, target: int, excluded_flags: int = 0) -> list[Edge]:
        """Every reason why ``source`` names ``target``."""
        ends, flags = self.columns.edge_target, self.columns.edge_flags
        found = (edge for edge in self.edges_from(source) if ends[edge] == target)
        return [self.edge(edge) for edge in found if not flags[edge] & excluded_flags]

    def attribute_of(self, edge: int) -> str:
        """The attribute that gives an edge."""
        return self.columns.attributes[self.columns.edge_attribute[edge]]

    def edges_from(self, node: int) -> range:
        """The numbers of the edges that leave a node; none before its package was asked for."""
        return self.columns.edges_of(node)

    def edges_to(self, node: int) -> list[int]:
        """The numbers of the edges that lead to a node, of packages that were asked for."""
        ends, users = self.columns.edge_target, {user for user, _ in self.run.users_of(node)}
        return [edge for user in sorted(users) for edge in self.columns.edges_of(user) if ends[edge] == node]

    def depth(self, node: int) -> int:
        """How many folders deep the package of a node lies."""
        return self.columns.depth(node)
