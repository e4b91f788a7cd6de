"""A rule as calls of it need it: its class, and the functions that decide about each target while it is made.

``rule()`` and the table of native rules -> ``RuleDefinition``; ``instantiate`` takes one and leaves only data in the
package: a computed default becomes a value of the rule, implicit outputs become output files.

The parameters of the Starlark function name the attributes it wants. ``ComputedDefault(rule)`` -> converted default;
``OutputsFunction(rule)`` -> templates. Both run while the package is evaluated, when the rule's values are known.
Where an attribute is a ``select()``, a computed default has one value per branch and is itself kept as a select,
unless all its values are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add, or_
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition, Rule, RuleClass, Selector, SelectorList
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import Dict, List, type_name

Computed = Callable[[Rule], object]
"""A default that follows other attributes of the rule, as the model stores it."""
Templates = Mapping[str, str]
Outputs = Templates | Callable[[Rule], Templates]
"""Implicit outputs: ``{"out": "%{name}.jar"}``, or what gives them for a rule."""


@dataclass(slots=True)
class RuleDefinition:
    """``computed`` are the computed defaults by attribute. ``absent``: the repository, not on disk, whose rule this one
    stands for: that may take more than this."""

    rule_class: RuleClass
    computed: Mapping[str, Computed] = field(default_factory=dict)
    outputs: Outputs = field(default_factory=dict)
    absent: str = ""
    mandatory: tuple[str, ...] = field(init=False)
    """The attributes that every call must give, beside ``name``."""

    def __post_init__(self) -> None:
        attributes = self.rule_class.attributes.values()
        self.mandatory = tuple(each.name for each in attributes if each.mandatory and each.name != "name")


@dataclass(frozen=True, slots=True)
class ComputedDefault:
    """A default given by ``function``; ``convert`` stores it as the attribute's type does. ``follows`` names the
    attributes that it wants when its parameters do not. It has one value for each of theirs, equal or not."""

    function: Callable[..., object]
    convert: Callable[[object], object]
    follows: tuple[str, ...] = ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names of the attributes that it follows."""
        return self.follows or parameters(self.function)

    def __call__(self, rule: Rule) -> object:
        values = {name: attribute_value(rule, name) for name in self.wanted}
        configurable = [name for name, value in values.items() if isinstance(value, SelectorList)]
        if not configurable:
            return self._computed(values)
        first = configurable[0]
        selectors = [part for part in values[first].parts if isinstance(part, Selector)]
        selector = max(selectors, key=lambda part: len(part.branches), default=None)
        for name in configurable[1:] if selector is not None else configurable:
            values[name] = _some_value(values[name])
        if selector is None:
            return self._computed(values)
        given = [_joined(values[first], condition) for condition, _ in selector.branches]
        found = [self._computed({**values, first: each}) for each in given]
        if all(each == given[0] for each in given[1:]):
            return found[0]
        branches = tuple(zip((condition for condition, _ in selector.branches), found, strict=True))
        return SelectorList((Selector(branches, "", selector.location),))

    def _computed(self, values: Mapping[str, object]) -> object:
        return self.convert(self.function(**{name: starlark_value(value) for name, value in values.items()}))


@dataclass(frozen=True, slots=True)
class OutputsFunction:
    """``rule(outputs = function)``: called with the rule's attributes, gives ``{name: template}``."""

    function: Callable[..., object]
    beside: Mapping[str, ComputedDefault]
    """The computed defaults of the rule, which Bazel looks at before it calls the function."""

    def __call__(self, rule: Rule) -> Mapping[str, str]:
        for default, follows in self.beside.items():
            for name in follows.wanted:
                if isinstance(attribute_value(rule, name), SelectorList):
                    raise EvalError(
                        f"In rule {rule.label}: the default of '{_written(default)}' follows '{name}', which uses a "
                        "select() (Bazel ends with an internal error where outputs are given by a function)"
                    )
        given = {name: attribute_value(rule, name) for name in parameters(self.function)}
        for name, value in given.items():
            if isinstance(value, SelectorList) or not _has(rule, name):
                raise EvalError(
                    f"In rule {rule.label}: Attribute '{name}' either doesn't exist or uses a select() "
                    "(i.e. could have multiple values)"
                )
        made = self.function(**{name: starlark_value(value) for name, value in given.items()})
        if not isinstance(made, dict):
            raise EvalError(f"the outputs function of rule '{rule.rule_class.name}' gave {type_name(made)}, want dict")
        return {str(name): str(template) for name, template in made.items()}


def _written(name: str) -> str:
    """The name of a private attribute as people write it."""
    return f"_{name[1:]}" if name[:1] in "$:" else name


def parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """The names of a Starlark function's parameters."""
    code = getattr(function, "__code__", None)
    return tuple(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) if code is not None else ()


def attribute_value(rule: Rule, name: str) -> Any:
    """The value of an attribute that a function asked for by the name people write."""
    return rule.label.name if name == "name" else rule.get(_key(rule, name))


def _key(rule: Rule, name: str) -> str:
    """The name of an attribute as the rule class has it."""
    return name if name in rule.rule_class.attributes or not name.startswith("_") else f"${name[1:]}"


def _has(rule: Rule, name: str) -> bool:
    """Whether the rule has an attribute, or may have it."""
    return name == "name" or rule.rule_class.unknown or _key(rule, name) in rule.rule_class.attributes


def _some_value(value: object) -> object:
    """One possible plain value of a configurable attribute."""
    return _joined(value, None) if isinstance(value, SelectorList) else value


def _joined(value: SelectorList, condition: Condition | None) -> object:
    """The sum of all parts where a condition of one of them holds; of others its branch too, or their first."""
    chosen: list[dict[Condition | None, object]] = [
        dict(part.branches) if isinstance(part, Selector) else {condition: part} for part in value.parts
    ]
    parts = [branches[condition] if condition in branches else next(iter(branches.values())) for branches in chosen]
    known = [part for part in parts if part is not None]
    if len(known) < 2:
        return known[0] if known else None
    if isinstance(known[0], dict):
        return reduce(or_, known)
    return reduce(add, known)


def starlark_value(value: object) -> object:
    """Plain model data as Starlark code sees it."""
    if isinstance(value, Label):
        return LabelValue(value)
    if isinstance(value, list | tuple):
        return List(starlark_value(item) for item in value)
    if isinstance(value, dict):
        return Dict({starlark_value(key): starlark_value(item) for key, item in value.items()})
    return value
