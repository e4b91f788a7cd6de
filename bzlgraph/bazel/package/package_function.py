"""``package()``: defaults of a package's targets, at most once per BUILD file.

The values go into ``Package.defaults`` (by the name of the rule attribute they are the default of) and
``Package.default_visibility``; ``finish`` applies them, so it does not matter where in the file the call stands.
Doc: https://bazel.build/reference/be/functions#package
"""

from __future__ import annotations

from collections.abc import Mapping

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import report
from bzlgraph.bazel.model import Attribute, AttrType
from bzlgraph.bazel.targets.convert import convert, labels
from bzlgraph.bazel.targets.instantiate import call_location
from bzlgraph.bazel.targets.macros import build_file_context
from bzlgraph.bazel.targets.visibility import LEGACY_PUBLIC, PUBLIC, simplified, visibility_fault
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import EvalError

ARGUMENTS: dict[str, tuple[str, AttrType]] = {
    "default_applicable_licenses": ("applicable_licenses", AttrType.LABEL_LIST),
    "default_compatible_with": ("compatible_with", AttrType.LABEL_LIST),
    "default_deprecation": ("deprecation", AttrType.STRING),
    "default_hdrs_check": ("hdrs_check", AttrType.STRING),
    "default_package_metadata": ("applicable_licenses", AttrType.LABEL_LIST),
    "default_restricted_to": ("restricted_to", AttrType.LABEL_LIST),
    "default_testonly": ("testonly", AttrType.BOOLEAN),
    "default_visibility": ("visibility", AttrType.LABEL_LIST),
    "distribs": ("distribs", AttrType.DISTRIBUTION_SET),
    "features": ("features", AttrType.STRING_LIST),
    "licenses": ("licenses", AttrType.LICENSE),
    "transitive_visibility": ("transitive_visibility", AttrType.UNKNOWN),
}
"""Argument -> the attribute it is the default of, and its type. Arguments of all versions."""

_SEEN = f"{__name__}.seen"
_METADATA, _LICENSES = "default_package_metadata", "default_applicable_licenses"


@builtin("package")
def package_function(**kwargs: object) -> None:
    """``package(default_visibility = [...], default_testonly = ..., ...)``"""
    context = build_file_context("package()")
    if context.state.get(_SEEN):
        raise EvalError("'package' can only be used once per BUILD file")
    context.state[_SEEN] = True
    if not kwargs:
        raise EvalError("at least one argument must be given to the 'package' function")
    if kwargs.keys() >= {_METADATA, _LICENSES} and _METADATA not in context.facts.package_lacks:
        raise EvalError(f"Can not set both {_METADATA} and {_LICENSES}. Move all declarations to {_METADATA}.")
    for name, value in kwargs.items():
        if name not in ARGUMENTS or name in context.facts.package_lacks:
            near = nearest(name, ARGUMENTS)
            raise EvalError(f"unexpected keyword argument: {name}", f"did you mean '{near}'?" if near else None)
        _set(name, value, context)


def apply_defaults(defaults: Mapping[str, object], context: PackageContext) -> None:
    """The arguments of a repository's ``repo()``, as if ``package()`` had them; its own call replaces them."""
    for name, value in defaults.items():
        _set(name, value, context)


def _set(argument: str, value: object, context: PackageContext) -> None:
    attribute, kind = ARGUMENTS[argument]
    if attribute == "visibility":
        context.building.default_visibility = tuple(default_visibility(value, context))
        return
    description = Attribute(attribute, kind, configurable=False)
    converted = convert(description, value, "package", context)
    if kind is AttrType.LABEL_LIST and isinstance(converted, list):
        _refuse_repeated(argument, converted, context)
    context.building.defaults[attribute] = converted


def _refuse_repeated(argument: str, listed: list[Label], context: PackageContext) -> None:
    """Labels may stand once: since the same are arguments of ``repo()``, the file ends there."""
    repeated = {label: None for index, label in enumerate(listed) if label in listed[:index]}
    if repeated and context.facts.repo_file:
        raise EvalError(f"duplicate label(s) in {argument}: {', '.join(sorted(map(str, repeated)))}")
    where = call_location(context) if repeated else None
    for label in repeated:
        message = f"label '{label}' is duplicated in the '{argument}' list of 'package {context.package}'"
        report(Diagnostic(message, where), context)


def default_visibility(value: object, context: PackageContext) -> list[Label]:
    """The labels of ``default_visibility``; EvalError for anything but a list of labels."""
    found = labels(value, "'package' argument", context)
    message = visibility_fault(found, context.facts)
    if message:
        raise EvalError(message)
    return [PUBLIC if label == LEGACY_PUBLIC else label for label in simplified(found, context.facts)]
