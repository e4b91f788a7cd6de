"""Load visibility: ``visibility(...)`` at the top of a .bzl file says which packages may load it.

``visibility(["//a", "//b/..."])`` -> ``BzlContext.visible_to``; ``may_load(context, repo, package)`` -> whether a file
of that package may. Patterns are those of ``package_group()``, without negation, in the repository of the file.
Doc: https://bazel.build/concepts/visibility#load-visibility

>>> [matches("//a/...", package) for package in ("a", "a/b", "ab")], matches("//...", "x")
([True, True, False], True)
"""

from __future__ import annotations

from bzlgraph.base.names import package_fault
from bzlgraph.bazel.context.contexts import BzlContext
from bzlgraph.bazel.context.scope import bzl_context
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


@builtin("visibility")
def visibility_function(value: object, /) -> None:
    """``visibility("public")``, ``visibility(["//a/..."])``: who may load a .bzl file."""
    context = bzl_context("visibility()")
    if len(current_thread().call_stack().frames()) > 1:
        raise EvalError("load visibility may only be set at the top level, not inside a function")
    if context.visible_to is not None:
        raise EvalError("load visibility may not be set more than once")
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        raise EvalError(f"Invalid visibility: got '{type_name(value)}', want string or list of strings")
    context.visible_to = tuple(_pattern(text, index) for index, text in enumerate(value))


def may_load(context: BzlContext, repo: str, package: str) -> bool:
    """Whether a file of a package may load the file that was evaluated in ``context``."""
    if context.visible_to is None or (repo, package) == (context.repo, context.package):
        return True
    inside = repo == context.repo
    return any(text == "public" or (inside and matches(text, package)) for text in context.visible_to)


def matches(pattern: str, package: str) -> bool:
    """Whether a pattern such as ``//a`` or ``//a/...`` names a package of its repository."""
    below, dots, _ = pattern.removeprefix("//").partition("...")
    folder = below.rstrip("/")
    if not dots:
        return pattern.startswith("//") and package == folder
    return not folder or package == folder or package.startswith(f"{folder}/")


def _pattern(text: object, index: int) -> str:
    if not isinstance(text, str):
        found = type_name(text)
        raise EvalError(f"at index {index} of visibility list, got element of type {found}, want string")
    if text.startswith("-"):
        raise EvalError("Cannot use negative package patterns here")
    if text not in ("public", "private") and not text.startswith("//"):
        raise EvalError(f"invalid package name '{text}': must start with '//' or be 'public' or 'private'")
    if ":" in text:
        raise EvalError(f"invalid package name '{text}': invalid package identifier '{text}': contains ':'")
    name = f"/{text.removeprefix('//')}".removesuffix("/...").removeprefix("/")
    if text.startswith("//") and (fault := package_fault(name)):
        raise EvalError(f"invalid package name '{text}': invalid package name '{name}': {fault}")
    return text
