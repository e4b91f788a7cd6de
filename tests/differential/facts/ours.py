"""bzlgraph's model -> facts, the same records that `proto_answer` makes of Bazel's answer.

The attributes are those that `bzlgraph query --output=xml` prints (bzlgraph/export/bazel_view); here they become plain
values, with the constants that stand for "nothing" per attribute type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel import model
from bzlgraph.bazel.conditional import is_conditional, labels_in
from bzlgraph.bazel.model import AttrType
from bzlgraph.export.bazel_view.attributes import AttributeReader, effective_visibility
from bzlgraph.export.bazel_view.brought import brought_attributes
from bzlgraph.export.bazel_view.place import shown_location
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import open_workspace
from tests.differential.facts.records import DEFAULT_CONDITION, Answer, Attribute, Select, TargetFacts, Value
from tests.differential.real.bazel import LINKED, OUR_OPTIONS
from tests.differential.real.module_registry import Modules

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


def load(
    tree: Path, overrides: Mapping[str, Path], version: str, modules: Modules | None = None
) -> tuple[Answer, Loader]:
    """Every target of `//...:*`, as bzlgraph loads it when asked to behave like this Bazel version; with modules
    MODULE.bazel counts, and nothing else."""
    loader = open_loader(open_workspace(tree, options_of(overrides, version, modules)))
    names = loader.packages_below("", "")
    list(loader.in_turn(("", name) for name in names))
    reader, shown = EdgeReader(), AttributeReader(loader.workspace.facts)
    answer: Answer = {}
    for name in names:
        package = loader.find("", name)
        if package is not None:
            for target in package.targets.values():
                answer[str(target.label)] = _target(target, package, reader, shown)
    return answer, loader


def options_of(overrides: Mapping[str, Path], version: str, modules: Modules | None) -> Options:
    """What bzlgraph is told where Bazel is asked with these repositories, and with these modules or without any."""
    enabled = False if modules is None and "--noenable_bzlmod" in OUR_OPTIONS.get(version, ()) else None
    repositories = RepositoryOptions(allow_outside=LINKED)
    if modules is not None:
        repositories = RepositoryOptions(
            allow_outside=LINKED,
            registries=(modules.registry,),
            override_modules=modules.overrides,
            ignore_dev_dependency=modules.ignore_dev,
        )
    return Options(
        overrides=overrides,
        bazel_version=version,
        enable_bzlmod=enabled,
        enable_workspace=None if modules is None else False,
        repositories=repositories,
    )


def _target(target: model.Target, package: model.Package, reader: EdgeReader, shown: AttributeReader) -> TargetFacts:
    label, location = str(target.label), _place(shown_location(target, shown.facts))
    if isinstance(target, model.Rule):
        return _rule(target, package, reader, shown)
    if isinstance(target, model.OutputFile):
        return TargetFacts(label, target.kind, location, inputs=frozenset((str(target.rule),)))
    if isinstance(target, model.PackageGroup):
        return TargetFacts(label, target.kind, "", members=tuple(_specifications(target, shown.facts.group_slashes)))
    if isinstance(target, model.EnvironmentGroup):
        defaults = (f"includes {each}" for each in target.defaults)
        return TargetFacts(label, target.kind, "", members=(*sorted(map(str, target.environments)), *defaults))
    visibility = effective_visibility(target.visibility, package)
    return TargetFacts(label, target.kind, location, members=tuple(sorted(map(str, visibility))))


def _specifications(group: model.PackageGroup, slashes: bool) -> Iterator[str]:
    """Package specifications as Bazel's proto has them: before Bazel 7 without `//`, but for the one that means every
    package."""
    kept = [text for text in group.packages if slashes or text.endswith("//...")]
    yield from sorted(kept + [text.replace("//", "", 1) for text in group.packages if text not in kept])
    yield from (f"includes {include}" for include in group.includes)


def _place(location: Location) -> str:
    """A location as Bazel prints it: a BUILD file itself has no line."""
    return str(location) if location.line else location.path


def _rule(rule: model.Rule, package: model.Package, reader: EdgeReader, shown: AttributeReader) -> TargetFacts:
    named = [edge.target for edge in reader.read(rule, package) if not edge.flags & EdgeFlag.VISIBILITY]
    brought = [label for _, each in brought_attributes(rule, shown.facts) for label in labels_in(each.default)]
    return TargetFacts(
        label=str(rule.label),
        kind=rule.kind,
        location=_place(rule.location),
        attributes=dict(
            sorted(_attributes(rule, package, shown), key=itemgetter(0))
        ),  # an aspect may bring its namesake
        inputs=frozenset(map(str, (*named, *brought))),
        outputs=tuple(str(output) for output in rule.outputs),
    )


def _attributes(rule: model.Rule, package: model.Package, shown: AttributeReader) -> Iterator[tuple[str, Attribute]]:
    for each in shown.read(rule, package):
        if each.type is AttrType.STRING and not each.explicit and is_conditional(each.value):
            continue  # a computed default with several values, which Bazel leaves out
        yield each.name, Attribute(each.type.value, _value(each.value, each.type.value), each.explicit)
    for _, added in brought_attributes(rule, shown.facts):
        yield added.name, Attribute(added.type.value, _value(added.default, added.type.value), False)


def _value(value: Any, type_name: str) -> Value:
    if isinstance(value, model.Selector):
        return Select((_branches(value, type_name),))
    if isinstance(value, model.SelectorList):
        return Select(
            tuple(
                _branches(part, type_name)
                if isinstance(part, model.Selector)
                else ((DEFAULT_CONDITION, plain_value(part, type_name)),)
                for part in value.parts
            )
        )
    return plain_value(value, type_name)


def _branches(selector: model.Selector, type_name: str) -> tuple[tuple[str, Value], ...]:
    return tuple(
        (str(condition), None if value is None else plain_value(value, type_name))
        for condition, value in selector.branches
    )


def plain_value(value: Any, type_name: str) -> Value:
    """A value without selects as the facts have it."""
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
