"""``native``: what macros use to reach native rules and the package under evaluation.

``native_value(facts, functions)`` -> the value; its fields are the functions of BUILD and WORKSPACE files and a few
of its own (``package_name``, ``repository_name``, ``bazel_version`` ...). Doc:
https://bazel.build/rules/lib/toplevel/native
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bzlgraph.bazel.context.contexts import Context, PackageContext, WorkspaceContext
from bzlgraph.bazel.context.scope import evaluation_context, package_context, resolve
from bzlgraph.bazel.files.unknown import Unknown
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.targets.computed import starlark_value
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.facts import Facts
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.lib.struct import Namespace
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


class Native(Namespace):
    """The global ``native``: a struct of functions."""

    __slots__ = ()
    type_name: ClassVar[str] = "struct"
    lacking: ClassVar[str] = "no native function or rule '{name}'"

    def hashable(self) -> bool:
        return False

    def to_repr(self) -> str:
        return "<native>"


def _place(what: str) -> Context:
    """The package or workspace being evaluated."""
    context = evaluation_context()
    if not isinstance(context, PackageContext | WorkspaceContext):
        raise EvalError(
            f"{what} can only be used while a BUILD file is evaluated",
            "call it inside a macro, not at the top of a .bzl file",
        )
    return context


@builtin("package_name")
def package_name() -> str:
    """The package under evaluation."""
    return _place("package_name()").package


@builtin("repository_name")
def repository_name() -> str:
    """The repository under evaluation, with its ``@``."""
    return f"@{_canonical('repository_name()')}"


@builtin("repo_name")
def repo_name() -> str:
    """The canonical name of the repository under evaluation."""
    return _canonical("repo_name()")


def _canonical(call: str) -> str:
    place = _place(call)
    return place.mapping.canonical(place.repo)


@builtin("module_name")
def module_name() -> str | Unknown | None:
    """The name of the module that the repository under evaluation belongs to, None without modules."""
    return _of_module("module_name()", 0)


@builtin("module_version")
def module_version() -> str | Unknown | None:
    """Its version."""
    return _of_module("module_version()", 1)


def _of_module(call: str, part: int) -> str | Unknown | None:
    """A part of what MODULE.bazel says of its own module; of other modules nothing is known."""
    context = _place(call)
    if not context.facts.bzlmod:
        return None
    module = context.modules.get(context.repo)
    return module[part] if module else Unknown(call, "MODULE.bazel", location=current_thread().innermost_location())


@builtin("package_relative_label")
def package_relative_label(input: object, /) -> object:
    """A label resolved against the package under evaluation."""
    context = package_context("package_relative_label()")
    if isinstance(input, str):
        return LabelValue(resolve(input, context))
    if isinstance(input, LabelValue | Uncertain):
        return input
    raise EvalError(f"package_relative_label() wants a string or Label, got {type_name(input)}")


@builtin("package_default_visibility")
def package_default_visibility() -> object:
    """The default visibility of the package under evaluation."""
    context = package_context("package_default_visibility()")
    return starlark_value(list(context.building.default_visibility))


PLACE_FUNCTIONS: dict[str, Builtin] = {
    each.name: each
    for each in (package_name, repository_name, repo_name, module_name, module_version, package_relative_label)
}
"""The functions that ask where the evaluation stands, for BUILD files too."""


def native_value(facts: Facts, functions: Mapping[str, object]) -> Native:
    """``native`` of a Bazel version with these functions."""
    own = {"package_default_visibility": package_default_visibility, "bazel_version": facts.version}
    fields = {**functions, **PLACE_FUNCTIONS, **own}
    absent = facts.absent_names("native") | facts.absent_names("workspace")
    return Native({name: field for name, field in fields.items() if name not in absent})
