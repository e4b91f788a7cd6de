"""A rule as calls of it need it: its class, and the functions that decide about each target while it is made.

``rule()`` and the table of native rules -> ``RuleDefinition``; ``instantiate`` takes one and leaves only data in the
package: a computed default becomes a value of the rule, implicit outputs become output files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bzlgraph.bazel.model import Rule, RuleClass

Computed = Callable[[Rule], object]
"""A default that follows other attributes of the rule, as the model stores it."""
Templates = Mapping[str, str]
Outputs = Templates | Callable[[Rule], Templates]
"""Implicit outputs: ``{"out": "%{name}.jar"}``, or what gives them for a rule."""


@dataclass(slots=True)
class RuleDefinition:
    """``computed`` are the computed defaults by attribute."""

    rule_class: RuleClass
    computed: Mapping[str, Computed] = field(default_factory=dict)
    outputs: Outputs = field(default_factory=dict)
    mandatory: tuple[str, ...] = field(init=False)
    """The attributes that every call must give, beside ``name``."""

    def __post_init__(self) -> None:
        attributes = self.rule_class.attributes.values()
        self.mandatory = tuple(each.name for each in attributes if each.mandatory and each.name != "name")
