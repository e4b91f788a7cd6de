"""``//external``: the package that no folder holds. Its targets are the binds and the repositories of WORKSPACE.

``deps = ["//external:gtest"]`` goes through the ``bind`` of that name to what it stands for. What Bazel itself adds to
every WORKSPACE is there too (``facts/default_workspace.json``), unless the workspace defines the name.
Doc: https://bazel.build/reference/be/workspace#bind
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import Frame, Location
from bzlgraph.base.words import counted
from bzlgraph.bazel.context.contexts import WorkspaceContext
from bzlgraph.bazel.model import Attribute, AttrType, Package, Rule, RuleClass, SourceFile
from bzlgraph.bazel.rules.native_rules import native_rule_class
from bzlgraph.facts import Facts
from bzlgraph.facts.built_in import default_workspace

PACKAGE = "external"
BUILD_FILE = Label("", PACKAGE, "WORKSPACE")
_BUILT_IN = Location("/DEFAULT.WORKSPACE", 1, 1)
_WRITTEN = Location("WORKSPACE", 1, 1)


def external_package(context: WorkspaceContext, facts: Facts, workspace_counts: bool) -> Package:
    """The package of a workspace's binds and repositories; a bind hides a repository of its name. Bazel adds its own
    where WORKSPACE counts."""
    package = Package("", PACKAGE, BUILD_FILE)
    package.targets[BUILD_FILE.name] = SourceFile(BUILD_FILE, _WRITTEN)
    if workspace_counts:
        _add_built_in(package, facts)
    own = {context.own.name: context.own} if context.own is not None and facts.external_has_itself else {}
    for name, call in (own | context.repositories).items():
        values = {key: value for key, value in call.attributes.items() if value is not None}
        made_by = _native(facts, call.rule) if call.bzl is None else _class_of(call.rule, call.bzl, values)
        _add(package, name, made_by, values, call.location or _WRITTEN)
    for name, bind in context.binds.items():
        _add(package, name, _native(facts, "bind"), {"actual": bind.actual}, bind.location)
    package.hiding += unknown_macros(context)
    return package


def unknown_macros(context: WorkspaceContext) -> Iterator[Gap]:
    """What WORKSPACE calls without knowing it may bind any name: one gap, told where such a name is asked for."""
    calls = [gap for gap in context.gaps if gap.kind == GapKind.CALL.value]
    if calls:
        more = f" and {counted(len(calls) - 1, 'other call')} in WORKSPACE" if len(calls) > 1 else ""
        hides = "the names that it binds are unknown"
        yield Gap(GapKind.MACRO.value, f"{calls[0].what}{more}", hides, calls[0].location, calls[0].repository)


def _add_built_in(package: Package, facts: Facts) -> None:
    added = default_workspace(facts.version)
    for name, rule in added.repositories.items():
        _add(package, name, _native(facts, rule), {}, _BUILT_IN)
    for name, actual in added.binds.items():
        _add(package, name, _native(facts, "bind"), {"actual": parse(actual, "", "") if actual else None}, _BUILT_IN)


def _native(facts: Facts, name: str) -> RuleClass:
    return native_rule_class(facts, name) or RuleClass(name, {})


_TYPES: dict[type, AttrType] = {
    bool: AttrType.BOOLEAN,
    int: AttrType.INTEGER,
    str: AttrType.STRING,
    Label: AttrType.LABEL,
    list: AttrType.STRING_LIST,
    dict: AttrType.STRING_DICT,
}


def _class_of(rule: str, bzl: Label, values: Mapping[str, Any]) -> RuleClass:
    """The class of a repository rule, as far as one call of it tells."""
    attributes = {}
    for name, value in values.items():
        kind = _TYPES.get(type(value), AttrType.STRING)
        if isinstance(value, list) and any(isinstance(item, Label) for item in value):
            kind = AttrType.LABEL_LIST
        attributes[name] = Attribute(name, kind)
    return RuleClass(rule, attributes, bzl)


def _add(package: Package, name: str, rule_class: RuleClass, values: Mapping[str, Any], location: Location) -> None:
    label = Label("", PACKAGE, name)
    stack = (Frame("<toplevel>", location),)
    package.targets[name] = Rule(label, rule_class, dict(values), stack)
