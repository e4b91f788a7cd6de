"""What one MODULE.bazel says, as frozen data: every call, with the place where it stands.

``ModuleFile`` is the whole file, its ``include()``d parts merged in at their places. Nothing is resolved here: names of
repositories are as written, dev dependencies are among the others (``without_dev`` leaves them out, as Bazel does for
every module but the root).

>>> str(ModuleKey("rules_cc", "0.0.9")), str(ModuleKey("mine", "")), str(ROOT)
('rules_cc@0.0.9', 'mine@_', '<root>')

Rules: https://bazel.build/rules/lib/globals/module
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bzlgraph.base.span import Location


class ModuleKey(NamedTuple):
    """A module in the graph: its name, and its version unless an override says where its files are."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version or '_'}" if self.name else "<root>"


ROOT = ModuleKey("", "")
"""The module of the workspace itself, whatever it calls itself."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """``bazel_dep(name, version, repo_name)``. ``repo_name`` None asks for a version without making it visible."""

    name: str
    version: str
    repo_name: str | None
    max_compatibility_level: int = -1
    dev: bool = False
    location: Location | None = None

    @property
    def key(self) -> ModuleKey:
        """The module that is asked for."""
        return ModuleKey(self.name, self.version)


@dataclass(frozen=True, slots=True)
class SingleVersionOverride:
    """``single_version_override``: a pinned version ("" for none), another registry, patches."""

    module: str
    version: str = ""
    registry: str = ""
    patches: tuple[str, ...] = ()
    patch_cmds: tuple[str, ...] = ()
    patch_strip: int = 0
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class MultipleVersionOverride:
    """``multiple_version_override``: versions that may stand side by side."""

    module: str
    versions: tuple[str, ...]
    registry: str = ""
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class RepositoryOverride:
    """``archive_override``, ``git_override``, ``local_path_override``: the module comes from there, from no registry.

    ``rule`` is the function's name; ``attributes`` what it was given, ``path`` or ``urls`` or ``remote`` among them.
    """

    module: str
    rule: str
    attributes: Mapping[str, object]
    location: Location | None = None


Override = SingleVersionOverride | MultipleVersionOverride | RepositoryOverride


@dataclass(frozen=True, slots=True)
class Tag:
    """``ext.name(key = value)``: something said to an extension. Values are plain: text, numbers, lists, dicts."""

    name: str
    attributes: Mapping[str, object]
    dev: bool = False
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class UseRepo:
    """``use_repo(ext, apparent = "repository")``: one repository of an extension, and the name it is seen by."""

    apparent: str
    repository: str
    dev: bool = False
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class RepoOverride:
    """``override_repo`` (``must_exist``) or ``inject_repo``: for a repository of an extension stands another."""

    repository: str
    overriding: str
    must_exist: bool
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class UseExtension:
    """One call of ``use_extension``: ``variable`` is the global that it was bound to, "" for none."""

    variable: str
    dev: bool = False
    location: Location | None = None
    imports: tuple[UseRepo, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtensionUsage:
    """All that a module says to one extension; an isolated usage stands by itself.

    ``bzl`` is the label as written, completed by the module's own repository name. ``calls`` are the places of
    ``use_extension``; tags and imports are in the order in which the file was run.
    """

    bzl: str
    name: str
    calls: tuple[UseExtension, ...]
    tags: tuple[Tag, ...] = ()
    overrides: tuple[RepoOverride, ...] = ()
    isolated: bool = False

    @property
    def imports(self) -> tuple[UseRepo, ...]:
        """The repositories that the module takes from it."""
        return tuple(each for call in self.calls for each in call.imports)

    @property
    def location(self) -> Location | None:
        """Where the extension is first used."""
        return self.calls[0].location if self.calls else None

    @property
    def isolation(self) -> str:
        """The name that tells an isolated usage from others, "" for a usage that is shared."""
        return self.calls[0].variable if self.isolated and self.calls else ""


@dataclass(frozen=True, slots=True)
class RepoRuleUsage:
    """``rule(name = ...)`` of ``rule = use_repo_rule(bzl, rule)``: a repository that MODULE.bazel makes itself."""

    bzl: str
    rule: str
    name: str
    attributes: Mapping[str, object]
    dev: bool = False
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Registration:
    """A pattern given to ``register_toolchains`` or ``register_execution_platforms``."""

    pattern: str
    dev: bool = False
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class FlagAlias:
    """``flag_alias(name, starlark_flag)``"""

    name: str
    flag: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A MODULE.bazel."""

    name: str = ""
    version: str = ""
    repo_name: str = ""
    """The name by which the module sees itself."""
    compatibility_level: int = 0
    bazel_compatibility: tuple[str, ...] = ()
    location: Location | None = None
    """Where ``module()`` stands."""
    path: str = ""
    """The file as people find it."""
    dependencies: tuple[Dependency, ...] = ()
    overrides: Mapping[str, Override] = field(default_factory=dict)
    """By module; they count in the root module only."""
    usages: tuple[ExtensionUsage, ...] = ()
    repo_rules: tuple[RepoRuleUsage, ...] = ()
    toolchains: tuple[Registration, ...] = ()
    platforms: tuple[Registration, ...] = ()
    flag_aliases: tuple[FlagAlias, ...] = ()
    includes: tuple[str, ...] = ()
    """The files it includes, paths from the workspace."""

    @property
    def key(self) -> ModuleKey:
        """The module as it names itself."""
        return ModuleKey(self.name, self.version)


def without_dev(module: ModuleFile) -> ModuleFile:
    """The module as others see it: nothing that was marked ``dev_dependency``, and no overrides of its own, neither of
    modules nor of repositories."""
    usages = (_usage_without_dev(each) for each in module.usages)
    return replace(
        module,
        overrides={},
        dependencies=tuple(each for each in module.dependencies if not each.dev),
        usages=tuple(each for each in usages if each.calls),
        repo_rules=tuple(each for each in module.repo_rules if not each.dev),
        toolchains=tuple(each for each in module.toolchains if not each.dev),
        platforms=tuple(each for each in module.platforms if not each.dev),
    )


def _usage_without_dev(usage: ExtensionUsage) -> ExtensionUsage:
    calls = tuple(each for each in usage.calls if not each.dev)
    tags = tuple(each for each in usage.tags if not each.dev)
    return replace(usage, calls=calls, tags=tags, overrides=())
