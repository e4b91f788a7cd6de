"""``//external``: the package that no folder holds. Its targets are the binds and the repositories of WORKSPACE.

``deps = ["//external:gtest"]`` goes through the ``bind`` of that name to what it stands for.
Doc: https://bazel.build/reference/be/workspace#bind
"""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.context import WorkspaceContext
from bzlgraph.bazel.model import Attribute, AttrType, Package, Rule, RuleClass

PACKAGE = "external"
BIND = RuleClass("bind", {"actual": Attribute("actual", AttrType.LABEL)})
BUILD_FILE = Label("", PACKAGE, "WORKSPACE")


def external_package(context: WorkspaceContext) -> Package:
    """The package of a workspace's binds and repositories; a bind hides a repository of its name."""
    package = Package("", PACKAGE, BUILD_FILE, default_visibility=("//visibility:public",))
    classes: dict[tuple[str, Label | None], RuleClass] = {}
    for name, call in context.repositories.items():
        made_by = classes.setdefault((call.rule, call.bzl), RuleClass(call.rule, {}, call.bzl))
        _add(package, name, made_by, {}, call.location)
    for name, bind in context.binds.items():
        _add(package, name, BIND, {"actual": bind.actual}, bind.location)
    return package


def _add(
    package: Package, name: str, rule_class: RuleClass, values: dict[str, Label | None], location: Location | None
) -> None:
    stack = (Frame("<toplevel>", location or Location("WORKSPACE", 1, 1)),)
    label = Label("", PACKAGE, name)
    package.targets[name] = Rule(label, rule_class, dict(values), stack, visibility=("//visibility:public",))
