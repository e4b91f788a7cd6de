"""``exports_files()``: source files that other packages may name, whether or not a rule of this package does.

Doc: https://bazel.build/reference/be/functions#exports_files
"""

from __future__ import annotations

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.base.names import target_fault, target_name
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import package_context, report
from bzlgraph.bazel.model import Attribute, AttrType, OutputFile, Rule, SourceFile
from bzlgraph.bazel.targets.convert import convert, labels
from bzlgraph.bazel.targets.instantiate import call_location
from bzlgraph.bazel.targets.macros import check_target_name, running
from bzlgraph.bazel.targets.name_conflicts import boundary_fault
from bzlgraph.bazel.targets.visibility import PUBLIC, and_package, simplified, visibility_fault
from bzlgraph.bazel.values.arguments import sequence, strings
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.value import EvalError

_LICENSES = Attribute("licenses", AttrType.LICENSE, configurable=False)


@builtin("exports_files")
def exports_files_function(srcs: object, visibility: object = None, licenses: object = None) -> None:
    """``exports_files(srcs, visibility = ["//visibility:public"], licenses = None)``"""
    context = package_context("exports_files()")
    names = strings(srcs, "srcs", "exports_files")
    written = [PUBLIC]
    if visibility is not None:
        written = labels(_optional(visibility, "visibility"), "'exports_files' operand", context)
        if fault := visibility_fault(written, context.facts):
            raise EvalError(fault)
        written = simplified(written, context.facts)
    if licenses is not None:
        convert(_LICENSES, _optional(licenses, "licenses"), "'exports_files' operand", context)
    macro = running(context)
    if macro is not None:
        written = and_package(written, macro.package)
    for name in names:
        _export(name, tuple(written), context)
        if licenses is not None:
            _license_once(name, context)


def _optional(value: object, parameter: str) -> list[object]:
    """The elements of a list or tuple, which could have been None too."""
    try:
        return sequence(value, parameter, "exports_files")
    except EvalError:
        raise wrong_type(value, "exports_files", parameter, "sequence or NoneType") from None


def _license_once(name: str, context: PackageContext) -> None:
    """A file has licenses of its own from one call at most; another call may say nothing of them."""
    licensed: set[str] = context.state.setdefault(__name__, set())
    if name in licensed:
        raise EvalError(f"licenses for exported file '{name}' declared twice")
    licensed.add(name)


def _export(name: str, visibility: tuple[Label, ...], context: PackageContext) -> None:
    fault = target_fault(name)
    if fault:
        raise EvalError(f"not a valid target name: '{name}': {fault}")
    name = target_name(name)
    label = Label(context.repo, context.package, name)
    existing = context.building.targets.get(name)
    if isinstance(existing, SourceFile):
        if existing.visibility != visibility:
            raise EvalError(f"visibility for exported file '{name}' declared twice")
        return
    if existing is not None:
        kind = f"{existing.rule_class.name} rule" if isinstance(existing, Rule) else existing.kind
        if isinstance(existing, OutputFile):
            kind = f"generated file from rule '{existing.rule.name}'"
        raise EvalError(f"generated label '{label}' conflicts with existing {kind}")
    check_target_name(name, context)
    location = call_location(context)
    crossing = boundary_fault(label, context)
    if crossing:
        report(Diagnostic(crossing.message, location, hint=crossing.hint), context)
        return
    context.building.targets[name] = SourceFile(label, location, visibility)
