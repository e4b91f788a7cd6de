"""``rule()``: kinds of rules made in .bzl files.

``rule(implementation, attrs, outputs, executable, test, ...)`` -> ``RuleFunction``, named by the first global it is
bound to; calling it while a BUILD file is evaluated instantiates a target.
Every such rule has the implicit attributes of its Bazel version first (facts/starlark_rules.json), then its parent's,
then its own. Arguments of all versions are accepted; of those of the analysis phase only what says which toolchains
the rule asks for is kept.
Rules: https://bazel.build/rules/lib/globals/bzl#rule
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.label import Label, parse
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import (
    bzl_context,
    evaluation_context,
    facts,
    file_label,
    in_stand_in,
    package_context,
    resolve,
)
from bzlgraph.bazel.model import Attribute, AttrType, RuleClass
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.aspect import attributes, has_unknown, provider_keys
from bzlgraph.bazel.rules.attr import IDENTIFIER, AttrValue, attribute_of, changes_configuration, native_name, schema
from bzlgraph.bazel.rules.build_setting import BuildSetting, build_setting_attributes
from bzlgraph.bazel.rules.definition_checks import (
    NOT_EXTENDABLE,
    check_attributes,
    check_cfg,
    check_override,
    check_parent,
    is_given,
    limits_refusal,
)
from bzlgraph.bazel.rules.exec_group import exec_groups
from bzlgraph.bazel.rules.subrule import SubruleValue, all_toolchains, bring, named_subrules, want_rule_extension
from bzlgraph.bazel.rules.transition import is_defined
from bzlgraph.bazel.targets.computed import ComputedDefault, Outputs, OutputsFunction, RuleDefinition
from bzlgraph.bazel.targets.convert import convert
from bzlgraph.bazel.targets.instantiate import instantiate
from bzlgraph.bazel.values.arguments import check_elements, want_function
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.bazel.values.label_value import LabelValue, typed_value
from bzlgraph.bazel.values.provider import check_provides
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.facts import predeclared
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


def unknown_rule(name: str) -> Builtin:
    """A rule of which only the name is known: what its targets name is possible."""
    definition = RuleDefinition(RuleClass(name, {}, unknown=True))

    @builtin(name)
    def rule_(**kwargs: object) -> None:
        instantiate(definition, kwargs, package_context(f"the rule {name}"))

    return rule_


@dataclass(slots=True, eq=False)
class RuleFunction(ExportedValue):
    """A rule of a .bzl file. ``attrs`` is its schema as written, for rules and macros that inherit it."""

    type_name: ClassVar[str] = "rule"
    definition: RuleDefinition
    attrs: Mapping[str, AttrValue]
    initializer: Callable[..., object] | None
    parent: RuleFunction | None
    cfg: object = None
    subrules: tuple[SubruleValue, ...] = ()
    extendable: object = None
    """What it says of rules that extend it: whether there may be any, or the label of a group that tells which."""

    @property
    def rule_class(self) -> RuleClass:
        """The class of its targets."""
        return self.definition.rule_class

    named = rule_class

    def export(self, path: str, name: str) -> None:
        """As any; with its subrules' attributes. A name that is not that of a test, or of none, is an error of the
        file, whether the rule is called or not, as in each Bazel of 0.19.1 to 7.7.1."""
        named = bool(self.rule_class.name)
        ExportedValue.export(self, path, name)
        bring(self.subrules, self.rule_class.attributes)
        if not named:
            self._check_name()

    def __call__(self, *args: object, **kwargs: object) -> None:
        context = package_context(f"the rule {self.rule_class.name or '(not exported)'}")
        if args:
            raise EvalError("Unexpected positional arguments", "rules take named arguments only")
        if not self.rule_class.name:
            raise EvalError(
                "Invalid rule class hasn't been exported by a bzl file",
                "assign the result of rule() to a global of the .bzl file",
            )
        given = self.initialized(kwargs, context)
        instantiate(self.definition, given, context, private=given.keys() - kwargs.keys())

    def _check_name(self) -> None:
        """Raises EvalProblem, at the call of rule()."""
        name, test, stack = self.rule_class.name, self.rule_class.test, self.rule_class.stack
        facts = self._context.facts
        limited = self.rule_class.attributes if facts.subrule_names_limited else self.attrs
        if facts.rule_class_limits and (refusal := limits_refusal(self.rule_class, limited)):
            raise EvalProblem(Diagnostic(refusal, stack[0].location if stack else None, stack=stack))
        if test != name.endswith("_test"):
            words = "test rule class names must end with '_test' and other rule classes must not"
            hint = f"assign it to '{name}_test'" if test else f"rename '{name}' or make it a rule(test = True)"
            where = stack[0].location if stack else None
            raise EvalProblem(Diagnostic(f"Invalid rule class name '{name}', {words}", where, hint=hint, stack=stack))

    def initialized(self, kwargs: dict[str, object], context: PackageContext) -> dict[str, object]:
        """The arguments after the initializers have changed them; they see the attributes that .bzl files define."""
        if callable(self.initializer):
            given = {
                name: self._passed(name, value, context)
                for name, value in kwargs.items()
                if name in self.attrs
                and not name.startswith("_")
                and (value is not None or context.facts.initializer_gets_none)
            }
            with context.initializing():
                changed = self.initializer(**{"name": kwargs.get("name"), **given})
            if isinstance(changed, Uncertain):
                return kwargs
            changed = {} if changed is None else changed
            values = self._checked(changed, kwargs)
            kwargs = {**kwargs, **{self._attribute(name): value for name, value in values.items()}}
        return self.parent.initialized(kwargs, context) if self.parent is not None else kwargs

    def _passed(self, name: str, value: object, context: PackageContext) -> object:
        """A value as the initializer sees it. Raises EvalError for one of a wrong type: no target is made then."""
        if value is not None:
            convert(self.rule_class.attributes[name], value, self.rule_class.name, context)
        return typed_value(self.attrs[name].type, value, context)

    def _checked(self, changed: object, kwargs: Mapping[str, object]) -> dict[str, object]:
        """What an initializer gives back. Raises EvalError for what it may not."""
        what = "rule's initializer return value"
        if not isinstance(changed, dict):
            raise EvalError(f"got {type_name(changed)} for '{what}', want dict")
        for name, value in changed.items():
            if not isinstance(name, str):
                got = f"got dict<{type_name(name)}, {type_name(value)}>"
                raise EvalError(f"{got} for '{what}', want dict<string, unknown>")
            known = self.rule_class.attributes.get(name)
            if name.startswith("_") and not in_stand_in():
                raise EvalError(f"file '{self.rule_class.bzl}' cannot use private API")
            if name == "name":
                if value != kwargs.get("name") and not isinstance(value, Uncertain):
                    raise EvalError("Initializer can't change the name of the target")
            elif known is not None and name not in self.attrs:
                raise EvalError(f"Initializer can only set Starlark defined attributes, not '{name}'")
        return changed

    def _attribute(self, name: str) -> str:
        """An attribute as the rule class has it; an initializer may set ``_private`` ones, which are implicit."""
        private = f"${name[1:]}" if name.startswith("_") else name
        return private if private in self.rule_class.attributes else name

    def to_repr(self) -> str:
        return f"<rule {self.rule_class.name}>" if self.rule_class.name else "<rule>"


@versioned_builtin("rule")
def rule_function(
    implementation: object, test: object = None, attrs: object = None, outputs: object = None,
    executable: object = None, output_to_genfiles: object = False, *, build_setting: object = None,
    initializer: Any = None, parent: object = None, cfg: object = None, provides: object = (), **_others: object,
) -> RuleFunction:  # fmt: skip
    """``rule(implementation, test, attrs, outputs, executable, ...)``"""
    _refuse_what_is_not_there({"initializer": initializer, "parent": parent, **_others})
    function = want_function(implementation, "implementation", "rule")
    base = parent if isinstance(parent, RuleFunction) else None
    own = schema(attrs, "rule")
    written = {**_others, "provides": provides, "test": test, "outputs": outputs, "executable": executable,
               "build_setting": build_setting, "output_to_genfiles": output_to_genfiles}  # fmt: skip
    _check_call(base, cfg, own, written)
    above = base.rule_class if base is not None else RuleClass("", {})
    subrules = named_subrules(_others.get("subrules")) + (base.subrules if base is not None else ())
    is_test, runs = _kind(_others.get("analysis_test") or test, executable, base)
    cfg = base.cfg if base is not None and cfg is None else cfg
    schemas = {**(base.attrs if base is not None else {}), **own}
    rule_class = RuleClass(
        "",
        {
            **_built_in("test" if is_test else "executable" if runs else "base", own),
            **_extended(attributes(attrs, "rule"), above, base),
            **build_setting_attributes(build_setting),
            **_allowlist(cfg, schemas),
        },
        test=is_test,
        executable=runs,
        unknown=has_unknown(attrs) or (parent is not None and base is None),
        build_setting=build_setting.model if isinstance(build_setting, BuildSetting) else None,
        output_to_genfiles=bool(output_to_genfiles),
        stack=current_thread().call_stack().frames(),
        exec_groups=exec_groups(all_toolchains(_others, subrules), above.exec_groups),
        toolchain_transition=bool(_others.get("incompatible_use_toolchain_transition")),
        transition=changes_configuration(cfg),
        provides=provider_keys(provides) + above.provides,
    )
    computed = _computed(schemas)
    definition = RuleDefinition(rule_class, computed, _outputs(outputs, base, computed))
    return RuleFunction(function, definition, schemas, initializer, base, cfg, subrules, _extendable(written))


def _check_call(
    parent: RuleFunction | None, cfg: object, own: Mapping[str, AttrValue], written: Mapping[str, object]
) -> None:
    """Raise EvalError for what the arguments may not be, or not together."""
    check_provides(written["provides"])
    for parameter in ("fragments", "exec_compatible_with"):
        check_elements(written.get(parameter), parameter, "string")
    check_attributes(own, "rule")
    if parent is not None:
        check_parent(parent.rule_class, parent.extendable, written)
    check_cfg(cfg)


def _extendable(written: Mapping[str, object]) -> object:
    """What a rule says of rules that extend it; some can have none."""
    if any(is_given(written.get(name)) for name in NOT_EXTENDABLE):
        return False
    told = written.get("extendable")
    if isinstance(told, LabelValue):
        return told.label
    return resolve(told) if isinstance(told, str) else told


def _extended(own: Mapping[str, Attribute], above: RuleClass, parent: RuleFunction | None) -> dict[str, Attribute]:
    """The attributes of a rule, its parent's first; of one that both have the aspects of both are applied."""
    found: dict[str, Attribute] = {**above.attributes}
    for name, each in own.items():
        inherited = above.attributes.get(name)
        check_override(each, inherited)
        brought = inherited.aspects if inherited is not None else ()
        more = tuple(aspect for aspect in each.aspects if not any(aspect is known for known in brought))
        found[name] = replace(each, aspects=(*brought, *more)) if brought else each
    return {**found, **_extending(parent)}


EXTEND_ALLOWLIST = "@bazel_tools//tools/allowlists/extend_rule_allowlist:extend_rule_allowlist"


def _extending(parent: RuleFunction | None) -> dict[str, Attribute]:
    """What a rule depends on that extends another: the group of those which may, where any that likes may not."""
    if parent is None or parent.extendable is True:
        return {}
    name, told = "$allowlist_extend_rule", parent.extendable
    label = parse(EXTEND_ALLOWLIST, "", "") if told is None else told if isinstance(told, Label) else None
    return {name: Attribute(name, AttrType.LABEL, default=label, implicit=True, tool=True)}


def _built_in(kind: str, own: Mapping[str, AttrValue]) -> dict[str, Attribute]:
    """The attributes that every rule of a kind has. None may be defined again, unless no Bazel is chosen: trees of any
    age may define what is built in elsewhere."""
    found = implicit_attributes(kind)
    again = next((name for name in own if name in found), None)
    if again is not None and not facts().tolerant and not in_stand_in():
        raise EvalError(f"attribute `{again}`: built-in attributes cannot be overridden.")
    return found


def _kind(test: object, executable: object, parent: RuleFunction | None) -> tuple[bool, bool]:
    """Whether the targets are tests, and whether they can be run; what is not written is as in the parent. A rule with
    ``analysis_test = True`` is one of tests, whatever ``test`` says."""
    above = parent.rule_class if parent is not None else None
    is_test = above.test if above is not None and test is None else bool(test)
    return is_test, is_test or (above.executable if above is not None and executable is None else bool(executable))


_EXTENDING = frozenset({"initializer", "parent", "extendable", "subrules"})


def _allowlist(cfg: object, schemas: Mapping[str, AttrValue]) -> dict[str, Attribute]:
    """What Bazel adds to a rule that has a transition, or an attribute with one, where nobody wrote it."""
    label, name = facts().transition_allowlist, "$allowlist_function_transition"
    if (
        not label
        or f"_{name[1:]}" in schemas
        or not any(map(is_defined, (cfg, *(each.arguments.get("cfg") for each in schemas.values()))))
    ):
        return {}
    return {name: Attribute(name, AttrType.LABEL, default=parse(label, "", ""), implicit=True, tool=True)}


def _refuse_what_is_not_there(arguments: Mapping[str, object]) -> None:
    """Refuse a call that the Bazel at hand does not allow here, and arguments that it keeps to itself."""
    if facts().rules_only_in_bzl_files:
        bzl_context("rule()")
    for name, value in arguments.items():
        if name in _EXTENDING and value not in (None, [], ()):
            want_rule_extension("rule", name)


def _computed(schemas: Mapping[str, AttrValue]) -> dict[str, ComputedDefault]:
    """The computed defaults of a rule, by Bazel's own names of the attributes."""
    computed = ((native_name(name, each.late_bound), each.computed) for name, each in schemas.items())
    return {name: function for name, function in computed if function is not None}


def _outputs(outputs: object, parent: RuleFunction | None, computed: Mapping[str, ComputedDefault]) -> Outputs:
    """Templates of implicit outputs, or the function that gives them."""
    if outputs is None:
        return parent.definition.outputs if parent is not None else {}
    if isinstance(outputs, dict):
        for name, template in outputs.items():
            if not isinstance(name, str | Uncertain) or not isinstance(template, str | Uncertain):
                got = f"got dict<{type_name(name)}, {type_name(template)}>"
                raise EvalError(f"{got} for 'implicit outputs of the rule class', want dict<string, string>")
        return {str(name): template for name, template in outputs.items() if isinstance(template, str)}
    return OutputsFunction(outputs, computed) if callable(outputs) else {}


def implicit_attributes(kind: str) -> dict[str, Attribute]:
    """The attributes that Bazel gives every rule of this kind."""
    known = facts()
    return dict(_implicit_attributes(known.version, kind, known.tolerant))


@cache
def _implicit_attributes(version: str, kind: str, tolerant: bool) -> dict[str, Attribute]:
    facts = predeclared.implicit_attributes(version, kind, tolerant)
    found = {fact.name: attribute_of(fact) for fact in facts}
    if kind == "test":
        found["testonly"] = Attribute("testonly", AttrType.BOOLEAN, default=True, configurable=False)
    return found


@builtin("analysis_test")
def analysis_test(
    name: str, implementation: object, attrs: object = None, attr_values: object = None, **_others: object
) -> None:
    """``testing.analysis_test(...)``: a test rule and its only target at once."""
    context = package_context("testing.analysis_test()")
    if isinstance(name, str) and not IDENTIFIER.fullmatch(name) and not in_stand_in():
        raise EvalError(f"'name' is limited to Starlark identifiers, got {name}")
    own = schema(attrs, "analysis_test")
    made = {**_built_in("test", own), **attributes(attrs, "analysis_test")}
    values = dict(attr_values.items()) if isinstance(attr_values, dict) else {}
    if "name" in values:
        raise EvalError("'name' cannot be set or overridden in 'attr_values'")
    rule_class = RuleClass(f"{name}_test", made, file_label(evaluation_context()), True, True)
    rule_class.exec_groups = exec_groups(_others)
    definition = RuleDefinition(rule_class, _computed(own))
    instantiate(definition, {**values, "name": name}, context)
