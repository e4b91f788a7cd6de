"""``licenses()`` and ``distribs()``: kinds of licenses and distributions that old packages declare.

``["notice", "exception=//a:b"]`` -> ``["NOTICE"]``. They are the default of the rules that follow in the file. Doc: https://bazel.build/reference/be/functions#licenses
"""

from __future__ import annotations

from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.scope import package_context
from bzlgraph.bazel.sequence import strings
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.thread import current_thread
from bzlgraph.starlark.value import EvalError

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
DISTRIBUTION_TYPES = ("internal", "web", "client", "embedded")


def license_types(texts: list[str]) -> list[str]:
    """The kinds of licenses named, without exceptions. EvalError for one that does not exist."""
    found = []
    for text in texts:
        if text.startswith("exception="):
            continue
        if text not in LICENSE_TYPES:
            raise EvalError(f"invalid license type: '{text}'", f"the types are {', '.join(LICENSE_TYPES)}")
        found.append(text)
    return [text.upper() for text in LICENSE_TYPES if text in found]


def distributions(texts: list[str]) -> list[str]:
    """The kinds of distributions named. EvalError for one that does not exist."""
    for text in texts:
        if text not in DISTRIBUTION_TYPES:
            raise EvalError(f"Invalid distribution type '{text}'", f"the types are {', '.join(DISTRIBUTION_TYPES)}")
    return [text.upper() for text in texts]


@builtin("licenses")
def licenses_function(license_strings: Any, /) -> None:
    """``licenses(["notice"])``: the default of the package's rules. A wrong type spoils the package, not the file."""
    context = package_context("licenses()")
    try:
        context.building.defaults["licenses"] = license_types(strings(license_strings, "license_strings", "licenses"))
    except EvalError as error:
        if not error.message.startswith("invalid license"):
            raise
        where = current_thread().innermost_location()
        context.building.diagnostics.append(Diagnostic(error.message, where, hint=error.hint))


@builtin("distribs")
def distribs_function(distribution_strings: Any, /) -> None:
    """``distribs(["web"])``: the default of the package's rules."""
    context = package_context("distribs()")
    names = strings(distribution_strings, "distribution_strings", "distribs")
    context.building.defaults["distribs"] = distributions(names)
