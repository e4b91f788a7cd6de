"""Macros as things to ask about: made_by, callers. And uncertain: what a gap may hide something of.

A macro is written ``//package:file.bzl%name``; ``//package:file.bzl`` means every function of the file, a bare
``name`` the functions of that name in any file. The call stack that each rule keeps is searched at any depth.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.base.span import Frame
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.query.environment import Environment, Nodes


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro, or rule class: ``path`` is that of its file as locations show it, "" for any; ``name`` "" for all."""

    path: str
    name: str
    file: Label | None = None

    def is_frame(self, frame: Frame) -> bool:
        """Whether this call is inside the function."""
        return frame.function != "<toplevel>" and self._fits(frame.location.path, frame.function)

    def _fits(self, path: str, name: str) -> bool:
        return (not self.path or self.path == path) and (not self.name or self.name == name)

    def is_class_of(self, rule: Rule) -> bool:
        """Whether the rule is an instance of it."""
        made = rule.rule_class
        return self.file in (None, made.bzl) and self.name == made.name


def made_by(environment: Environment, macro: str, scope: Nodes | None = None) -> Nodes:
    """The rules of ``scope`` that the macro made, directly or through other macros."""
    wanted = _macro(environment, macro)
    rules = environment.rules(environment.universe() if scope is None else scope)
    found = {
        node
        for node, rule in rules
        if any(wanted.is_frame(frame) for frame in rule.stack) or (wanted.name and wanted.name in rule.macros)
    }
    if not found:
        _hint_macro(environment, wanted, macro, [rule for _, rule in rules])
    return found


def callers(environment: Environment, macro: str, scope: Nodes | None = None) -> Nodes:
    """The BUILD and .bzl files that call the macro (or make a rule of that class) for the rules of ``scope``."""
    wanted = _macro(environment, macro)
    rules = environment.rules(environment.universe() if scope is None else scope)
    found: Nodes = set()
    for _, rule in rules:
        frames = rule.stack
        calling = [frames[at + 1] for at in range(len(frames) - 1) if wanted.is_frame(frames[at])]
        if wanted.is_class_of(rule) and frames:
            calling.append(frames[0])
        package = environment.graph.packages[rule.label.repo, rule.label.package]
        found.update(_file_of(environment, frame, package) for frame in calling)
    if not found:
        _hint_macro(environment, wanted, macro, [rule for _, rule in rules])
    return found


def uncertain(environment: Environment, targets: Nodes) -> Nodes:
    """Those whose own dependencies are not known for certain: not on disk, of an unknown rule, or through a gap."""
    graph = environment.graph
    return {node for node in targets if graph.kinds[node] == NodeKind.UNLOADED or _is_uncertain(graph, node)}


def _is_uncertain(graph: GraphView, node: int) -> bool:
    target = graph.target(node)
    if not isinstance(target, Rule):
        return False
    possible = any(graph.columns.edge_flags[edge] & EdgeFlag.POSSIBLE for edge in graph.edges_from(node))
    if possible or target.rule_class.unknown:
        return True
    package = graph.packages[target.label.repo, target.label.package]
    places = {(frame.location.path, frame.location.line) for frame in target.stack}
    return any(gap.location is not None and (gap.location.path, gap.location.line) in places for gap in package.gaps)


def _macro(environment: Environment, text: str) -> _Macro:
    """Read ``//x:y.bzl%name``, ``//x:y.bzl`` or ``name``."""
    place, percent, name = text.rpartition("%") if "%" in text else ("", "", text)
    if not percent and text.endswith(".bzl"):
        place, name = text, ""
    if not place:
        return _Macro("", name)
    try:
        label = parse(place, "", environment.settings.package, environment.settings.mapping)
    except LabelError as error:
        raise ValueError(f"{error}; a macro is written //package:file.bzl%name") from None
    return _Macro(_path(environment, label), name, label)


def _path(environment: Environment, label: Label) -> str:
    return label.shown_path(environment.settings.mapping.canonical(label.repo))


def _file_of(environment: Environment, frame: Frame, package: Package) -> int:
    """The node of the file that a call stands in."""
    for label in package.bzl_files:
        if frame.location.path == _path(environment, label):
            return environment.file_node(label, package)
    return environment.file_node(package.build_file, package)


def _hint_macro(environment: Environment, wanted: _Macro, text: str, rules: list[Rule]) -> None:
    """Nothing found: say which name may have been meant."""
    names = {frame.function for rule in rules for frame in rule.stack if frame.function != "<toplevel>"}
    names |= {rule.rule_class.name for rule in rules}
    near = nearest(wanted.name, sorted(names)) if wanted.name and wanted.name not in names else None
    hint = f"did you mean `{near}`?" if near else None
    if wanted.name in names:
        hint = f"a function `{wanted.name}` of another file is used: ask for `{wanted.name}` alone"
    environment.remark(Diagnostic(f"no rule here comes from `{text}`", hint=hint, severity="note"))
