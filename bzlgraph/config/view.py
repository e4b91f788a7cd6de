"""A graph as one configuration sees it: only edges that hold or may hold. (graph, settings) -> ``ConfiguredView``.

Rules
- A node is a target in a configuration: that of the command line, or, behind TOOL edges, that of the tools. A target
  that is needed in both is two nodes with one label.
- A branch of a select() that holds gives its edges; one that may hold gives them too, marked POSSIBLE; one that does
  not gives none. The conditions themselves are dependencies whether they hold or not.
- A label_flag leads to what it is set to.
- What Bazel would refuse (no branch holds, or several do) is a problem of the target, not of the view.

Theory of operation: the view is a graph itself, so that whatever works on graphs works on it unchanged. It grows as it
is walked: a node gets its edges when a question first reaches it, filtered from those of the base graph. ``project``
folds the two nodes of a label into one, numbered as in the base graph, to show an answer.

Mirrors what ``bazel cquery`` sees: https://bazel.build/query/cquery
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import selectors
from bzlgraph.bazel.model import Rule
from bzlgraph.config.arguments import ConfigArguments, configuration_for
from bzlgraph.config.choice import Choice
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, POINTERS, targets_of
from bzlgraph.config.kinds.build_setting import flag_fault
from bzlgraph.config.settings import Settings, settings_for
from bzlgraph.config.verdict import Truth, all_of
from bzlgraph.graph.build import BuildGraph, PackageKey
from bzlgraph.graph.model import DEFAULT_CONDITION, EdgeCondition, EdgeFlag, NodeKind
from bzlgraph.workspace.workspace import Workspace

_TOOL, _KEY, _POSSIBLE = int(EdgeFlag.TOOL), int(EdgeFlag.KEY), int(EdgeFlag.POSSIBLE)
_SAME_CONFIGURATION = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)
TARGET, EXEC = 0, 1


class ConfiguredView(BuildGraph):
    """The targets of a graph in one configuration and that of its tools. Tables of labels' packages are shared."""

    def __init__(self, base: BuildGraph, settings: Settings) -> None:
        super().__init__(base.source)
        self.base = base
        self.settings = settings
        self.packages, self.absent = base.packages, base.absent
        self.gaps, self.diagnostics = base.gaps, base.diagnostics
        self.attributes, self.conditions = base.attributes, base.conditions
        self.base_of = array("i")
        self.tools = bytearray()
        """Per node: whether it is in the configuration of tools."""
        self.problems: dict[int, tuple[Diagnostic, ...]] = {}
        """What Bazel would refuse about a node."""
        self._configurations = (settings, settings.exec())
        self._numbers: tuple[dict[Label, int], dict[Label, int]] = (self._node_of, {})
        self._expanded = bytearray()
        self._truths: tuple[dict[int, Truth], dict[int, Truth]] = ({0: Truth.YES}, {0: Truth.YES})
        if self._configurations[EXEC] is settings:
            self._numbers = (self._node_of, self._node_of)

    # ------------------------------------------------------------------------------------------------- growing
    def node(self, label: Label, configuration: int = TARGET) -> int:
        """The number of a label in a configuration, that of the command line if none is named."""
        numbers = self._numbers[configuration]
        number = numbers.get(label)
        if number is None:
            number = numbers[label] = len(self.labels)
            base = self.base.node(label)
            kind = self.base.kinds[base]
            self.labels.append(label)
            self.first_edge.append(0)
            self.edge_count.append(0)
            self.kinds.append(kind)
            self.base_of.append(base)
            self.tools.append(configuration)
            self._expanded.append(0)
            if kind == NodeKind.PENDING:
                self._pending.setdefault((label.repo, label.package), []).append(number)
        return number

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Load packages into the base graph; nodes that waited for them learn what they are."""
        wanted = list(keys)
        self.base.load(wanted)
        for key in wanted:
            for number in self._pending.pop(key, ()):
                self.kinds[number] = self.base.kinds[self.base_of[number]]

    def edges_from(self, number: int) -> range:
        """The numbers of the edges that leave a node, which are looked up when it is first asked."""
        if not self._expanded[number]:
            self._expand(number)
        return super().edges_from(number)

    def _reach(self, wave: Sequence[int]) -> None:
        """The packages of a wave of nodes are loaded, their edges known."""
        super()._reach(wave)
        for number in wave:
            if not self._expanded[number]:
                self._expand(number)

    def _expand(self, number: int) -> None:
        """Give a node those edges of its target that hold or may hold in its configuration."""
        if self.kinds[number] == NodeKind.PENDING:
            self.load([(self.labels[number].repo, self.labels[number].package)])
        self._expanded[number] = 1
        base, here = self.base, self.tools[number]
        rule = base.target(self.base_of[number])
        first = len(self.edge_target)
        pointer = _flag_attribute(rule)
        for edge in base.edges_from(self.base_of[number]):
            truth = self._truth(base.edge_condition[edge], here)
            if truth is Truth.NO or (pointer and base.attributes[base.edge_attribute[edge]] == pointer):
                continue
            flags = base.edge_flags[edge] | (_POSSIBLE if truth is Truth.UNKNOWN else 0)
            there = here if flags & _SAME_CONFIGURATION or not flags & _TOOL else EXEC
            self._append(base.labels[base.edge_target[edge]], there, edge, flags)
        if pointer and isinstance(rule, Rule):
            self._follow(rule, pointer, here)
        self.edge_source.extend([number] * (len(self.edge_target) - first))
        self.first_edge[number], self.edge_count[number] = first, len(self.edge_target) - first
        if isinstance(rule, Rule) and (problems := self._refusals(rule, here)):
            self.problems[number] = problems

    def _append(self, label: Label, configuration: int, base_edge: int, flags: int) -> None:
        self.edge_target.append(self.node(label, configuration))
        self.edge_attribute.append(self.base.edge_attribute[base_edge])
        self.edge_condition.append(self.base.edge_condition[base_edge])
        self.edge_flags.append(flags)

    def _follow(self, rule: Rule, pointer: str, configuration: int) -> None:
        """What a label_flag is set to; queries without a configuration do not follow its default."""
        if pointer not in self.attributes:
            self.attributes.append(pointer)
        for label in targets_of(rule, self._configurations[configuration]):
            self.edge_target.append(self.node(label, configuration))
            self.edge_attribute.append(self.attributes.index(pointer))
            self.edge_condition.append(0)
            self.edge_flags.append(0)

    # -------------------------------------------------------------------------------------------------- truth
    def _truth(self, condition: int, configuration: int) -> Truth:
        """Whether edges under a condition of the base graph exist; asked once for each."""
        known = self._truths[configuration]
        truth = known.get(condition)
        if truth is None:
            truth = known[condition] = self.truth(self.conditions[condition], configuration)
        return truth

    def truth(self, condition: EdgeCondition, configuration: int = TARGET) -> Truth:
        """Whether an edge with this condition exists in a configuration."""
        settings = self._configurations[configuration]
        return all_of(settings.truths((term.condition, *term.others))[0] for term in condition)

    def _refusals(self, rule: Rule, configuration: int) -> tuple[Diagnostic, ...]:
        """What Bazel would say about selects of a rule that cannot be resolved in a configuration."""
        settings, found = self._configurations[configuration], list[Diagnostic]()
        for name, value in rule.values.items():
            for selector in selectors(value):
                keys = tuple(condition for condition, _ in selector.branches)
                values = [branch for _, branch in selector.branches]
                choice = settings.choose(keys, values, selector.no_match_error)
                if choice.error:
                    message = f"{rule.label}: attribute {name}: {choice.error}"
                    found.append(Diagnostic(message, selector.location or rule.location))
        return tuple(found)

    # ------------------------------------------------------------------------------------------------ looking
    def alike(self, numbers: Iterable[int]) -> set[int]:
        """These nodes and those with the same labels in the other configuration."""
        labels = {self.labels[number] for number in numbers}
        return {
            number for numbers_of in self._numbers for label in labels if (number := numbers_of.get(label, -1)) >= 0
        }

    def problems_of(self, numbers: Iterable[int]) -> list[Diagnostic]:
        """What Bazel would refuse about these nodes."""
        return list(dict.fromkeys(each for number in sorted(numbers) for each in self.problems.get(number, ())))

    def open_conditions(self, numbers: Iterable[int]) -> tuple[Gap, ...]:
        """The conditions that nobody can tell and on which edges of these nodes depend, as gaps."""
        found: dict[tuple[int, int], None] = {}
        for number in numbers:
            for edge in self.edges_from(number):
                condition = self.edge_condition[edge]
                if condition and self._truth(condition, self.tools[number]) is Truth.UNKNOWN:
                    found[condition, self.tools[number]] = None
        words: dict[str, None] = {}
        for condition, configuration in found:
            for term in self.conditions[condition]:
                choice = self._configurations[configuration].choose((term.condition, *term.others))
                words.update((why, None) for why in _unknown_facts(choice))
        return tuple(Gap(GapKind.CONDITION.value, text, "whether branches of select() hold") for text in words)

    def project(self, numbers: Iterable[int]) -> tuple[BuildGraph, dict[int, int]]:
        """A graph with one node per label, numbered as in the base graph, and for each of ``numbers`` its number there.

        Only these nodes have edges in it; of two with the same label the edges of both.
        """
        shown = _Projection(self.base)
        rows: dict[int, list[int]] = {}
        places: dict[int, int] = {}
        for number in numbers:
            places[number] = self.base_of[number]
            rows.setdefault(self.base_of[number], []).append(number)
        for node in {*self.loaded_files} & set(places):
            shown.loaded_files[places[node]] = self.loaded_files[node]
            shown.kinds[places[node]] = self.kinds[node]
        for base, sources in rows.items():
            shown.take(base, self, [edge for source in sources for edge in self.edges_from(source)])
        return shown, places


def view_for(base: BuildGraph, workspace: Workspace, arguments: ConfigArguments) -> BuildGraph:
    """The graph as the arguments want it seen; the graph itself when they choose no configuration.

    Raises UsageProblem as ``configuration_for`` does, and for a flag that is no build setting.
    """
    configuration = configuration_for(workspace, arguments)
    if configuration is None:
        return base
    settings = settings_for(base, workspace, configuration)
    found = ((label, flag_fault(label, settings)) for label in configuration.flags())
    faults = [Diagnostic(fault if fault.startswith("--") else f"--{label}: {fault}") for label, fault in found if fault]
    if faults:
        raise UsageProblem(faults)
    return ConfiguredView(base, settings)


class _Projection(BuildGraph):
    """Edges of a view over the nodes of its base graph."""

    def __init__(self, base: BuildGraph) -> None:
        super().__init__(base.source)
        self.labels, self.kinds, self._node_of = list(base.labels), bytearray(base.kinds), dict(base._node_of)
        self.packages, self.absent = base.packages, base.absent
        self.gaps, self.diagnostics = base.gaps, base.diagnostics
        self.attributes, self.conditions = base.attributes, base.conditions
        self.loaded_files = dict(base.loaded_files)
        self.first_edge = array("i", bytes(4 * len(base.labels)))
        self.edge_count = array("i", bytes(4 * len(base.labels)))

    def take(self, source: int, view: ConfiguredView, edges: Iterable[int]) -> None:
        """Give a node the edges of a view, each once."""
        rows = dict.fromkeys(
            (view.base_of[view.edge_target[e]], view.edge_attribute[e], view.edge_condition[e], view.edge_flags[e])
            for e in edges
        )
        self.first_edge[source], self.edge_count[source] = len(self.edge_target), len(rows)
        for target, attribute, condition, flags in rows:
            self.edge_source.append(source)
            self.edge_target.append(target)
            self.edge_attribute.append(attribute)
            self.edge_condition.append(condition)
            self.edge_flags.append(flags)


def _unknown_facts(choice: Choice) -> list[str]:
    """What is missing to resolve a select(); of the default branch nothing is missing by itself."""
    pairs = zip(choice.keys, choice.verdicts, strict=True)
    return [v.why for key, v in pairs if v.truth is Truth.UNKNOWN and key.label != DEFAULT_CONDITION]


def _flag_attribute(target: object) -> str:
    """The attribute of a label_flag that its setting replaces; "" for other targets."""
    is_flag = isinstance(target, Rule) and target.rule_class.name in LABEL_SETTINGS
    return POINTERS["label_flag"] if is_flag else ""
