"""The names that files may use without defining them, for each kind of file, and the language of a Bazel version.

``bzl_environment(facts)``, ``scl_environment(facts)``, ``build_environment(facts)``, ``workspace_environment(facts)``,
``module_environment(facts)`` -> name -> value, Starlark's own functions included. Read tolerantly, a tree may use the
names of all Bazels from 0.17 on; otherwise those of its version (``facts/names.json``). ``dialect_of(BZL, facts)`` ->
what the parser accepts, ``operators_of`` -> what plain values can do in that Bazel.

>>> from bzlgraph.facts import for_version
>>> [dialect_of(BUILD, for_version(version)).old_octals for version in ("0.26.1", "0.27.0")]
[True, False]

Doc: https://bazel.build/rules/lib/overview
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from bzlgraph.bazel.files.native_value import (
    PLACE_FUNCTIONS,
    native_value,
    package_name,
    repository_name,
)
from bzlgraph.bazel.files.old_functions import old_functions
from bzlgraph.bazel.files.run_file import fail_function
from bzlgraph.bazel.files.workspace_functions import workspace_functions
from bzlgraph.bazel.package.existing import existing_rule_function, existing_rules_function
from bzlgraph.bazel.package.exports import exports_files_function
from bzlgraph.bazel.package.glob import glob_function, old_glob_function, subpackages_function
from bzlgraph.bazel.package.package_function import package_function
from bzlgraph.bazel.package.package_group import environment_group_function, package_group_function
from bzlgraph.bazel.rules import native_rules
from bzlgraph.bazel.rules.aspect import aspect_function, builtin_aspects
from bzlgraph.bazel.rules.attr import attr_module
from bzlgraph.bazel.rules.build_setting import config_module
from bzlgraph.bazel.rules.exec_group import exec_group_function, toolchain_type_function
from bzlgraph.bazel.rules.extension import module_extension_function, tag_class_function
from bzlgraph.bazel.rules.load_visibility import visibility_function
from bzlgraph.bazel.rules.repository_rule import repository_rule_function
from bzlgraph.bazel.rules.rule import analysis_test, rule_function
from bzlgraph.bazel.rules.subrule import subrule_function
from bzlgraph.bazel.rules.symbolic_macro import macro_function
from bzlgraph.bazel.rules.transition import (
    analysis_test_transition,
    configuration_field,
    feature_flag_transition,
    transition_function,
)
from bzlgraph.bazel.targets.licenses import distribs_function, licenses_function, old_licenses_function
from bzlgraph.bazel.values.analysis_stubs import inert_names
from bzlgraph.bazel.values.depset import depset_function
from bzlgraph.bazel.values.label_value import label_function
from bzlgraph.bazel.values.provider import provider_function
from bzlgraph.bazel.values.select import select_function
from bzlgraph.bazel.values.struct_value import encode_text, struct_function
from bzlgraph.facts import Facts
from bzlgraph.facts.names import NAMESPACES, legacy_names
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.evaluation.thread import Operators, no_more_operators
from bzlgraph.starlark.lib.json import json_module
from bzlgraph.starlark.ops.arithmetic import dict_union
from bzlgraph.starlark.sets import Set
from bzlgraph.starlark.universe import universe_for
from bzlgraph.syntax.dialect import BUILD, BZL, MODULE, WORKSPACE, Dialect

DEFINITIONS = (
    analysis_test_transition,
    aspect_function,
    configuration_field,
    depset_function,
    exec_group_function,
    label_function,
    macro_function,
    module_extension_function,
    provider_function,
    repository_rule_function,
    rule_function,
    select_function,
    struct_function,
    subrule_function,
    tag_class_function,
    transition_function,
    visibility_function,
)
"""Functions of .bzl files that mean something in the loading phase."""

BUILD_FUNCTIONS: dict[str, Builtin] = {
    each.name: each
    for each in (
        distribs_function,
        environment_group_function,
        existing_rule_function,
        existing_rules_function,
        exports_files_function,
        glob_function,
        licenses_function,
        package_function,
        package_group_function,
        subpackages_function,
    )
}
"""The functions of BUILD files that are no rules. ``existing_rule(s)`` are in ``native`` only."""
_OLD_BUILD_FUNCTIONS = {each.name: each for each in (old_glob_function, old_licenses_function)}
"""Those with other parameters in old Bazels, where they are not called through ``native``."""


@cache
def bzl_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of .bzl files."""
    names = {
        **universe_for(BZL),
        **old_functions(facts),
        "fail": fail_function,
        **inert_names(
            {
                "config_common": {
                    "config_feature_flag_transition": feature_flag_transition,
                    "toolchain_type": toolchain_type_function,
                },
                "testing": {"analysis_test": analysis_test},
                "proto": {"encode_text": encode_text},
            },
            {name: facts.absent_names(name) for name in NAMESPACES},
        ),
        **builtin_aspects(facts.version),
        **{function.name: function for function in DEFINITIONS},
        "attr": attr_module(facts.absent_names("attr")),
        "config": config_module(facts.absent_names("config")),
        "json": json_module,
        "native": _native(facts),
        **_COMPUTED_NAMES,
    }
    kept = legacy_names() if facts.legacy_api else frozenset()
    return _without(names, facts.absent_names("bzl") - kept)


def scl_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of .scl files: those of Starlark itself, and two more."""
    known = {*universe_for(BZL), "struct", "visibility"}
    return {name: value for name, value in bzl_environment(facts).items() if name in known}


@cache
def build_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of BUILD files."""
    names = {
        **universe_for(BUILD),
        **old_functions(facts),
        "fail": fail_function,
        **native_rules.functions(facts),
        **BUILD_FUNCTIONS,
        **(_OLD_BUILD_FUNCTIONS if facts.old_build_functions else {}),
        **PLACE_FUNCTIONS,
        "depset": depset_function,
        "json": json_module,
        "native": _native(facts),
        "proto": inert_names({"proto": {"encode_text": encode_text}}, {})["proto"],
        "select": select_function,
        **_COMPUTED_NAMES,
    }
    return _without(names, facts.absent_names("build"))


def _without(names: Mapping[str, object], absent: frozenset[str]) -> dict[str, object]:
    return {name: value for name, value in names.items() if name not in absent}


@cache
def workspace_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of WORKSPACE files."""
    names = {
        **universe_for(WORKSPACE),
        **old_functions(facts),
        "fail": fail_function,
        **workspace_functions(),
        "select": select_function,
    }
    return _without(names, facts.absent_names("workspace"))


@cache
def module_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of MODULE.bazel files."""
    from bzlgraph.bazel.files import module_file

    return {**universe_for(MODULE), **module_file.functions()}


@cache
def repo_environment(facts: Facts) -> dict[str, object]:
    """The predeclared names of REPO.bazel files."""
    from bzlgraph.bazel.files import repo_file

    return {**universe_for(MODULE), **repo_file.functions(facts)}


@cache
def _native(facts: Facts) -> object:
    return native_value(facts, {**native_rules.functions(facts), **BUILD_FUNCTIONS, **workspace_functions()})


_COMPUTED_NAMES = {"PACKAGE_NAME": package_name, "REPOSITORY_NAME": repository_name}
"""Names of Bazel before 0.21 that are another string in each package: each time one is read, it is what this gives."""


@cache
def dialect_of(kind: Dialect, facts: Facts) -> Dialect:
    """A kind of file as this Bazel reads it."""
    return replace(
        kind,
        old_octals=facts.old_octals,
        computed_names=tuple(_COMPUTED_NAMES),
        load_binds_globally=kind is BZL and facts.reexports,
        predeclared_until_bound=kind.predeclared_until_bound or (kind is BUILD and facts.predeclared_until_bound),
        annotations=kind.annotations and facts.type_annotations,
        strict_escapes=facts.escapes_restricted,
        numeric_escapes=facts.tolerant,
        star_arguments=kind.star_arguments and (kind.definitions or facts.star_arguments_in_build),
        keyword_after_star=facts.named_after_star,
        comma_after_star=facts.comma_after_star,
        required_keywords=facts.required_keywords,
        large_integers=facts.large_integers,
        binary_integers=facts.tolerant,
        loads_first=kind is BZL and not facts.load_after_statement,
        inner_functions=facts.inner_functions,
        floats=facts.floats,
        floor_slash=facts.floor_slash,
        bit_operators=facts.bit_operators,
        named_parameters=facts.named_parameters,
    )


def operators_of(facts: Facts) -> Operators:
    """What the operators of plain values do in this Bazel beside what the language says."""
    if facts.tolerant:
        return oldest_operators
    return old_operators if facts.dict_plus else no_more_operators


def oldest_operators(op: str, left: object, right: object) -> object:
    """The same, and ``set(x) + y`` is the union: before Bazel 0.6 ``set()`` was what ``depset()`` was then."""
    if op == "+" and isinstance(left, Set):
        return left.methods["union"](left, right)
    return old_operators(op, left, right)


def old_operators(op: str, left: object, right: object) -> object:
    """``{} + {}`` is the union of dictionaries, the right one winning; NotImplemented for anything else."""
    if op == "+" and isinstance(left, dict) and isinstance(right, dict):
        return dict_union(left, right)
    return NotImplemented
