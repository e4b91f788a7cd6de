"""Symbolic macros: ``macro(implementation, attrs, inherit_attrs, finalizer)``.

``macro(...)`` -> ``MacroFunction``, named by the first global it is bound to; calling it in a BUILD file runs its
implementation.

Rules
- ``name`` and ``visibility`` are implicit; all arguments are named; unknown attributes are errors; ``None`` means
  unset.
- A configurable attribute reaches the implementation as a select, whatever was written (None stays None); label strings
  become Labels of the calling package.
- Inherited attributes (of a rule, a macro, or "common") come first, own ones override them, ``None`` removes one;
  those that are not mandatory are None when unset. Where what it inherits from is not known, so is which there are:
  every attribute is taken, and those that all rules have are there when unset.
- Targets made inside are visible to the package of the macro's .bzl file unless they say otherwise.
- Finalizers run when the BUILD file has ended, in order of their calls.
Doc: https://bazel.build/extending/macros
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.bazel.files.native_rules import NativeRule, native_rule_class
from bzlgraph.bazel.files.scope import bzl_context, facts, package_context
from bzlgraph.bazel.model import OUTPUT_TYPES, Attribute, AttrType
from bzlgraph.bazel.package.instantiate import ACTIVE_MACROS, macro_visibility
from bzlgraph.bazel.rules.aspect import has_unknown
from bzlgraph.bazel.rules.attr import schema
from bzlgraph.bazel.rules.computed import starlark_value
from bzlgraph.bazel.rules.exported import ExportedValue
from bzlgraph.bazel.rules.rule import RuleFunction, implicit_attributes
from bzlgraph.bazel.values.label_value import label_value, typed_value
from bzlgraph.bazel.values.select import DEFAULT_CONDITION, Select, SelectValue, Uncertain, text_of
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import List, type_name

FINALIZERS = "symbolic_macro.finalizers"


@dataclass(frozen=True, slots=True)
class MacroAttribute:
    """An attribute of a macro; ``default`` is what the implementation sees."""

    name: str
    type: AttrType
    default: object
    mandatory: bool
    configurable: bool


@dataclass(frozen=True, slots=True)
class ActiveMacro:
    """A symbolic macro that is running: its instance name and the package its .bzl file belongs to."""

    name: str
    definition: Label


@dataclass(slots=True, eq=False)
class MacroFunction(ExportedValue):
    """A symbolic macro."""

    type_name: ClassVar[str] = "macro"
    attrs: Mapping[str, MacroAttribute]
    finalizer: bool
    takes_more: bool = False
    """Whether it may have attributes that are not known."""

    def __call__(self, *args: object, **kwargs: object) -> None:
        context = package_context(f"the macro {self.name or '(not exported)'}")
        if args:
            raise EvalError("unexpected positional arguments", "symbolic macros take named arguments only")
        if not self.name:
            raise EvalError(
                "Cannot instantiate a macro that has not been exported (assign it to a global variable in the .bzl)"
            )
        name = text_of(kwargs.pop("name", None))
        if not isinstance(name, str):
            raise EvalError(f"missing value for mandatory attribute 'name' in '{self.name}' macro")
        visibility = kwargs.pop("visibility", None)
        values = {"name": name, "visibility": _visibility(visibility, context), **self._values(kwargs, context)}
        if self.finalizer:
            queue = context.state.setdefault(FINALIZERS, [])
            queue.append((self, current_thread(), values, context.state.get(ACTIVE_MACROS, ())))
        else:
            self.run(values, context)

    def run(self, values: Mapping[str, object], context: PackageContext) -> None:
        """Run the implementation as the innermost active macro."""
        outer = context.state.get(ACTIVE_MACROS, ())
        context.state[ACTIVE_MACROS] = (*outer, ActiveMacro(str(values["name"]), self.bzl or Label("", "", "")))
        try:
            result = self.implementation(**values)
        finally:
            context.state[ACTIVE_MACROS] = outer
        if result is not None:
            raise EvalError(f"macro '{values['name']}' may not return a non-None value (got {type_name(result)})")

    def _values(self, kwargs: Mapping[str, object], context: PackageContext) -> dict[str, object]:
        """What the implementation gets for each attribute."""
        values = {name: value for name, value in kwargs.items() if name not in self.attrs}
        if values and not self.takes_more:
            raise EvalError(f"no such attribute '{next(iter(values))}' in '{self.name}' macro")
        for name, attribute in self.attrs.items():
            given = kwargs.get(name)
            if given is None and attribute.mandatory:
                raise EvalError(f"missing value for mandatory attribute '{name}' in '{self.name}' macro")
            values[name] = _passed(attribute, attribute.default if given is None else given, context)
        return values

    def to_repr(self) -> str:
        return f"<macro {self.name}>" if self.name else "<macro>"


def run_finalizers(context: PackageContext) -> None:
    """Run the finalizers that the BUILD file called (and those that they call)."""
    queue = context.state.get(FINALIZERS, [])
    while queue:
        macro, thread, values, outer = queue.pop(0)
        context.state[ACTIVE_MACROS] = outer
        thread.run(macro.run, values, context)
    context.state[ACTIVE_MACROS] = ()


def _visibility(given: Any, context: PackageContext) -> object:
    """The ``visibility`` that the implementation sees: a list of Labels."""
    if isinstance(given, SelectValue | Uncertain):
        return given
    if given is None:
        inherited = macro_visibility(context)
        return starlark_value(list(context.building.default_visibility if inherited is None else inherited))
    return List(label_value(item, context) for item in given)


def _passed(attribute: MacroAttribute, value: object, context: PackageContext) -> object:
    """A value as the implementation sees it."""
    if value is None or isinstance(value, Uncertain):
        return value
    if isinstance(value, SelectValue):
        if not attribute.configurable:
            raise EvalError(f'attribute "{attribute.name}" is not configurable')
        return SelectValue(tuple(_part(attribute, part, context) for part in value.parts))
    converted = typed_value(attribute.type, value, context)
    if not attribute.configurable:
        return converted
    return SelectValue((Select({DEFAULT_CONDITION: converted}, "", None),))


def _part(attribute: MacroAttribute, part: object, context: PackageContext) -> object:
    if isinstance(part, Uncertain):
        return part
    if not isinstance(part, Select):
        return typed_value(attribute.type, part, context)
    branches = {
        label_value(key, context): typed_value(attribute.type, value, context) for key, value in part.branches.items()
    }
    return Select(branches, part.no_match_error, part.location)


# ---------------------------------------------------------------------------------------------------- definition


@versioned_builtin("macro")
def macro_function(
    *,
    implementation: Any,
    attrs: object = None,
    inherit_attrs: object = None,
    finalizer: bool = False,
    doc: object = None,
) -> MacroFunction:
    """``macro(implementation, attrs, inherit_attrs, finalizer, doc)``"""
    bzl_context("macro()")
    found = dict(_inherited(inherit_attrs))
    own = dict(attrs.items()) if isinstance(attrs, dict) else schema(attrs, "macro")
    for name in ("name", "visibility"):
        if name in own:
            raise EvalError(f"Cannot declare a macro attribute named '{name}'")
        found.pop(name, None)
    for name, value in own.items():
        if value is None:
            found.pop(name, None)
    for name, value in schema(attrs, "macro").items():
        default = starlark_value(value.default) if not callable(value.default) else None
        found[name] = MacroAttribute(name, value.type, default, value.mandatory, value.configurable)
    return MacroFunction(implementation, found, bool(finalizer), has_unknown(attrs) or _has_more(inherit_attrs))


def _has_more(source: object) -> bool:
    """Whether what a macro inherits from may have attributes that are not known."""
    match source:
        case MacroFunction():
            return source.takes_more
        case RuleFunction():
            return source.rule_class.unknown
        case NativeRule():
            return bool(source.absent)
        case _:
            return isinstance(source, Uncertain)


def _inherited(source: object) -> Mapping[str, MacroAttribute]:
    """The attributes a macro takes over."""
    if source is None:
        return {}
    if isinstance(source, MacroFunction):
        return {name: _optional(each) for name, each in source.attrs.items()}
    if isinstance(source, RuleFunction):
        return _of_rule(source.rule_class.attributes.values())
    if isinstance(source, Uncertain) or source == "common":
        return _of_rule(implicit_attributes("base").values())
    native = native_rule_class(facts(), source.name) if isinstance(source, Builtin) else None
    if native is None:
        raise EvalError(
            f"in call to macro(), parameter 'inherit_attrs' got value of type '{type_name(source)}', "
            'want a rule, a macro or "common"'
        )
    return _of_rule(native.attributes.values())


def _of_rule(attributes: Iterable[Attribute]) -> dict[str, MacroAttribute]:
    found: dict[str, MacroAttribute] = {}
    for each in attributes:
        if not each.implicit and each.name not in _NEVER_INHERITED:
            configurable = each.configurable and each.type not in OUTPUT_TYPES
            found[each.name] = MacroAttribute(each.name, each.type, None, each.mandatory, configurable)
    return found


_NEVER_INHERITED = frozenset(
    {"generator_name", "generator_function", "generator_location", "expect_failure", "transitive_configs"}
)


def _optional(attribute: MacroAttribute) -> MacroAttribute:
    """An inherited attribute that is not mandatory is None when unset."""
    default = attribute.default if attribute.mandatory else None
    return MacroAttribute(attribute.name, attribute.type, default, attribute.mandatory, attribute.configurable)
