"""The attributes that the aspects of a rule add, which Bazel shows after the rule's own, and their labels as inputs.

Bazel asks every attribute that applies an aspect, set or not, whatever providers the aspect requires, and finds one
that two aspects share twice. Mirrors ConservativeAspectResolver; aspects that native rules apply are facts.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.bazel.model import LABEL_TYPES, Aspect, Attribute, Rule, RuleClass
from bzlgraph.facts import Facts
from bzlgraph.facts.native import aspect_attributes
from bzlgraph.graph.edges import written_name

Brought = tuple[str, Attribute]
"""What Bazel calls an aspect (``//p:f.bzl%aspect``), and an attribute that it adds."""


def brought_attributes(rule: Rule, facts: Facts) -> list[Brought]:
    """The attributes that hold labels, in the order of the aspects; some have the name of one of the rule's own."""
    if rule.rule_class.native:
        added = aspect_attributes(facts.version, rule.rule_class.name)
        known = {**{each.name: each for _, each in _of_aspects(rule.rule_class)}, **rule.rule_class.attributes}
        return [(added.aspect, known[name]) for name, _ in added.labels if name in known]
    return _of_aspects(rule.rule_class)


def _of_aspects(rule_class: RuleClass) -> list[Brought]:
    """What the aspects of a class add, each once."""
    found: dict[tuple[str, str], Attribute] = {}
    for attribute in rule_class.attributes.values():
        for aspect in attribute.aspects:
            for each in _with_required(aspect):
                for own in each.attributes.values():
                    if own.type in LABEL_TYPES and own.default:
                        found[f"{each.bzl}%{each.name}", own.name] = own
    return [(aspect, attribute) for (aspect, _), attribute in found.items()]


def brought_edges(rule_class: RuleClass) -> frozenset[str]:
    """The attributes of edges that aspects bring to rules of a class and that these do not have by themselves, as
    edges name them."""
    names = {attribute.name for _, attribute in _of_aspects(rule_class)} - rule_class.attributes.keys()
    return frozenset(written_name(name, rule_class) for name in names)


def _with_required(aspect: Aspect) -> Iterator[Aspect]:
    """The aspects that it requires come first."""
    for required in aspect.requires:
        yield from _with_required(required)
    yield aspect
