"""Outputs of a rule: implicit ones from templates, then those that output attributes name, in Bazel's order.

``outputs_of(rule, templates)`` -> ``Output(label, attribute)``; attribute is "" for an implicit output.
Templates hold ``%{name}``, ``%{dirname}``, ``%{basename}`` and ``%{attribute}``: a string as it is, a label without
its file extension.
Doc: https://bazel.build/extending/rules#deprecated_predeclared_outputs (checked against Bazel 4.2.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import OUTPUT_TYPES, Rule, RuleClass
from bzlgraph.bazel.targets.computed import Outputs
from bzlgraph.starlark.value import EvalError

_PLACEHOLDER = re.compile(r"%\{([^}]*)\}")


class Output(NamedTuple):
    """One declared output."""

    label: Label
    attribute: str


def outputs_of(rule: Rule, templates: Outputs) -> Iterator[Output]:
    """All outputs, implicit ones first. EvalError when a template cannot be filled in; what came before counts."""
    for name in _implicit(rule, templates):
        yield Output(Label(rule.label.repo, rule.label.package, name), "")
    for name in _written(rule):
        value = rule.values[name]
        if isinstance(value, Label):
            yield Output(value, name)
        elif value is not None:
            yield from (Output(label, name) for label in value)


def _written(rule: Rule) -> list[str]:
    """The output attributes that were written, in the order of the rule class (so Bazel 0.19 and 4.2), not the call."""
    return [name for name in _output_attributes(rule.rule_class) if name in rule.values]


@cache
def _output_attributes(rule_class: RuleClass) -> tuple[str, ...]:
    return tuple(name for name, attribute in rule_class.attributes.items() if attribute.type in OUTPUT_TYPES)


def _implicit(rule: Rule, templates: Outputs) -> Iterator[str]:
    if isinstance(templates, Mapping):
        for key, template in templates.items():
            filled = fill_template(template, rule)
            if len(filled) != 1:
                raise EvalError(
                    f"In rule {rule.label}: For attribute '{key}' in outputs: Invalid placeholder(s) in template"
                )
            yield filled[0]
        return
    for template in templates(rule).values():
        yield from fill_template(template, rule)


def fill_template(template: str, rule: Rule) -> list[str]:
    """The names a template stands for: one, unless a placeholder is a list; none when one has no value."""
    if template.count("%{") == template.count("%{name}"):
        return [template.replace("%{name}", rule.label.name)]
    names = _PLACEHOLDER.findall(template)
    choices = [_values(name, rule) for name in names]
    texts = _PLACEHOLDER.split(template)[::2]
    return ["".join(_interleave(texts, chosen)) for chosen in product(*choices)]


def _interleave(texts: list[str], values: tuple[str, ...]) -> Iterator[str]:
    for text, value in zip(texts, (*values, ""), strict=True):
        yield text
        yield value


def _values(placeholder: str, rule: Rule) -> list[str]:
    """What a placeholder stands for."""
    name = rule.label.name
    folder, slash, base = name.rpartition("/")
    own = {"name": name, "basename": base, "dirname": folder + slash}.get(placeholder)
    if own is not None:
        return [own]
    value = rule.get(placeholder)
    if is_conditional(value):
        raise EvalError(f"In rule {rule.label}: Attribute {placeholder} is configurable and cannot be used in outputs")
    return [
        _text(item)
        for item in (value if isinstance(value, list | tuple) and not isinstance(value, Label) else [value])
        if item is not None
    ]


def _text(value: object) -> str:
    if isinstance(value, Label):
        folder, slash, base = value.name.rpartition("/")
        stem, dot, _extension = base.rpartition(".")
        return folder + slash + (stem if dot and stem else base)
    return str(value)


@dataclass(frozen=True, slots=True)
class NativeOutputs:
    """The implicit outputs of a native rule: (template, attribute that must be set or None)."""

    templates: tuple[tuple[str, str | None], ...]

    def __call__(self, rule: Rule) -> Mapping[str, str]:
        return {template: template for template, needed in self.templates if needed is None or rule.values.get(needed)}
