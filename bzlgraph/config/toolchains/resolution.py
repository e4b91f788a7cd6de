"""Which toolchains a target gets in a configuration: rule -> ``Resolution`` for each of its exec groups.

Rules
- The candidates of a type are looked at in the order of their registration. One fits when its ``target_settings`` hold
  and the target platform has its ``target_compatible_with``; it serves an execution platform that has its
  ``exec_compatible_with`` and for which no earlier one fits.
- An execution platform can be used when it has what the rule and the target themselves ask for
  (``exec_compatible_with``), and a toolchain of each mandatory type. Of those, the one with the most toolchains is
  taken, the first of several.
- One with ``use_target_platform_constraints`` serves the execution platforms that have all that the target one has.
- What is not known (a toolchain whose repository is not on disk, a constraint) may fit: then it may be chosen, and so
  may what follows it.
- A target for whose types there is no toolchain, or no platform that has all of them, is refused.

Mirrors ToolchainResolutionFunction and SingleToolchainResolutionFunction of Bazel's source.
Doc: https://bazel.build/extending/toolchains#toolchain-resolution
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from bzlgraph.base.label import Label, parse
from bzlgraph.bazel.model import Aspect, ExecGroup, Rule, RuleClass, ToolchainNeed
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.platform import Platform, compare_constraint
from bzlgraph.config.toolchains.answer import Candidate, Resolution, Toolchain, TypeResolution
from bzlgraph.config.toolchains.registered import Registering, execution_platforms, registered_toolchains
from bzlgraph.config.verdict import Comparison, Truth, Verdict, all_of
from bzlgraph.facts.native import native_toolchain_types, repositories_of_bazel

_BY_ITSELF = Toolchain(None, missing="the toolchains that Bazel registers by default are unknown", built_in=True)
_HOLDS = {Truth.YES: "holds", Truth.NO: "does not hold", Truth.UNKNOWN: "may hold"}


@dataclass(frozen=True, slots=True)
class _Option:
    """A candidate of a type: whether it fits the target platform and the settings, and what it asks of the platform
    that it runs on."""

    toolchain: Toolchain
    fits: Verdict
    constraints: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class _Choice:
    """What an execution platform gets for a type: one of ``possible``, in order. ``certain``: the last of them is there
    for sure."""

    possible: tuple[int, ...]
    certain: bool

    @property
    def truth(self) -> Truth:
        """Whether it gets one."""
        return Truth.YES if self.certain else Truth.UNKNOWN if self.possible else Truth.NO


@dataclass(frozen=True, slots=True)
class _Place:
    """An execution platform, whether it can be used, and what it gets for each type."""

    platform: Platform | str
    usable: Truth
    choices: tuple[_Choice, ...]

    @property
    def least(self) -> int:
        """How many toolchains it gets for sure."""
        return sum(choice.truth is Truth.YES for choice in self.choices)

    @property
    def most(self) -> int:
        """How many it may get."""
        return sum(choice.truth is not Truth.NO for choice in self.choices)


class Resolving(Registering, Protocol):
    """A configuration in which toolchains are looked for."""

    @property
    def platform(self) -> Platform:
        """The target platform."""


class Toolchains:
    """Toolchain resolution in one configuration; answers are remembered."""

    def __init__(self, settings: Resolving) -> None:
        self._settings = settings
        self._registered: tuple[Toolchain, ...] | None = None
        self._platforms: tuple[Platform | str, ...] | None = None
        self._options: dict[Label, tuple[_Option, ...]] = {}
        self._choices: dict[tuple[Label, int], _Choice] = {}
        self._known: dict[tuple[ExecGroup, tuple[Label, ...]], Resolution] = {}
        self._native_groups: dict[str, tuple[ExecGroup, ...]] = {}

    def of(self, rule: Rule) -> tuple[Resolution, ...]:
        """The toolchains of each exec group of a rule."""
        groups = rule.rule_class.exec_groups or self._native(rule.rule_class)
        return tuple(self._of_group(group, _own_constraints(rule, group.name)) for group in groups)

    def of_aspect(self, aspect: Aspect) -> tuple[Resolution, ...]:
        """The toolchains of each exec group of an aspect."""
        return tuple(self._of_group(group, ()) for group in aspect.exec_groups or (ExecGroup(""),))

    def of_type(self, kind: Label) -> TypeResolution:
        """What a rule gets that asks for this type alone, and does without where there is none."""
        return self._of_group(ExecGroup("", (ToolchainNeed(kind, False),)), ()).types[0]

    def _native(self, rule_class: RuleClass) -> tuple[ExecGroup, ...]:
        """What native rules ask for, as far as toolchains of these types are known; for others the attributes of the
        rule stand already."""
        name = rule_class.name if rule_class.native else ""
        if name not in self._native_groups:
            types = [parse(each, "", "") for each in native_toolchain_types(self._settings.facts.version, name)]
            known = {each.type for each in self.registered} if types else set()
            needs = tuple(ToolchainNeed(each, False) for each in types if each in known)
            self._native_groups[name] = (ExecGroup("", needs),)
        return self._native_groups[name]

    def _of_group(self, group: ExecGroup, constraints: tuple[Label, ...]) -> Resolution:
        known = self._known.get((group, constraints))
        if known is None:
            known = self._known[group, constraints] = self._resolve(group, (*group.constraints, *constraints))
        return known

    def _resolve(self, group: ExecGroup, constraints: Sequence[Label]) -> Resolution:
        types = [self._type(need) for need in group.toolchains]
        options = [self._options_of(each) for each in types]
        places = [self._place(at, constraints, group.toolchains, types) for at in range(len(self.platforms))]
        possible = _possible(places)
        resolved = tuple(
            TypeResolution(need.type, kind, need.mandatory, self._candidates(number, options[number], possible))
            for number, (need, kind) in enumerate(zip(group.toolchains, types, strict=True))
        )
        platforms = tuple(each.platform for each in possible if isinstance(each.platform, Platform))
        unknown = [each.platform for each in possible if isinstance(each.platform, str)]
        if group.unknown:
            unknown.append("the toolchain types of the rule are unknown")
        error = self._error(group, resolved, places) if not possible else ""
        invalid = next((each.error for each in self.registered if each.error), "") if types else ""
        return Resolution(group.name, self.target_platform, platforms, resolved, invalid or error, tuple(unknown))

    # ------------------------------------------------------------------------------------------- what there is
    @property
    def registered(self) -> tuple[Toolchain, ...]:
        """All registered toolchains, of every type."""
        if self._registered is None:
            self._registered = registered_toolchains(self._settings)
        return self._registered

    @cached_property
    def implementations(self) -> frozenset[Label]:
        """What the registered toolchains stand for, behind aliases."""
        named = [each.implementation for each in self.registered if each.implementation is not None]
        return frozenset(actual_of(each, self._settings) or each for each in named)

    @property
    def platforms(self) -> tuple[Platform | str, ...]:
        """The execution platforms."""
        if self._platforms is None:
            self._platforms = execution_platforms(self._settings)
        return self._platforms

    @property
    def target_platform(self) -> Platform:
        """What toolchains are looked for."""
        return self._settings.platform

    def _type(self, need: ToolchainNeed) -> Label:
        return actual_of(need.type, self._settings) or need.type

    def _options_of(self, kind: Label) -> tuple[_Option, ...]:
        """The candidates of a type."""
        known = self._options.get(kind)
        if known is None:
            found = [each for each in self.registered if each.type == kind or each.missing]
            if kind.repo in repositories_of_bazel():
                found.append(_BY_ITSELF)
            known = self._options[kind] = tuple(map(self._option, found))
        return known

    def _option(self, toolchain: Toolchain) -> _Option:
        rule = self._settings.target(toolchain.label) if toolchain.label is not None else None
        if toolchain.missing or not isinstance(rule, Rule):
            reason = Comparison("", "", None, Truth.UNKNOWN, missing=toolchain.missing)
            return _Option(toolchain, Verdict(Truth.UNKNOWN, (reason,)))
        reasons = [
            Comparison("", "", None, verdict.truth, missing=f"{label} {_HOLDS[verdict.truth]} ({verdict.why})")
            for label in _labels(rule, "target_settings")
            for verdict in (self._settings.verdict(label),)
        ]
        platform, wanted = self.target_platform, _labels(rule, "exec_compatible_with")
        reasons += [self._compare(each, platform) for each in _labels(rule, "target_compatible_with")]
        if rule.get("use_target_platform_constraints") is True:
            wanted = tuple(platform.constraints.values())
            if platform.missing:
                reasons.append(Comparison("", "", None, Truth.UNKNOWN, missing=platform.missing))
        fits = Verdict(all_of(reason.truth for reason in reasons), tuple(reasons))
        return _Option(toolchain, fits, wanted)

    def _compare(self, constraint: Label, platform: Platform, what: str = "target") -> Comparison:
        found = compare_constraint(constraint, platform, self._settings)
        return replace(found, what=f"{what} platform {platform}", origin=None)

    # ----------------------------------------------------------------------------------------- what is chosen
    def _place(
        self,
        at: int,
        constraints: Sequence[Label],
        needs: Sequence[ToolchainNeed],
        types: Sequence[Label],
    ) -> _Place:
        platform, choices = self.platforms[at], tuple(self._choice_of(each, at) for each in types)
        wanted = (choice.truth for need, choice in zip(needs, choices, strict=True) if need.mandatory)
        exists = Truth.UNKNOWN if isinstance(platform, str) else Truth.YES
        return _Place(platform, all_of((exists, self._runs(constraints, platform), *wanted)), choices)

    def _choice_of(self, kind: Label, at: int) -> _Choice:
        """Which candidates of a type may be chosen on one of the platforms, whoever asks."""
        known = self._choices.get((kind, at))
        if known is None:
            known = self._choices[kind, at] = self._choice(self._options_of(kind), self.platforms[at])
        return known

    def _choice(self, options: Iterable[_Option], platform: Platform | str) -> _Choice:
        possible: list[int] = []
        for number, option in enumerate(options):
            truth = option.fits.truth
            if option.constraints:
                truth = all_of((truth, self._runs(option.constraints, platform)))
            if truth is not Truth.NO:
                possible.append(number)
            if truth is Truth.YES:
                return _Choice(tuple(possible), True)
        return _Choice(tuple(possible), False)

    def _runs(self, constraints: Iterable[Label], platform: Platform | str) -> Truth:
        """Whether an execution platform has all of these constraints."""
        if isinstance(platform, str):
            return all_of(Truth.UNKNOWN for _ in constraints)
        return all_of(compare_constraint(each, platform, self._settings).truth for each in constraints)

    def _candidates(self, number: int, options: Sequence[_Option], possible: Sequence[_Place]) -> tuple[Candidate, ...]:
        """The candidates of a type, with what becomes of each: chosen is what every place that may be taken gets."""
        choices = [place.choices[number] for place in possible]
        sure = any(place.usable is Truth.YES for place in possible) and all(choice.certain for choice in choices)
        open_ = {at for choice in choices for at in choice.possible}
        found: list[Candidate] = []
        for at, option in enumerate(options):
            chosen = Truth.NO if at not in open_ else Truth.YES if sure and len(open_) == 1 else Truth.UNKNOWN
            if option.fits.truth in (Truth.NO, chosen) and option.fits.truth is not Truth.YES:
                found.append(Candidate(option.toolchain, chosen, option.fits.why))
                continue
            places = [place.platform for place, choice in zip(possible, choices, strict=True) if at in choice.possible]
            places = places or [place.platform for place in possible]
            found.append(Candidate(option.toolchain, chosen, self._why(option, chosen, places, found)))
        return tuple(found)

    def _why(
        self, option: _Option, chosen: Truth, places: Sequence[Platform | str], before: Sequence[Candidate]
    ) -> str:
        """What becomes of a candidate that fits, by its ``places``: it may run on them, or else all may be taken."""
        rival = next((each.toolchain for each in before if each.chosen is not Truth.NO), None)
        if chosen is Truth.YES:
            return f"the first one for {self.target_platform} that runs on {' or '.join(map(str, places))}"
        wanted = Truth.UNKNOWN if chosen is Truth.UNKNOWN else Truth.NO
        reasons = [
            self._compare(each, place, "execution")
            for place in places or self.platforms
            if isinstance(place, Platform)
            for each in option.constraints
        ]
        if told := "; ".join(dict.fromkeys(str(each) for each in reasons if each.truth is wanted)):
            return told
        if rival is not None:
            return f"{rival} {'may come' if chosen is Truth.UNKNOWN else 'comes'} before it"
        unknown = "; ".join(each for each in places if isinstance(each, str))
        return unknown or "the chosen execution platform gets another one"

    def _error(self, group: ExecGroup, types: Iterable[TypeResolution], places: Sequence[_Place]) -> str:
        """What Bazel says when no execution platform can be used."""
        none = [
            str(each.type)
            for number, each in enumerate(types)
            if each.mandatory and not any(place.choices[number].possible for place in places)
        ]
        if none:
            return f"no matching toolchains found for types {', '.join(none)}"
        asked = ", ".join(str(each.type) for each in group.toolchains)
        listed = ", ".join(str(place.platform) for place in places)
        wanted = f"toolchains [{asked}] and " if asked else ""
        return (
            f"unable to find an execution platform for {wanted}target platform {self.target_platform} "
            f"from available execution platforms [{listed}]"
        )


def _possible(places: Sequence[_Place]) -> list[_Place]:
    """The places that may be taken: usable, and no better one is usable for sure."""
    sure = ((place.least, -number) for number, place in enumerate(places) if place.usable is Truth.YES)
    best = max(sure, default=(0, -len(places)))
    return [
        place for number, place in enumerate(places) if place.usable is not Truth.NO and (place.most, -number) >= best
    ]


def _own_constraints(rule: Rule, group: str) -> tuple[Label, ...]:
    """What a target itself asks of the platform that a group of its actions runs on."""
    if not group:
        return _labels(rule, "exec_compatible_with")
    by_group = rule.get("exec_group_compatible_with")
    return _as_labels(by_group.get(group)) if isinstance(by_group, Mapping) else ()


def _labels(rule: Rule, name: str) -> tuple[Label, ...]:
    return _as_labels(rule.get(name))


def _as_labels(value: object) -> tuple[Label, ...]:
    return tuple(each for each in value if isinstance(each, Label)) if isinstance(value, list | tuple) else ()
