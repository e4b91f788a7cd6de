"""A graph as one configuration sees it: only edges that hold or may hold. (graph, settings) -> ``ConfiguredView``.

Rules
- A node is a target in a configuration: that of the command line, or, behind TOOL edges, that of the tools, or one that
  a transition leads to. A target that is needed in several is as many nodes with one label.
- A transition on an attribute decides the configurations of what the attribute names, that of a rule its own.
- Which nodes there are, says ``nodes``; which edges a node has, and where they lead, ``edges``.
- What Bazel would refuse (no branch holds, or several do) is a problem of the target, not of the view.

Theory of operation: the view is a ``GraphView`` with nodes and edges of its own; packages it has from the graph below.
It grows as it is walked: a node gets its edges when a question first reaches it, filtered from those of that graph.
Only then its rule is known, and with it the transition of the rule: a node is found by the configuration that it is
asked for in (``asked_in``), and has the one that this leads to (``configured_in``). Configurations are numbered as they
are met. ``one_per_label`` folds the nodes of a label into one, to show an answer.

Mirrors what ``bazel cquery`` sees: https://bazel.build/query/cquery
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import is_conditional, selectors
from bzlgraph.bazel.model import Rule, Selector, SelectorList
from bzlgraph.config.arguments import ConfigArguments, configuration_for
from bzlgraph.config.choice import Choice
from bzlgraph.config.configured.edges import applied_aspects, edges_in
from bzlgraph.config.configured.folded import FoldedView
from bzlgraph.config.configured.nodes import ConfiguredNodes
from bzlgraph.config.kinds.faults import option_faults
from bzlgraph.config.platform_flags import flag_gaps
from bzlgraph.config.settings import Settings, settings_for
from bzlgraph.config.value import select_value
from bzlgraph.config.verdict import Truth
from bzlgraph.graph.algorithms.cycles import find_cycles, has_cycles, refusal
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import DEFAULT_CONDITION, EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.workspace.workspace import Workspace

# What only rules with toolchains need is imported where there are any.
if TYPE_CHECKING:
    from bzlgraph.config.toolchains.answer import Resolution


_KEY = int(EdgeFlag.KEY)


class ConfiguredView(ConfiguredNodes):
    """The targets of a graph in one configuration, and in those that it leads to."""

    def __init__(self, base: BuildGraph, settings: Settings) -> None:
        super().__init__(base, settings)
        self._problems: dict[int, tuple[Diagnostic, ...]] = {}
        self._right: dict[tuple[int, int], object] = {}
        """Values that nothing is wrong with, by the configuration and their identity, which they are held for."""

    def edges_from(self, node: int) -> range:
        """The numbers of the edges that leave a node, which are looked up when it is first asked."""
        if not self._expanded[node]:
            self._expand(node)
        return self.columns.edges_of(node)

    def reach(self, wave: Sequence[int]) -> None:
        """The packages of a wave of nodes are loaded, their edges known."""
        self.load_pending(wave)
        for node in wave:
            if not self._expanded[node]:
                self._expand(node)

    def _expand(self, node: int) -> None:
        """Give a node those edges of its target that hold or may hold in its configuration."""
        self.load_pending([node])
        self._expanded[node] = 1
        target = self.target(node)
        configuration = self.configured_in[node] = self.home(target, self.asked_in[node])
        self.columns.add_edges(node, list(edges_in(self, node, configuration)))

    def toolchains_of(self, node: int) -> tuple[Resolution, ...]:
        """How the toolchains of a node are resolved; () for one that asks for none."""
        rule = self.target(node)
        if not isinstance(rule, Rule) or not self._settings.asks_for_toolchains(rule):
            return ()
        return self.settings_of(node).toolchains.of(rule)

    def possible_value(self, node: int, value: object) -> tuple[object, tuple[Gap, ...]]:
        """The value without the branches that do not hold in the configuration of the node."""
        settings, unknown = self.settings_of(node), dict[str, None]()

        def possible(part: object) -> object:
            if isinstance(part, SelectorList):
                return SelectorList(tuple(map(possible, part.parts)))
            if not isinstance(part, Selector):
                return part
            choice = settings.choose(tuple(condition for condition, _ in part.branches))
            if Truth.UNKNOWN in choice.truths:
                unknown.update(dict.fromkeys(_unknown_facts(choice)))
            pairs = zip(part.branches, choice.truths, strict=True)
            taken = tuple((key, possible(branch)) for (key, branch), truth in pairs if truth is not Truth.NO)
            return part._replace(branches=taken)

        return possible(value), _condition_gaps(unknown)

    def _refusals(self, node: int) -> tuple[Diagnostic, ...]:
        """What Bazel would say about selects and transitions of a node with known edges, when somebody asks."""
        found = self._problems.get(node)
        if found is None:
            rule = self.target(node)
            found = self._of_rule(rule, node) if isinstance(rule, Rule) else ()
            self._problems[node] = found
        return found

    def _of_rule(self, rule: Rule, node: int) -> tuple[Diagnostic, ...]:
        configuration = self.configured_in[node]
        settings, found = self.reached[configuration], list[Diagnostic]()
        for name, value in rule.values.items() if self.base.has_selects(self.base_of[node]) else ():
            found += self._of_value(rule, name, value, configuration)
        if self._settings.asks_for_toolchains(rule):
            from bzlgraph.config.toolchains.edges import toolchain_refusals

            found += toolchain_refusals(rule, settings.toolchains.of(rule))
        return (*self.reached.refusals(rule), *found)

    def _of_value(self, rule: Rule, name: str, value: object, configuration: int) -> Iterator[Diagnostic]:
        """The selects of a value that are refused. Macros give one value to hundreds of rules; what is found right does
        not depend on the rule, unless a default may be taken."""
        if not is_conditional(value) or (configuration, id(value)) in self._right:
            return
        settings, is_right = self.reached[configuration], True
        for selector in selectors(value):
            chosen = select_value(selector, rule, name, settings)
            takes_default = any(branch is None or is_conditional(branch) for _, branch in selector.branches)
            is_right = is_right and not chosen.error and not takes_default
            if chosen.error:
                message = f"{rule.label}: attribute {name}: {chosen.error}"
                yield Diagnostic(message, selector.location or rule.location)
        if is_right:
            self._right[configuration, id(value)] = value

    def decides_like(self, other: ConfiguredView) -> bool:
        """Whether all that was asked in this view has the same answers in another one, which is then the same view.

        False where that is not certain: transitions may read any option, label flags lead to what they are set to,
        toolchains follow platforms.
        """
        if self.configuration.configuration.assumed != other.configuration.configuration.assumed:
            return False
        names = ("platforms", "host_platform", "extra_toolchains", "extra_execution_platforms", "cpu", "host_cpu")
        mine, theirs = self.configuration.configuration, other.configuration.configuration
        if list(mine.flags()) != list(theirs.flags()) or any(mine.value(x) != theirs.value(x) for x in names):
            return False
        return self.reached.decide_like(other.reached)

    def is_built(self, label: Label) -> bool:
        """Whether a label is reached other than as a tool."""
        return any(label in nodes and not self.reached.is_tool(number) for number, nodes in self._nodes.items())

    def settings_of_label(self, label: Label) -> tuple[Settings, ...]:
        """The settings of the configurations that a label is built in; of tools only where there are no others."""
        nodes = [node for known in self._nodes.values() if (node := known.get(label)) is not None]
        numbers = dict.fromkeys(self.configured_in[node] for node in nodes if self._expanded[node])
        built = [number for number in numbers if not self.reached.is_tool(number)]
        return tuple(self.reached[number] for number in built or numbers) or (self._settings,)

    def problems_of(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """What Bazel would refuse about these nodes, and the cycles among them."""
        asked = sorted(nodes)
        found = dict.fromkeys(each for node in asked if self._expanded[node] for each in self._refusals(node))
        found.update((refusal(self, cycle), None) for cycle in find_cycles(self, asked) if cycle.certain)
        return list(found)

    def refused_behind(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """What an analysis of these nodes refuses in packages that are loaded, though no edge was followed: cycles,
        and selects that cannot be resolved. The view grows only where there may be some."""
        asked = list(nodes)
        if has_cycles(self.base):
            return self.problems_of(self.closure(asked))
        return self.problems_of(self._on_the_way_to_refusals(asked))

    def _on_the_way_to_refusals(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and what they need, as far as it needs a rule whose selects may be refused."""
        wave = set(nodes)
        needed = self.base.loaded_closure(self.base_of[node] for node in wave)
        refusable = [node for node in needed if self._may_be_refused(node)]
        if not refusable:
            return set()
        leading = self.base.index().reaching(refusable, needed)
        reached = set[int]()
        while wave := {node for node in wave - reached if self.base_of[node] in leading}:
            reached |= wave
            ends = self.columns.edge_target
            wave = {ends[edge] for node in sorted(wave) for edge in self.edges_from(node)}
        return reached

    def _may_be_refused(self, base: int) -> bool:
        """Whether the selects of a node of the graph below may be refused in some configuration."""
        columns = self.base.columns
        flags = (columns.edge_flags[edge] for edge in columns.edges_of(base))
        rule = self.base.target(base) if any(each & _KEY for each in flags) else None
        return isinstance(rule, Rule) and self._settings.may_refuse_selects(rule)

    def gaps_of(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        """The gaps of packages and repositories, and the conditions not known that edges of these nodes depend on."""
        asked = list(nodes)
        transitions = self.reached.gaps_of(map(self.target, asked))
        conditions, toolchains = self._unknown_conditions(asked), self._unknown_toolchains(asked)
        labels = {self.labels[node] for node in asked}
        projects = _project_gaps(self._settings, {label.package for label in labels if not label.repo})
        own = projects + self._settings.mappings.gaps + flag_gaps(self._settings, self._settings.platform)
        return self.package_gaps_of(asked) + transitions + conditions + toolchains + own

    def _of_aspects(self, node: int) -> Iterator[Resolution]:
        """How the toolchains of the aspects that a node applies are resolved."""
        rule = self.target(node)
        applied = self.applications[rule.rule_class] if isinstance(rule, Rule) else ()
        if not isinstance(rule, Rule) or not any(each.aspect.exec_groups for each in applied):
            return
        for aspect, there, _ in applied_aspects(self, node, rule, self.configured_in[node]):
            if aspect.exec_groups:
                yield from self.reached[there].toolchains.of_aspect(aspect)

    def _unknown_toolchains(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        resolutions = (each for node in nodes for each in (*self.toolchains_of(node), *self._of_aspects(node)))
        distinct = {id(each): each for each in resolutions}  # they are remembered: most nodes share theirs
        return tuple(dict.fromkeys(gap for resolution in distinct.values() for gap in resolution.gaps))

    def _unknown_conditions(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        columns = self.columns
        found: dict[tuple[int, int], None] = {}
        for node in nodes:
            for edge in self.edges_from(node):
                condition = columns.edge_condition[edge]
                home = self.configured_in[node]
                if condition and self.condition_truth(condition, home) is Truth.UNKNOWN:
                    found[condition, home] = None
        words: dict[str, None] = {}
        for condition, configuration in found:
            for term in columns.conditions[condition]:
                choice = self.reached[configuration].choose((term.condition, *term.others))
                words.update((why, None) for why in _unknown_facts(choice))
        return _condition_gaps(words)

    def one_per_label(self, nodes: Sequence[int]) -> tuple[GraphView, tuple[int, ...]]:
        """A graph of these nodes, the first of each label, with the edges that any node of the label has."""
        shown = FoldedView(self, nodes)
        return shown, tuple(range(shown.answered))


AnyGraph: TypeAlias = BuildGraph | ConfiguredView
"""A graph that grows, in a configuration or in none."""


def view_for(base: BuildGraph, workspace: Workspace, arguments: ConfigArguments) -> AnyGraph:
    """The graph as the arguments want it seen; the graph itself when they choose no configuration.

    Raises UsageProblem as ``configuration_for`` does, and for a flag or a platform of the command line that is none.
    """
    configuration = configuration_for(workspace, arguments)
    if configuration is None:
        return base
    settings = settings_for(base, workspace, configuration)
    faults = list(option_faults(settings))
    if faults:
        raise UsageProblem(faults)
    return ConfiguredView(base, settings)


def _condition_gaps(texts: Iterable[str]) -> tuple[Gap, ...]:
    return tuple(Gap(GapKind.CONDITION.value, text, "which branches of select() hold is unknown") for text in texts)


def _unknown_facts(choice: Choice) -> list[str]:
    """What is missing to resolve a select(); of the default branch nothing is missing by itself."""
    pairs = zip(choice.keys, choice.verdicts, strict=True)
    return [v.why for key, v in pairs if v.truth is Truth.UNKNOWN and key.label != DEFAULT_CONDITION]


def _project_gaps(settings: Settings, packages: Iterable[str]) -> tuple[Gap, ...]:
    """The files PROJECT.scl in the folders of packages, or above: from Bazel 8 on they may add flags to a build."""
    if settings.bzl_loader is None or not settings.facts.project_files:
        return ()
    source = settings.bzl_loader.repositories.main.tree.source
    folders = {
        "/".join(parts[:end]) for each in packages for parts in [each.split("/")] for end in range(len(parts) + 1)
    }
    paths = sorted(f"{folder}/PROJECT.scl".lstrip("/") for folder in folders)
    found = [path for path in paths if source.is_file(path)]
    hidden = "the flags it adds to a build are unknown"
    return tuple(Gap(GapKind.FILE.value, f"{path} is not read", hidden, Location(path, 0, 0)) for path in found)
