"""``native.existing_rule(name)`` and ``native.existing_rules()``: the targets made so far, as macros see them.

A dict of attribute values: labels as text (``:x`` in the same package), lists as tuples, selects stay selects, implicit
attributes and what is None are left out, ``name`` and ``kind`` are in it. Its caller may change it; since Bazel 6 it is
a view.
Doc: https://bazel.build/rules/lib/toplevel/native#existing_rule (checked against Bazel 0.19.1, 2.1.0, 4.2.3 and 7.7.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import is_conditional, parts
from bzlgraph.bazel.context.contexts import DeclaringContext, PackageContext, RepositoryCall, WorkspaceContext
from bzlgraph.bazel.context.scope import evaluation_context
from bzlgraph.bazel.model import GENERATOR, Attribute, AttrType, Condition, Rule, Selector
from bzlgraph.bazel.parts import Select, Uncertain
from bzlgraph.bazel.rules.repository_rule import RuleCall, plain_value
from bzlgraph.bazel.rules.rule import implicit_attributes
from bzlgraph.bazel.targets.computed import starlark_value
from bzlgraph.bazel.targets.macros import build_file_context, targets_so_far
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import DEFAULT_CONDITION, SelectValue
from bzlgraph.facts.facts import Facts
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import Dict, DictView, freeze, set_item

_NO_STARLARK_TYPE = frozenset({AttrType.LICENSE, AttrType.DISTRIBUTION_SET})


@builtin("existing_rule")
def existing_rule_function(name: str, /) -> object:
    """``native.existing_rule(name)``; None when there is no such rule. In WORKSPACE: such a repository."""
    if isinstance(name, Uncertain):
        return None
    if not isinstance(name, str):
        raise EvalError("in call to existing_rule(), parameter 'name' must be a string")
    host = evaluation_context()
    if isinstance(host, WorkspaceContext):
        declared = host.declared().get(name)
        return repository_view(declared, host.facts) if declared is not None else None
    if isinstance(host, DeclaringContext):  # a module extension is told of none
        return None
    context = build_file_context("existing_rule()", in_finalizer=True)
    rule = targets_so_far(context).get(name)
    return rule_view(rule, context) if isinstance(rule, Rule) else None


@builtin("existing_rules")
def existing_rules_function() -> Dict:
    """``native.existing_rules()``: name -> the same view, for every rule so far."""
    host = evaluation_context()
    if isinstance(host, WorkspaceContext):
        shown = Dict({name: repository_view(call, host.facts) for name, call in host.declared().items()})
        return _given(shown, "<native.ExistingRulesView object>", host.facts)
    if isinstance(host, DeclaringContext):
        return Dict()
    context = build_file_context("existing_rules()", in_finalizer=True)
    rules = [each for each in targets_so_far(context).values() if isinstance(each, Rule)]
    shown = Dict({rule.label.name: rule_view(rule, context) for rule in rules})
    return _given(shown, "<native.ExistingRulesView object>", context.facts)


def _given(shown: Dict, text: str, facts: Facts) -> Dict:
    """A dict as this Bazel gives it: one that its caller may change, or a view."""
    if not facts.existing_rules_are_views:
        return shown
    freeze(shown)
    return DictView(shown, text)


def repository_view(call: RepositoryCall, facts: Facts) -> Dict:
    """One repository that WORKSPACE has declared so far, as a dict: attributes that are set or have a default."""
    shown = Dict({"name": call.name})
    if facts.existing_rules_are_views:
        shown["kind"] = call.rule
    shown.update(dict.fromkeys(GENERATOR, ""))
    for name, value in (_defaults(call) | call.attributes).items():
        shown[name] = _shown_plain(value, facts)
    shown.setdefault("kind", call.rule)
    return _given(shown, f"<native.ExistingRuleView for target '{call.name}'>", facts)


def _defaults(call: RepositoryCall) -> dict[str, object]:
    """What the attributes of its rule are where nothing is written."""
    attrs = call.definition.attrs if isinstance(call, RuleCall) else {}
    values = {name: plain_value(each.default) for name, each in attrs.items() if not name.startswith("_")}
    return {name: value for name, value in values.items() if value is not None}


def _shown_plain(value: object, facts: Facts) -> object:
    if isinstance(value, Label):
        return _canonical(value, facts)
    if isinstance(value, list):
        return tuple(_shown_plain(item, facts) for item in value)
    return starlark_value(value)


def _canonical(label: Label, facts: Facts) -> str:
    """A label as text: ``//a:b`` in the main repository, elsewhere ``@r//a:b``, since Bazel 6 ``@@r//a:b``."""
    return f"@{label}" if label.repo and facts.labels_unambiguous else str(label)


def rule_view(rule: Rule, context: PackageContext) -> Dict:
    """One rule as a dict."""
    facts = context.facts
    charge(LOOK * (LOOK + len(rule.rule_class.attributes)))
    shown = Dict({"name": rule.label.name})
    if facts.existing_rules_are_views:
        shown["kind"] = rule.rule_class.name
    for name, attribute in _exported(rule):
        if name == "visibility":
            shown[name] = shown_value(list(rule.values.get("visibility", ())), context)
        elif (value := _value(rule, attribute, facts)) is not None:
            shown[name] = shown_value(value, context, attribute.default)
        if name == "tags":
            shown.update(zip(GENERATOR, rule.generator_words(facts), strict=True))  # in rules that no macro made, too
    for name in rule.values if rule.rule_class.unknown else ():
        shown.setdefault(name, shown_value(rule.values[name], context))
    shown.setdefault("kind", rule.rule_class.name)
    return _given(shown, f"<native.ExistingRuleView for target '{rule.label.name}'>", facts)


def _exported(rule: Rule) -> Iterator[tuple[str, Attribute]]:
    """The attributes that may be shown, in their order: none that is implicit, or of a type that Starlark lacks."""
    known = implicit_attributes("base") if rule.rule_class.unknown else rule.rule_class.attributes
    for name, attribute in known.items():
        if name[0] not in "$:_" and name not in GENERATOR and attribute.type not in _NO_STARLARK_TYPE:
            yield name, attribute


def _value(rule: Rule, attribute: Attribute, facts: Facts) -> object:
    """The value of an attribute; None where it is computed, which only written ones are not."""
    name = attribute.name
    if name in rule.values:
        value = rule.values[name]
        return attribute.default if value is None else value
    if name == "timeout" or name in facts.existing_rule_hides:
        return None
    if name == "testonly":
        return attribute.default or None  # that of tests is a plain True
    return [] if attribute.default is None and attribute.type is AttrType.STRING_LIST else attribute.default


def shown_value(value: object, context: PackageContext, default: object = None) -> object:
    """An attribute value as these functions show it; a None branch of a select shows the default.

    A label in a package of the same name is ``:x``, whatever its repository is, as Bazel has it
    (https://github.com/bazelbuild/bazel/issues/13828).
    """
    if isinstance(value, Label):
        if value.package == context.package:
            return f":{value.name}"
        return _canonical(value, context.facts)
    if is_conditional(value):
        kind = SelectValue if context.facts.existing_rules_are_views else SelectorListValue
        return kind(tuple(_select(part, context, default) for part in parts(value)))
    if isinstance(value, list | tuple | dict):
        charge(2 * LOOK * len(value))
    if isinstance(value, list | tuple):
        return tuple(shown_value(item, context) for item in value)
    if isinstance(value, dict):
        shown = Dict()
        for key, item in value.items():
            set_item(shown, shown_value(key, context), shown_value(item, context))
        return shown
    return value


class SelectorListValue(SelectValue):
    """A select that a rule has, as Bazel before 6 shows it."""

    type_name: ClassVar[str] = "SelectorList"


def _select(part: object, context: PackageContext, default: object) -> Select:
    """A part of a configurable value; plain ones are selects with one branch, as Bazel has them."""
    as_texts = context.facts.existing_rules_are_views
    show = partial(shown_value, context=context) if as_texts else starlark_value
    if not isinstance(part, Selector):
        condition = str(DEFAULT_CONDITION.label) if as_texts else DEFAULT_CONDITION
        return Select({condition: show(part)}, "", None)
    branches = {
        _condition(key, context, as_texts): show(default if branch is None else branch) for key, branch in part.branches
    }
    return Select(branches, part.no_match_error, part.location)


def _condition(key: Condition, context: PackageContext, as_text: bool) -> object:
    if key.label is None:
        return key.unknown
    return shown_value(key.label, context) if as_text else LabelValue(key.label)
