"""A configuration over a graph: label of a condition -> ``Verdict``; keys of a select() -> ``Choice``.

``KINDS`` says for each rule class how its targets hold or not; a new kind of setting is one line there and one module
in ``kinds/``. Packages are loaded through the graph as they are named. Settings that name each other in circles are an
error, not a hang.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import GapKind
from bzlgraph.base.label import Label, RepoMapping, identity_mapping
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.conditional import parts, selectors
from bzlgraph.bazel.model import Condition, Rule, RuleClass, Selector, Target
from bzlgraph.config.choice import Choice, choose
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.kinds.alias import POINTERS, actual_of, targets_of
from bzlgraph.config.kinds.build_setting import alias_fault
from bzlgraph.config.kinds.config_setting import config_setting, constraint_value, of_bazel
from bzlgraph.config.kinds.platform import Platform, compare_constraint, target_platform
from bzlgraph.config.platform_flags import flags_applied
from bzlgraph.config.platform_mappings import NO_MAPPINGS, PlatformMappings, platform_mappings
from bzlgraph.config.value import configured_value
from bzlgraph.config.verdict import Truth, Verdict, invalid, unknown
from bzlgraph.facts import Facts
from bzlgraph.facts.native import native_toolchain_types
from bzlgraph.graph.model import DEFAULT_CONDITION, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.workspace import Workspace

RUNS_ON = "exec_compatible_with"
"""The attribute by which a target asks for platforms that its actions may run on."""

# What only rules with toolchains need is imported where there are any.
if TYPE_CHECKING:
    from bzlgraph.config.toolchains.answer import Resolution
    from bzlgraph.config.toolchains.resolution import Toolchains
    from bzlgraph.workspace.registrations import Registrations

MAX_OPEN = 50
"""Settings that may lead to one another before one decides: nobody has more than a few."""


class Settings:
    """Answers are remembered: a configuration and the packages of a graph do not change."""

    def __init__(
        self,
        graph: GraphView,
        configuration: Configuration,
        facts: Facts,
        mapping: RepoMapping = identity_mapping,
        registrations: Callable[[], Registrations] | None = None,
        bzl_loader: BzlLoader | None = None,
        mappings: PlatformMappings = NO_MAPPINGS,
    ) -> None:
        self.graph = graph
        self.configuration = configuration
        self.mapping = mapping
        self.facts = facts
        self.bzl_loader = bzl_loader
        self.mappings = mappings
        self._verdicts: dict[Label, Verdict] = {}
        self._choices: dict[tuple[Condition, ...], Choice] = {}
        self._open: list[Label] = []
        self._platform: Platform | None = None
        self._registrations = registrations
        self._toolchains: Toolchains | None = None
        self._all: dict[Configuration, Settings] = {configuration: self}
        """Those of each configuration that this one led to; shared by all of them."""
        self.transitions: dict[object, tuple[object, Configuration]] = {}
        """By what a transition gives: itself, held as its identity stands for it, and where it leads from here."""

    # ------------------------------------------------------------------------------------------------- answers
    def verdict(self, label: Label) -> Verdict:
        """Whether the condition holds, and why."""
        found = self._verdicts.get(label)
        if found is None:
            if label in self._open:
                circle = " -> ".join(map(str, [*self._open[self._open.index(label) :], label]))
                return invalid(f"settings form a cycle: {circle}", label)
            if len(self._open) >= MAX_OPEN:
                return unknown(f"{label} is reached through more than {MAX_OPEN} settings", label)
            self._open.append(label)
            try:
                found = self.configuration.assumed.of_setting(label, self._evaluate(label))
                self._verdicts[label] = found
            finally:
                self._open.pop()
        return found

    def choose(
        self, keys: Sequence[Condition], values: Sequence[object] | None = None, no_match_error: str = ""
    ) -> Choice:
        """Which branch of a select() with these keys is taken."""
        found = self.choice(tuple(keys))
        # Values and words count only where it is refused.
        return self._choose(keys, values, no_match_error) if found.error else found

    def _choose(
        self, keys: Sequence[Condition], values: Sequence[object] | None = None, no_match_error: str = ""
    ) -> Choice:
        assumed = self.configuration.assumed
        return choose(keys, self.verdict, self.facts, values=values, no_match_error=no_match_error, assumptions=assumed)

    def decides_like(self, other: Settings) -> bool:
        """Whether the conditions that were asked here hold in other settings alike."""
        return all(other.verdict(label).truth is known.truth for label, known in list(self._verdicts.items()))

    def choice(self, keys: tuple[Condition, ...]) -> Choice:
        """As ``choose``, whatever the values; remembered while no circle is open."""
        found = self._choices.get(keys)
        if found is None:
            found = self._choose(keys)
            if not self._open:
                self._choices[keys] = found
        return found

    def truths(self, keys: tuple[Condition, ...]) -> tuple[Truth, ...]:
        """For each key whether its branch is taken."""
        return self.choice(keys).truths

    def may_refuse_selects(self, rule: Rule) -> bool:
        """Whether a select() of a rule is refused here, or may be in other settings: it has no default."""
        for selector in (each for value in rule.values.values() for each in selectors(value)):
            keys = tuple(condition for condition, _ in selector.branches)
            labels = {key.label for key in keys}
            if None not in labels and (DEFAULT_CONDITION not in labels or self.choice(keys).error):
                return True
        return False

    @property
    def words(self) -> str:
        """The options of the command line, as typed."""
        return self.configuration.words

    @property
    def problems(self) -> Sequence[Diagnostic]:
        """What Bazel would refuse about the options."""
        return self.configuration.problems

    @property
    def platform(self) -> Platform:
        """The target platform."""
        if self._platform is None:
            self._platform = target_platform(self)
        return self._platform

    def placed(self, configuration: Configuration) -> Configuration:
        """A configuration as its target platform has it: with the flags of that, else by platform mappings."""
        found = flags_applied(configuration, self)
        return found if found is not None else self.mappings.applied(configuration)

    def under(self, configuration: Configuration) -> Settings:
        """Another configuration over the same graph: one for all that ask, so that what is known of it is kept."""
        found = self._all.get(configuration)
        if found is None:
            rest = self._registrations, self.bzl_loader, self.mappings
            found = Settings(self.graph, configuration, self.facts, self.mapping, *rest)
            self._all[configuration] = found
            found._all = self._all
        return found

    @property
    def toolchains(self) -> Toolchains:
        """Which toolchains targets get; imported when a rule asks for one."""
        if self._toolchains is None:
            from bzlgraph.config.toolchains.resolution import Toolchains

            self._toolchains = Toolchains(self)
        return self._toolchains

    @property
    def looked_for_toolchains(self) -> bool:
        """Whether anybody has asked for toolchains."""
        return self._toolchains is not None

    def chosen_toolchains(self, kind: Label) -> tuple[tuple[Label, bool], ...]:
        """The toolchains of a type that the workspace registers and that are chosen, or may be: then not certain."""
        if not self._registers_own:
            return ()
        found = self.toolchains.of_type(kind).chosen
        named = ((each.toolchain.implementation, each.chosen is Truth.YES) for each in found)
        return tuple((label, certain) for label, certain in named if label is not None)

    def asks_for_toolchains(self, rule: Rule) -> bool:
        """Whether a rule takes part in toolchain resolution in a way that matters."""
        return self.class_asks_for_toolchains(rule.rule_class) or (
            not rule.rule_class.native and RUNS_ON in rule.values
        )

    def class_asks_for_toolchains(self, kind: RuleClass) -> bool:
        """Whether all rules of a class do; of another class only those do that say where they run."""
        if not kind.native:
            return bool(kind.exec_groups)
        return self._registers_own and bool(native_toolchain_types(self.facts.version, kind.name))

    @cached_property
    def _registers_own(self) -> bool:
        """Whether toolchains of the main repository are registered: others are left to what native rules bring."""
        patterns = (each.text for each in self.registered.toolchains if not each.repo)
        own = any(not text.startswith("@") for text in patterns)
        return own or bool(self.configuration.values("extra_toolchains"))

    @cached_property
    def runs_on_several(self) -> bool:
        """Whether there is an execution platform beside the machine that builds."""
        known = any(each.text for each in self.registered.platforms)
        return known or bool(self.configuration.values("extra_execution_platforms"))

    def tool_platform(self, rule: Rule, group: str) -> Platform:
        """The platform that the tools of a rule are built for: that of its own actions, or of a group of them. Those of
        a toolchain are built for the platform of whoever it serves, which is not known here."""
        serves = rule.label in self.toolchains.implementations and not group
        return self.platform_of((), "") if serves else self.platform_of(self.toolchains.of(rule), group)

    def platform_of(self, resolutions: Iterable[Resolution], group: str) -> Platform:
        """The platform that the actions of a group run on."""
        own = next((each for each in resolutions if each.group == group), None)
        if own is not None and len(own.platforms) == 1 and not own.unknown:
            return own.platforms[0]
        return Platform(Label("", "", ""), None, missing="the execution platform of some tools is unknown")

    @property
    def registered(self) -> Registrations:
        """What the workspace registers; nothing where there is none."""
        from bzlgraph.workspace.registrations import Registrations

        return self._registrations() if self._registrations is not None else Registrations()

    # ------------------------------------------------------------------------------- what the kinds may ask
    def target(self, label: Label) -> Target | None:
        """The target of a label, its package loaded."""
        return self.graph.target(self.graph.resolve(label))

    def absence(self, label: Label) -> str:
        """Why there is no such target, in words."""
        kind = self.graph.kinds[self.graph.resolve(label)]
        if kind != NodeKind.UNLOADED:
            return f"{label} does not exist" if self.target(label) is None else f"{label} is open"
        known = (label.repo, label.package) in self.graph.packages
        if label.repo and not known:
            return f"{label} is unknown: @{label.repo} is not on disk"
        return f"{label} is unknown: a gap in {label.package_label} may hide it"

    def meant(self, label: Label, before: str = "--") -> str | None:
        """The flag that may be meant by a label without a target; ``before`` stands before it on the command line."""
        package = self.graph.packages.get((label.repo, label.package))
        if package is None and self.is_error(label) and self.graph.source is not None:
            return self.graph.source.missing(label.repo, label.package).hint
        near = nearest(label.name, package.targets) if package is not None and self.target(label) is None else None
        return f"did you mean {before}{label._replace(name=near)}?" if near else None

    def registered_by(self, text: str, kind: str) -> list[Label]:
        """The labels that the patterns of --extra_toolchains and its like stand for, as far as that is known."""
        from bzlgraph.config.toolchains.registered import expanded, patterns_of

        return [each for each in expanded(patterns_of(text), kind, self) if not isinstance(each, str)]

    def is_error(self, label: Label) -> bool:
        """Whether a label without a target is an error of the workspace."""
        return self.graph.kinds[self.graph.resolve(label)] == NodeKind.MISSING

    # --------------------------------------------------------------------------------------------- evaluation
    def _evaluate(self, label: Label) -> Verdict:
        target = self.target(label)
        if own := of_bazel(label, target, self.configuration.table.version):
            return config_setting(own, self, self.platform)
        if target is None:
            return self._absent(label)
        if isinstance(target, Rule):
            kind = KINDS.get(target.rule_class.name)
            if kind is not None:
                found = kind(self, target)
                return unknown(f"a dependency of {label} is not on disk", label) if self._in_part(found) else found
            if target.rule_class.unknown:
                return unknown(f"{label} is a {target.rule_class.name}, whose definition is not on disk", label)
            return invalid(f"{label} is not a condition: {target.kind}", label)
        return invalid(f"{label} is not a condition: {target.kind}", label)

    def _in_part(self, verdict: Verdict) -> bool:
        """Whether an error may come from a package of which only a part is known: one of Bazel's own, from a table."""
        label = verdict.label
        package = self.graph.packages.get((label.repo, label.package)) if verdict.error and label is not None else None
        return package is not None and any(gap.kind == GapKind.REPOSITORY.value for gap in package.gaps)

    def _absent(self, label: Label) -> Verdict:
        """A label without a target: the few that everyone shares are known all the same."""
        reason = compare_constraint(label, self.platform, self)
        if reason.truth is not Truth.UNKNOWN and not reason.missing:
            return Verdict(reason.truth, (reason,), label, constraints=frozenset({label}))
        return invalid(self.absence(label), label) if self.is_error(label) else unknown(self.absence(label), label)

    def _constraint(self, rule: Rule) -> Verdict:
        """A constraint_value that is itself the key of a select()."""
        if not self.facts.select_takes_constraint_values:
            return invalid(f"{rule.label} is not a condition in this Bazel: {rule.kind}", rule.label)
        return constraint_value(rule, self, self.platform)

    def _behind(self, rule: Rule) -> Verdict:
        """What a rule stands for decides. When that is open, all it may stand for must say the same."""
        error = configured_value(rule, POINTERS[rule.rule_class.name], self).error
        if error:
            return invalid(f"{rule.label}: {error}", rule.label)
        ends = targets_of(rule, self)
        if not ends:
            return invalid(f"{rule.label} resolves to nothing in this configuration", rule.label)
        found = [self.verdict(end) for end in ends]
        if len(found) == 1 or len({each.truth for each in found}) == 1:
            return found[0]
        return unknown("; ".join(dict.fromkeys(self._open_choice(rule))), rule.label)

    def _open_choice(self, rule: Rule) -> list[str]:
        """What is not known about a select() that says what a rule stands for."""
        selects = (part for part in parts(rule.get(POINTERS[rule.rule_class.name])) if isinstance(part, Selector))
        keys = [condition for select in selects for condition, _ in select.branches]
        verdicts = [self.choose([key]).verdicts[0] for key in keys]
        named = [verdict.why for verdict in verdicts if verdict.truth is Truth.UNKNOWN]
        return named or [f"what {rule.label} resolves to is unknown"]


def settings_for(graph: GraphView, workspace: Workspace, configuration: Configuration) -> Settings:
    """The settings of a configuration in a workspace, by the rules of its Bazel; what its platform says is applied.

    Raises UsageProblem for mappings that Bazel refuses.
    """
    registered, bzl_loader = partial(_registered, workspace), workspace.bzl_loader
    mappings = platform_mappings(workspace, configuration)
    rest = workspace.facts, workspace.map_repository, registered, bzl_loader, mappings
    given = Settings(graph, configuration, *rest)
    mapped = given.placed(given.placed(configuration))
    settings = given if mapped is configuration else Settings(graph, mapped, *rest)
    if not workspace.facts.flags_by_aliases:
        return settings
    named = (label for label in mapped.flags() if not alias_fault(label, settings))
    behind = ((label, actual_of(label, settings)) for label in named)
    names = {label: actual for label, actual in behind if actual not in (label, None)}
    return settings.under(mapped.renamed(names)) if names else settings


def _registered(workspace: Workspace) -> Registrations:
    from bzlgraph.workspace.registrations import registrations

    return registrations(workspace)


KINDS: dict[str, Callable[[Settings, Rule], Verdict]] = {
    "config_setting": lambda settings, rule: config_setting(rule, settings, settings.platform),
    "constraint_value": Settings._constraint,
    **dict.fromkeys(POINTERS, Settings._behind),
}
"""How the targets of a rule class hold or not."""
