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
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.label import parse
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.bazel.files.scope import (
    bzl_context,
    evaluation_context,
    facts,
    file_label,
    in_stand_in,
    package_context,
)
from bzlgraph.bazel.model import Attribute, AttrType, RuleClass
from bzlgraph.bazel.package.instantiate import instantiate
from bzlgraph.bazel.rules.aspect import attributes, has_unknown, provider_keys
from bzlgraph.bazel.rules.attr import AttrValue, attribute_of, changes_configuration, native_name, schema
from bzlgraph.bazel.rules.build_setting import BuildSetting, build_setting_attributes
from bzlgraph.bazel.rules.computed import ComputedDefault, Outputs, OutputsFunction, RuleDefinition
from bzlgraph.bazel.rules.exec_group import exec_groups
from bzlgraph.bazel.rules.exported import ExportedValue
from bzlgraph.bazel.rules.subrule import SubruleValue, all_toolchains, bring, named_subrules, want_rule_extension
from bzlgraph.bazel.rules.transition import is_defined
from bzlgraph.bazel.values.arguments import want_function
from bzlgraph.bazel.values.label_value import typed_value
from bzlgraph.bazel.values.provider import check_providers
from bzlgraph.bazel.values.select import Uncertain
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
        if test != name.endswith("_test"):
            words = "test rule class names must end with '_test' and other rule classes must not"
            hint = f"assign it to '{name}_test'" if test else f"rename '{name}' or make it a rule(test = True)"
            where = stack[0].location if stack else None
            raise EvalProblem(Diagnostic(f"Invalid rule class name '{name}', {words}", where, hint=hint, stack=stack))

    def initialized(self, kwargs: dict[str, object], context: PackageContext) -> dict[str, object]:
        """The arguments after the initializers have changed them; they see the attributes that .bzl files define."""
        if callable(self.initializer):
            given = {
                name: typed_value(self.attrs[name].type, value, context)
                for name, value in kwargs.items()
                if name in self.attrs
                and not name.startswith("_")
                and (value is not None or context.facts.initializer_gets_none)
            }
            changed = self.initializer(**{"name": kwargs.get("name"), **given})
            if isinstance(changed, Uncertain):
                return kwargs
            changed = {} if changed is None else changed
            if not isinstance(changed, dict):
                raise EvalError(f"initializer should return a dictionary, got '{type_name(changed)}'")
            kwargs = {**kwargs, **{self._attribute(name): value for name, value in changed.items()}}
        return self.parent.initialized(kwargs, context) if self.parent is not None else kwargs

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
    check_providers(provides, "provides")
    base = parent if isinstance(parent, RuleFunction) else None
    above = base.rule_class if base is not None else RuleClass("", {})
    subrules = named_subrules(_others.get("subrules")) + (base.subrules if base is not None else ())
    is_test, runs = _kind(_others.get("analysis_test") or test, executable, base)
    cfg = base.cfg if base is not None and cfg is None else cfg
    own = schema(attrs, "rule")
    schemas = {**(base.attrs if base is not None else {}), **own}
    found: dict[str, Attribute] = {
        **_built_in("test" if is_test else "executable" if runs else "base", own),
        **above.attributes,
        **attributes(attrs, "rule"),
        **build_setting_attributes(build_setting),
        **_allowlist(cfg, schemas),
    }
    rule_class = RuleClass(
        "",
        found,
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
    return RuleFunction(function, definition, schemas, initializer, base, cfg, subrules)


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
    made = {**implicit_attributes("test"), **attributes(attrs, "analysis_test")}
    values = dict(attr_values.items()) if isinstance(attr_values, dict) else {}
    rule_class = RuleClass(f"{name}_test", made, file_label(evaluation_context()), True, True)
    rule_class.exec_groups = exec_groups(_others)
    definition = RuleDefinition(rule_class, _computed(schema(attrs, "analysis_test")))
    instantiate(definition, {**values, "name": name}, context)
