"""The resolved modules of a workspace: which versions hold, who asked for them and where, which repositories they are.

``ResolvedModules`` answers by ``ModuleKey`` and by canonical repository name. Nothing is read here; ``resolve.py``
makes it from the MODULE.bazel files that were found.

Rules: https://bazel.build/external/module, https://bazel.build/external/mapping; ``BazelDepGraphFunction.java`` and
``BazelDepGraphValue.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.bzlmod.module import ROOT, Dependency, ExtensionUsage, ModuleFile, ModuleKey, Override, RepoRuleUsage


class Reason(Enum):
    """Why a dependency leads to another version than the one that is written; the values are Bazel's words."""

    ORIGINAL = "original"
    SELECTED = "minimal version selection"
    SINGLE_VERSION = "single-version override"
    MULTIPLE_VERSION = "multiple-version override"
    ARCHIVE = "archive override"
    GIT = "git override"
    LOCAL_PATH = "local path override"


@dataclass(frozen=True, slots=True)
class Edge:
    """A ``bazel_dep``: as written, and the module it leads to. ``target`` None: it asks without being a dependency."""

    written: Dependency
    target: ModuleKey | None
    reason: Reason = Reason.ORIGINAL

    @property
    def repo_name(self) -> str:
        """The name by which the module sees the dependency."""
        return self.written.repo_name or ""


@dataclass(frozen=True, slots=True)
class ResolvedModule:
    """One module of the graph. ``file`` None: its MODULE.bazel was not found, what it depends on is not known."""

    key: ModuleKey
    file: ModuleFile | None
    canonical: str
    """The canonical name of its repository, "" for the root; of a module that is not used, the one it would have."""
    edges: tuple[Edge, ...] = ()
    override: Override | None = None
    registry: str = ""
    """The registry that has it, as it was given."""
    built_in: bool = False
    """Whether Bazel adds it by itself."""

    @property
    def dependencies(self) -> Mapping[str, ModuleKey]:
        """The modules it depends on, by the names it sees them by."""
        return {each.repo_name: each.target for each in self.edges if each.target is not None}


class Isolation(NamedTuple):
    """What tells an isolated usage of an extension from others: the module, and the variable it is bound to.

    It is written with the separator of canonical names (bazelbuild/bazel@06387d2ad90fa430ccd5afe2a4192030d7cc65b7
    ModuleExtensionId.java has ``+``, 7.7.1 ``~``).
    """

    module: ModuleKey
    variable: str
    separator: str = "~"

    def __str__(self) -> str:
        return f"{self.module}{self.separator}{self.variable}"


class ExtensionId(NamedTuple):
    """A module extension: its .bzl file, with canonical repository name, and the name it has there."""

    bzl: Label
    name: str
    isolation: Isolation | None = None

    def __str__(self) -> str:
        key = f"%{self.isolation}" if self.isolation else ""
        return f"@@{self.bzl.repo}//{self.bzl.package}:{self.bzl.name}%{self.name}{key}"


@dataclass(frozen=True, slots=True)
class Extension:
    """An extension and all that modules say to it, in the order of the graph: the root first."""

    id: ExtensionId
    prefix: str
    """What the canonical names of its repositories begin with, separator included."""
    usages: Mapping[ModuleKey, ExtensionUsage]
    overrides: Mapping[str, str] = field(default_factory=dict)
    """``override_repo`` and ``inject_repo`` of the root: name of a repository of it -> canonical name of the one that
    stands for it."""

    def canonical(self, repository: str) -> str:
        """The canonical name of the repository that it calls ``repository``."""
        return self.overrides.get(repository, self.prefix + repository)

    def imported(self) -> dict[str, list[ModuleKey]]:
        """The names of its repositories that are taken by ``use_repo``, and by which modules."""
        names: dict[str, list[ModuleKey]] = {}
        for key, usage in self.usages.items():
            for each in usage.imports:
                names.setdefault(each.repository, []).append(key)
        return names


@dataclass(frozen=True, slots=True)
class RuleRepository:
    """A repository that a MODULE.bazel makes by ``use_repo_rule``."""

    canonical: str
    module: ModuleKey
    usage: RepoRuleUsage
    extension: ExtensionId
    """The extension of its own that the repository counts as one of."""


@dataclass(frozen=True)
class ResolvedModules:
    """The modules that a workspace uses (breadth-first from the root), those that lost to another version, the
    extensions and repository rules of the used ones."""

    modules: Mapping[ModuleKey, ResolvedModule]
    unused: Mapping[ModuleKey, ResolvedModule] = field(default_factory=dict)
    extensions: Mapping[ExtensionId, Extension] = field(default_factory=dict)
    rule_repositories: Mapping[str, RuleRepository] = field(default_factory=dict)
    """By canonical name."""
    problems: tuple[Diagnostic, ...] = ()
    """What Bazel refuses: it answers nothing then, we go on with the best that is left."""
    warnings: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def root(self) -> ResolvedModule:
        """The module of the workspace."""
        return self.modules[ROOT]

    def requesters(self, key: ModuleKey) -> Iterator[tuple[ModuleKey, Edge]]:
        """Who depends on a module, after selection, and by which ``bazel_dep``."""
        for module in self.modules.values():
            for edge in module.edges:
                if edge.target == key:
                    yield module.key, edge

    def asking(self, key: ModuleKey) -> Iterator[tuple[ModuleKey, Edge]]:
        """Who writes this very version, used modules and others."""
        for module in (*self.modules.values(), *self.unused.values()):
            for edge in module.edges:
                if edge.written.key == key:
                    yield module.key, edge

    def module_of(self, canonical: str) -> ResolvedModule | None:
        """The module whose repository that is."""
        return self._by_canonical.get(canonical)

    def extension_of(self, canonical: str) -> tuple[Extension, str] | None:
        """The extension that makes a repository, and the name it has there."""
        found = (each for each in self.extensions.values() if canonical.startswith(each.prefix))
        best = max(found, key=lambda each: len(each.prefix), default=None)
        return (best, canonical[len(best.prefix) :]) if best is not None else None

    def module_mapping(self, key: ModuleKey) -> Mapping[str, str]:
        """What the names of repositories mean in a module: apparent -> canonical name."""
        return self._mappings[key]

    @property
    def root_mapping(self) -> Mapping[str, str]:
        """What they mean in the main repository."""
        return self._mappings[ROOT]

    def extension_mapping(self, extension: Extension, generated: Iterable[str]) -> Mapping[str, str]:
        """What they mean in the repositories that an extension makes: each sees the others, and what the extension's
        own module sees."""
        home = self.module_of(extension.id.bzl.repo)
        return {
            **(self.module_mapping(home.key) if home is not None else {}),
            **{name: extension.canonical(name) for name in (*generated, *extension.overrides)},
        }

    @cached_property
    def _by_canonical(self) -> dict[str, ResolvedModule]:
        return {each.canonical: each for each in self.modules.values()}

    @cached_property
    def _mappings(self) -> dict[ModuleKey, dict[str, str]]:
        mappings = {key: self._dependencies_mapping(module) for key, module in self.modules.items()}
        for extension in self.extensions.values():
            for key, usage in extension.usages.items():
                for each in usage.imports:
                    mappings[key][each.apparent] = extension.canonical(each.repository)
        for repository in self.rule_repositories.values():
            mappings[repository.module][repository.usage.name] = repository.canonical
        return mappings

    def _dependencies_mapping(self, module: ResolvedModule) -> dict[str, str]:
        mapping = {"": ""} if module.key == ROOT else {}
        own = module.file.repo_name if module.file is not None else module.key.name
        if own:
            mapping[own] = module.canonical
        for name, target in module.dependencies.items():
            mapping[name] = self.modules[target].canonical
        return mapping
