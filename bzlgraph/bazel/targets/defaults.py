"""Defaults that differ from target to target: a test's timeout follows from its size, others come from ``package()``.

The rule class of such a target is the original with other defaults, so that ``rule.values`` holds what was written and
nothing else. Doc: https://bazel.build/reference/test-encyclopedia, https://bazel.build/reference/be/functions#package
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bzlgraph.bazel.model import Rule, RuleClass
from bzlgraph.facts import Facts

TIMEOUTS = {"small": "short", "medium": "moderate", "large": "long", "enormous": "eternal"}
"""size -> its default timeout"""

_variants: dict[tuple[RuleClass, tuple[tuple[str, str], ...]], RuleClass] = {}


METADATA = "applicable_licenses"
"""What ``default_package_metadata`` of package() is the default of, by its older name."""


def metadata_name(rule_class: RuleClass, facts: Facts) -> str:
    """What a rule calls its metadata: since Bazel 8.1 the older name is an alias for rules that lack it."""
    return METADATA if METADATA in rule_class.attributes else facts.metadata_attribute


def with_defaults(rule_class: RuleClass, **defaults: object) -> RuleClass:
    """The rule class with other defaults; the same object for the same defaults, so that packages share it."""
    changed = {
        name: value
        for name, value in defaults.items()
        if name in rule_class.attributes and rule_class.attributes[name].default != value
    }
    if not changed:
        return rule_class
    key = (rule_class, tuple((name, repr(value)) for name, value in changed.items()))
    known = _variants.get(key)
    if known is None:
        attributes = {
            name: replace(attribute, default=changed[name]) if name in changed else attribute
            for name, attribute in rule_class.attributes.items()
        }
        known = _variants[key] = replace(rule_class, attributes=attributes)
    return known


def with_any_attribute(rule_class: RuleClass) -> RuleClass:
    """The rule class as one that may have more attributes than are known; the same object each time."""
    key = (rule_class, (("...", ""),))
    known = _variants.get(key)
    if known is None:
        known = _variants[key] = replace(rule_class, unknown=True)
    return known


def with_written(rule_class: RuleClass, name: str) -> RuleClass:
    """The rule class with an implicit attribute that a macro has set; the same object each time."""
    key = (rule_class, ((name, "written"),))
    known = _variants.get(key)
    if known is None:
        written = replace(rule_class.attributes[name], implicit=False)
        known = _variants[key] = replace(rule_class, attributes={**rule_class.attributes, name: written})
    return known


def with_timeout(rule: Rule, report: Callable[[str], None]) -> None:
    """Check size and timeout of a test; an unset timeout follows from the size."""
    if "timeout" not in rule.rule_class.attributes:
        return
    size, timeout = rule.get("size"), rule.values.get("timeout")
    if isinstance(size, str) and size not in TIMEOUTS:
        report(f"In rule '{rule.label.name}', size '{size}' is not a valid size.")
    if isinstance(timeout, str) and timeout not in TIMEOUTS.values():
        report(f"In rule '{rule.label.name}', timeout '{timeout}' is not a valid timeout.")
    if timeout is None and isinstance(size, str):
        rule.rule_class = with_defaults(rule.rule_class, timeout=TIMEOUTS.get(size, "illegal"))
