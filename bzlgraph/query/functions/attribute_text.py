"""The values of an attribute as the texts that ``attr()`` matches: Bazel's Java ``toString`` of each possible value.

Booleans are 0 and 1, lists ``[a, b]``, dictionaries ``{k=v}``; a select gives one text per branch, a concatenation one
per combination (as long as there are few), and an attribute that is not set counts with its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.conditional import alternatives, condition_labels, parts, sums
from bzlgraph.bazel.model import DICT_TYPES, GENERATOR, AttrType, Package, Rule
from bzlgraph.facts import Facts
from bzlgraph.graph.edges import attribute_labels
from bzlgraph.graph.model import DEFAULT_CONDITION

MAX_COMBINATIONS = 256


CONFIG_DEPENDENCIES = "$config_dependencies"
_DERIVED = ("name", "visibility", *GENERATOR, CONFIG_DEPENDENCIES)
"""Attributes that every rule has, kept in another form."""

_NOTHING = {AttrType.LICENSE: "[none]", AttrType.DISTRIBUTION_SET: "[INTERNAL]"}
"""The default of attributes that are never without a value."""


def has_attribute(rule: Rule, name: str) -> bool:
    """Whether the rule's class has the attribute."""
    return name in _DERIVED or name in rule.values or name in rule.rule_class.attributes


def no_such_attribute(attribute: str, rules: Sequence[Rule]) -> Diagnostic | None:
    """That no rule at all has an attribute, which is mistyped then; None where one has it, or there is no rule."""
    if not rules or any(has_attribute(rule, attribute) for rule in rules):
        return None
    names = {name for rule in rules for name in (*rule.rule_class.attributes, *rule.values)}
    inside = f"${attribute[1:]}" if attribute.startswith("_") else ""
    near = inside if inside in names else nearest(attribute, sorted(names))
    some_rule = Label.__str__(min(rule.label for rule in rules))
    hint = f"did you mean `{near}`?" if near else f"bzlgraph expand {some_rule} shows the attributes of a rule"
    count = f"none of the {len(rules)} rules" if len(rules) > 1 else f"{some_rule}"
    verb = "has" if len(rules) > 1 else "does not have"
    return Diagnostic(f"{count} {verb} an attribute `{attribute}`", hint=hint, severity="note")


def label_values(rule: Rule, name: str, value: object, package: Package) -> list[Label]:
    """All labels in the value of an attribute, as ``labels()`` asks for them."""
    if name == CONFIG_DEPENDENCIES:
        return _conditions(rule)
    if name == "visibility":
        return [label for label in rule.values.get("visibility") or () if isinstance(label, Label)]
    return attribute_labels(rule, name, value, package)


def attribute_texts(
    rule: Rule, name: str, value: object, facts: Facts, visibility: tuple[Label | str, ...]
) -> Iterator[str]:
    """Every text that the value of an attribute may have; none when the rule has no such attribute.

    ``visibility`` is the one seen.
    """
    if name in _DERIVED:
        yield _derived(rule, name, facts, visibility)
    elif name in rule.values or name in rule.rule_class.attributes:
        attribute = rule.rule_class.attributes.get(name)
        nothing = _NOTHING.get(attribute.type) if attribute is not None else None
        default = attribute.default if attribute is not None else None
        added = len(parts(value)) > 1 and attribute is not None and attribute.type in DICT_TYPES
        possible = sums(value, MAX_COMBINATIONS) if added else alternatives(value, default, MAX_COMBINATIONS)
        for each in possible:
            if each is not None or nothing is not None:
                licenses = attribute is not None and attribute.type is AttrType.LICENSE
                yield str(nothing) if each is None else _licenses(each) if licenses else _text(each)


def _derived(rule: Rule, name: str, facts: Facts, visibility: tuple[Label | str, ...]) -> str:
    if name == "name":
        return rule.label.name
    if name == "visibility":
        return _text(list(visibility))
    if name == CONFIG_DEPENDENCIES:
        return _text(_conditions(rule))
    return rule.generator_words(facts)[GENERATOR.index(name)]


def _conditions(rule: Rule) -> list[Label]:
    """The conditions of all selects of a rule, sorted."""
    found: set[Label] = set()
    for value in rule.values.values():
        found.update(condition_labels(value))
    return sorted(found - {DEFAULT_CONDITION})


def _licenses(value: object) -> str:
    """``[notice, none] with exceptions [//a:b]``"""
    items = value if isinstance(value, list | tuple) else ()
    exceptions = [each for each in items if isinstance(each, Label)]
    kinds = _text([str(each).lower() for each in items if not isinstance(each, Label)])
    return f"{kinds} with exceptions {_text(exceptions)}" if exceptions else kinds


def _text(value: object) -> str:
    if isinstance(value, str | Label):  # most are; a Label is a tuple, too
        return str(value)
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_text(key)}={_text(item)}' for key, item in value.items())}}}"
    return str(value)
