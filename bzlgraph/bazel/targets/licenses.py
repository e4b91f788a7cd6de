"""``licenses()`` and ``distribs()``: kinds of licenses and distributions that old packages declare.

``["notice", "exception=//a:b"]`` -> ``["NOTICE", Label("//a:b")]``: kinds are text, exceptions labels. They are the
default of the rules that follow in the file. Doc: https://bazel.build/reference/be/functions#licenses
"""

from __future__ import annotations

from collections.abc import Callable

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.targets.macros import build_file_context
from bzlgraph.bazel.values.arguments import sequence, strings
from bzlgraph.bazel.values.select import is_uncertain
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name

LICENSE_TYPES = (
    "by_exception_only",
    "restricted",
    "restricted_if_statically_linked",
    "reciprocal",
    "notice",
    "permissive",
    "unencumbered",
    "none",
)
_EXCEPTION = "exception="
DISTRIBUTION_TYPES = ("internal", "web", "client", "embedded")


def licenses(texts: list[str]) -> list[str | Label]:
    """The kinds of licenses named, in Bazel's order, then the exceptions. EvalError for one that does not exist."""
    kinds, exceptions = list[str](), set[Label]()
    for text in texts:
        if text.startswith(_EXCEPTION):
            exceptions.add(_exception(text.removeprefix(_EXCEPTION)))
        elif text in LICENSE_TYPES:
            kinds.append(text)
        else:
            raise EvalError(f"invalid license type: '{text}'", f"the types are {', '.join(LICENSE_TYPES)}")
    return [*(text.upper() for text in LICENSE_TYPES if text in kinds), *sorted(exceptions)]


def _exception(text: str) -> Label:
    """The target that a license does not hold for; it must be written in full."""
    try:
        if text.startswith(("//", "@")):
            return parse(text, "", "")
    except LabelError:
        pass
    raise EvalError(f"invalid license exception, no label: '{text}'", "exception=//package:target")


def distributions(texts: list[str]) -> list[str]:
    """The kinds of distributions named. EvalError for one that does not exist."""
    for text in texts:
        if text not in DISTRIBUTION_TYPES:
            raise EvalError(f"Invalid distribution type '{text}'", f"the types are {', '.join(DISTRIBUTION_TYPES)}")
    return [text.upper() for text in texts]


@builtin("licenses")
def licenses_function(license_strings: object, /) -> None:
    """``licenses(["notice"])``: the default of the package's rules. Only what is no list stops the file."""
    build_file_context("licenses()")
    sequence(license_strings, "license_strings", "licenses")
    _set_default("licenses", license_strings, licenses)


@builtin("licenses")
def old_licenses_function(license_strings: object) -> None:
    """As ``licenses``; old Bazels took the name of the parameter."""
    licenses_function(license_strings)


@builtin("distribs")
def distribs_function(distribution_strings: object, /) -> None:
    """``distribs(["web"])``: the default of the package's rules. A wrong value spoils the package, not the file."""
    _set_default("distribs", distribution_strings, distributions)


def _set_default(name: str, value: object, read: Callable[[list[str]], object]) -> None:
    building = build_file_context(f"{name}()").building
    try:
        if not isinstance(value, list | tuple) and not is_uncertain(value):
            got = f"{to_repr(value)} ({type_name(value)})"
            raise EvalError(f"expected value of type 'list(string)' for '{name}' operand, but got {got}")
        building.defaults[name] = read(strings(value, name, name, kind="operand"))
    except EvalError as error:
        where = current_thread().innermost_location()
        building.diagnostics.append(Diagnostic(error.message, where, hint=error.hint))
