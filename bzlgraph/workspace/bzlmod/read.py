"""What MODULE.bazel adds to a workspace: its modules resolved, their repositories declared, their extensions ready to
run. Imported where a MODULE.bazel counts: trees without one need nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.files.environment import module_environment
from bzlgraph.bzlmod.lockfile import LOCK_FILE, LockFile, read_lock_file
from bzlgraph.bzlmod.module import ModuleKey, RepositoryOverride
from bzlgraph.facts.modules import ModuleFacts, module_facts
from bzlgraph.workspace.bzlmod.checks import checked, compared, named
from bzlgraph.workspace.bzlmod.declare import declare
from bzlgraph.workspace.bzlmod.files import MODULE_FILE, ModuleReader
from bzlgraph.workspace.bzlmod.resolution import Places, resolve_modules
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.repositories.on_disk import checksum
from bzlgraph.workspace.repositories.table import Repositories
from bzlgraph.workspace.running.run_extension import ExtensionRunner
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.workspace_file import workspace_in_force


def read_modules(
    root: Path, source: Source, options: Options, extensions: ExtensionRunner, inside: Mapping[str, Source]
) -> tuple[list[Diagnostic], tuple[Diagnostic, ...]]:
    """Resolve the modules of MODULE.bazel and note what they bring -> what is wrong with the file, with modules.

    ``inside``: the files of modules that were made (``overridden_modules``).
    """
    mapping, loader = extensions.names, extensions.loader
    loader.repositories.define = extensions.define
    facts = named(module_facts(loader.facts.version), options.repositories)
    extensions.lock = _lock_file(source, options, facts, loader.facts.version)
    reader = ModuleReader(loader, module_environment(loader.facts))
    places = _places(loader.repositories, inside)
    found, diagnostics = resolve_modules(root, source, options.repositories, reader, facts, places, extensions.lock)
    version, tolerant = loader.facts.version, loader.facts.tolerant
    resolved = compared(found.resolved, extensions.lock, options.repositories, tolerant=tolerant)
    found = replace(found, resolved=checked(resolved, options.repositories, version, tolerant=tolerant))
    mapping.modules = found.resolved
    mapping.workspace_counts = workspace_in_force(loader.facts, options.enable_workspace, source.is_file(MODULE_FILE))
    mapping.built_in = facts.workspace_names
    declare(found, mapping.context)
    for gap in set(extensions.lock.gaps).intersection(found.resolved.gaps):
        mapping.context.add_gap(gap)
    return diagnostics, found.resolved.problems


def overridden_modules(extensions: ExtensionRunner, known: Mapping[str, Source]) -> Iterator[tuple[str, Source]]:
    """The modules whose MODULE.bazel lies in what an archive_override or git_override fetches, where that is here:
    (name, files). To make them takes a workspace, so it is opened again when there are any."""
    names, repositories = extensions.names, extensions.loader.repositories
    for key, module in names.modules.modules.items() if names.modules is not None else ():
        if module.file is None and key.name not in known and isinstance(module.override, RepositoryOverride):
            files = repositories.get(names.of_canonical(module.canonical)).tree.source
            if files.is_file(MODULE_FILE):
                yield key.name, files


def _lock_file(source: Source, options: Options, facts: ModuleFacts, version: str) -> LockFile:
    """What MODULE.bazel.lock says; nothing where it is not there or does not count. One of another version is used, for
    it tells what nothing else on the disk does, but not silently."""
    if options.repositories.lockfile_mode == "off" or not source.is_file(LOCK_FILE):
        return LockFile()
    try:
        lock = read_lock_file(source.read(LOCK_FILE))
    except OSError:
        return LockFile()
    first, last = facts.lock_versions
    if first <= lock.version <= last:
        return lock
    return replace(lock, mismatch=f"{LOCK_FILE} has version {lock.version}, which Bazel {version} does not read")


def _places(repositories: Repositories, inside: Mapping[str, Source]) -> Places:
    """Where files of modules may be; trees by the canonical names of all Bazels."""

    def trees(key: ModuleKey) -> Iterator[tuple[str, Source]]:
        if key.name in inside:
            yield f"external/{key.name}", inside[key.name]
        for name in (f"{key.name}~", f"{key.name}+", f"{key.name}~{key.version}", key.name):
            found = repositories.trees(name)
            if found is not None:
                yield f"external/{name}", found.source

    def downloaded(url: str, sha256: str) -> Path | None:
        return repositories.disk.registry_file(url, checksum(sha256))

    disk = repositories.disk
    return Places(trees, downloaded, lambda folder: disk.allows(folder) or disk.is_beside(folder), disk.source)
