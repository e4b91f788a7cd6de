"""The modules of a workspace: reads the MODULE.bazel files that are on disk, resolves, and says which repository rule
gives each module its content.

A module's file is looked for, in this order: the folder that an override names; registries on this machine (``file:``
URLs; the first that has the version); files of other registries that Bazel downloaded before, by the sha256 in
MODULE.bazel.lock; folders that hold the module's tree; the module graph that old lock files hold. What is found nowhere
is kept as requested, with a gap that says what would close it; a newer lock file tells its version still.
Rules: https://bazel.build/external/module; ``ModuleFileFunction.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bzlmod.discovery import ModuleSource
from bzlgraph.bzlmod.lockfile import LockFile
from bzlgraph.bzlmod.module import (
    ROOT,
    ModuleFile,
    ModuleKey,
    MultipleVersionOverride,
    Override,
    RepoRuleUsage,
    RepositoryOverride,
    SingleVersionOverride,
)
from bzlgraph.bzlmod.registry import (
    DEFAULT_REGISTRY,
    OVERRIDE_DEFAULTS,
    REGISTRY_FILE,
    RepositorySpec,
    file_folder,
    metadata_path,
    module_path,
    read_object,
    repository_spec,
    yanked_versions,
)
from bzlgraph.bzlmod.resolution import ResolvedModule, ResolvedModules
from bzlgraph.bzlmod.resolve import resolve
from bzlgraph.cache import looks
from bzlgraph.facts.modules import ModuleFacts
from bzlgraph.workspace.bzlmod.files import MODULE_FILE, ModuleReader
from bzlgraph.workspace.bzlmod.patches import PatchRefused, patched
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.on_disk import fetch_of_submodule, has_files
from bzlgraph.workspace.sources.source import DiskSource, MemorySource, Source

_LOCAL = "@bazel_tools//tools/build_defs/repo:local.bzl"
"""Where the rule is that ``--inject_repository`` calls."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where files of modules may be on disk.

    ``trees`` tells the trees that may be those of a module: (where they are, their files); ``downloaded`` the file of a
    URL that was downloaded before, with this sha256 ("" for any that ``bazel vendor`` left).
    """

    trees: Callable[[ModuleKey], Iterable[tuple[str, Source]]]
    downloaded: Callable[[str, str], Path | None] = lambda _url, _sha256: None
    allows: Callable[[Path], bool] = lambda _folder: True
    source: Callable[[Path], Source] = DiskSource


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a workspace, and the rules of their repositories by canonical name."""

    resolved: ResolvedModules
    specs: Mapping[str, RepositorySpec]


@dataclass
class ModuleFinder:
    """Finds MODULE.bazel files. ``root`` is the folder of the checkout."""

    root: Path
    options: RepositoryOptions
    reader: ModuleReader
    overrides: Mapping[str, Override]
    places: Places
    facts: ModuleFacts
    checkout: Source
    """The files of the workspace."""
    lock: LockFile
    _read: dict[tuple[str, str], tuple[ModuleFile, tuple[Diagnostic, ...]]] = field(default_factory=dict)

    def find(self, key: ModuleKey) -> ModuleSource:
        """What is known about a module of this version."""
        override = self.overrides.get(key.name)
        if isinstance(override, RepositoryOverride):
            return self._overridden(key, override)
        if not key.version:
            text = f"bad bazel_dep on module '{key.name}' with no version. Did you forget to specify a version, or a "
            return ModuleSource(None, problem=f"{text}non-registry override?")
        return self._in_registries(key) or self._in_trees(key) or self._in_lock(key) or self._nowhere(key)

    def spec(self, module: ResolvedModule) -> RepositorySpec | None:
        """The repository rule that gives a module its content, None where nothing on disk says so."""
        override = module.override
        if isinstance(override, RepositoryOverride):
            return _override_spec(override)
        if not module.registry:
            locked = self.lock.modules.get(module.key)
            return locked.spec if locked is not None else None
        path = module_path(module.key.name, module.key.version, "source.json")
        source = self._registry_object(module.registry, path)
        config = self._registry_object(module.registry, REGISTRY_FILE)
        spec = repository_spec(module.registry, module.key.name, module.key.version, source, config)
        if spec is not None and spec.rule in ("http_archive", "git_repository"):
            spec = replace(spec, attributes={**spec.attributes, **self._module_file(module)})
        return self._with_patches(spec, override) if spec is not None else None

    def _with_patches(self, spec: RepositorySpec, override: Override | None) -> RepositorySpec:
        """The rule with the patches of a single_version_override."""
        if not isinstance(override, SingleVersionOverride):
            return spec
        if not override.patches and not (override.patch_cmds and self.facts.patch_commands_alone):
            return spec
        own = {"patches": list(override.patches), "patch_cmds": list(override.patch_cmds),
               "patch_args": [f"-p{override.patch_strip}"]}  # fmt: skip
        return replace(spec, attributes={**spec.attributes, **own})

    def _module_file(self, module: ResolvedModule) -> dict[str, object]:
        """The attributes by which the registry's MODULE.bazel replaces that in the sources."""
        path = module_path(module.key.name, module.key.version, MODULE_FILE)
        place = self._registry_file(module.registry, path)
        if place is None:
            return {}
        digest = base64.b64encode(hashlib.sha256(place[0].read(place[1])).digest()).decode()
        url = f"{module.registry.rstrip('/')}/{path}"
        return {"remote_module_file_urls": [url], "remote_module_file_integrity": f"sha256-{digest}"}

    def registries(self, name: str) -> tuple[str, ...]:
        """The registries that are asked for a module."""
        override = self.overrides.get(name)
        own = override.registry if isinstance(override, SingleVersionOverride | MultipleVersionOverride) else ""
        return (own,) if own else self.options.registries or (DEFAULT_REGISTRY,)

    def _overridden(self, key: ModuleKey, override: RepositoryOverride) -> ModuleSource:
        path = override.attributes.get("path")
        if override.rule != "local_path_override" or not isinstance(path, str):
            return self._in_trees(key) or self._nowhere(key)
        folder = Path(os.path.normpath(self.root / path))
        if not self.places.allows(folder):
            refused = f"{folder} is outside the checkout and is not read"
            return ModuleSource(None, problem=refused, hint=f"--override_module={key.name}={folder} reads it")
        inside = os.path.relpath(folder, self.root)
        if not has_files(folder) and (fetch := fetch_of_submodule(self.checkout, inside)):
            return self._nowhere(key, f"its submodule is not checked out: {fetch}")
        if not looks.is_folder(str(folder)):
            words = f'The repository\'s path is "{path}" (absolute: "{folder}") but it does not exist or is not a'
            return ModuleSource(None, problem=f"{words} directory.")
        source = self.places.source(folder)
        if not source.is_file(MODULE_FILE):
            return ModuleSource(None, problem=f"MODULE.bazel expected but not found at {folder / MODULE_FILE}")
        return self._source(key, source, MODULE_FILE, os.path.relpath(folder / MODULE_FILE, self.root))

    def _in_registries(self, key: ModuleKey) -> ModuleSource | None:
        """The module in the first registry on this machine that has it; Bazel's words when none has it."""
        path = module_path(key.name, key.version, MODULE_FILE)
        registries = self.registries(key.name)
        for registry in registries:
            place = self._registry_file(registry, path)
            if place is not None:
                folder = self._folder(registry)
                shown = self._near(folder / path) if folder is not None else f"{registry.rstrip('/')}/{path}"
                try:
                    found = self._source(key, *self._patched(key, *place), shown)
                except PatchRefused as refused:
                    return ModuleSource(None, problem=str(refused))
                return replace(found, registry=registry, yanked=self._yanked(registry, key))
        if any(self._folder(each) is None for each in registries):
            return None
        lines = "".join(f"\n* {each.rstrip('/')}/{path}: not found" for each in registries)
        return ModuleSource(None, problem=f"module {key} not found in registries:{lines}")

    def _patched(self, key: ModuleKey, source: Source, path: str) -> tuple[Source, str]:
        """The file of a registry with the patches of an override. Raises PatchRefused."""
        override = self.overrides.get(key.name)
        if not isinstance(override, SingleVersionOverride) or not override.patches or not self.facts.patched_files:
            return source, path
        data = patched(source.read(path), MODULE_FILE, override, self.checkout)
        return MemorySource({path: data}), path

    def _near(self, path: Path) -> str:
        """A file's path as people find it: from the workspace, if it lies in there."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def _in_trees(self, key: ModuleKey) -> ModuleSource | None:
        """The module's own file in a tree of it on disk, if that is of this version."""
        for place, source in self.places.trees(key):
            if source.is_file(MODULE_FILE):
                found = self._source(key, source, MODULE_FILE, f"{place}/{MODULE_FILE}")
                if found.file is not None and (not key.version or found.file.version == key.version):
                    return found
        return None

    def _in_lock(self, key: ModuleKey) -> ModuleSource | None:
        """The module as an old lock file has it."""
        locked = self.lock.modules.get(key)
        return ModuleSource(locked.file) if locked is not None else None

    def _nowhere(self, key: ModuleKey, way: str = "") -> ModuleSource:
        """A module that is not on disk; ``way`` tells how it comes there, "" for the ways of any module."""
        ways = way or (
            f"give a clone of the registry with --registry=file://DIR before {self.registries(key.name)[0]}, or the "
            f"module's folder with --override_module={key.name}=DIR"
        )
        hides = f"the module's dependencies and the higher versions it requests are unknown ({ways})"
        return ModuleSource(None, gap=Gap(GapKind.REPOSITORY.value, f"MODULE.bazel of {key} is not on disk", hides))

    def _source(self, key: ModuleKey, source: Source, path: str, shown: str) -> ModuleSource:
        known = self._read.get((shown, key.name))
        if known is None:
            file, problems, _ = self.reader.read(source, path, shown, refused=self._may_not_include(key))
            known = self._read[shown, key.name] = file, tuple(problems)
        file, diagnostics = known
        problem = ""
        if file.name != key.name:
            problem = f"the MODULE.bazel file of {key} declares a different name ({file.name})"
        elif key.version and file.version != key.version:
            problem = f"the MODULE.bazel file of {key} declares a different version ({file.version})"
        return ModuleSource(file, problem=problem, diagnostics=diagnostics)

    def _may_not_include(self, key: ModuleKey) -> str:
        """Which modules alone may include files, where this one is none of them."""
        if not self.facts.overridden_includes:
            return "the root module"
        known = isinstance(self.overrides.get(key.name), RepositoryOverride)
        return "" if known else "the root module or in modules with non-registry overrides"

    def _folder(self, registry: str) -> Path | None:
        folder = file_folder(registry, str(self.root))
        return Path(folder) if folder is not None else None

    def _yanked(self, registry: str, key: ModuleKey) -> str:
        allowed = ",".join(self.options.allow_yanked_versions).split(",")
        if str(key) in allowed or "all" in allowed:
            return ""
        return yanked_versions(self._registry_object(registry, metadata_path(key.name))).get(key.version, "")

    def _registry_object(self, registry: str, path: str) -> Mapping[str, object]:
        place = self._registry_file(registry, path)
        try:
            return read_object(place[0].read(place[1])) if place is not None else {}
        except OSError:
            return {}

    def _registry_file(self, registry: str, path: str) -> tuple[Source, str] | None:
        """Where a file of a registry is on this machine: in its folder, or downloaded before."""
        folder = self._folder(registry)
        if folder is not None:
            source = self.places.source(folder)
            return (source, path) if self.places.allows(folder) and source.is_file(path) else None
        url = f"{registry.rstrip('/')}/{path}"
        found = self.places.downloaded(url, self.lock.registry_files.get(url) or "")
        return (DiskSource(found.parent), found.name) if found is not None else None


def resolve_modules(
    root: Path,
    source: Source,
    options: RepositoryOptions,
    reader: ModuleReader,
    facts: ModuleFacts,
    places: Places,
    lock: LockFile,
) -> tuple[Modules, list[Diagnostic]]:
    """Read the workspace's MODULE.bazel and all that it leads to. Problems of the file itself are returned."""
    file, diagnostics, gaps = reader.read(source, MODULE_FILE, MODULE_FILE, root=True)
    of_command_line = {
        name: RepositoryOverride(name, "local_path_override", {"path": str(path)})
        for name, path in options.override_modules
    }
    injected = (
        RepoRuleUsage(_LOCAL, "local_repository", name, {"path": str(path)})
        for name, path in options.inject_repositories
    )
    file = replace(file, repo_rules=(*file.repo_rules, *injected))
    dev = options.ignore_dev_dependency
    overrides = {**({} if dev else file.overrides), **of_command_line}
    finder = ModuleFinder(root, options, reader, overrides, places, facts, source, lock)
    locked = dict(lock.selected())
    resolved = resolve(file, finder.find, facts, of_command_line, ignore_dev=dev, locked=locked)
    specs = {module.canonical: finder.spec(module) for key, module in resolved.modules.items() if key != ROOT}
    resolved = replace(resolved, gaps=(*gaps, *resolved.gaps))
    return Modules(resolved, {name: spec for name, spec in specs.items() if spec is not None}), diagnostics


def _override_spec(override: RepositoryOverride) -> RepositorySpec:
    attributes = dict(override.attributes)
    if override.rule == "local_path_override":
        return RepositorySpec("", "local_repository", {"path": attributes.get("path")})
    file, rule = ("http", "http_archive") if override.rule == "archive_override" else ("git", "git_repository")
    strip = attributes.pop("patch_strip", 0)
    if attributes.get("patches"):
        attributes["patch_args"] = [f"-p{strip}"]
    if isinstance(attributes.get("urls"), str):
        attributes["urls"] = [attributes["urls"]]
    if rule == "http_archive":
        attributes = {**OVERRIDE_DEFAULTS, **attributes}
    return RepositorySpec(f"@bazel_tools//tools/build_defs/repo:{file}.bzl", rule, attributes)
