"""What the writers of query answers need beside the answer: the options of ``bzlgraph query``, the workspace's places.

Names and defaults are those of Bazel's command line: https://bazel.build/reference/command-line-reference#query-options
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from bzlgraph.base.label import Label, parse, written_repository
from bzlgraph.bazel.conditional import labels_in, map_labels
from bzlgraph.bazel.model import Package, Rule, Target
from bzlgraph.export.bazel_view.attributes import AttributeReader, ShownAttribute
from bzlgraph.export.bazel_view.brought import Brought, brought_attributes, brought_edges
from bzlgraph.export.bazel_view.place import Places, shown_location
from bzlgraph.export.bazel_view.subgraph import Subgraph, in_dependency_order, subgraph, walks
from bzlgraph.facts import Facts, for_version
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import Order, QueryAnswer

_VISIBILITY = int(EdgeFlag.VISIBILITY)
ORDERS = ("no", "deps", "auto", "full")


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """The options that belong to outputs, with Bazel's defaults."""

    order_output: str = "auto"
    relative_locations: bool = False
    consistent_labels: bool = False
    line_terminator: str = "\n"
    graph_factored: bool = True
    graph_node_limit: int = 512
    graph_conditional_edges_limit: int = 4
    xml_line_numbers: bool = True
    xml_default_values: bool = False
    proto_default_values: bool = True
    proto_flatten_selects: bool = True
    proto_locations: bool = True
    proto_rule_inputs_and_outputs: bool = True
    proto_instantiation_stack: bool = False
    proto_definition_stack: bool = False
    proto_include_attribute_source_aspects: bool = False
    proto_output_rule_attrs: tuple[str, ...] = ("all",)


class _NamedLabel(Label):
    """A label that is printed as ``text``, and is otherwise the label it was made from."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class QueryOutput:
    """One answer to be written: the answer, the options, and the workspace it is about."""

    answer: QueryAnswer
    options: OutputOptions = field(default_factory=OutputOptions)
    facts: Facts = field(default_factory=for_version)
    places: Places = field(default_factory=Places)
    canonical: Callable[[str], str] = str
    """The canonical name of a repository."""
    reader: AttributeReader = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reader", AttributeReader(self.facts))

    @property
    def graph(self) -> GraphView:
        """The graph the answer is a part of."""
        return self.answer.graph

    def label_text(self, label: Label) -> str:
        """A label as the options want it: with ``--consistent_labels`` the main repository has a name too."""
        mark = self._main_mark(label)
        return f"{mark}{label._replace(repo=self.canonical(label.repo))}" if mark else str(label)

    def label_texts(self, labels: Iterable[Label | str]) -> list[str]:
        """Labels as the options want them; texts are labels of the main repository, or none."""
        if not self.options.consistent_labels:
            return list(map(str, labels))
        return [self.label_text(parse(each, "", "") if isinstance(each, str) else each) for each in labels]

    def sort_key(self, label: Label) -> tuple[str, str, str]:
        """What Bazel sorts labels by: the canonical name of their repository first, or the one that is not known."""
        written = written_repository(label.repo)
        is_known = written == label.repo
        return self.canonical(written) if is_known else written, label.package, label.name

    def named(self, label: Label) -> Label:
        """A label that is printed as the options want it."""
        if not self.options.consistent_labels:
            return label
        named = _NamedLabel(*label)
        named.text = self.label_text(label)
        return named

    def package_text(self, label: Label) -> str:
        """The package of a label, without the slashes of the main repository where that has no name."""
        mark = self._main_mark(label)
        if mark:
            return f"{mark}{label._replace(repo=self.canonical(label.repo)).package_label}"
        return label.package_label if label.repo else label.package

    def _main_mark(self, label: Label) -> str:
        """``@`` (``@@`` with modules) before a label of the main repository, one sign more before those of others."""
        if not self.options.consistent_labels:
            return ""
        mark = "@@" if self.facts.bzlmod else "@"
        return mark[1:] if label.repo else mark

    def encodes_twice(self, name: str) -> bool:
        """Whether the chosen Bazel takes the bytes of UTF-8 texts for characters and encodes them again."""
        return name in self.facts.encoded_twice.split()

    def attributes(self, rule: Rule, package: Package, *, unset: bool) -> Iterator[ShownAttribute]:
        """The attributes of a rule as the chosen Bazel shows them; ``unset``: those that only have a default too."""
        shown = (each for each in self.reader.read(rule, package) if each.explicit or unset)
        return (self.labelled(self.absolute(each, rule)) for each in shown)

    def labelled(self, attribute: ShownAttribute) -> ShownAttribute:
        """The attribute with labels that are printed as the options want it."""
        if not self.options.consistent_labels:
            return attribute
        return replace(attribute, value=map_labels(attribute.value, self.named))

    def subgraph(self) -> Subgraph:
        """The answer's targets, and the edges among them that the question follows."""
        return self._part(self.targets())

    def _part(self, nodes: Iterable[int]) -> Subgraph:
        """Bazel knows fewer edges where the query followed none."""
        walked = walks(self.answer.text)
        return subgraph(self.graph, nodes, self.answer.excluded_flags, walked)

    def targets(self) -> list[int]:
        """The answer without labels that no target stands behind: Bazel's formats know targets only."""
        return [node for node in self.answer.nodes if self.graph.target(node) is not None]

    @property
    def order(self) -> Order:
        """The order that the options ask for: that of the answer, or the graph's."""
        asked = self.options.order_output
        by_label = self.facts.auto_order == "label" or self.answer.order is Order.PATH
        as_answered = asked == "no" or (asked == "auto" and by_label)
        return self.answer.order if as_answered else Order.GRAPH

    def ordered(self) -> Iterable[int]:
        """The answer's nodes in the order asked for."""
        if self.order is not Order.GRAPH:
            return self.answer.nodes
        return in_dependency_order(self._part(self.answer.nodes))

    def ordered_targets(self) -> Iterable[tuple[int, Target, Package]]:
        """The targets in order, each with its package."""
        for node in self.ordered():
            target = self.graph.target(node)
            if target is not None:
                yield node, target, self.graph.package_of(node)

    def place(self, target: Target) -> str:
        """The location of a target, as the options want it."""
        return self.places(shown_location(target, self.facts, self.canonical), relative=self.options.relative_locations)

    def absolute(self, attribute: ShownAttribute, rule: Rule) -> ShownAttribute:
        """``generator_location`` as Bazel has it: the absolute path, cut at the first place of the package's name."""
        if attribute.name != "generator_location":
            return attribute
        # Bazel 7's own macros (py_library) leave no call in BUILD files: the place is that of the rule.
        location = rule.location if rule.generator is None else rule.generator.location
        path = self.places(location._replace(line=0))
        start = path.find(rule.label.package)
        shown = attribute.value.replace(location.path, path[max(start, 0) :], 1)
        return replace(attribute, value=shown)

    def brought(self, rule: Rule) -> list[Brought]:
        """The attributes of a rule's aspects that the question follows: they are implicit, some are tools."""
        excluded_flags = EdgeFlag(self.answer.excluded_flags)
        if EdgeFlag.IMPLICIT in excluded_flags:
            return []
        found = brought_attributes(rule, self.facts)
        return [each for each in found if not (each[1].tool and EdgeFlag.TOOL in excluded_flags)]

    def inputs(self, node: int, rule: Rule) -> tuple[list[Label], list[Label]]:
        """Bazel's inputs: what a rule names, by label, and what its aspects bring, in order. Not its visibility."""
        graph, columns = self.graph, self.graph.columns
        excluded_flags = self.answer.excluded_flags | _VISIBILITY
        names = brought_edges(rule.rule_class)
        own = {
            columns.labels[columns.edge_target[edge]]
            for edge in graph.edges_from(node)
            if not columns.edge_flags[edge] & excluded_flags and not (names and graph.attribute_of(edge) in names)
        }
        return sorted(own, key=self.sort_key), [
            label for _, each in self.brought(rule) for label in labels_in(each.default)
        ]
