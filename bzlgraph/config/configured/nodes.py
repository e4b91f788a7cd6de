"""The nodes of a configured view: targets, each in one of the configurations that the view meets.

A node is found by the configuration that it is asked for in (``asked_in``), and has the one that the transition of its
rule leads to (``configured_in``), which is known when its package is loaded.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import OutputFile, Rule, Target
from bzlgraph.config.settings import Settings
from bzlgraph.config.transitions.aspects import Applications
from bzlgraph.config.transitions.reached import ReachedConfigurations
from bzlgraph.config.verdict import Truth, all_of
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.columns import EdgeColumns
from bzlgraph.graph.given import PackageKey
from bzlgraph.graph.model import EdgeCondition, NodeKind
from bzlgraph.graph.view import GraphView

TARGET = 0
"""The number of the configuration of the command line."""


class ConfiguredNodes(GraphView):
    """The targets of a graph in one configuration, and in those that it leads to; it grows as nodes are asked for."""

    columns: EdgeColumns

    def __init__(self, base: BuildGraph, settings: Settings) -> None:
        self.base = base
        self.columns = EdgeColumns(base.columns.attributes, base.columns.conditions)
        self.source, self.packages, self.absent = base.source, base.packages, base.absent
        self.diagnostics, self.repository_gaps = base.diagnostics, base.repository_gaps
        self.base_of = array("i")
        """Per node: that of the graph below."""
        self.asked_in = array("i")
        """Per node: the number of the configuration that it is asked for in."""
        self.configured_in = array("i")
        """Per node: the number of its configuration, which the transition of its rule may have changed."""
        self.reached = ReachedConfigurations(settings)
        self.applications = Applications()
        self._settings = settings
        self._nodes: defaultdict[int, dict[Label, int]] = defaultdict(dict)
        self._truths: defaultdict[int, dict[int, Truth]] = defaultdict(lambda: {0: Truth.YES})
        self._pending: dict[PackageKey, list[int]] = {}
        self._expanded = bytearray()

    @property
    def configuration(self) -> Settings:
        """The settings of the command line."""
        return self._settings

    def node(self, label: Label, configuration: int = TARGET) -> int:
        """The node of a label in a configuration, that of the command line if none is named."""
        nodes = self._nodes[configuration]
        node = nodes.get(label)
        if node is None:
            base = self.base.node(label)
            kind = self.base.kinds[base]
            node = nodes[label] = self.columns.add_node(label, kind)
            self.base_of.append(base)
            self.asked_in.append(configuration)
            self.configured_in.append(configuration)
            self._expanded.append(0)
            if kind == NodeKind.PENDING:
                self._pending.setdefault((label.repo, label.package), []).append(node)
        return node

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Load packages into the graph below; nodes that waited for them learn what they are."""
        wanted = list(keys)
        self.base.load(wanted)
        for key in wanted:
            for node in self._pending.pop(key, ()):
                self.columns.kinds[node] = self.base.kinds[self.base_of[node]]

    def file_node(self, label: Label, location: Location) -> int:
        """The node of a file that a package loads, a .bzl or its BUILD file, also when no rule names it."""
        base = self.base.file_node(label, location)
        node = self.node(label)
        self.columns.kinds[node] = self.base.kinds[base]
        return node

    def named_labels(self) -> set[Label]:
        """The labels that edges lead to in the graph below, in every configuration."""
        return self.base.named_labels()

    # ------------------------------------------------------------------------------------------------ looking
    def find(self, label: Label) -> int | None:
        """The node of a label in the configuration of the command line, None when it is not known there."""
        return self._nodes[TARGET].get(label)

    def target(self, node: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""
        return self.base.target(self.base_of[node])

    def same_label(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and those with the same labels in other configurations."""
        labels = {self.labels[node] for node in nodes}
        return {node for known in self._nodes.values() for label in labels if (node := known.get(label, -1)) >= 0}

    def count_labels(self, nodes: Iterable[int]) -> int:
        """How many labels nodes have, which may be in several configurations."""
        return len({self.labels[node] for node in nodes})

    def home(self, target: Target | None, asked_in: int) -> int:
        """The configuration of a target that is asked for in one: where the transition of its rule leads, which is
        that of the files it makes as well."""
        rule = self.base.target(self.base.node(target.rule)) if isinstance(target, OutputFile) else target
        if not isinstance(rule, Rule):
            return asked_in
        if rule.rule_class.name in self._settings.facts.unconfigured_rules:
            return self.reached.none
        if self.reached.moves(rule.rule_class):
            return self.reached.behind(rule, "", asked_in).numbers[0]
        return asked_in

    def settings_of(self, node: int) -> Settings:
        """The settings of a node's configuration."""
        if not self._expanded[node] and isinstance(self.target(node), Rule | OutputFile):
            self.configured_in[node] = self.home(self.target(node), self.asked_in[node])
        return self.reached[self.configured_in[node]]

    def is_tool(self, node: int) -> bool:
        """Whether a node is in a configuration of tools."""
        return self.settings_of(node).configuration.is_exec

    # -------------------------------------------------------------------------------------------------- truth
    def condition_truth(self, condition: int, configuration: int) -> Truth:
        """Whether edges under a condition, by its number, exist in a configuration; asked once for each."""
        known = self._truths[configuration]
        truth = known.get(condition)
        if truth is None:
            truth = known[condition] = self.truth(self.columns.conditions[condition], configuration)
        return truth

    def truth(self, condition: EdgeCondition, configuration: int = TARGET) -> Truth:
        """Whether an edge with this condition exists in a configuration."""
        settings = self.reached[configuration]
        return all_of(settings.truths((term.condition, *term.others))[0] for term in condition)
