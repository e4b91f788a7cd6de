"""bzlgraph in a configuration -> the facts that ``configured.py`` records of real Bazel."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import parse
from bzlgraph.bazel.model import Rule, SelectorList
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.config.configured.nodes import TARGET
from bzlgraph.config.configured.view import ConfiguredView, view_for
from bzlgraph.config.kinds.platform import Platform
from bzlgraph.config.value import configured_value
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.query.patterns import expand_list
from bzlgraph.workspace.workspace import open_workspace
from tests.differential.configured.names import named
from tests.differential.configured.recorded import EVERYTHING, Answer, Where, asked
from tests.differential.facts.ours import options_of, plain_value
from tests.differential.facts.records import show
from tests.differential.real.bazel import UNSTABLE_VERSION
from tests.differential.real.module_registry import Modules

ALIASES = ("alias", "label_flag", "label_setting", "bind")


class Ours:
    """A workspace as one Bazel version reads it, asked with one command line after the other."""

    def __init__(self, tree: Path, overrides: Mapping[str, Path], version: str, modules: Modules | None = None) -> None:
        self.loader: Loader = open_loader(open_workspace(tree, options_of(overrides, version, modules)))
        self.graph = BuildGraph(self.loader)
        self._views: dict[str, ConfiguredView] = {}
        self.follows_aspects = version == UNSTABLE_VERSION

    def view(self, options: str) -> ConfiguredView:
        """The graph as a command line sees it, the same one for the last two; an empty command line is a configuration
        too, as for cquery."""
        if options not in self._views:
            self._views = dict([*self._views.items()][-1:]) | {options: self._view(options)}
        return self._views[options]

    def _view(self, options: str) -> ConfiguredView:
        words = asked(options)[0]
        tokens = tuple(word for word in words if word != "--noworkspace_rc")
        arguments = ConfigArguments(tokens or ("-c", "fastbuild"), workspace_rc=len(tokens) == len(words))
        workspace = self.loader.workspace
        view = view_for(self.graph, workspace, arguments)
        assert isinstance(view, ConfiguredView)
        return view

    def rules(self, patterns: Iterable[str], excluded: str) -> list[str]:
        """The rules of patterns by label, but for test suites and what leads to a rule of a kind like ``excluded``."""
        found = expand_list(patterns, self.graph, self.loader.workspace.map_repository)
        return sorted(str(self.graph.labels[each]) for each in found if self._is_asked(each, excluded))

    def _is_asked(self, number: int, excluded: str) -> bool:
        reached = self.graph.closure([number], int(EdgeFlag.IMPLICIT)) if excluded else {number}
        kinds = [self.graph.kind_words(each) for each in reached]
        suite = self.graph.kind_words(number) == "test_suite rule"
        return not suite and not (excluded and any(re.match(excluded, kind) for kind in kinds))

    def answer(self, options: str, place: Where = EVERYTHING) -> Answer:
        """The facts, and what Bazel would refuse."""
        try:
            view = self.view(options)
        except UsageProblem as refused:
            return Answer(options, 0, frozenset(), tuple(each.message for each in refused.diagnostics))
        _, where = asked(options, place)
        roots = expand_list(where.roots.split(" + "), view, self.loader.workspace.map_repository)
        reached = self.reached(view, roots)
        errors = tuple(problem.message for problem in view.problems_of(reached))
        errors += tuple(f"{view.labels[each]} is missing" for each in reached if view.kinds[each] == NodeKind.MISSING)
        here = view.configured_in[next(iter(roots))] if len(roots) == 1 else TARGET
        found, tools = configured_labels(view, reached)
        facts = [*named(found, ("", str(here)), tools), *self.values(view, where.values.split(" + "), here)]
        return Answer(options, 0, frozenset(facts), errors)

    def refused(self, options: str, place: Where = EVERYTHING) -> list[str]:
        """What Bazel would refuse, where a question names targets and follows no edge."""
        view = self._view(options)
        roots = self.nodes(view, asked(options, place)[1].roots.split(" + "))
        return [problem.message for problem in view.refused_behind(roots)]

    def reached(self, view: ConfiguredView, roots: Collection[int]) -> Collection[int]:
        """The dependencies, those of aspects where this Bazel's cquery follows them."""
        return view.closure(roots) if self.follows_aspects else _without_aspects(view, roots)

    def nodes(self, view: ConfiguredView, labels: Iterable[str]) -> Collection[int]:
        """The nodes of patterns."""
        return expand_list(labels, view, self.loader.workspace.map_repository)

    def values(self, view: ConfiguredView, patterns: Iterable[str], here: int = TARGET) -> Iterator[str]:
        """What the attributes with selects of patterns come to, in the configuration that is called `dep`."""
        for node in expand_list(patterns, view, self.loader.workspace.map_repository):
            rule, settings = view.target(node), view.settings_of(node)
            for name, value in rule.values.items() if isinstance(rule, Rule) else ():
                if isinstance(rule, Rule) and isinstance(value, SelectorList) and view.configured_in[node] == here:
                    found = configured_value(rule, name, settings)
                    attribute = rule.rule_class.attributes.get(name)
                    kind = attribute.type.value if attribute is not None else "unknown"
                    yield f"value {rule.label} {name} {show(plain_value(found.value, kind))}"


def _without_aspects(view: ConfiguredView, roots: Iterable[int]) -> set[int]:
    """What is reached but for what aspects bring: cquery follows those from Bazel 5 on only."""
    view.closure(roots)
    reached = wave = set(roots)
    while wave:
        wave = {view.columns.edge_target[edge] for number in wave for edge in _own_edges(view, number)} - reached
        reached = reached | wave
    return reached


def _own_edges(view: ConfiguredView, number: int) -> Iterator[int]:
    rule = view.target(number)
    if not isinstance(rule, Rule) or rule.rule_class.unknown:
        yield from view.edges_from(number)
        return
    own = {_plain_name(name) for name in rule.rule_class.attributes}
    for edge in view.edges_from(number):
        if view.columns.edge_flags[edge] & EdgeFlag.TOOLCHAIN:
            yield edge
        name = _plain_name(view.attribute_of(edge))
        if name in own and not name.startswith("_aspect_"):  # those of native aspects stand with the rule's own
            yield edge


def _plain_name(name: str) -> str:
    return name.replace("$", "_").replace(":", "_")


def configured_labels(view: ConfiguredView, reached: Iterable[int]) -> tuple[list[tuple[str, str]], set[str]]:
    """(label, configuration) of what is in the own repository, and the configurations that are tools'."""
    found, tools = [], set()
    for number in reached:
        label = view.labels[number]
        if not label.repo and view.kinds[number] != NodeKind.MISSING:
            configured = view.kinds[number] in (NodeKind.RULE, NodeKind.GENERATED)
            here = str(view.configured_in[number]) if configured else ""
            found.append((str(label), here))
            tools.update([here] if configured and view.is_tool(number) else [])
    return found, tools


def aliases(graph: BuildGraph) -> frozenset[str]:
    """The labels of rules that stand for others: Bazel 2 shows what they stand for."""
    rules = (graph.target(number) for number in range(len(graph)))
    return frozenset(str(r.label) for r in rules if isinstance(r, Rule) and r.rule_class.name in ALIASES)


def platform_labels(view: ConfiguredView) -> frozenset[str]:
    """What Bazel adds to every target that looks for toolchains: the platforms, and all that they name."""
    reached = {view.configuration.configuration, *(view.settings_of(node).configuration for node in range(len(view)))}
    names = {each.value(name).value for each in reached for name in ("platforms", "host_platform")}
    roots = [view.base.resolve(parse(name.partition(",")[0], "", "")) for name in names if name]
    platforms = view.configuration.toolchains.platforms
    roots += [view.base.resolve(each.label) for each in platforms if isinstance(each, Platform) and not each.assumed]
    return frozenset(str(view.base.labels[number]) for number in view.base.closure(roots))
