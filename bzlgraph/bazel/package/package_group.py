"""``package_group()``: sets of packages that visibilities name.

A specification is ``//a`` (one package), ``//a/...`` (it and all below), ``//...``, ``public``, ``private``, or one
of these after ``-``. They are kept as written. Doc: https://bazel.build/reference/be/functions#package_group
"""

from __future__ import annotations

import re

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.bazel.files.scope import package_context, report
from bzlgraph.bazel.model import PackageGroup
from bzlgraph.bazel.package.instantiate import call_location
from bzlgraph.bazel.package.name_conflicts import check_name, group_label
from bzlgraph.bazel.rules.convert import labels
from bzlgraph.bazel.values.arguments import sequence, strings
from bzlgraph.starlark.builtin import builtin

_BAD_CHARACTER = re.compile(r"[:\\\x00-\x1f\x7f]")


@builtin("package_group")
def package_group_function(*, name: object, packages: object = (), includes: object = ()) -> None:
    """``package_group(name, packages = [], includes = [])``"""
    context = package_context("package_group()")
    label = group_label(name, "package group", context)
    location = call_location(context)
    kept = []
    for text in strings(packages, "packages", "package_group"):
        fault = specification_fault(text, context)
        if fault is None:
            kept.append(text)
        else:
            report(Diagnostic(f"invalid package name '{text}': {fault}", location), context)
    included = labels(sequence(includes, "includes", "package_group"), "'package_group argument'", context)
    check_name("package group", label, context)
    context.building.targets[label.name] = PackageGroup(label, tuple(kept), tuple(included), location)


def specification_fault(text: str, context: PackageContext) -> str | None:
    """Why ``text`` is no package specification."""
    body = text.removeprefix("-")
    words = context.facts.package_group_public_private
    if words and body in ("public", "private"):
        return f'Cannot negate "{body}" package specification' if body != text else None
    if not body.startswith("//"):  # neither in another repository
        return "must start with '//' or be 'public' or 'private'" if words else "must start with '//'"
    package = body[2:]
    if _BAD_CHARACTER.search(package):
        return "package names may not contain ':', '\\' or control characters"
    if package.endswith("/") or "//" in package:
        return "package names may not contain '//' path separators or end with '/'"
    named = package.removesuffix("...").removesuffix("/") if f"/{package}".endswith("/...") else package
    if named and not all(part.strip(".") for part in named.split("/")):
        return "package name component contains only '.' characters"
    return None
