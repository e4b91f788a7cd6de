"""The functions of BUILD files that are no rules: ``build_functions()`` -> by name. ``existing_rule(s)`` are in
``native`` only."""

from __future__ import annotations

from bzlgraph.bazel.package.existing import existing_rule_function, existing_rules_function
from bzlgraph.bazel.package.exports import exports_files_function
from bzlgraph.bazel.package.glob import glob_function, subpackages_function
from bzlgraph.bazel.package.licenses import distribs_function, licenses_function
from bzlgraph.bazel.package.package_function import package_function
from bzlgraph.bazel.package.package_group import environment_group_function, package_group_function
from bzlgraph.starlark.builtin import Builtin

FUNCTIONS = (
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


def build_functions() -> dict[str, Builtin]:
    """Every such function, by its Starlark name."""
    return {each.name: each for each in FUNCTIONS}
