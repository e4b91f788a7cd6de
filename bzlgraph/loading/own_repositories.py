"""``@bazel_tools``, and what Bazel makes beside it, without a Bazel on the machine: packages made from a table.

``stand_in("bazel_tools", "tools/cpp", facts)`` -> a package with the targets that rules name without being asked and
what those depend on (``facts/built_in.py``), or None. Attributes are those that hold labels. The rest of the
repository is a gap: a label that the table does not have is unknown, not missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import UNKNOWN_REPOSITORY, Label, RepoMapping, identity_mapping, parse
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.model import (
    Attribute,
    AttrType,
    Condition,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
    Target,
)
from bzlgraph.bazel.rules.native_rules import computed_defaults, native_rule_class
from bzlgraph.facts import Facts
from bzlgraph.facts.built_in import PackageFact, TargetFact, package, recorded_name

_MADE_BY_A_RUN = {
    "local_config_cc": "as Bazel creates it on Linux x86-64 with gcc",
    "embedded_jdk": "the JDK bundled with its Linux release",
    "": "targets that command-line options name by default",
}
_KEYED_BY_TEXT = (AttrType.LABEL_DICT_UNARY, AttrType.STRING_KEYED_LABEL_DICT)
_PUBLIC = ("//visibility:public",)
_RULE = " rule"


class _Here(NamedTuple):
    """Where a label of the table is written, and what names of repositories mean there."""

    repo: str
    package: str
    mapping: RepoMapping
    written: Mapping[str, str]
    """What is written there, by the names of WORKSPACE, which the table has."""

    def label(self, text: str) -> Label:
        """The label of a text; one of a repository that is not visible here keeps its name."""
        if text.startswith(":"):
            return parse(text, self.repo, self.package)
        plain = parse(text, "", "")
        meant = self.mapping(self.repo, self.written.get(plain.repo, plain.repo)) if plain.repo else ""
        return plain if meant.startswith(UNKNOWN_REPOSITORY) else plain._replace(repo=meant)


def stand_in(repo: str, name: str, facts: Facts, mapping: RepoMapping = identity_mapping) -> Package | None:
    """A package of a repository that is built into Bazel, as far as the table knows it; ``mapping``: what the names of
    repositories mean there."""
    recorded = recorded_name(mapping.canonical(repo))
    fact = package(facts.version, recorded, name)
    if fact is None:
        return None
    made = Package(repo, name, Label(repo, name, fact.build_file), default_visibility=_PUBLIC)
    made.bzl_files = tuple(parse(text, "", "") for text in fact.bzl_files)
    made.targets.update((label.name, target) for label, target in _targets(made, fact, facts, mapping))
    rest = _MADE_BY_A_RUN.get(recorded, "covers only what native rules reference")
    known = f"built-in model of Bazel {fact.version}; {rest}"
    made.gaps.append(Gap(GapKind.REPOSITORY.value, f"@{repo}" if repo else f"//{name}", known, repository=repo))
    return made


def build_file_name(repo: str, name: str, facts: Facts, mapping: RepoMapping = identity_mapping) -> str | None:
    """The name of the BUILD file of such a package; None for one that the table does not know."""
    fact = package(facts.version, recorded_name(mapping.canonical(repo)), name)
    return fact.build_file if fact is not None else None


def _targets(made: Package, fact: PackageFact, facts: Facts, mapping: RepoMapping) -> Iterator[tuple[Label, Target]]:
    home = made.build_file.shown_path(mapping.canonical(made.repo))
    written = dict(each.split("=")[::-1] for each in facts.tools_mapping)
    here, outputs = _Here(made.repo, made.name, mapping, written), dict[str, list[Label]]()
    for name, each in fact.targets.items():
        if each.rule:
            outputs.setdefault(each.rule, []).append(Label(made.repo, made.name, name))
    for name, each in fact.targets.items():
        label, location = Label(made.repo, made.name, name), Location(home, each.line, each.column)
        if each.kind.endswith(_RULE):
            yield label, _rule(label, each, location, facts, here, tuple(outputs.get(name, ())))
        elif each.rule:
            yield label, OutputFile(label, Label(made.repo, made.name, each.rule), location)
        elif each.kind == "package group":
            yield label, PackageGroup(label, (), (), location)
        else:
            yield label, SourceFile(label, location, _visibility(each, here))
    if made.build_file.name not in fact.targets:
        yield made.build_file, SourceFile(made.build_file, Location(home, 1, 1))


def _rule(
    label: Label, fact: TargetFact, location: Location, facts: Facts, here: _Here, outputs: tuple[Label, ...]
) -> Rule:
    kind = fact.kind.removesuffix(_RULE)
    native = None if fact.starlark else native_rule_class(facts, kind)
    types = {} if native is None else {name: each.type for name, each in native.attributes.items()}
    values = {name: _value(value, here, types.get(name)) for name, value in fact.attributes.items()}
    rule_class = native or RuleClass(kind, {each.name: each for each in _guessed(values)})
    frames = (Frame("<toplevel>", location),)
    rule = Rule(label, rule_class, values, frames, outputs, visibility=_visibility(fact, here))
    if native is not None:
        rule.values = computed_defaults(rule, facts) | values
    return rule


def _visibility(fact: TargetFact, here: _Here) -> tuple[Label | str, ...]:
    return tuple(_value(item, here) for item in fact.visibility) or _PUBLIC


def _guessed(values: dict[str, Any]) -> Iterator[Attribute]:
    """Attributes of a rule that a .bzl file defines, by what they hold."""
    for name, value in values.items():
        kind = AttrType.LABEL if isinstance(value, Label) else AttrType.LABEL_LIST
        if isinstance(value, dict):
            kind = AttrType.LABEL_KEYED_STRING_DICT
        yield Attribute(name, kind, implicit=name[0] in "$:")


def _value(value: Any, here: _Here, kind: AttrType | None = None) -> Any:
    """A value of the table; texts in it are labels, but for the keys of some dictionaries."""
    if isinstance(value, dict):
        if "+" in value:
            return SelectorList(tuple(_part(part, here) for part in value["+"]))
        if kind in _KEYED_BY_TEXT:
            return {key: _value(item, here) for key, item in value.items()}
        return {_value(key, here): item for key, item in value.items()}
    if isinstance(value, list):
        return [_value(item, here) for item in value]
    return here.label(value)


def _part(part: Any, here: _Here) -> Any:
    """A part of a concatenation: a plain value, or the branches of a select()."""
    if not isinstance(part, list) or not part or not isinstance(part[0], list):
        return _value(part, here)
    branches = ((Condition(here.label(key)), None if value is None else _value(value, here)) for key, value in part)
    return Selector(tuple(branches))
