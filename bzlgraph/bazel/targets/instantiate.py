"""Instantiating a rule: a call ``cc_library(name = ..., srcs = ...)`` -> a ``Rule`` and its output files in the
package.

Rules
- What is wrong with one attribute is reported with the package and the target is kept without that attribute: so does
  Bazel, and a target with a typo is still a node that others depend on.
- A bad name, and a clash with a target that is there already, end the evaluation of the file (EvalError).
- Defaults that depend on the whole package (visibility, testonly, deprecation ...) are filled in by ``finish``.
Doc: https://bazel.build/reference/be/common-definitions; order and messages are those of Bazel 4.2.3.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, LabelError
from bzlgraph.base.names import target_fault, target_name
from bzlgraph.base.span import Frame, Location
from bzlgraph.base.spell import nearest
from bzlgraph.base.words import printable
from bzlgraph.bazel.conditional import branches
from bzlgraph.bazel.context.call_text import BuildText, CallText
from bzlgraph.bazel.context.contexts import BzlContext, PackageContext
from bzlgraph.bazel.context.scope import guessing, report
from bzlgraph.bazel.model import PRIVATE, Attribute, AttrType, Generator, Rule, RuleClass
from bzlgraph.bazel.targets.computed import RuleDefinition
from bzlgraph.bazel.targets.convert import convert, labels
from bzlgraph.bazel.targets.defaults import (
    METADATA,
    metadata_name,
    with_any_attribute,
    with_defaults,
    with_timeout,
    with_written,
)
from bzlgraph.bazel.targets.duplicates import duplicated_labels
from bzlgraph.bazel.targets.macros import in_namespace, refuse_in_macro, running
from bzlgraph.bazel.targets.name_conflicts import add_outputs, check_rule_name
from bzlgraph.bazel.targets.outputs import Output, outputs_of
from bzlgraph.bazel.targets.visibility import LEGACY_PUBLIC, PUBLIC, simplified, visibility_fault
from bzlgraph.bazel.values.select import text_of
from bzlgraph.facts import Facts
from bzlgraph.facts.predeclared import implicit_attributes
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError

STEPS_OF_A_TARGET = 300
"""What it costs to make one and to answer questions about it, without the lists in its attributes."""


def instantiate(
    definition: RuleDefinition, kwargs: dict[str, object], context: PackageContext, private: Collection[str] = ()
) -> None:
    """Add a target of a rule to the package being evaluated. Raises EvalError for a bad name or a name conflict.

    ``private``: the implicit attributes that may be set, as an initializer does.
    """
    charge(STEPS_OF_A_TARGET)
    rule_class = definition.rule_class
    if rule_class.name == "environment" and rule_class.native:
        refuse_in_macro("environment rule", context, in_finalizer=False, used="instantiated")
    kwargs = _without_alias(rule_class, kwargs, context.facts)
    name = _name(rule_class, kwargs)
    stack = call_stack(context)
    rule = Rule(Label(context.repo, context.package, name), rule_class, {"name": name}, stack)
    if context.building.defaults:
        rule.rule_class = with_defaults(rule_class, **_declared_so_far(rule_class, context))
    rule.generator = _generator(rule, context)
    check_rule_name(rule, context)
    _set_attributes(rule, kwargs, context, private, definition.absent)
    _check_mandatory(rule, definition, context)
    _set_visibility(rule, kwargs.get("visibility"), context)
    with_timeout(rule, lambda message: _report(rule, message, context))
    for attribute, label in duplicated_labels(rule, context.facts):
        message = f"Label '{label}' is duplicated in the '{attribute}' attribute of rule '{name}'"
        report(Diagnostic(message, rule.location, stack=_shown(stack)), context)
    _set_computed(rule, definition, context)
    _set_macros(rule, context)
    outputs: list[Output] = []
    try:
        outputs.extend(outputs_of(rule, definition.outputs))
    except EvalError as error:
        report(Diagnostic(error.message, rule.location, hint=error.hint, stack=_shown(stack)), context)
    add_outputs(rule, [each for each in outputs if each.attribute or _is_legal(each, rule, context)], context)


def _is_legal(output: Output, rule: Rule, context: PackageContext) -> bool:
    """Whether what a template gave may be the name of a file; what is wrong with it is reported."""
    name = output.label.name
    fault = target_fault(name)
    if fault:
        words = f"illegal output file name '{name}' in rule {rule.label} due to: invalid target name '{name}': {fault}"
        report(Diagnostic(words, rule.location, stack=_shown(rule.stack)), context)
    return not fault


def _without_alias(rule_class: RuleClass, given: dict[str, object], facts: Facts) -> dict[str, object]:
    """``applicable_licenses`` is ``package_metadata`` where a rule has no other."""
    if METADATA not in given:
        return given
    return {metadata_name(rule_class, facts) if name == METADATA else name: value for name, value in given.items()}


def _declared_so_far(rule_class: RuleClass, context: PackageContext) -> dict[str, object]:
    """``licenses()`` and ``distribs()`` are defaults for the rules below them only; conditions may ignore licenses."""
    defaults = context.building.defaults
    found: dict[str, object] = {name: defaults[name] for name in ("licenses", "distribs") if name in defaults}
    if _has_plain_licenses(rule_class):
        found.pop("licenses", None)
    if rule_class.name == "config_setting" and not context.facts.config_setting_licensed:
        found.pop("licenses", None)
    return found


def _has_plain_licenses(rule_class: RuleClass) -> bool:
    """Rules that Bazel 7 writes in Starlark keep ``licenses`` for old BUILD files only: a list that nothing sets."""
    attribute = rule_class.attributes.get("licenses")
    return attribute is not None and attribute.type is AttrType.STRING_LIST


def _name(rule_class: RuleClass, kwargs: dict[str, object]) -> str:
    name = text_of(kwargs.get("name"))
    if name is None:
        raise EvalError(f"{rule_class.name} rule has no 'name' attribute")
    if not isinstance(name, str):
        raise EvalError(f"{rule_class.name} 'name' attribute must be a string")
    if rule_class.unknown:
        return printable(name)  # what an unknown macro makes of the name is its own affair, what a terminal does is not
    fault = target_fault(name)
    if fault:
        raise EvalError(f"illegal rule name: {name}: invalid target name '{name}': {fault}")
    return target_name(name)


def call_location(context: PackageContext) -> Location:
    """Where the BUILD file's call stands that is being evaluated: the location of what it makes."""
    return call_stack(context)[-1].location


def call_stack(context: PackageContext) -> tuple[Frame, ...]:
    """The call stack, innermost first; the outermost call stands where this Bazel version says calls stand."""
    frames = current_thread().call_stack().frames()
    macro = running(context)
    if macro is not None and macro.waited:
        return (*frames, *macro.stack)
    if not frames:
        return (Frame("<toplevel>", Location(context.building.build_file.name, 0, 0)),)
    if context.facts.column_of_parenthesis or not context.source:
        return frames
    outermost = frames[-1]
    start = _call_text(outermost.location, context).start
    moved = Location(outermost.location.path, start.line, start.column)
    return (*frames[:-1], Frame(outermost.function, moved))


def _generator(rule: Rule, context: PackageContext) -> Generator | None:
    """The outermost macro call; None when the BUILD file calls the rule itself."""
    if len(rule.stack) < 2:
        return None
    place = rule.stack[-1].location
    written = _call_text(place, context).name if context.source else None
    return Generator(written or rule.label.name, _called(rule, context), place)


def _called(rule: Rule, context: PackageContext) -> str:
    """What the BUILD file calls: a function, or a symbolic macro, which runs a function of another name."""
    macro = running(context)
    outermost = list(macro.chain())[-1] if macro is not None else None
    return outermost.macro.name if outermost and len(outermost.stack) == 1 else rule.stack[-2].function


def _call_text(place: Location, context: PackageContext) -> CallText:
    """What is written in the call at ``place`` of the BUILD file; looked up once."""
    text, known = context.state.get(__name__) or context.state.setdefault(__name__, (BuildText(context.source), {}))
    found: CallText | None = known.get(place)
    if found is None:
        found = known[place] = text.call_at(place)
    return found


def _set_attributes(
    rule: Rule, kwargs: dict[str, object], context: PackageContext, private: Collection[str], absent: str
) -> None:
    attributes, owner = rule.rule_class.attributes, rule.rule_class.name
    unknown_may_be_none = context.facts.none_of_unknown_attributes or rule.rule_class.unknown
    values = dict(rule.values)
    rule.values = values
    for name, value in kwargs.items():
        if name in ("name", "visibility") or (value is None and (name in attributes or unknown_may_be_none)):
            continue
        attribute = attributes.get(name)
        if attribute is not None and attribute.implicit and name[0] in _INNER:
            rule.rule_class = rule.rule_class if name in private else with_written(rule.rule_class, name)
        elif attribute is None or (attribute.implicit and name not in private):
            attribute = _unknown_attribute(rule, name, context, absent)
            if attribute is None or value is None:
                continue
        try:
            converted = convert(attribute, value, owner, context)
        except (LabelError, EvalError) as error:
            _refuse_value(rule, name, error, context, absent)
        else:
            sort = isinstance(converted, list) and len(converted) > 1 and _is_sorted(attribute, rule)
            values[name] = sorted(converted, key=_order) if sort else converted
            for refused in _not_allowed(attribute, converted) if attribute.allowed else ():
                shown = "', '".join(map(str, attribute.allowed))
                message = f"invalid value in '{name}' attribute: has to be one of '{shown}' instead of '{refused}'"
                _report(rule, message, context)


def _refuse_value(rule: Rule, name: str, error: LabelError | EvalError, context: PackageContext, absent: str) -> None:
    """Note a value that an attribute does not take. EvalError where an initializer was to see it."""
    message, hint = (error.message, error.hint) if isinstance(error, EvalError) else (str(error), None)
    facts, rule_class = context.facts, rule.rule_class
    seen = rule_class.native and not absent and name not in _of_all_rules(facts.version)
    if seen and rule_class.name in facts.initialized_rules:
        raise EvalError(message, hint)
    _report(rule, message, context, hint)


@cache
def _of_all_rules(version: str) -> frozenset[str]:
    """The attributes that no rule defines itself, and no initializer sees."""
    kinds = ("executable", "test")
    return frozenset(each.name for kind in kinds for each in implicit_attributes(version, kind))


_INNER = ("$", ":")
"""How the names of private attributes begin inside Bazel, which takes them from a macro (``**{"$tool": ...}``), and
``_tool`` from nobody. Asked of 0.19.1 to 7.7.1."""


def _not_allowed(attribute: Attribute, value: object) -> list[object]:
    """The values that ``attr.string(values = ...)`` forbids, at most one; what is only possible never counts."""
    if value is None:  # unknown, where no select() may stand
        return []
    certain = [plain for chosen, plain in branches(value) if all(each.label is not None for each in chosen)]
    # Bazel takes a branch that is None for the empty value of the type here, not for the attribute's default.
    empty = "" if attribute.type is AttrType.STRING else 0
    given = [empty if plain is None else plain for plain in certain]
    return [each for each in given if each not in attribute.allowed][:1]


SORTED_IN_BZL_RULES = ("features", "tags")


def _order(item: object) -> tuple[str, ...]:
    """Labels by repository, package, name (`//a:x` before `//a/b:x`), as Bazel compares them; strings as they are."""
    return item if isinstance(item, Label) else ("", "", str(item))


def _is_sorted(attribute: Attribute, rule: Rule) -> bool:
    return attribute.sorted or (attribute.name in SORTED_IN_BZL_RULES and not rule.rule_class.native)


def _unknown_attribute(rule: Rule, name: str, context: PackageContext, absent: str) -> Attribute | None:
    repository = absent or _stands_in_for(rule.rule_class, context)
    if repository and not rule.rule_class.unknown:
        known = "Bazel's native one" if absent else "the one that stands in for it"
        what = f"the rule {rule.rule_class.name} of @{repository} is not on disk; {known} has no attribute {name}"
        hides = "its type is unknown; values that look like labels are kept as dependencies"
        context.add_gap(Gap(GapKind.LOAD.value, what, hides, rule.location, repository))
        rule.rule_class = with_any_attribute(rule.rule_class)
    if rule.rule_class.bzl is not None and not rule.rule_class.unknown and guessing():
        what = f"the attributes of the rule {rule.rule_class.name} depend on an unknown value"
        hides = f"the type of {name} is unknown; values that look like labels are kept as dependencies"
        context.add_gap(Gap(GapKind.CHOICE.value, what, hides, rule.location))
        rule.rule_class = with_any_attribute(rule.rule_class)
    if rule.rule_class.unknown:
        return Attribute(name, AttrType.UNKNOWN)
    near = nearest(name, [each for each in rule.rule_class.attributes if each[0] not in "$:"])
    _report(
        rule,
        f"no such attribute '{name}' in '{rule.rule_class.name}' rule",
        context,
        f"did you mean '{near}'?" if near else None,
    )
    return None


def _stands_in_for(rule_class: RuleClass, context: PackageContext) -> str:
    """The repository in whose place a file of ours defines the rule, "" for every other rule."""
    home = context.context_of(rule_class.stack[0].location.path) if rule_class.stack else None
    return home.repo if isinstance(home, BzlContext) and home.stand_in else ""


def _check_mandatory(rule: Rule, definition: RuleDefinition, context: PackageContext) -> None:
    for name in definition.mandatory:
        if name not in rule.values:
            what = f"missing value for mandatory attribute '{name}' in '{rule.rule_class.name}' rule"
            _report(rule, what, context)


def _set_visibility(rule: Rule, value: object, context: PackageContext) -> None:
    """What is written on the rule; inside a symbolic macro it is private when nothing is."""
    if value is None:
        rule.visibility = (PRIVATE,) if running(context) is not None else None
        return
    try:
        written = labels(value, f"attribute 'visibility' in '{rule.rule_class.name}' rule", context)
    except EvalError as error:
        _report(rule, error.message, context, error.hint)
        return
    message = visibility_fault(written, context.facts)
    if message:
        _report(rule, message, context)
        written = [PRIVATE] if context.facts.mixed_visibility == "private" else written
    written = simplified(written, context.facts)
    if context.facts.legacy_public and LEGACY_PUBLIC in written:
        if not message:
            _report(rule, f"{LEGACY_PUBLIC} only allowed in package declaration", context)
        written = [PUBLIC if label == LEGACY_PUBLIC else label for label in written]
    written = sorted(written)
    rule.values = {**rule.values, "visibility": written}
    rule.visibility = tuple(written)


def _set_computed(rule: Rule, definition: RuleDefinition, context: PackageContext) -> None:
    """Run the defaults that are functions of other attributes: what they give is data from here on."""
    for name, computed in definition.computed.items():
        if name not in rule.values:
            try:
                value = computed(rule)
            except EvalError as error:
                _report(rule, error.message, context, error.hint)
            else:
                if value != rule.rule_class.attributes[name].default:
                    rule.values = {**rule.values, name: value}


def _set_macros(rule: Rule, context: PackageContext) -> None:
    """The symbolic macros around the rule; a name that does not begin with theirs is a fault of the macro."""
    macro = running(context)
    if macro is None:
        return
    rule.macros = tuple(each.name for each in macro.chain())[::-1]
    name, prefix = rule.label.name, macro.name
    if not in_namespace(name, prefix):
        message = f"target '{name}' in symbolic macro '{prefix}' must be named '{prefix}' or begin with '{prefix}_'"
        context.building.diagnostics.append(
            Diagnostic(message, rule.location, severity="warning", stack=_shown(rule.stack))
        )


def _report(rule: Rule, message: str, context: PackageContext, hint: str | None = None) -> None:
    """Note a problem of one target; the target stays."""
    text = f"{rule.label}: {message}"
    report(Diagnostic(text, rule.location, hint=hint, stack=_shown(rule.stack)), context)


def _shown(stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
    return stack if len(stack) > 1 else ()
