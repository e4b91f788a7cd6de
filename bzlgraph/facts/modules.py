"""What Bazel's module system does by itself, by Bazel version: how repositories are called, which modules are built in.

``module_facts("7.7.1")`` -> ``ModuleFacts``. The table ``modules.json`` tells under ``_sources`` how we know.

>>> facts = module_facts("7.7.1")
>>> facts.separator, facts.version_prefix, *facts.built_in[1].dependencies[0]
('~', 'v', 'platforms', '0.0.7', 'platforms')
>>> module_facts("8.1").separator, [each.name for each in module_facts("9.0").built_in]
('+', ['bazel_tools'])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from bzlgraph.facts.versioned import in_force, table


class BuiltInDependency(NamedTuple):
    """A ``bazel_dep`` of a module inside Bazel."""

    name: str
    version: str
    repo_name: str | None
    """None, as in a ``bazel_dep``: a least version, which brings nothing in."""


class BuiltInExtension(NamedTuple):
    """A ``use_extension`` of a module inside Bazel, and the repositories it takes."""

    bzl: str
    name: str
    repositories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuiltInModule:
    """A module that every module depends on without asking; its files are inside Bazel."""

    name: str
    dependencies: tuple[BuiltInDependency, ...] = ()
    extensions: tuple[BuiltInExtension, ...] = ()
    toolchains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """One Bazel version's module system."""

    separator: str
    """What stands between the parts of a canonical repository name."""
    root: str
    """What stands for the root module in the names of its extensions' repositories."""
    always_versioned: bool
    """Whether the name of a module's repository has its version even where there is only one."""
    version_prefix: str
    """What a version that begins with a digit gets before it."""
    rule_extension: str
    """The extension that repositories of ``use_repo_rule`` belong to; ``{rule}`` stands for the rule's name."""
    one_rule_extension: bool
    """Whether there is one such extension a module, not one a rule."""
    compatibility_levels: bool
    """Whether ``compatibility_level`` has any effect."""
    plain: frozenset[str]
    """Modules whose repository is called as they are."""
    built_in: tuple[BuiltInModule, ...]
    workspace_names: frozenset[str]
    """Repositories that Bazel adds to every WORKSPACE: the main repository sees them."""
    overridden_includes: bool
    """Whether a module whose files an override names may ``include()`` some of them, as the root may."""
    patched_files: bool
    """Whether the patches of an override change the MODULE.bazel that is read."""
    patch_commands_alone: bool
    """Whether the ``patch_cmds`` of an override without patches count."""
    lock_versions: tuple[int, int]
    """The first and the last version of lock files that it may read."""


@cache
def module_facts(version: str) -> ModuleFacts:
    """What a Bazel does; one older than the module system is taken for the first that has it."""
    data = table("modules")
    names = in_force(data["names"], version)
    return ModuleFacts(
        separator=names["separator"],
        root=names["root"],
        always_versioned=names["always_versioned"],
        version_prefix=names["version_prefix"],
        rule_extension=names["rule_extension"],
        one_rule_extension=names["one_rule_extension"],
        compatibility_levels=in_force(data["compatibility_levels"], version),
        plain=frozenset(in_force(data["plain"], version)),
        built_in=tuple(_built_in(data, name, version) for name in in_force(data["built_in"], version)),
        overridden_includes=in_force(data["overridden_includes"], version),
        patched_files=in_force(data["patched_files"], version),
        patch_commands_alone=in_force(data["patch_commands_alone"], version),
        workspace_names=frozenset(in_force(data["workspace_names"], version)),
        lock_versions=tuple(in_force(data["lock_versions"], version)),
    )


def _built_in(data: Any, name: str, version: str) -> BuiltInModule:
    facts = data["modules"][name]
    repo_names = data["repo_names"]
    dependencies = in_force(facts["dependencies"], version).items()
    return BuiltInModule(
        name,
        tuple(BuiltInDependency(each, asked, repo_names.get(each, each)) for each, asked in dependencies),
        tuple(
            BuiltInExtension(bzl, extension, tuple(repositories))
            for bzl, extension, repositories in in_force(facts["extensions"], version)
        ),
        tuple(in_force(facts["toolchains"], version)),
    )
