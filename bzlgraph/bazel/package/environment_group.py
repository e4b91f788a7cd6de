"""``environment_group()``: environments that rules may be compatible with, and those that all are by default.

The environments are rules of the package, so they are looked for when the BUILD file has run: ``check_environments``.
Doc: https://bazel.build/versions/4.2.2/be/functions. Words as of Bazels 0.19.1, 2.1.0, 4.2.3 and 7.7.1
(``EnvironmentGroup`` of Bazel; ``PackageFactoryTest``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.bazel.files.scope import report
from bzlgraph.bazel.model import EnvironmentGroup, Package, Rule
from bzlgraph.bazel.package.instantiate import call_location
from bzlgraph.bazel.package.macros import build_file_context
from bzlgraph.bazel.package.name_conflicts import check_name, group_label
from bzlgraph.bazel.rules.convert import labels
from bzlgraph.bazel.values.arguments import sequence
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import EvalError


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
