"""The extensions of a module graph: who uses them, which of their repositories are taken, and which they make besides.

``extension_table(resolved, generated)`` -> ``ExtensionTable``. The repositories that a MODULE.bazel makes by
``use_repo_rule`` belong to an extension of its own, as Bazel shows them (``@@//:MODULE.bazel%_repo_rules``).
Mirrors ``ModExecutor.java`` of Bazel 7.7.1, package ``bazel.bzlmod.modcommand``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.bzlmod.module import ExtensionUsage, ModuleKey, RepoRuleUsage, Tag, UseExtension, UseRepo
from bzlgraph.bzlmod.resolution import ExtensionId, ResolvedModules
from bzlgraph.mod.graph import sort_key

Imports = Mapping[str, tuple[ModuleKey, ...]]
"""The repositories of an extension that are taken by ``use_repo``, by their names there, and the modules that do."""


@dataclass(frozen=True)
class ExtensionTable:
    """The extensions by id. ``generated``: the names of all repositories that each makes, where they are known."""

    usages: Mapping[ExtensionId, Mapping[ModuleKey, ExtensionUsage]] = field(default_factory=dict)
    generated: Mapping[ExtensionId, Collection[str]] = field(default_factory=dict)

    def used_by(self, key: ModuleKey) -> list[ExtensionId]:
        """The extensions that a module uses."""
        return [extension for extension, usages in self.usages.items() if key in usages]

    def imports(self, extension: ExtensionId, among: Collection[ModuleKey] | None = None) -> Imports:
        """What modules take from it, by name; only those ``among`` some, if they are given."""
        found: dict[str, dict[ModuleKey, None]] = {}
        for key, usage in self.usages[extension].items():
            if among is None or key in among:
                for each in usage.imports:
                    found.setdefault(each.repository, {})[key] = None
        return {name: tuple(sorted(found[name], key=sort_key)) for name in sorted(found)}

    def others(self, extension: ExtensionId, imports: Imports) -> list[str]:
        """The repositories that it makes and that ``imports`` lack, by name."""
        return sorted({*self.generated.get(extension, ())} - {*imports})

    def only(self, chosen: Collection[ExtensionId]) -> ExtensionTable:
        """Some of the extensions."""
        return ExtensionTable({each: self.usages[each] for each in self.usages if each in chosen}, self.generated)


@dataclass(frozen=True, slots=True)
class ShownExtension:
    """An extension as ``show_extension`` tells it. ``known``: whether all repositories that it makes are known."""

    id: ExtensionId
    imported: Imports
    others: tuple[str, ...]
    known: bool
    usages: Mapping[ModuleKey, ExtensionUsage]


def extension_table(resolved: ResolvedModules, generated: Mapping[ExtensionId, Collection[str]]) -> ExtensionTable:
    """The extensions that modules use, by label."""
    calls: dict[ExtensionId, dict[ModuleKey, list[RepoRuleUsage]]] = {}
    for repository in resolved.rule_repositories.values():
        calls.setdefault(repository.extension, {}).setdefault(repository.module, []).append(repository.usage)
    usages = {each.id: dict(each.usages) for each in resolved.extensions.values()}
    names = dict(generated)
    for extension, by_module in calls.items():
        usages[extension] = {
            key: _rule_usage(extension, rules, _own_prefix(resolved, key)) for key, rules in by_module.items()
        }
        names[extension] = [rule.name for rules in by_module.values() for rule in rules]
    ordered = sorted(usages, key=lambda each: (each.bzl, each.name, str(each)))
    return ExtensionTable({each: usages[each] for each in ordered}, names)


def _own_prefix(resolved: ResolvedModules, key: ModuleKey) -> str:
    """What a label of the module's own begins with where it names its repository."""
    file = resolved.modules[key].file
    return f"@{file.repo_name}" if file is not None and file.repo_name else ""


def _rule_usage(extension: ExtensionId, rules: Sequence[RepoRuleUsage], own: str) -> ExtensionUsage:
    """The calls of repository rules in a MODULE.bazel as one usage of an extension: each call is a tag."""
    tags = (
        Tag(
            f"{each.bzl.removeprefix(own)}%{each.rule}", {**each.attributes, "name": each.name}, each.dev, each.location
        )
        for each in rules
    )
    imports = tuple(UseRepo(each.name, each.name, each.dev, each.location) for each in rules)
    call = UseExtension("", location=rules[0].location, imports=imports)
    return ExtensionUsage(str(extension.bzl), extension.name, (call,), tuple(tags))
