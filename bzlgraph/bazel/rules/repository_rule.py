"""``repository_rule()``: ways to make a repository. Calls are recorded; what one makes is found when it is asked for.

``repository_rule(implementation, attrs, ...)`` -> ``RepositoryRule``; calling it while WORKSPACE is evaluated records a
``RepositoryCall``: name, rule, attributes (defaults that are labels included, labels resolved). A later call for a
name wins.
Rules: https://bazel.build/rules/lib/globals/bzl#repository_rule
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.files.context import RepositoryCall, WorkspaceContext
from bzlgraph.bazel.files.scope import evaluation_context
from bzlgraph.bazel.rules.aspect import has_unknown, schema
from bzlgraph.bazel.rules.attr import AttrValue
from bzlgraph.bazel.rules.exported import ExportedValue
from bzlgraph.bazel.values.arguments import want_function
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import Uncertain, text_of
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name

IMPLICIT = frozenset(
    {"name", "repo_mapping", "exec_properties", "tags", "testonly", "visibility", "deprecation", "features", "licenses"}
)
"""Attributes every repository rule has."""


@dataclass(slots=True, eq=False)
class RepositoryRule(ExportedValue):
    """A repository rule of a .bzl file."""

    type_name: ClassVar[str] = "repository_rule"
    attrs: Mapping[str, AttrValue]
    open: bool
    """Whether it may have attributes that are not known."""
    environ: tuple[str, ...] = ()
    """The environment variables that it says it looks at."""
    location: Location | None = None
    """Where ``repository_rule`` is called for it."""

    def __call__(self, *args: object, **kwargs: object) -> None:
        context = evaluation_context()
        if args:
            raise EvalError("unexpected positional arguments", "repository rules take named arguments only")
        if not isinstance(context, WorkspaceContext):
            raise EvalError(
                f"repository rule {self.name or '(not exported)'} can only be called while WORKSPACE is evaluated "
                "or from within module extension implementation functions"
            )
        name = text_of(kwargs.get("name"))
        if not isinstance(name, str):
            raise EvalError(f"repository rule {self.name}: 'name' must be a string, got {type_name(name)}")
        self._check(kwargs)
        record(context, name, self.name, self.bzl, {**self._defaults(), **kwargs})
        call = context.repositories[name]
        call.definition, call.arguments, call.home = self, kwargs, context

    def _check(self, kwargs: Mapping[str, object]) -> None:
        """Unknown attributes, and mandatory ones that are missing."""
        for name in kwargs:
            if name not in self.attrs and name not in IMPLICIT and not self.open:
                raise EvalError(f"no such attribute '{name}' in '{self.name}' rule")
        for name, value in self.attrs.items():
            if value.mandatory and kwargs.get(name) is None and not name.startswith("_"):
                raise EvalError(f"missing value for mandatory attribute '{name}' in '{self.name}' rule")

    def _defaults(self) -> dict[str, object]:
        """Defaults that name files."""
        return {name: value.default for name, value in self.attrs.items() if value.default and not name.startswith("_")}

    def to_repr(self) -> str:
        return f"<repository rule {self.name}>"


def record(
    context: WorkspaceContext, name: str, rule: str, bzl: Label | None, attributes: Mapping[str, object]
) -> None:
    """Note that ``rule`` declares repository ``name``."""
    plain = {key: plain_value(value) for key, value in attributes.items() if key != "name" and value is not None}
    stack = current_thread().call_stack().frames()
    context.repositories[name] = RepositoryCall(name, rule, bzl, plain, _outermost(stack), stack=stack)


def outermost_location() -> Location:
    """Where the WORKSPACE file itself stands: people look for the call there."""
    return _outermost(current_thread().call_stack().frames())


def _outermost(stack: tuple[Frame, ...]) -> Location:
    return stack[-1].location if stack else current_thread().innermost_location()


def plain_value(value: object) -> object:
    """A Starlark value as plain data: labels become model labels, what is unknown its text."""
    if isinstance(value, LabelValue):
        return value.label
    if isinstance(value, Uncertain):
        return value.text
    if isinstance(value, Label):
        return value
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {plain_value(key): plain_value(item) for key, item in value.items()}
    return value if isinstance(value, str | int | float | bool | bytes | None) else str(type_name(value))


@builtin("repository_rule")
def repository_rule_function(
    implementation: object,
    *,
    attrs: object = None,
    local: bool = False,
    environ: object = (),
    configure: bool = False,
    remotable: bool = False,
    doc: object = None,
) -> RepositoryRule:
    """``repository_rule(implementation, attrs, local, environ, configure, remotable, doc)``"""
    function = want_function(implementation, "implementation", "repository_rule")
    variables = tuple(each for each in environ if isinstance(each, str)) if isinstance(environ, list | tuple) else ()
    location = current_thread().innermost_location()
    return RepositoryRule(function, schema(attrs, "repository_rule"), has_unknown(attrs), variables, location)
