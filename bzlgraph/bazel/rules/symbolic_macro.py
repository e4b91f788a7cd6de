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
- ``visibility`` is what is written, else the package's default, and the package of the call; inside another macro that
  is the package of the outer one's .bzl file, and nothing else by default.
- Nothing that is passed may be changed, and nobody but ``macro()`` sets an attribute that begins with ``_``.
- Finalizers run when the BUILD file has ended, in order of their calls, and so do the macros that they call.
Doc: https://bazel.build/extending/macros
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import CO_VARKEYWORDS
from typing import Any, ClassVar

from bzlgraph.base.label import Label
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import bzl_context, facts, package_context, report
from bzlgraph.bazel.model import LABEL_TYPES, OUTPUT_TYPES, PRIVATE, Attribute, AttrType
from bzlgraph.bazel.parts import Select, Uncertain
from bzlgraph.bazel.rules.aspect import has_unknown
from bzlgraph.bazel.rules.attr import IDENTIFIER, AttrValue, schema
from bzlgraph.bazel.rules.native_rules import NativeRule, native_rule_class
from bzlgraph.bazel.rules.rule import RuleFunction, implicit_attributes
from bzlgraph.bazel.targets.computed import starlark_value
from bzlgraph.bazel.targets.convert import convert, labels
from bzlgraph.bazel.targets.instantiate import call_stack
from bzlgraph.bazel.targets.macros import MacroInstance, begin_finalizers, inside, note_call, running
from bzlgraph.bazel.targets.visibility import and_package, simplified, visibility_fault
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.bazel.values.label_value import LabelValue, label_value, typed_value
from bzlgraph.bazel.values.select import DEFAULT_CONDITION, SelectValue, text_of
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import freeze, type_name

_WAITING = f"{__name__}: waiting"


@dataclass(frozen=True, slots=True)
class MacroAttribute:
    """An attribute of a macro; ``default`` is what the implementation sees."""

    name: str
    type: AttrType
    default: object
    mandatory: bool
    configurable: bool
    nodep: bool = False
    """Whether it names labels and depends on none of them."""


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
        visibility = _visibility(kwargs.pop("visibility", None), context)
        values = {"name": name, "visibility": visibility, **self._values(kwargs, context)}
        outer = running(context)
        if self.finalizer and outer is not None and not outer.finalizer:
            raise EvalError(
                "Cannot instantiate a rule finalizer within a non-finalizer symbolic macro. Rule finalizers may be "
                "instantiated only while evaluating a BUILD file, a legacy macro called from a BUILD file, or another "
                "rule finalizer."
            )
        given = tuple(self._given(values)) if outer is None else ()
        instance = MacroInstance(name, self, self.finalizer, outer, call_stack(context), given)
        note_call(instance, context)
        if self.finalizer or (outer is not None and outer.waited):
            instance.waited = True
            context.state.setdefault(_WAITING, []).append((instance, current_thread(), values))
        else:
            self.run(instance, values, context)

    def run(self, instance: MacroInstance, values: Mapping[str, object], context: PackageContext) -> None:
        """Run the implementation as the innermost active macro; in some versions, one that fails ends nothing else."""
        if context.facts.failed_macro_ends_file:
            self._run(instance, values, context)
        elif (problem := current_thread().alone(self._run, instance, values, context)) is not None:
            report(problem.diagnostic, context)

    def _run(self, instance: MacroInstance, values: Mapping[str, object], context: PackageContext) -> None:
        _check_recursion(instance)
        with inside(instance, context):
            result = self.implementation(**values)
        if result is not None:
            raise EvalError(f"macro '{instance.name}' may not return a non-None value (got {to_repr(result)})")

    def _given(self, values: Mapping[str, object]) -> Iterator[Label]:
        """The labels in attributes that are dependencies and no private ones."""
        for name, attribute in self.attrs.items():
            if attribute.type in LABEL_TYPES and not attribute.nodep and not name.startswith("_"):
                yield from _labels_in(values[name])

    def _values(self, kwargs: Mapping[str, object], context: PackageContext) -> dict[str, object]:
        """What the implementation gets for each attribute."""
        values = {name: value for name, value in kwargs.items() if name not in self.attrs}
        if values and not self.takes_more:
            unknown = next(iter(values))
            near = nearest(unknown, [each for each in self.attrs if not each.startswith("_")])
            hint = f"did you mean '{near}'?" if near else None
            raise EvalError(f"no such attribute '{unknown}' in '{self.name}' macro", hint)
        for name, attribute in self.attrs.items():
            given = kwargs.get(name)
            if given is not None and name.startswith("_"):
                raise EvalError(f"cannot set value of implicit attribute '{name}'")
            if given is None and attribute.mandatory:
                raise EvalError(f"missing value for mandatory attribute '{name}' in '{self.name}' macro")
            if given is not None:
                self._check_type(attribute, given, context)
            values[name] = _passed(attribute, attribute.default if given is None else given, context)
        return values

    def _check_type(self, attribute: MacroAttribute, value: object, context: PackageContext) -> None:
        """Raises EvalError for a value that a rule with the attribute would refuse. What takes room is the target that
        gets it."""
        room = context.room
        description = Attribute(
            attribute.name, attribute.type, nodep=attribute.nodep, configurable=attribute.configurable
        )
        convert(description, value, self.name, context)
        context.room = room

    def to_repr(self) -> str:
        return f"<macro {self.name}>" if self.name else "<macro>"


def run_finalizers(context: PackageContext) -> None:
    """Run the finalizers that the BUILD file called (and the macros that they call), unless it has errors."""
    waiting = context.state.get(_WAITING, [])
    if any(each.severity == "error" for each in context.building.diagnostics):
        return
    if waiting:
        begin_finalizers(context)
    while waiting:
        instance, thread, values = waiting.pop(0)
        thread.run(instance.macro.run, instance, values, context)


def _check_recursion(instance: MacroInstance) -> None:
    """A macro may not call itself, nor through others."""
    for depth, outer in enumerate(instance.chain()):
        if depth and outer.macro is instance.macro:
            how = "a direct" if depth == 1 else "an indirect"
            trace = " -> ".join(f"'{each.name}' of {each.macro.name}" for each in [*instance.chain()][::-1])
            raise EvalError(f"macro '{instance.name}' is {how} recursive call of '{outer.name}'", f"calls: {trace}")


def _visibility(given: Any, context: PackageContext) -> object:
    """The ``visibility`` that the implementation sees, a list of Labels: what is written, in the BUILD file else its
    default, and the package that the call belongs to."""
    if isinstance(given, SelectValue | Uncertain):
        return given
    outer = running(context)
    here = Label(context.repo, context.package, "__pkg__") if outer is None else outer.package
    if given is not None:
        written = labels(given, "attribute 'visibility'", context)
        if fault := visibility_fault(written, context.facts):
            raise EvalError(fault)
    else:
        default = context.building.default_visibility if outer is None else (PRIVATE,)
        written = [each for each in default if isinstance(each, Label)]
    return _frozen(starlark_value(and_package(simplified(written, context.facts), here)))


def _passed(attribute: MacroAttribute, value: object, context: PackageContext) -> object:
    """A value as the implementation sees it."""
    if value is None or isinstance(value, Uncertain):
        return value
    if isinstance(value, SelectValue):
        return SelectValue(tuple(_part(attribute, part, context) for part in value.parts))
    converted = _frozen(typed_value(attribute.type, value, context))
    if not attribute.configurable:
        return converted
    return SelectValue((Select({str(DEFAULT_CONDITION.label): converted}, "", None),))


def _frozen(value: object) -> object:
    """Nothing in a macro may change what its caller has passed."""
    freeze(value)
    return value


def _labels_in(value: object) -> Iterator[Label]:
    """The labels in a value as an implementation sees it, of all branches of selects, and none of conditions."""
    match value:
        case LabelValue():
            yield value.label
        case SelectValue():
            for part in value.parts:
                for item in part.branches.values() if isinstance(part, Select) else (part,):
                    yield from _labels_in(item)
        case list() | tuple():
            for item in value:
                yield from _labels_in(item)
        case dict():
            yield from _labels_in([*value.keys(), *value.values()])


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
    if inherit_attrs is not None and not _takes_keywords(implementation):
        raise EvalError("If inherit_attrs is set, implementation function must have a **kwargs parameter")
    found = dict(_inherited(inherit_attrs))
    own = dict(attrs.items()) if isinstance(attrs, dict) else schema(attrs, "macro")
    _check_written(own)
    for name in ("name", "visibility"):
        if name in own:
            raise EvalError(f"Cannot declare a macro attribute named '{name}'")
        found.pop(name, None)
    for name, value in own.items():
        if value is None:
            found.pop(name, None)
    for name, value in schema(attrs, "macro").items():
        if value.late_bound or value.computed is not None:
            raise EvalError(
                f"In macro attribute '{name}': Macros do not support computed defaults or late-bound defaults"
            )
        default = starlark_value(value.default)
        found[name] = MacroAttribute(name, value.type, default, value.mandatory, value.configurable)
    return MacroFunction(implementation, found, bool(finalizer), has_unknown(attrs) or _has_more(inherit_attrs))


def _takes_keywords(function: Callable[..., object]) -> bool:
    """Whether a function has ``**kwargs``, or may have."""
    code = getattr(function, "__code__", None)
    return code is None or bool(code.co_flags & CO_VARKEYWORDS)


def _check_written(attrs: Mapping[Any, object]) -> None:
    for name, value in attrs.items():
        if not isinstance(name, str) or not isinstance(value, AttrValue | Uncertain | None):
            kinds = f"dict<{type_name(name)}, {type_name(value)}>"
            raise EvalError(f"got {kinds} for 'attrs', want dict<string, Attribute|None>")
        if not IDENTIFIER.fullmatch(name):
            raise EvalError(f"attribute name `{name}` is not a valid identifier.")


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
        raise EvalError(f"Invalid 'inherit_attrs' value {to_repr(source)}; expected a rule, a macro, or \"common\"")
    return _of_rule(native.attributes.values())


def _of_rule(attributes: Iterable[Attribute]) -> dict[str, MacroAttribute]:
    found: dict[str, MacroAttribute] = {}
    for each in attributes:
        if not each.implicit and each.name not in _NEVER_INHERITED:
            configurable = each.configurable and each.type not in OUTPUT_TYPES
            found[each.name] = MacroAttribute(each.name, each.type, None, each.mandatory, configurable, each.nodep)
    return found


_NEVER_INHERITED = frozenset(
    {"generator_name", "generator_function", "generator_location", "expect_failure", "transitive_configs"}
)


def _optional(attribute: MacroAttribute) -> MacroAttribute:
    """An inherited attribute that is not mandatory is None when unset."""
    return attribute if attribute.mandatory else replace(attribute, default=None)
