"""bzlgraph's model -> facts, the same records that `proto_answer` makes of Bazel's answer.

What Bazel prints but the model keeps in another form is derived here, and only here: the effective visibility, the
attributes generator_* and $config_dependencies, the constants that stand for "nothing" per attribute type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel import model
from bzlgraph.facts import Facts
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.workspace.workspace import Options, open_workspace
from tests.differential.facts import DEFAULT_CONDITION, Answer, Attribute, Select, TargetFacts, Value

_DERIVED = ("visibility", "$config_dependencies", "generator_name", "generator_function", "generator_location")
"""Attributes that are not read from the values of a rule."""

_NOTHING: dict[str, Value] = {
    "boolean": False,
    "tristate": -1,
    "integer": 0,
    "string": "",
    "label": "",
    "output": "",
    "string_dict": {},
    "string_list_dict": {},
    "label_dict_unary": {},
    "label_keyed_string_dict": {},
    "string_keyed_label_dict": {},
    "distribution_set": ["INTERNAL"],
    "license": ["NONE"],
}


def load(tree: Path, overrides: Mapping[str, Path], version: str) -> tuple[Answer, Loader]:
    """Every target of `//...:*`, as bzlgraph loads it when asked to behave like this Bazel version."""
    loader = open_loader(open_workspace(tree, Options(overrides=overrides, bazel_version=version)))
    names = loader.packages_below("", "")
    loader.prefetch(("", name) for name in names)
    reader, facts = EdgeReader(), loader.workspace.facts
    answer: Answer = {}
    for name in names:
        package = loader.find("", name)
        if package is not None:
            for target in package.targets.values():
                answer[str(target.label)] = _target(target, package, reader, facts)
    return answer, loader


def _target(target: model.Target, package: model.Package, reader: EdgeReader, facts: Facts) -> TargetFacts:
    label, location = str(target.label), _place(target.location)
    if isinstance(target, model.Rule):
        return _rule(target, package, reader, facts)
    if isinstance(target, model.OutputFile):
        return TargetFacts(label, target.kind, location, inputs=frozenset((str(target.rule),)))
    if isinstance(target, model.PackageGroup):
        return TargetFacts(label, target.kind, "", members=tuple(_specifications(target)))
    visibility = _visibility(target.visibility, package)
    return TargetFacts(label, target.kind, location, members=tuple(sorted(visibility)))


def _specifications(group: model.PackageGroup) -> Iterator[str]:
    """Package specifications as Bazel's proto has them: without `//`, but for the one that means every package."""
    yield from sorted(text if text.endswith("//...") else text.replace("//", "", 1) for text in group.packages)
    yield from (f"includes {include}" for include in group.includes)


def _place(location: Location) -> str:
    """A location as Bazel prints it: a BUILD file itself has no line."""
    return str(location) if location.line else location.path


def _rule(rule: model.Rule, package: model.Package, reader: EdgeReader, facts: Facts) -> TargetFacts:
    edges = reader.read(rule, package)
    return TargetFacts(
        label=str(rule.label),
        kind=rule.kind,
        location=_place(rule.location),
        attributes=dict(sorted(_attributes(rule, package, facts))),
        inputs=frozenset(str(edge.target) for edge in edges if not edge.flags & EdgeFlag.VISIBILITY),
        outputs=tuple(str(output) for output in rule.outputs),
    )


def _attributes(rule: model.Rule, package: model.Package, facts: Facts) -> Iterator[tuple[str, Attribute]]:
    conditions: set[str] = set()
    for name, attribute in rule.rule_class.attributes.items():
        if name in _DERIVED:
            continue
        value = _default(rule, attribute) if name not in rule.values else rule.values[name]
        explicit = name in rule.values and (not attribute.implicit or name == "$implicit_tests")
        plain = _value(value if explicit or value != [] else None, attribute.type.value)
        if isinstance(plain, Select):
            conditions |= {key for part in plain.parts for key, _ in part if key != DEFAULT_CONDITION}
        yield name, Attribute(attribute.type.value, plain, explicit)
    for attribute in _of_aspects(rule):
        if attribute.name not in rule.rule_class.attributes:
            yield (
                attribute.name,
                Attribute(attribute.type.value, _value(attribute.default, attribute.type.value), False),
            )
    if "name" not in rule.rule_class.attributes:
        yield "name", Attribute("string", rule.label.name, True)
    yield "$config_dependencies", Attribute("label_list", sorted(conditions), False)
    visibility = _visibility(rule.visibility, package)
    yield "visibility", Attribute("string_list", visibility, rule.visibility is not None)
    if rule.generator is not None:
        place = rule.generator.location
        yield "generator_name", Attribute("string", rule.generator.name, True)
        yield "generator_function", Attribute("string", rule.generator.function, True)
        shown = str(place) if facts.generator_location_has_column else f"{place.path}:{place.line}"
        yield "generator_location", Attribute("string", shown, True)


def _of_aspects(rule: model.Rule) -> Iterator[model.Attribute]:
    """The attributes of the aspects that the rule applies through what it wrote: Bazel shows them as the rule's own."""
    applied = [aspect for name in rule.values for aspect in _aspects(rule, name)]
    found = {attribute.name: attribute for aspect in applied for attribute in aspect.attributes.values()}
    return iter(found.values())


def _aspects(rule: model.Rule, name: str) -> tuple[model.Aspect, ...]:
    attribute = rule.rule_class.attributes.get(name)
    direct = attribute.aspects if attribute is not None else ()
    return (*direct, *(required for aspect in direct for required in aspect.requires))


def _default(rule: model.Rule, attribute: model.Attribute) -> Any:
    return attribute.computed(rule) if attribute.computed is not None else attribute.default


def _visibility(written: tuple[Label | str, ...] | None, package: model.Package) -> list[str]:
    if written is not None:
        return [str(item) for item in written]
    return [str(item) for item in package.default_visibility] or ["//visibility:private"]


def _value(value: Any, type_name: str) -> Value:
    if isinstance(value, model.Selector):
        return Select((_branches(value, type_name),))
    if isinstance(value, model.SelectorList):
        return Select(
            tuple(
                _branches(part, type_name)
                if isinstance(part, model.Selector)
                else ((DEFAULT_CONDITION, _plain(part, type_name)),)
                for part in value.parts
            )
        )
    return _plain(value, type_name)


def _branches(selector: model.Selector, type_name: str) -> tuple[tuple[str, Value], ...]:
    return tuple(
        (str(condition), None if value is None else _plain(value, type_name)) for condition, value in selector.branches
    )


def _plain(value: Any, type_name: str) -> Value:
    if value is None:
        return _NOTHING.get(type_name, [])
    if type_name == "boolean":
        return bool(value)
    if type_name in ("tristate", "integer"):
        return int(value)
    return _text(value)


def _text(value: Any) -> Value:
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_text(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _text(item) for key, item in value.items()}
    return value
