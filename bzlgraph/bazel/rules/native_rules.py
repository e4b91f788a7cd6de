"""Native rules: ``cc_library``, ``genrule`` ... as functions that BUILD files and macros call.

facts (bzlgraph/facts) -> ``RuleDefinition`` per native rule, made when it is first called; ``functions(facts)`` ->
Starlark functions.
Doc: https://bazel.build/reference/be/overview
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial
from typing import ClassVar

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, parse
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import package_context
from bzlgraph.bazel.model import Aspect, Attribute, AttrType, Generator, Rule, RuleClass
from bzlgraph.bazel.rules.attr import attribute_of
from bzlgraph.bazel.rules.autoloads import autoloaded
from bzlgraph.bazel.rules.native_macros import (
    DEPLOY_JAR_RULES,
    PLATFORMS,
    calls,
    deploy_jars,
    platforms_repository,
)
from bzlgraph.bazel.targets.computed import Computed, ComputedDefault, RuleDefinition
from bzlgraph.bazel.targets.instantiate import instantiate
from bzlgraph.bazel.targets.outputs import NativeOutputs
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.facts import Facts
from bzlgraph.facts.names import definition as where_defined
from bzlgraph.facts.native import WORKSPACE_RULES, aspect_attributes, native_providers
from bzlgraph.facts.predeclared import implicit_attributes
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.value import EvalError


class NativeRule(Builtin):
    """A native rule as macros hold it."""

    type_name: ClassVar[str] = "rule"
    absent: str = ""
    """The repository whose rule it stands in for."""

    def to_repr(self) -> str:
        return f"<built-in rule {self.name}>"


def functions(facts: Facts) -> dict[str, Builtin]:
    """Every native rule that BUILD files may call, by name."""
    return {name: _function(facts, name) for name in facts.rule_names() if name not in _NOT_CALLED}


@cache
def stand_ins(facts: Facts, absent: str) -> dict[str, Builtin]:
    """The same for the rule set of a repository that is not on disk: what this Bazel has no more is as it was inside
    Bazel, and what Bazel's own rules do not take is a gap."""
    whole = replace(facts, removed_rules=(), autoloaded_rules=(), emptied_rules=())
    return {name: _function(whole, name, absent) for name in facts.rule_names() if name not in _NOT_CALLED}


def _function(facts: Facts, name: str, absent: str = "") -> Builtin:
    definition_of = cache(partial(_definition, facts))  # to hash all facts takes longer than to look it up

    def call(*args: object, **kwargs: object) -> None:
        context = package_context(f"the rule {name}")
        if name in facts.removed_rules:
            raise _removed(name)
        loaded = autoloaded(name, context) if name in facts.autoloaded_rules else None
        if loaded is not None:
            loaded(*args, **kwargs)
            return
        if args:
            raise EvalError("unexpected positional arguments", f"name each argument: {name}(name = ...)")
        platforms = platforms_repository(context)
        for made, given in calls(name, kwargs, facts):
            definition = definition_of(made, platforms)
            if definition is None:
                raise EvalError(f"there is no native rule '{made}'")
            told = len(context.building.diagnostics)
            definition = replace(definition, absent=absent) if absent else definition
            instantiate(definition, given, context, private=given.keys() - kwargs.keys())
            if absent:
                _doubt(context, told, absent)
            if made in DEPLOY_JAR_RULES:
                _note_macro(str(given["name"]), str(given["binary"]), name, context)

    call.__qualname__ = name
    rule = NativeRule(call, name)
    rule.absent = absent
    return rule


def _doubt(context: PackageContext, first: int, absent: str) -> None:
    """Make the problems from ``first`` on gaps: the rule of the absent repository may have none of them."""
    problems = context.building.diagnostics[first:]
    del context.building.diagnostics[first:]
    for each in problems:
        hides = f"the rule of @{absent}, which is not on disk, may accept it"
        context.add_gap(Gap(GapKind.LOAD.value, each.message, hides, each.location, absent))


def _removed(name: str) -> EvalError:
    """What Bazel says of a rule that is gone and whose name it keeps."""
    moved = where_defined(name)
    hint = f'load("{moved.label}", "{name}")' if moved is not None else None
    return EvalError("This rule has been removed from Bazel. Please add a `load()` statement for it.", hint)


def _note_macro(label: str, name: str, function: str, context: PackageContext) -> None:
    """The macro inside Bazel is the generator of the rule that only it makes, unless a macro of the tree called it."""
    rule = context.building.targets.get(label)
    if isinstance(rule, Rule) and rule.generator is None:
        rule.generator = Generator(name, function, rule.location)


def native_rule_class(facts: Facts, name: str) -> RuleClass | None:
    """The rule class of a native rule as this Bazel version has it; None when it has no such rule."""
    definition = _definition(facts, name)
    return definition.rule_class if definition is not None else None


def computed_defaults(rule: Rule, facts: Facts) -> dict[str, object]:
    """The defaults of a native rule that follow the rule itself, where they are not those of its class."""
    definition = _definition(facts, rule.rule_class.name)
    computed = {} if definition is None else {name: each(rule) for name, each in definition.computed.items()}
    attributes = rule.rule_class.attributes
    return {name: value for name, value in computed.items() if value != attributes[name].default}


@cache
def _definition(facts: Facts, name: str, platforms: str = PLATFORMS) -> RuleDefinition | None:
    """``platforms`` is the repository that Bazel itself calls so."""
    fact = facts.rule(name)
    if fact is None:
        return None
    emptied = name in facts.emptied_rules
    known = implicit_attributes(facts.version, "base") if emptied else fact.attributes
    attributes = {each.name: attribute_of(each) for each in known}
    if platforms != PLATFORMS:
        attributes = {each: _in_repository(platforms, attribute) for each, attribute in attributes.items()}
    _move_to_aspect(attributes, fact.name, facts.version)
    functions = {each: _computed(facts, fact.name, each) for each in attributes}
    return RuleDefinition(
        RuleClass(
            fact.rule_class,
            attributes,
            test=fact.test,
            executable=fact.executable,
            provides=native_providers(facts.version, fact.name),
        ),
        {each: computed for each, computed in functions.items() if computed is not None},
        deploy_jars if name in DEPLOY_JAR_RULES else NativeOutputs(() if emptied else fact.outputs),
    )


def _move_to_aspect(attributes: dict[str, Attribute], rule: str, version: str) -> None:
    """Leave what the aspects of a native rule bring to an aspect of its ``deps``: the table of rules has most of it
    beside the rule's own, as Bazel prints it. What it has not are tools."""
    brought = aspect_attributes(version, rule)
    if not brought.only or "deps" not in attributes:
        return
    moved: dict[str, Attribute] = {}
    for name, text in brought.labels:
        if name in brought.only and name not in moved:
            known = attributes.pop(name, None)
            moved[name] = known or Attribute(name, AttrType.LABEL, parse(text, "", ""), implicit=True, tool=True)
    aspect = Aspect(rule, moved, ("deps",), required_providers=brought.required_providers)
    attributes["deps"] = replace(attributes["deps"], aspects=(aspect,))


def _in_repository(platforms: str, attribute: Attribute) -> Attribute:
    """An attribute whose default may be labels of that repository."""
    default = attribute.default
    if isinstance(default, list):
        moved: object = [_moved(platforms, each) for each in default]
    else:
        moved = _moved(platforms, default)
    return replace(attribute, default=moved) if moved != default else attribute


def _moved(platforms: str, value: object) -> object:
    return value._replace(repo=platforms) if isinstance(value, Label) and value.repo == PLATFORMS else value


def _computed(facts: Facts, rule: str, name: str) -> Computed | None:
    """The default of an attribute that follows another attribute of the same rule; None for all others."""
    if name in _WRITTEN_WITH:
        other, label = _WRITTEN_WITH[name]
        return lambda made: label if other in made.values else None
    if (rule, name) == ("genrule", "$is_executable"):
        return lambda made: made.get("executable") is True and len(made.get("outs") or ()) == 1
    if (rule, name) == ("genrule", "$cc_toolchain_type"):
        return ComputedDefault(_cpp_type, _as_it_is)
    if (rule, name) in _SAME_AS:
        other = _SAME_AS[rule, name]
        return ComputedDefault(lambda **given: given[other], _as_it_is, (other,))
    if (rule, name) in _LED_TO and facts.label_flag_leads_to_default:
        return ComputedDefault(lambda build_setting_default: build_setting_default, _plain_label)
    if rule in _RULES_WITH_RUNNERS and name in _RUNNERS:
        runner = _default_of(facts, "java_test", name)
        return ComputedDefault(lambda use_testrunner: runner if use_testrunner else None, _as_it_is)
    if name == "$def_parser":
        default = _default_of(facts, rule, name)
        return lambda made: None if _belongs_to_def_parser(made, facts) else default
    if name == "$stl_default":
        library = _default_of(facts, rule, name)
        return lambda made: None if made.label == library else library
    return None


def _belongs_to_def_parser(rule: Rule, facts: Facts) -> bool:
    """Whether a C++ rule is part of the tool that C++ rules need, which would be a cycle."""
    if facts.def_parser_by_name:
        return "def_parser" in rule.label.name or "__DONT_DEPEND_ON_DEF_PARSER__" in (rule.get("tags") or ())
    return rule.label.repo == "bazel_tools" and rule.label.package in ("third_party/def_parser", "tools/cpp")


def _default_of(facts: Facts, rule: str, name: str) -> object:
    fact = facts.rule(rule)
    assert fact is not None
    return next(attribute_of(each).default for each in fact.attributes if each.name == name)


def _plain_label(value: object) -> object:
    return value.label if isinstance(value, LabelValue) else None


def _as_it_is(value: object) -> object:
    return value


def _cpp_type(cmd: object) -> str:
    return _CPP_TYPE if isinstance(cmd, str) and _CPP_VARIABLES.search(cmd) else ""


_CPP_TYPE = "@bazel_tools//tools/cpp:toolchain_type"
_CPP_VARIABLES = re.compile(r"\$\((CC|CC_FLAGS|AR|NM|OBJCOPY|STRIP|GCOVTOOL)\)")
"""What a command of Bazel 0.x says to be given the C++ toolchain."""
_SAME_AS = {("java_binary", "$is_executable"): "create_executable"}
_LED_TO = (("label_flag", ":alias"), ("label_setting", ":alias"))
_WRITTEN_WITH = {
    "$instrumentation_test_check": ("instruments", Label("bazel_tools", "tools/android", "instrumentation_test_check")),
    "$proguard_whitelister": ("proguard_specs", Label("bazel_tools", "tools/jdk", "proguard_whitelister")),
}
"""What a rule needs as soon as another attribute is written, be it empty."""
_RULES_WITH_RUNNERS = ("java_binary", "java_test")
_RUNNERS = ("$testsupport", "$experimental_testsupport", "$test_support")
"""What ``use_testrunner = True`` brings; the table of facts knows the labels as defaults of java_test."""
_NOT_CALLED = (*WORKSPACE_RULES, *DEPLOY_JAR_RULES)
