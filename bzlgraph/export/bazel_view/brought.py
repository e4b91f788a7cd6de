"""The attributes that the aspects of a rule add, which Bazel shows after the rule's own, and their labels as inputs.

Bazel asks every attribute that applies an aspect, set or not, whatever providers the aspect requires, and finds one
that two aspects share twice. Mirrors ConservativeAspectResolver; aspects that native rules apply are facts.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.label import parse
from bzlgraph.bazel.model import LABEL_TYPES, Aspect, Attribute, AttrType, Rule, RuleClass
from bzlgraph.facts import Facts
from bzlgraph.facts.native import aspect_attributes


def brought_attributes(rule: Rule, facts: Facts) -> list[Attribute]:
    """The attributes that hold labels, in the order of the aspects; some have the name of one of the rule's own."""
    if rule.rule_class.native:
        return [
            _native(rule, name, text) for name, text in aspect_attributes(facts.version, rule.rule_class.name).labels
        ]
    return _of_aspects(rule.rule_class)


def _of_aspects(rule_class: RuleClass) -> list[Attribute]:
    """What the aspects of a class defined in a .bzl file add."""
    found: dict[tuple[str, str], Attribute] = {}
    for attribute in rule_class.attributes.values():
        for aspect in attribute.aspects:
            for each in _with_required(aspect):
                for own in each.attributes.values():
                    if own.type in LABEL_TYPES and own.default:
                        found[f"{each.bzl}%{each.name}", own.name] = own
    return list(found.values())


def brought_only(rule_class: RuleClass, facts: Facts) -> frozenset[str]:
    """The names of those that rules of a class do not have by themselves."""
    if rule_class.native:
        return aspect_attributes(facts.version, rule_class.name).only
    names = {attribute.name for attribute in _of_aspects(rule_class)}
    return frozenset(names - rule_class.attributes.keys())


def brought_edges(rule_class: RuleClass, facts: Facts) -> frozenset[str]:
    """The attributes of edges that aspects bring to rules of a class, as edges name them."""
    names = brought_only(rule_class, facts)
    return names if rule_class.native else frozenset(map(as_written, names))


def as_written(name: str) -> str:
    """The name as edges have it: Starlark's ``_x``."""
    return f"_{name[1:]}" if name[0] in "$:" else name


def _native(rule: Rule, name: str, text: str) -> Attribute:
    known = rule.rule_class.attributes.get(name)
    return known or Attribute(name, AttrType.LABEL, parse(text, rule.label.repo, rule.label.package), implicit=True)


def _with_required(aspect: Aspect) -> Iterator[Aspect]:
    """The aspects that it requires come first."""
    for required in aspect.requires:
        yield from _with_required(required)
    yield aspect
