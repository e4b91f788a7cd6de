"""``aspect()``: what a rule may attach to its dependencies. Its private attributes are dependencies of whoever
applies it.

``aspect(implementation, attr_aspects, attrs, requires, ...)`` -> ``AspectValue`` holding a ``model.Aspect``, named by
the first global it is bound to. ``builtin_aspects(version)``: those that Bazel itself predeclares. Rules:
https://bazel.build/rules/lib/globals/bzl#aspect
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.base.label import parse
from bzlgraph.bazel.context.scope import bzl_context, facts
from bzlgraph.bazel.model import UNKNOWN_PROVIDER, Aspect, Attribute, AttrType
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.attr import AttrValue, schema
from bzlgraph.bazel.rules.definition_checks import check_aspect
from bzlgraph.bazel.rules.exec_group import exec_groups
from bzlgraph.bazel.rules.subrule import SubruleValue, all_toolchains, bring, named_subrules, want_rule_extension
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.bazel.values.arguments import check_elements, want_function
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.bazel.values.provider import Provider, check_providers, check_provides
from bzlgraph.bazel.values.select import SelectValue
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.facts.native import aspect_attributes
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.value import Value


@dataclass(slots=True, eq=False)
class AspectValue(ExportedValue):
    """An aspect."""

    type_name: ClassVar[str] = "Aspect"
    model: Aspect
    attrs: Mapping[str, AttrValue]
    subrules: tuple[SubruleValue, ...] = ()

    @property
    def named(self) -> Aspect:
        """The model."""
        return self.model

    def export(self, path: str, name: str) -> None:
        """As any; with its subrules' attributes."""
        ExportedValue.export(self, path, name)
        bring(self.subrules, self.model.attributes)

    def to_repr(self) -> str:
        return "<aspect>"


@dataclass(slots=True, eq=False)
class BuiltinAspect(Value):
    """An aspect of Bazel's own."""

    type_name: ClassVar[str] = "Aspect"
    model: Aspect

    def to_repr(self) -> str:
        return "<aspect>"


_RULE_OF_ASPECT = {"cc_proto_aspect": "cc_proto_library"}
"""The aspects that Bazel predeclares, and the native rule that applies them."""


def builtin_aspects(version: str) -> dict[str, BuiltinAspect]:
    """Name -> aspect, with the attributes it brings to whatever applies it."""
    found: dict[str, BuiltinAspect] = {}
    for aspect, rule in _RULE_OF_ASPECT.items():
        known = aspect_attributes(version, rule)
        brought = {
            name: Attribute(name, AttrType.LABEL, parse(text, "", ""), implicit=True) for name, text in known.labels
        }
        model = Aspect(aspect, brought, ("deps",), required_providers=known.required_providers)
        found[aspect] = BuiltinAspect(model)
    return found


@versioned_builtin("aspect")
def aspect_function(
    implementation: object, attr_aspects: object = (), attrs: object = None, requires: object = (),
    required_providers: object = (), subrules: object = (), **others: object,
) -> AspectValue:  # fmt: skip
    """``aspect(implementation, attr_aspects, attrs, ...)``; what only matters in the analysis phase is ignored."""
    if facts().aspects_only_in_bzl_files:
        bzl_context("aspect()")
    if subrules:
        want_rule_extension("aspect", "subrules")
    function = want_function(implementation, "implementation", "aspect")
    if not isinstance(requires, list | tuple | Uncertain):
        raise wrong_type(requires, "aspect", "requires", "sequence")
    check_elements(requires, "requires", "Aspect")
    check_providers(required_providers, "required_providers")
    propagates = tuple(name for name in _plain(attr_aspects) if isinstance(name, str))
    required = tuple(value.model for value in _plain(requires) if isinstance(value, AspectValue | BuiltinAspect))
    described = schema(attrs, "aspect")
    asked = {**others, "attr_aspects": attr_aspects, "required_providers": required_providers}
    check_aspect(described, asked)
    check_provides(others.get("provides"))
    used = named_subrules(subrules)
    groups = exec_groups(all_toolchains(others, used))
    model = Aspect("", _named(described), propagates, required, None, groups, _provider_sets(required_providers))
    return AspectValue(function, model, described, used)


def attributes(attrs: object, what: str) -> dict[str, Attribute]:
    """The ``attrs`` of an aspect, a rule, ... -> attributes by Bazel's own names."""
    return _named(schema(attrs, what))


def has_unknown(attrs: object) -> bool:
    """Whether attributes may be missing from ``attrs``."""
    return isinstance(attrs, Uncertain | SelectValue) or (
        isinstance(attrs, dict) and any(isinstance(v, Uncertain) for v in attrs.values())
    )


def provider_keys(value: object) -> tuple[str, ...]:
    """The keys of the providers in a list: what tells each from all others, in every process."""
    if value is None:
        return ()
    return tuple(sorted(set(map(_key, value)))) if isinstance(value, list | tuple) else (UNKNOWN_PROVIDER,)


def _provider_sets(value: object) -> tuple[tuple[str, ...], ...]:
    """The sets in a list of lists, or the one set that a list of providers is; () where nothing is required."""
    if isinstance(value, list | tuple) and any(isinstance(each, list | tuple) for each in value):
        found = tuple(dict.fromkeys(map(provider_keys, value)))
    else:
        found = (provider_keys(value),)
    return () if () in found else found


def _key(value: object) -> str:
    if isinstance(value, Provider):
        return value.made
    if isinstance(value, Inert):
        return value.name
    return f"'{value}'" if isinstance(value, str) else UNKNOWN_PROVIDER


def _named(described: Mapping[str, AttrValue]) -> dict[str, Attribute]:
    found = (value.attribute(name) for name, value in described.items())
    return {attribute.name: attribute for attribute in found}


def _plain(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()
