"""What Bazel does to a package after its BUILD file ran: ``finish(context)``.

The steps are the tuple ``STEPS``, in order: finalizers of symbolic macros, defaults of ``package()``, source files
that rules name, the BUILD file itself, targets that lie in other packages, suites without tests, licenses that old
versions demand, the environments of groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import repeat

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import condition_labels, is_conditional, parts
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.model import (
    LABEL_TYPES,
    PRIVATE,
    AttrType,
    Package,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
)
from bzlgraph.bazel.package.package_group import check_environments
from bzlgraph.bazel.package.suites import expand_test_suites
from bzlgraph.bazel.rules.symbolic_macro import run_finalizers
from bzlgraph.bazel.targets.defaults import METADATA, metadata_name, with_defaults
from bzlgraph.bazel.targets.macros import has_macro, outermost
from bzlgraph.bazel.targets.name_conflicts import boundary_fault
from bzlgraph.bazel.targets.visibility import PUBLIC
from bzlgraph.facts import Facts

DEFAULTED = ("testonly", "deprecation", METADATA)
"""Attributes whose default ``package()`` may change. Its ``features``, and the environments of
``default_compatible_with`` and ``default_restricted_to``, count in the analysis phase only."""

_LABELS = frozenset({Label})
_HOLD_LABELS = LABEL_TYPES | {AttrType.UNKNOWN}

_OF_TESTS = "javatests/"
"""Packages below it are testonly where they say nothing else: ``Package.Builder`` of Bazel, 0.19.1 to 7.7.1."""

REQUIRED_LICENSES = ("notice", "reciprocal", "permissive", "restricted", "unencumbered", "by_exception_only")


def finish(context: PackageContext) -> None:
    """Complete the package. Problems are added to it; what finalizers raise is raised when all else is done."""
    problem: BzlgraphError | None = None
    for step in STEPS:
        try:
            step(context)
        except BzlgraphError as error:
            problem = problem or error
    if problem is not None:
        raise problem


def _apply_defaults(context: PackageContext) -> None:
    """Rules take the defaults of the package where they write nothing, of what they have in this Bazel. A test stays
    testonly."""
    package = context.building
    defaults = {name: value for name, value in package.defaults.items() if name in DEFAULTED}
    if not context.facts.default_licenses_apply:
        defaults.pop(METADATA, None)
    if package.name.startswith(_OF_TESTS):
        defaults.setdefault("testonly", True)
    if not defaults:
        return
    for rule in package.rules():
        changed = {
            metadata_name(rule.rule_class, context.facts) if name == METADATA else name: value
            for name, value in defaults.items()
            if not (name == "testonly" and not value and rule.rule_class.test)
            and not (rule.rule_class.native and _is_foreign(context.facts, rule.rule_class.name, name))
        }
        rule.rule_class = with_defaults(rule.rule_class, **changed)


def _is_foreign(facts: Facts, rule: str, attribute: str) -> bool:
    """Whether only other Bazels know the attribute of a native rule."""
    fact = facts.rule(rule)
    return fact is not None and any(each.foreign for each in fact.attributes if each.name == attribute)


def _open_config_settings(context: PackageContext) -> None:
    """Conditions are public in versions that do not enforce their visibility, or when they say nothing."""
    facts = context.facts
    always = facts.config_setting_visibility == "public"
    if not always and (facts.config_setting_visibility == "as other rules" or facts.config_settings_private):
        return
    for rule in context.building.rules():
        if rule.rule_class.name == "config_setting" and rule.rule_class.native:
            rule.visibility = (PUBLIC,) if always or "visibility" not in rule.values else rule.visibility


def _add_source_files(context: PackageContext) -> None:
    """A label of this package that is no target yet names a source file, whether or not it exists on disk.

    What is only possible (the argument of an unknown call) may be no label at all: then the file must be there. What
    symbolic macros name makes no files, but what the BUILD file gives them does (``createAssumedInputFiles`` of Bazel).
    Nor does the metadata that rules take from their package (7.7.1 was asked).
    """
    package = context.building
    shared: _Shared = {}
    for rule in list(package.rules()):
        if rule.macros:
            continue
        left = _defaults_left(rule, context.facts)
        for label, certain in dict.fromkeys((*_named_labels(rule, package, shared), *left)):
            if certain or context.files.exists(label.name):
                _add_source_file(label, rule.location, context)
    for macro in outermost(context):
        for label in macro.labels:
            if _is_own(label, package):
                _add_source_file(label, macro.stack[-1].location, context)


def _add_source_file(label: Label, place: Location, context: PackageContext) -> None:
    """Add the file that a label of this package names, unless something else has its name."""
    package = context.building
    if label.name in package.targets or has_macro(label.name, context):
        return
    fault = boundary_fault(label, context)
    if fault is not None:
        package.diagnostics.append(Diagnostic(fault.message, place, hint=fault.hint))
    else:
        visibility = (PRIVATE,) if context.facts.implicit_files_private else None
        package.targets[label.name] = SourceFile(label, place, visibility)


_Shared = dict[tuple[int, bool], list[tuple[Label, bool]]]


def _named_labels(rule: Rule, package: Package, shared: _Shared) -> Iterator[tuple[Label, bool]]:
    """The labels of its own package in attributes that are dependencies, all branches and conditions included, but for
    some that are targets already; whether each is certain.

    ``shared``: those in values and selects that rules may share, by the identity of each and whether it holds labels.
    """
    reads = _reads(rule.rule_class)
    for name, value in rule.values.items():
        has_labels = reads.get(name, rule.rule_class.unknown or None)
        if has_labels is None:
            continue
        if type(value) is not SelectorList:
            if has_labels:
                yield from _own_labels(value, package)
            continue
        for part in value.parts if has_labels else (value,):
            if not is_conditional(part):
                yield from _own_labels(part, package)
                continue
            known = shared.get((id(part), has_labels))
            if known is None:
                found = _labels_in(part) if has_labels else zip(condition_labels(part), repeat(True), strict=False)
                known = [each for each in dict.fromkeys(found) if _is_own(each[0], package)]
                shared[id(part), has_labels] = known
            yield from known


def _own_labels(value: object, package: Package) -> list[tuple[Label, bool]]:
    """The labels of a package in a value that rules do not share."""
    if type(value) is list and _LABELS.issuperset(map(type, value)):
        home, targets = package.name, package.targets
        named = [each for each in value if each[1] == home and each[2] not in targets]
        return [(each, True) for each in named if each[0] == package.repo]
    return [each for each in _labels_in(value) if _is_own(each[0], package)]


def _is_own(label: Label, package: Package) -> bool:
    return label.package == package.name and label.repo == package.repo


@cache
def _reads(rule_class: RuleClass) -> dict[str, bool | None]:
    """Whether values of attributes are labels; None for those that are no dependencies."""
    reads: dict[str, bool | None] = {
        attribute.name: None if attribute.nodep else attribute.type in _HOLD_LABELS
        for attribute in rule_class.attributes.values()
    }
    return reads | {"name": None, "visibility": None}


def _defaults_left(rule: Rule, facts: Facts) -> Iterator[tuple[Label, bool]]:
    """The labels in defaults of attributes that the rule does not set: a tool beside the rule that needs it."""
    package = rule.label.package
    for name, label in _labels_by_default(rule.rule_class):
        here = label.package == package and label.repo == rule.label.repo and name not in rule.values
        if here and name != metadata_name(rule.rule_class, facts):
            yield label, True


@cache
def _labels_by_default(rule_class: RuleClass) -> tuple[tuple[str, Label], ...]:
    return tuple(
        (attribute.name, label)
        for attribute in rule_class.attributes.values()
        if attribute.type in LABEL_TYPES and not attribute.nodep
        for label, _certain in _labels_in(attribute.default)
    )


def _labels_in(value: object, certain: bool = True) -> Iterator[tuple[Label, bool]]:
    if isinstance(value, Label):
        yield value, certain
    elif is_conditional(value):
        for part in parts(value):
            if not isinstance(part, Selector):
                yield from _labels_in(part, certain)
                continue
            yield from ((label, True) for label in condition_labels(part))
            known = certain and all(condition.label is not None for condition, _ in part.branches)
            for _, branch in part.branches:
                yield from _labels_in(branch, known)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _labels_in(item, certain)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _labels_in(key, certain)
            yield from _labels_in(item, certain)


def _add_build_file(context: PackageContext) -> None:
    package = context.building
    label = package.build_file
    path = _build_file_path(context)
    named = package.targets.setdefault(label.name, SourceFile(label, path))
    if isinstance(named, SourceFile) and named.location != path:
        # Bazel makes this target first of all: exporting it, or naming it in a rule, does not move it.
        package.targets[label.name] = replace(named, location=path)


def _build_file_path(context: PackageContext) -> Location:
    """The BUILD file as a place: of a rule in it when there is one, for overlays stand elsewhere."""
    label = context.building.build_file
    line = 1 if context.facts.build_file_has_line else 0
    rule = next(context.building.rules(), None)
    if rule is not None:
        return Location(rule.location.path, line, 0)
    return Location(label.shown_path(context.mapping.canonical(label.repo)), line, 0)


def _check_boundaries(context: PackageContext) -> None:
    """What a package declares may not lie in a package below: it is no target then. Source files have been looked at.

    Source: ``handleLabelsCrossingSubpackagesAndPropagateInconsistentFilesystemExceptions`` of Bazel's PackageFunction.
    """
    for target in [each for each in context.building.targets.values() if "/" in each.label.name]:
        fault = boundary_fault(target.label, context) if not isinstance(target, SourceFile) else None
        if fault is not None:
            context.building.diagnostics.append(Diagnostic(fault.message, target.location, hint=fault.hint))
            del context.building.targets[target.label.name]


def _expand_suites(context: PackageContext) -> None:
    expand_test_suites(context.building, context.facts.implicit_tests_chosen)


def _check_licenses(context: PackageContext) -> None:
    """Old versions want licenses() in packages under third_party."""
    facts = context.facts
    if not facts.third_party_licenses or not context.package.startswith("third_party/"):
        return
    wanted = {text.upper() for text in REQUIRED_LICENSES}
    for rule in context.building.rules():
        if "licenses" in rule.rule_class.attributes and not wanted.intersection(_license_list(rule.get("licenses"))):
            context.building.diagnostics.append(
                Diagnostic(
                    f"third-party rule '{rule.label}' lacks a license declaration with one of the following types: "
                    + ", ".join(REQUIRED_LICENSES),
                    rule.location,
                )
            )


def _license_list(value: object) -> Iterable[str]:
    return value if isinstance(value, list) else ()


STEPS: tuple[Callable[[PackageContext], None], ...] = (
    run_finalizers,
    _apply_defaults,
    _open_config_settings,
    _add_build_file,
    _add_source_files,
    _check_boundaries,
    _expand_suites,
    _check_licenses,
    check_environments,
)
