"""The configurations that a view meets, by number: that of the command line is 0, others as something leads to them.

Tools lead to theirs, transitions to those that they give. Each is there once: two ways that set the same options lead
to one configuration. A checkout that leads to more than any build has gets one for the rest, of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Aspect, Attribute, Rule, RuleClass, Target
from bzlgraph.config.configuration import ALL_SETTINGS, HOST, Configuration
from bzlgraph.config.kinds.build_setting import NATIVE_FEATURE_FLAGS
from bzlgraph.config.kinds.platform import Platform, built_for
from bzlgraph.config.option_use import default_origin
from bzlgraph.config.settings import Settings
from bzlgraph.facts.native import native_transitions
from bzlgraph.graph.edges import written_name

if TYPE_CHECKING:
    from bzlgraph.config.transitions.evaluate import Destination

MAX_CONFIGURATIONS = 500


@dataclass(frozen=True, slots=True)
class Way:
    """Where a transition leads: numbers of configurations, and what is wrong or not known about it."""

    numbers: tuple[int, ...]
    unknown: str = ""
    error: str = ""


class ReachedConfigurations:
    """Numbers and settings of configurations; grows as it is asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = [settings]
        self._numbers: dict[Configuration, int] = {settings.configuration: 0}
        """Without texts: Bazel takes them for labels here, and keeps what it has met first."""
        self._tools: dict[tuple[int, Label | None], int] = {}
        self._host: int | None = None
        self._plain: dict[int, Settings] = {}
        self._ways: dict[tuple[Label, str, int], Way] = {}
        self._tool_attributes: dict[RuleClass, dict[str, Attribute]] = {}
        self._changing: dict[RuleClass, dict[str, str]] = {}
        self._moves: dict[RuleClass, bool] = {}
        self._faults: dict[Label, dict[Way, None]] = {}

    def __getitem__(self, number: int) -> Settings:
        return self._settings[number]

    def moves(self, rule_class: RuleClass) -> bool:
        """Whether a rule has a transition of its own."""
        found = self._moves.get(rule_class)
        if found is None:
            name = rule_class.name
            native = rule_class.native and (name in NATIVE_FEATURE_FLAGS or "" in native_transitions(name))
            found = self._moves[rule_class] = rule_class.transition or native
        return found

    def changing(self, rule_class: RuleClass) -> dict[str, str]:
        """The attributes that have transitions: their names as people write them -> as Bazel does."""
        found = self._changing.get(rule_class)
        if found is None:
            native = native_transitions(rule_class.name) if rule_class.native else {}
            own = (each.name for each in rule_class.attributes.values() if each.transition or each.name in native)
            found = self._changing[rule_class] = {written_name(name, rule_class): name for name in own}
        return found

    def is_tool(self, number: int) -> bool:
        """Whether it is a configuration of tools."""
        return self._settings[number].configuration.is_exec

    def tools_of(self, number: int, rule: Rule | None = None, attribute: str = "") -> int:
        """The configuration of the tools of a target in this one: those of a rule's attribute are built for the
        platform that its actions run on, unless it asks for the machine that builds."""
        settings, platform = self._settings[number], None
        if HOST in settings.configuration.marks:
            return number
        own = self._tools_by_name(rule.rule_class).get(attribute) if rule is not None else None
        if settings.facts.host_configuration and (own is None or own.host):
            return self.host
        group = own.exec_group if own is not None else ""
        if rule is not None and group and group not in {each.name for each in rule.rule_class.exec_groups}:
            error = f"{rule.label}: Attr '{attribute}' declares a transition for non-existent exec group '{group}'"
            self._faults.setdefault(rule.label, {})[Way((), error=error)] = None
        if rule is not None and settings.runs_on_several:
            platform = settings.tool_platform(rule, group)
        return self._exec(number, platform)

    def tools_of_aspect(self, number: int, aspect: Aspect, attribute: Attribute) -> int:
        """The configuration of the tools that an aspect names, where it is applied to a target in this one."""
        settings, platform = self._settings[number], None
        if HOST in settings.configuration.marks:
            return number
        if settings.facts.host_configuration and attribute.host:
            return self.host
        if settings.runs_on_several:
            platform = settings.platform_of(settings.toolchains.of_aspect(aspect), attribute.exec_group)
        return self._exec(number, platform)

    def _exec(self, number: int, platform: Platform | None) -> int:
        key = number, platform.label if platform is not None else None
        found = self._tools.get(key)
        if found is None:
            tools = self._settings[number].configuration.exec()
            found = self._tools[key] = self._number(built_for(tools, platform) if platform is not None else tools)
        return found

    @property
    def host(self) -> int:
        """The configuration for the machine that builds: that of the command line decides it, for the whole build."""
        if self._host is None:
            tools = self._settings[0].configuration.exec()
            self._host = self._number(tools.changed({}, default_origin(tools.table.version), (HOST,)))
        return self._host

    def _tools_by_name(self, rule_class: RuleClass) -> dict[str, Attribute]:
        """The attributes that name tools, as people write them."""
        found = self._tool_attributes.get(rule_class)
        if found is None:
            own = (each for each in rule_class.attributes.values() if each.tool)
            found = self._tool_attributes[rule_class] = {written_name(each.name, rule_class): each for each in own}
        return found

    def onward(self, number: int) -> int:
        """The configuration of what has no transition: the same, but for a platform that platform mappings gave, and
        that stands for options itself."""
        settings = self._settings[number]
        if number == 0 or not settings.facts.mappings_at_every_step or not settings.mappings:
            return number
        return self._number(settings.configuration)

    @property
    def none(self) -> int:
        """The configuration of what is the same in all of them."""
        return self._number(self._settings[0].configuration.without_options())

    def behind(self, rule: Rule, attribute: str, number: int) -> Way:
        """Where the transition of a rule (``attribute`` is "") or of its attribute leads from a configuration."""
        key = rule.label, attribute, number
        way = self._ways.get(key)
        if way is None:
            way = self._ways[key] = self._follow(rule, attribute, number)
        return way

    def behind_aspect(self, aspect: Aspect, attribute: Attribute, rule: Rule, number: int) -> tuple[int, ...]:
        """Where the transition of an aspect's attribute leads from a configuration; ``rule`` applies the aspect."""
        from bzlgraph.config.transitions.evaluate import lead_aspect

        if HOST in self._settings[number].configuration.marks:
            return (number,)
        return self._way(
            rule, lead_aspect(aspect, attribute.name, rule, self._with_plain_flags(number)), number
        ).numbers

    def _follow(self, rule: Rule, attribute: str, number: int) -> Way:
        if HOST in self._settings[number].configuration.marks:
            return Way((number,))
        from bzlgraph.config.transitions.evaluate import lead  # only where there are transitions

        return self._way(rule, lead(rule, attribute, self._with_plain_flags(number)), number)

    def _way(self, rule: Rule, found: Destination, here: int) -> Way:
        numbers = tuple(dict.fromkeys(map(self._number, found.configurations)))
        way = Way(numbers, found.unknown or self._mixed(rule, found, here), found.error)
        if way.unknown or way.error:
            self._faults.setdefault(rule.label, {})[way] = None
        return way

    def _mixed(self, rule: Rule, found: Destination, here: int) -> str:
        """What is not known where a flag of labels is set to a label and, elsewhere, to a text like it."""
        for configuration in found.configurations:
            number = self._number(configuration)
            if number != here and (flags := self._settings[number].configuration.texts ^ configuration.texts):
                flag = min(map(str, flags))
                setting = f"{flag} is set to a string by the transition of {rule.label} or another"
                return f"{setting}, and elsewhere to the label of that name"
        return ""

    def _with_plain_flags(self, number: int) -> Settings:
        """The settings that a transition starts from: it leads back to the same number when it changes nothing."""
        found = self._plain.get(number)
        if found is None:
            from bzlgraph.config.transitions.evaluate import with_plain_flags

            settings = self._settings[number]
            plain = with_plain_flags(settings)
            found = self._plain[number] = settings if plain is settings.configuration else settings.under(plain)
            self._numbers.setdefault(plain.without_texts(), number)
        return found

    def _number(self, configuration: Configuration) -> int:
        configuration = self._settings[0].placed(configuration)
        if configuration.without_texts() not in self._numbers and len(self._settings) >= MAX_CONFIGURATIONS:
            why = f"transitions create more than {MAX_CONFIGURATIONS:,} configurations"
            configuration = self._settings[0].configuration.doubtful((ALL_SETTINGS,), why)
        number = self._numbers.get(configuration.without_texts())
        if number is None:
            number = self._numbers[configuration.without_texts()] = len(self._settings)
            self._settings.append(self._settings[0].under(configuration))
        return number

    def decide_like(self, other: ReachedConfigurations) -> bool:
        """Whether the conditions asked here hold there alike; False as soon as a transition was followed, or
        a toolchain or a platform to run on was looked for."""
        if self._ways or any(each.looked_for_toolchains for each in self._settings):
            return False
        pairs = [(self[0], other[0])]
        pairs += [(self[self._exec(0, None)], other[other._exec(0, None)])] if (0, None) in self._tools else []
        pairs += [(self[self.host], other[other.host])] if self._host is not None else []
        return all(mine.decides_like(theirs) for mine, theirs in pairs)

    def refusals(self, rule: Rule) -> tuple[Diagnostic, ...]:
        """What Bazel would say about the transitions of a rule."""
        faults = self._faults.get(rule.label, ())
        return tuple(Diagnostic(way.error, rule.location) for way in faults if way.error)

    def gaps_of(self, targets: Iterable[Target | None]) -> tuple[Gap, ...]:
        """The transitions of these targets of which it is not known where they lead."""
        if not self._faults:
            return ()
        faults = (way for each in targets if each is not None for way in self._faults.get(each.label, ()))
        hides = "the configuration of its targets is unknown"
        return tuple(dict.fromkeys(Gap(GapKind.CONDITION.value, way.unknown, hides) for way in faults if way.unknown))
