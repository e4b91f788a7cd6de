"""A workspace: the checkout, its repositories and the .bzl files they share. The way in to everything above.

directory -> Workspace(repositories, modules, facts). Nothing is read until it is asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.bazel.files.context import WorkspaceContext
from bzlgraph.bazel.files.environment import (
    build_environment,
    bzl_environment,
    module_environment,
    workspace_environment,
)
from bzlgraph.bzlmod.resolution import ResolvedModules
from bzlgraph.facts import Facts, for_version
from bzlgraph.facts.native import known_versions
from bzlgraph.workspace.modules import ModuleLoader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.program_cache import open_program_cache
from bzlgraph.workspace.repositories.on_disk import checksum
from bzlgraph.workspace.repositories.run_rule import RuleRunner
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.sources.source import DiskSource, Source
from bzlgraph.workspace.store import READINGS, Store
from bzlgraph.workspace.tree import RepositoryTree, ignored_folders
from bzlgraph.workspace.workspace_file import evaluate_workspace_files, files_in_force

BEFORE_MODULES = "4.2.3"
"""The newest Bazel that reads WORKSPACE without being asked to and that our answers are compared with."""

_NUMBER = re.compile(rb"\s*(?:[\w.-]+/)?(\d+(?:\.\d+)*)")


def version_of_checkout(source: Source) -> str:
    """Which Bazel a checkout is read as when nobody says: what its own files tell.

    ``.bazelversion`` names it (https://github.com/bazelbuild/bazelisk#how-does-bazelisk-know-which-bazel-version-to-run);
    MODULE.bazel means a Bazel that reads it by default. A tree that has neither was written for WORKSPACE.
    The version is as full as the files tell it (``8.x`` is ``8``); words such as ``latest`` are the newest we know.
    """
    if source.is_file(".bazelversion"):
        try:
            named = _NUMBER.match(source.read(".bazelversion"))
        except OSError:
            named = None
        return named.group(1).decode() if named else known_versions()[-1]
    return known_versions()[-1] if source.is_file("MODULE.bazel") else BEFORE_MODULES


BOUNDARY_FILES = ("MODULE.bazel", "REPO.bazel", "WORKSPACE.bazel", "WORKSPACE")
"""https://bazel.build/external/overview#workspace"""


def is_workspace(folder: Path) -> bool:
    """Whether a folder is the root of a workspace."""
    return any((folder / name).is_file() for name in BOUNDARY_FILES)


def find_root(start: Path) -> Path:
    """The workspace that ``start`` lies in, the nearest upwards, as Bazel decides. Raises UsageProblem for none."""
    start = start.resolve()
    if not start.is_dir():
        raise UsageProblem(Diagnostic(f"no such folder: '{start}'", hint="give the checkout's folder with -C DIR"))
    for folder in (start, *start.parents):
        if is_workspace(folder):
            return folder
    raise UsageProblem(
        Diagnostic(
            f"'{start}' is not in a Bazel workspace: neither it nor a folder above has WORKSPACE or MODULE.bazel",
            hint="give the checkout's folder with -C DIR; an empty WORKSPACE file there makes it one",
        )
    )


@dataclass(slots=True)
class Workspace:
    """A checkout and everything that can be known about its repositories without building."""

    root: Path
    options: Options
    facts: Facts
    context: WorkspaceContext
    repositories: Repositories
    modules: ModuleLoader
    build_names: Mapping[str, object]
    diagnostics: list[Diagnostic]
    resolved_modules: ResolvedModules | None = None
    """What MODULE.bazel leads to, None where it does not count."""

    def repository(self, name: str) -> Repository:
        """A repository by canonical name, "" for the main one."""
        return self.repositories.get(name)

    def map_repository(self, current: str, apparent: str) -> str:
        """Which repository ``@apparent`` means in ``current``."""
        return self.repositories.mapping(current, apparent)


def open_workspace(
    folder: str | os.PathLike[str], options: Options | None = None, source: Source | None = None
) -> Workspace:
    """Open the workspace that ``folder`` lies in and evaluate its WORKSPACE and MODULE.bazel.

    Raises UsageProblem when there is none, and for an override whose folder does not exist.
    """
    options = options or Options()
    root = find_root(Path(folder)) if source is None else Path(folder)
    source = source or DiskSource(root)
    for name, path in options.overrides.items():
        if not path.is_dir():
            raise UsageProblem(f"--override_repository={name}={path}: no such folder")
    facts = _facts(source, options)
    context = WorkspaceContext("", "", facts=facts)
    mapping = _mapping(context, facts)
    context.mapping = mapping
    main = Repository("", RepositoryTree(source, ignored=ignored_folders(source), deleted=options.deleted_in("")))
    repositories = _repositories(root, main, options, context)
    programs = open_program_cache(options.cache_folder)
    modules = ModuleLoader(repositories, programs, bzl_environment(facts), facts, mapping, options.print)
    context.loaded = modules.contexts
    repositories.evaluate = _rule_runner(root, repositories, modules, context).provide
    diagnostics = evaluate_workspace_files(
        source,
        files_in_force(source, modules_count=options.enable_bzlmod, workspace_counts=options.enable_workspace),
        context,
        modules,
        workspace_environment(facts),
        module_environment(facts),
    )
    local = repositories.local_folders()
    if local:
        main.tree = RepositoryTree(source, ignored=main.tree.ignored, foreign=local, deleted=main.tree.deleted)
    return Workspace(root, options, facts, context, repositories, modules, build_environment(facts), diagnostics)


def _repositories(root: Path, main: Repository, options: Options, context: WorkspaceContext) -> Repositories:
    return Repositories(
        root,
        main,
        options.overrides,
        context.repositories,
        context.mapping,
        lambda: context.workspace_name,
        options.deleted_in,
        options.repositories,
        store=Store(options.cache_folder, READINGS),
    )


def _rule_runner(root: Path, table: Repositories, modules: ModuleLoader, home: WorkspaceContext) -> RuleRunner:
    disk = table.disk
    return RuleRunner(
        os.path.abspath(root),
        table.get,
        table.options,
        home,
        lambda host: modules.thread(host, [], []),
        disk.archives,
        lambda wanted: disk.download(wanted.urls, checksum(wanted.sha256, wanted.integrity)),
    )


def facts_of(root: Path, options: Options) -> Facts:
    """The Bazel that a checkout is read as, by the options or by its own files."""
    return _facts(DiskSource(root), options)


def _facts(source: Source, options: Options) -> Facts:
    facts = for_version(options.bazel_version or version_of_checkout(source), tolerant=not options.bazel_version)
    return replace(facts, bzlmod=False) if options.enable_bzlmod is False else facts


def _mapping(context: WorkspaceContext, facts: Facts) -> Callable[[str, str], str]:
    """Apparent -> canonical repository names, for a checkout without full bzlmod resolution.

    The workspace's own name means the main repository (Bazel 0.19 and older did not know that); Bazel's own tools see
    some repositories under other names, and so does a repository whose rule has a ``repo_mapping``.
    """
    of_tools: dict[str, str] = dict(each.split("=") for each in facts.tools_mapping)

    def mapping(current: str, apparent: str) -> str:
        if current == "bazel_tools" and apparent in of_tools:
            return of_tools[apparent]
        call = context.repositories.get(current)
        meant = call.repo_mapping.get(apparent) if call is not None else None
        if meant is not None:
            return meant
        if apparent == context.workspace_name and facts.own_workspace_name_is_main:
            return ""
        return apparent

    return mapping
