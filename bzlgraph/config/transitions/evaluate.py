"""Transitions: (``cfg`` of a rule or an attribute, a configuration) -> the configurations it leads to.

Rules
- The definition stands in the .bzl file of the rule class; a package keeps only that there is one. It is looked up
  there and its implementation run, with a budget, on the settings that it names and the attributes of the target.
- It gives one dictionary, a list of them, or a dictionary of them (a split); each names all ``outputs``. Nothing at all
  is no change. A rule may lead to one configuration only.
- ``attr`` has the values of the configuration that a transition leads from, some of them (``attributes``).
- From Bazel 7 on the transition of a rule that sees a ``select()`` is applied where it leads, too: see ``_lead_rule``.
- A transition to another ``--cpu`` that says nothing of ``--platforms`` clears that.
- What cannot be run leaves ``outputs`` unknown; what Bazel refuses is an error as well.

Mirrors StarlarkDefinedConfigTransition and StarlarkRuleTransitionProvider of Bazel's source.
Doc: https://bazel.build/extending/config#user-defined-transitions
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.label import Label
from bzlgraph.bazel.context.contexts import BzlContext
from bzlgraph.bazel.model import Aspect, Rule, RuleClass, Target
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.aspect import AspectValue
from bzlgraph.bazel.rules.attr import AttrValue
from bzlgraph.bazel.rules.rule import RuleFunction
from bzlgraph.bazel.rules.transition import NATIVE_OPTION, Transition, setting_label
from bzlgraph.bazel.targets.computed import starlark_value
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.config.configuration import ALL_SETTINGS, Configuration, SettingName
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, actual_of, is_alias, targets_of
from bzlgraph.config.kinds.build_setting import FEATURE_FLAG, NATIVE_FEATURE_FLAGS, flag_text, flag_value, kind_of
from bzlgraph.config.option_use import Origin
from bzlgraph.config.settings import Settings
from bzlgraph.config.transitions.attributes import AttributesView
from bzlgraph.config.transitions.option_values import SettingError, flag_texts, option_texts, option_value
from bzlgraph.config.value import Evaluation
from bzlgraph.facts import Facts
from bzlgraph.facts.native import NativeTransition, native_transitions
from bzlgraph.graph.edges import written_name
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.values import Dict, List, freeze
from bzlgraph.workspace.bzl_files import BzlLoader

BUDGET = Budget(steps=2_000_000)
"""A transition computes a few texts; it runs for each target."""
MAX_APPLICATIONS = 100
TRANSITION = "transition"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a transition leads: configurations, in order; ``unknown`` says why their settings are not known, ``error``
    what Bazel refuses about it."""

    configurations: tuple[Configuration, ...]
    unknown: str = ""
    error: str = ""


class NotRun(Exception):
    """A fact is missing to run a transition."""


def find_transition(rule: Rule, attribute: str, bzl_loader: BzlLoader) -> object:
    """The ``cfg`` of a rule, or of its attribute of that (Bazel's own) name; None when its definition is not found."""
    rule_class = rule.rule_class
    function = _definition(rule_class, bzl_loader)
    if rule_class.name in NATIVE_FEATURE_FLAGS and rule_class.native:
        return Transition(rule_class.name, feature_flags=NATIVE_FEATURE_FLAGS[rule_class.name])
    if not isinstance(function, RuleFunction):
        return None
    return _cfg(function.attrs, attribute) if attribute else function.cfg


def _definition(of: RuleClass | Aspect, bzl_loader: BzlLoader) -> object:
    names = bzl_loader.file(of.bzl).names if of.bzl is not None else {}
    return names.get(of.name)


def _cfg(attrs: Mapping[str, AttrValue], attribute: str) -> object:
    schema = attrs.get(attribute) or attrs.get(f"_{attribute[1:]}")
    return schema.arguments.get("cfg") if schema is not None else None


def lead(rule: Rule, attribute: str, settings: Settings) -> Destination:
    """Where the transition of a rule (``attribute`` is "") or of its attribute leads from a configuration."""
    what = f"the transition of {rule.label}" + (f" on {written_name(attribute, rule.rule_class)}" if attribute else "")
    bzl_loader, kind = settings.bzl_loader, rule.rule_class
    native = native_transitions(kind.name).get(attribute) if kind.native else None
    if native is not None:
        return _lead_native(native, rule, what, settings.configuration)
    found = find_transition(rule, attribute, bzl_loader) if bzl_loader is not None else None
    if attribute:
        return _lead(found, AttributesView(rule, settings), False, what, settings)
    return _lead_rule(found, rule, what, settings)


def _lead_rule(found: object, rule: Rule, what: str, settings: Settings) -> Destination:
    """Where the transition of a rule leads. One that sees a select() is applied again where it leads, until it changes
    nothing there; but only where it would change nothing with the values of before."""
    written = found.outputs if isinstance(found, Transition) else {}
    met = {settings.configuration}
    while True:
        view = AttributesView(rule, settings, written)
        way = _lead(found, view, True, what, settings)
        there = way.configurations[0]
        if not view.resolved or way.unknown or way.error or there == settings.configuration:
            return way
        after = settings.under(there)
        if _lead(found, view, True, what, after).configurations != (there,):
            return way
        if there in met or len(met) > MAX_APPLICATIONS:
            error = f"{what}: cycle in dependency graph"
            return Destination((there.doubtful((ALL_SETTINGS,), error),), "", error)
        met.add(there)
        settings = after


def _lead_native(native: NativeTransition, rule: Rule, what: str, here: Configuration) -> Destination:
    if native.changes:
        why = f"{what} is one of Bazel's own: it changes {', '.join(f'--{name}' for name in native.changes)}"
        return Destination((here.doubtful(native.changes, why),), why)
    old = rule.get(native.sets) == "PY2"
    if old == (here.value(native.sets).value == "PY2"):
        return Destination((here,))
    origin = Origin(TRANSITION, rule.location, (f"{native.sets} of {rule.label}",))
    return Destination((here.changed({native.sets: ("PY2",) if old else ()}, origin),))  # PY3 is the default


def lead_aspect(aspect: Aspect, attribute: str, rule: Rule, settings: Settings) -> Destination:
    """Where the transition of an aspect's attribute leads from a configuration; ``rule`` applies the aspect."""
    what = f"the transition of aspect {aspect.name} on {written_name(attribute, None)}"
    definition = _definition(aspect, settings.bzl_loader) if settings.bzl_loader is not None else None
    found = _cfg(definition.attrs, attribute) if isinstance(definition, AspectValue) else None
    stranger = AttributesView(rule, settings, stranger=f"the target that {what} is for")
    return _lead(found, stranger, False, what, settings)


def _lead(found: object, attributes: AttributesView, of_rule: bool, what: str, settings: Settings) -> Destination:
    here, bzl_loader, rule = settings.configuration, settings.bzl_loader, attributes.rule
    if not isinstance(found, Transition) or bzl_loader is None:
        return Destination((here.doubtful((ALL_SETTINGS,), f"{what} is not known"),), f"{what} is not known")
    if found.clears:
        return Destination((here.without_options(),))
    try:
        if found.feature_flags:
            return Destination((_with_feature_flags(found, rule, settings),))
        results = _run(found, attributes, settings, bzl_loader)
        if of_rule and len(results) > 1:
            raise SettingError("a rule can have one transitioned configuration only")
        return Destination(tuple(dict.fromkeys(_changed(found, each, rule, settings) for each in results)) or (here,))
    except NotRun as missing:
        why, error = f"{what} ({found.location}) cannot be run: {missing}", ""
    except SettingError as refused:
        why = error = f"{what} ({found.location}): {refused}"
    except BzlgraphError as failed:
        why = error = f"{what} ({found.location}): {failed.diagnostics[0].message}"
    return Destination((here.doubtful(_written(found, settings), why),), "" if error else why, error)


def _run(
    transition: Transition, view: AttributesView, settings: Evaluation, bzl_loader: BzlLoader
) -> list[Mapping[str, object]]:
    """What the implementation gives: for each configuration its outputs."""
    if transition.function is None:
        return [transition.settings]
    _check_names(transition, settings)
    if not callable(transition.function) or isinstance(transition.function, Uncertain):
        raise NotRun("its implementation is unknown")
    home = transition.context
    assert home is not None
    path = home.path if isinstance(home, BzlContext) else ""
    host = BzlContext(home.repo, home.package, home.mapping, home.facts, loaded=bzl_loader.contexts, path=path)
    read = Dict({name: _input(name, label, settings) for name, label in transition.inputs.items()})
    freeze(read)
    try:
        found = bzl_loader.thread(host, [], [], BUDGET).run(transition.function, read, view)
    except BzlgraphError:
        if view.open or host.gaps:
            raise NotRun(view.open or host.gaps[0].what) from None
        raise
    if view.open or host.gaps:
        raise NotRun(view.open or host.gaps[0].what)
    return _results(found, transition, settings.facts)


def _check_names(transition: Transition, settings: Evaluation) -> None:
    """Refuse a build setting that is named twice: by itself and by an alias. Step by step, as Bazel follows aliases."""
    met = set[Label]()
    wave = {each for each in (*transition.inputs.values(), *transition.outputs.values()) if each is not None}
    while wave:
        if twice := sorted(wave & met):
            raise SettingError(f"Dependency cycle involving '{twice[0]}' detected in aliased build settings")
        met |= wave
        rules = [settings.target(each) for each in wave]
        wave = {to for rule in rules if isinstance(rule, Rule) and is_alias(rule) for to in targets_of(rule, settings)}


def _input(name: str, label: Label | None, settings: Evaluation) -> object:
    """The value of a setting that a transition reads."""
    configuration = settings.configuration
    if name.startswith(NATIVE_OPTION):
        option = name.removeprefix(NATIVE_OPTION)
        if doubt := configuration.doubt(option):
            raise NotRun(doubt)
        return option_value(option, configuration, settings.facts)
    if label is None:
        raise SettingError(f"transition inputs [{name}] do not correspond to valid settings")
    found = flag_value(label, settings, behind_aliases=False)  # by an alias Bazel reads the default
    if not found.known:
        raise NotRun(found.fault)
    if found.fault:
        raise SettingError(found.fault)
    return starlark_value(found.value)


def _results(found: object, transition: Transition, facts: Facts) -> list[Mapping[str, object]]:
    """The outputs of each configuration; [] for no change."""
    listed: Iterable[object]
    if found is None or (isinstance(found, Dict | List) and not found):
        if transition.outputs and not facts.transitions_may_be_empty:
            raise SettingError("it returns nothing, and has outputs")
        return []
    if isinstance(found, List):
        listed = found
    elif isinstance(found, Dict) and all(isinstance(each, Dict) for each in found.values()):
        listed = found.values()
    else:
        listed = (found,)
    return [_checked(each, transition) for each in listed]


def _checked(result: object, transition: Transition) -> dict[str, object]:
    if isinstance(result, Uncertain):
        raise NotRun("what it returns is unknown")
    if not isinstance(result, Dict):
        raise SettingError("a transition function must return a dictionary or a list of dictionaries")
    unknown = next((each for pair in result.items() for each in pair if isinstance(each, Uncertain)), None)
    if unknown is not None:
        raise NotRun("what it returns is unknown")
    for name in result:
        if name not in transition.outputs:
            raise SettingError(f"transition function returned undeclared output '{name}'")
    if missing := [name for name in transition.outputs if name not in result]:
        raise SettingError(f"transition outputs [{', '.join(missing)}] were not defined by transition function")
    return {name: value for name, value in result.items() if isinstance(name, str)}


@dataclass(slots=True)
class _Outputs:
    """What a transition sets."""

    values: dict[SettingName, tuple[str, ...]] = field(default_factory=dict)
    """The values as they are written, none for the default."""
    names: dict[SettingName, str] = field(default_factory=dict)
    """What the transition calls its flags."""
    texts: set[SettingName] = field(default_factory=set)
    """The flags that keep texts."""


def _changed(transition: Transition, result: Mapping[str, object], rule: Rule, settings: Settings) -> Configuration:
    """The configuration with the outputs of a transition."""
    outputs = _outputs(transition, result, settings)
    # A macro's targets have one transition, which gives all of them the same.
    key = id(transition), tuple(outputs.values.items()), frozenset(outputs.texts)
    found = settings.transitions.get(key)
    if found is None:
        origin = Origin(TRANSITION, transition.location, (f"transition of {rule.label}",))
        found = settings.transitions[key] = transition, _with_outputs(transition, outputs, origin, settings)
    return found[1]


def _outputs(transition: Transition, result: Mapping[str, object], settings: Settings) -> _Outputs:
    here, found = settings.configuration, _Outputs()
    for name, value in result.items():
        if name.startswith(NATIVE_OPTION):
            option = name.removeprefix(NATIVE_OPTION)
            found.values[option] = option_texts(option, value, here)
        else:
            label, texts = _flag(name, value, transition, settings)
            found.values[label], found.names[label] = texts, name
            if isinstance(value, str) and _keeps_texts(label, settings):
                found.texts.add(label)
    other_cpu = "cpu" in found.values and found.values["cpu"] != (here.value("cpu").value,)
    if other_cpu and "platforms" not in found.values and settings.facts.transitions_clear_platforms:
        found.values["platforms"] = ()
    return found


def _with_outputs(transition: Transition, outputs: _Outputs, origin: Origin, settings: Settings) -> Configuration:
    here, values, texts = settings.configuration, outputs.values, outputs.texts
    new = [name for name, value in values.items() if here.would_change(name, value, name in texts)]
    leaves_marks = settings.facts.transitions_leave_marks
    marks = ["analysis test"] if transition.function is None and (new or leaves_marks) else []
    if leaves_marks:  # an alias of a flag is one that had its default before
        aliases = [name for name, text in outputs.names.items() if transition.outputs[text] != name and values[name]]
        marks += [outputs.names.get(name, str(name)) for name in {*new, *aliases}]
    # --platforms that are cleared may be the same as before, but leave it to platform mappings
    changes = {name: values[name] for name in values if name in new or name == "platforms"}
    return here.changed(changes, origin, marks, texts & changes.keys())


def _flag(
    name: str, value: object, transition: Transition, settings: Evaluation
) -> tuple[SettingName, tuple[str, ...]]:
    """A build setting and its values as they are written; none when it gets its default."""
    label = transition.outputs[name]
    actual = actual_of(label, settings) if label is not None else None
    if label is None or actual is None:
        raise SettingError(f"transition output '{name}' does not correspond to a valid setting")
    target = settings.target(actual)
    rule = target if isinstance(target, Rule) else None
    if isinstance(value, str) and _keeps_texts(actual, settings):
        if not value.startswith(("//", "@")):
            raise SettingError(f"invalid label '{value}' in {name}: invalid label: {value}")
        return actual, (value,)
    kind = (kind_of(rule) if rule is not None else "") or _kind_or_fault(actual, settings)
    if isinstance(value, str) and kind == "label" and transition.context is not None:
        value = LabelValue(setting_label(value, transition.context) or actual)
    setting = rule.rule_class.build_setting if rule is not None else None
    return actual, _texts(kind, value, setting is not None and setting.multiple, target)


def _kind_or_fault(label: Label, settings: Evaluation) -> str:
    """The kind of a build setting that Bazel has itself. Raises NotRun or SettingError for what is none."""
    found = flag_value(label, settings)
    if not found.kind:
        raise NotRun(found.fault) if not found.known else SettingError(found.fault)
    return found.kind


def _keeps_texts(label: SettingName, settings: Evaluation) -> bool:
    """Whether a text that is written to a flag stays one though the flag has labels."""
    rule = settings.target(label) if isinstance(label, Label) else None
    return settings.facts.label_flags_keep_texts and isinstance(rule, Rule) and rule.rule_class.name in LABEL_SETTINGS


def _texts(kind: str, value: object, multiple: bool, target: Target | None) -> tuple[str, ...]:
    """A value as it is written; none when it is the default."""
    texts = flag_texts(kind, value, multiple)
    default = target.get("build_setting_default") if isinstance(target, Rule) else None
    return () if texts == (flag_text(default),) and not multiple else texts


def with_plain_flags(settings: Evaluation) -> Configuration:
    """The configuration with its flags as a transition writes them: what a command line sets to its default is not set,
    and `--flag=1` is `True`."""
    here, texts = settings.configuration, {}
    for label in here.flags():
        found, target = flag_value(label, settings), settings.target(label)
        setting = target.rule_class.build_setting if isinstance(target, Rule) else None
        if setting is not None and found.known and not found.fault and found.label == label:
            plain = _texts(found.kind, found.value, setting.multiple, target)
            if plain != tuple(each.value for each in here.flag_values(label)):
                texts[label] = plain
    return here.with_flags_as(texts) if texts else here


def _with_feature_flags(transition: Transition, rule: Rule, settings: Evaluation) -> Configuration:
    """The configuration with the feature flags that a target sets, all others at their defaults."""
    given, here = rule.get(transition.feature_flags), settings.configuration
    if not isinstance(given, Mapping):
        raise NotRun(f"the value of attribute {transition.feature_flags} is not known")
    values: dict[SettingName, tuple[str, ...]] = {}
    for label in here.flags():
        target = settings.target(label)
        if isinstance(target, Rule) and target.rule_class.name == FEATURE_FLAG:
            values[label] = ()
    for label, text in given.items():
        actual = actual_of(label, settings)
        target = settings.target(actual) if actual is not None else None
        if actual is None or target is None:
            raise NotRun(settings.absence(actual or label))
        if not isinstance(target, Rule) or target.rule_class.name != FEATURE_FLAG:
            raise SettingError(f"{label} is not a config_feature_flag ({target.kind})")
        if text not in (target.get("allowed_values") or ()):
            raise SettingError(f"{label} cannot be '{text}'")
        values[actual] = (text,)
    return here.changed(values, Origin(TRANSITION, rule.location, (f"{transition.feature_flags} of {rule.label}",)))


def _written(transition: Transition, settings: Evaluation) -> list[SettingName]:
    """The settings that a transition writes; a new --cpu may clear --platforms."""
    options = [name.removeprefix(NATIVE_OPTION) for name in transition.outputs if name.startswith(NATIVE_OPTION)]
    flags = [actual_of(label, settings) or label for label in transition.outputs.values() if label is not None]
    return [*options, *(["platforms"] if "cpu" in options else []), *flags]
