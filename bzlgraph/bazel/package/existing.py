"""``native.existing_rule(name)`` and ``native.existing_rules()``: the targets made so far, as macros see them.

A dict of attribute values: labels as text (``:x`` in the same package), lists as tuples, selects stay selects, implicit
attributes and what is None are left out, ``name`` and ``kind`` are in it.
Doc: https://bazel.build/rules/lib/toplevel/native#existing_rule (checked against Bazel 0.19.1 and 4.2.3).
"""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import is_conditional, parts
from bzlgraph.bazel.files.context import DeclaringContext, PackageContext, RepositoryCall, WorkspaceContext
from bzlgraph.bazel.files.scope import evaluation_context, package_context
from bzlgraph.bazel.model import Rule, Selector
from bzlgraph.bazel.rules.computed import starlark_value
from bzlgraph.bazel.rules.repository_rule import plain_value
from bzlgraph.bazel.rules.rule import implicit_attributes
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import DEFAULT_CONDITION, Select, SelectValue, Uncertain
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import Dict, freeze, set_item

LEFT_OUT = frozenset({"testonly", "licenses", "distribs", "generator_location"})
"""Attributes that are only shown when they are written: their effective value is computed or of a type Starlark
lacks."""


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
        return repository_view(declared) if declared is not None else None
    if isinstance(host, DeclaringContext):  # a module extension is told of none
        return None
    context = package_context("native.existing_rule()")
    rule = context.building.targets.get(name)
    return rule_view(rule, context) if isinstance(rule, Rule) else None


@builtin("existing_rules")
def existing_rules_function() -> Dict:
    """``native.existing_rules()``: name -> the same view, for every rule so far."""
    host = evaluation_context()
    if isinstance(host, WorkspaceContext):
        return Dict({name: repository_view(call) for name, call in host.declared().items()})
    if isinstance(host, DeclaringContext):
        return Dict()
    context = package_context("native.existing_rules()")
    view = Dict({rule.label.name: rule_view(rule, context) for rule in context.building.rules()})
    freeze(view)
    return view


def repository_view(call: RepositoryCall) -> Dict:
    """One repository that WORKSPACE has declared so far, as a dict: attributes that are set or have a default."""
    view = Dict({"name": call.name, "generator_name": "", "generator_function": "", "generator_location": ""})
    for name, value in (_defaults(call) | call.attributes).items():
        view[name] = _shown_plain(value)
    view["kind"] = call.rule
    freeze(view)
    return view


def _defaults(call: RepositoryCall) -> dict[str, object]:
    """What the attributes of its rule are where nothing is written."""
    attrs = call.definition.attrs if call.definition is not None else {}
    values = {name: plain_value(each.default) for name, each in attrs.items() if not name.startswith("_")}
    return {name: value for name, value in values.items() if value is not None}


def _shown_plain(value: object) -> object:
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, list):
        return tuple(map(_shown_plain, value))
    return starlark_value(value)


def rule_view(rule: Rule, context: PackageContext) -> Dict:
    """One rule as a dict."""
    charge(LOOK * (LOOK + len(rule.rule_class.attributes)))
    view = Dict({"name": rule.label.name})
    left_out = LEFT_OUT.union(context.facts.existing_rule_hides)
    unknown = rule.rule_class.unknown
    for name, attribute in (implicit_attributes("base") if unknown else rule.rule_class.attributes).items():
        if name[0] in "$:_" or (name in left_out and name not in rule.values):
            continue
        value = rule.values.get(name, attribute.default)
        if name == "visibility":
            value = list(rule.visibility or ())
            view[name] = tuple(str(label) for label in value)
        elif value is not None:
            view[name] = shown_value(value, context, attribute.default)
    for name in rule.values if unknown else ():
        view.setdefault(name, shown_value(rule.values[name], context))
    if rule.generator is not None:
        view["generator_name"] = rule.generator.name
        view["generator_function"] = rule.generator.function
        place = rule.generator.location
        view["generator_location"] = str(place) if context.facts.generator_location_has_column else place.short
    view["kind"] = rule.rule_class.name
    freeze(view)
    return view


def shown_value(value: object, context: PackageContext, default: object = None) -> object:
    """An attribute value as these functions show it; a None branch of a select shows the default."""
    if isinstance(value, Label):
        local = value.repo == context.repo and value.package == context.package
        return f":{value.name}" if local else str(value)
    if is_conditional(value):
        return SelectValue(tuple(_select(part, default) for part in parts(value)))
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


def _select(part: object, default: object) -> Select:
    """A part of a configurable value; plain ones are selects with one branch, as Bazel has them."""
    if not isinstance(part, Selector):
        return Select({DEFAULT_CONDITION: starlark_value(part)}, "", None)
    # Inside a select labels stay labels.
    branches: dict[object, object] = {
        LabelValue(key.label) if key.label is not None else key.unknown: starlark_value(
            default if branch is None else branch
        )
        for key, branch in part.branches
    }
    return Select(branches, part.no_match_error, part.location)
