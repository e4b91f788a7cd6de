"""``package_group()``: sets of packages that visibilities name; and ``environment_group()``.

A specification is ``//a`` (one package), ``//a/...`` (it and all below), ``//...``, ``public``, ``private``, or one
of these after ``-``. They are kept as written. Doc: https://bazel.build/reference/be/functions#package_group

The environments of a group are rules of the package, so they are looked for when the BUILD file has run:
``check_environments``. Words as of Bazels 0.19.1, 2.1.0, 4.2.3 and 7.7.1 (``EnvironmentGroup`` of Bazel).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import package_context, report
from bzlgraph.bazel.model import EnvironmentGroup, Package, PackageGroup, Rule
from bzlgraph.bazel.targets.convert import labels
from bzlgraph.bazel.targets.instantiate import call_location
from bzlgraph.bazel.targets.macros import build_file_context
from bzlgraph.bazel.targets.name_conflicts import check_name, group_label
from bzlgraph.bazel.values.arguments import sequence, strings
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import EvalError

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


# ------------------------------------------------------------------------------------------- groups of environments


@builtin("environment_group")
def environment_group_function(*, name: object, environments: object, defaults: object) -> None:
    """``environment_group(name, environments, defaults)``: environments, and those by default."""
    context = build_file_context("environment_group()")
    label = group_label(name, "environment group", context)
    members, chosen = (
        labels(sequence(value, parameter, "environment_group"), "'environment_group argument'", context)
        for parameter, value in (("environments", environments), ("defaults", defaults))
    )
    if not members:
        raise EvalError(f"environment group {label.name} must contain at least one environment")
    group = EnvironmentGroup(label, tuple(members), tuple(chosen), call_location(context))
    faults = [*_repeated(group.environments, "environments", label), *_repeated(group.defaults, "defaults", label)]
    if not faults:
        check_name("environment group", label, context)
        faults = [*_membership_faults(group), *_faults_of_owners(group, context)]
        context.building.targets[label.name] = group
    for fault in faults:
        report(Diagnostic(fault, group.location), context)


def _repeated(listed: Iterable[Label], parameter: str, group: Label) -> Iterator[str]:
    seen: set[Label] = set()
    for label in listed:
        if label in seen:
            yield f"label '{label}' is duplicated in the '{parameter}' list of '{group.name}'"
        seen.add(label)


def _membership_faults(group: EnvironmentGroup) -> Iterator[str]:
    home = group.label
    for label in group.environments:
        if (label.repo, label.package) != (home.repo, home.package):
            yield f"{label} is not in the same package as group {home}"
    for label in group.defaults:
        if label not in group.environments:
            yield f"default {label} is not a declared environment for group {home}"


def _faults_of_owners(group: EnvironmentGroup, context: PackageContext) -> Iterator[str]:
    """Each environment is one group's, the first's."""
    owners: dict[Label, EnvironmentGroup] = context.state.setdefault(__name__, {})
    for label in group.environments:
        other = owners.setdefault(label, group)
        if other is not group:
            yield f"environment {label} belongs to both {group.label} and {other.label}"


def check_environments(context: PackageContext) -> None:
    """Report environments that are none. They are looked for by name alone; what is missing may be unknown to us."""
    package = context.building
    if package.broken or package.gaps:
        return
    owners: dict[Label, EnvironmentGroup] = context.state.get(__name__, {})
    for label, group in owners.items():
        for fault in _environment_faults(label, group, package):
            package.diagnostics.append(Diagnostic(fault, group.location))


def _environment_faults(label: Label, group: EnvironmentGroup, package: Package) -> Iterator[str]:
    fault = _environment_fault(label, group, package)
    if fault is not None:
        yield fault
        return
    environment = package.targets[label.name]
    fulfilled = environment.get("fulfills") if isinstance(environment, Rule) else None
    for each in fulfilled if isinstance(fulfilled, list) else ():
        fault = _environment_fault(each, group, package)
        if fault is not None:
            yield f'in "fulfills" attribute of {label}: {fault}'


def _environment_fault(label: Label, group: EnvironmentGroup, package: Package) -> str | None:
    target = package.targets.get(label.name)
    if target is None:
        return f"environment {label} does not exist"
    if not isinstance(target, Rule) or target.rule_class.name != "environment":
        return f"{target.label} is not a valid environment"
    return None if target.label in group.environments else f"{target.label} is not a member of this group"
