"""A workspace: the checkout, its repositories and the .bzl files they share. The way in to everything above.

directory -> Workspace(repositories, bzl_loader, facts). Nothing is read until it is asked for.
"""

from __future__ import annotations

import os
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import RepoMapping
from bzlgraph.bazel.context.contexts import WorkspaceContext
from bzlgraph.bazel.files.environment import build_environment, bzl_environment, workspace_environment
from bzlgraph.cache import looks
from bzlgraph.cache.folder import CacheFolder, checked_folder
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.facts import Facts, for_version
from bzlgraph.facts.autoloads import with_autoloads
from bzlgraph.facts.behaviour import with_switches
from bzlgraph.workspace.bazel_version import Reading, reading
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.options import VERSION_CONTROL, Options, reach
from bzlgraph.workspace.program_cache import open_program_cache
from bzlgraph.workspace.repo_files import read_repo_file
from bzlgraph.workspace.repositories.mapping import RepositoryMapping
from bzlgraph.workspace.repositories.own import recorded
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.sources.source import DiskSource, Source, real_path
from bzlgraph.workspace.tree import BOUNDARY_FILES, RepositoryTree, bazels_links, ignored_folders
from bzlgraph.workspace.workspace_file import (
    MODULE_FILE,
    evaluate_workspace_file,
    files_in_force,
    names_of_the_machine,
)

# What only modules and rules of repositories need is imported where there are any.
if TYPE_CHECKING:
    from bzlgraph.bzlmod.resolution import ResolvedModules
    from bzlgraph.workspace.running.run_extension import ExtensionRunner
    from bzlgraph.workspace.running.run_rule import RuleRunner


def is_workspace(folder: Path) -> bool:
    """Whether a folder is the root of a workspace."""
    return any(looks.is_file(str(folder / name)) for name in BOUNDARY_FILES)


def find_root(start: Path, of_any_build: bool = False) -> Path:
    """The workspace that ``start`` lies in, the nearest upwards, as Bazel decides; with ``of_any_build``, where there
    is none, the sources that another tool builds. Raises UsageProblem for neither."""
    start = Path(real_path(start))
    if not looks.is_folder(str(start)):
        what = "this is a file" if start.is_file() else "no such folder"
        raise UsageProblem(Diagnostic(f"{what}: '{start}'", hint="give the checkout's folder with -C DIR"))
    for folder in (start, *start.parents):
        if is_workspace(folder):
            return folder
    below = [*islice(_workspaces_below(start), MAX_OFFERED)]
    if of_any_build and not below and (sources := _other_sources(start)) is not None:
        return sources
    hint = f"workspace{'s' * (len(below) != 1)} below it: {', '.join(below)}" if below else ""
    raise UsageProblem(
        Diagnostic(
            f"'{start}' is not in a Bazel workspace: neither it nor a folder above has WORKSPACE or MODULE.bazel",
            hint=f"give the checkout's folder with -C DIR; {hint or 'an empty WORKSPACE file there makes it one'}",
        )
    )


def _other_sources(start: Path) -> Path | None:
    """The nearest folder upwards that other tools know as the top of sources; never a home, nor what is above it."""
    home = Path(real_path(os.path.expanduser("~")))
    inside = (folder for folder in (start, *start.parents) if folder not in (home, *home.parents))
    return next((folder for folder in inside if any(looks.exists(str(folder / each)) for each in TOPS)), None)


def _workspaces_below(start: Path) -> Iterator[str]:
    """Workspaces in folders of ``start``, and then in theirs: many a repository has its one in ``src``."""
    folders = [start]
    for _level in range(2):
        folders = [each for folder in folders for each in _folders_in(folder)]
        yield from (str(each.relative_to(start)) for each in folders if is_workspace(each))


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            return sorted(Path(entry) for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


TOPS = (*VERSION_CONTROL, "setup.py", "pyproject.toml", "CMakeLists.txt")
"""What stands at the top of sources that need not be Bazel's."""
MAX_OFFERED = 3
"""As many workspaces below a folder that is none are named."""


@dataclass(slots=True)
class Workspace:
    """A checkout and everything that can be known about its repositories without building."""

    root: Path
    options: Options
    reading: Reading
    facts: Facts
    context: WorkspaceContext
    repositories: Repositories
    bzl_loader: BzlLoader
    build_names: Mapping[str, object]
    diagnostics: list[Diagnostic]
    names: RepositoryMapping
    extensions: ExtensionRunner | None
    """What runs the extensions of its modules; None without modules."""
    cache: CacheFolder = CacheFolder(None)  # noqa: RUF009 - frozen
    """Where caches are kept, or why nowhere."""

    def repository(self, name: str) -> Repository:
        """A repository by canonical name, "" for the main one."""
        return self.repositories.get(name)

    @property
    def map_repository(self) -> RepoMapping:
        """What names of repositories mean."""
        return self.names

    @property
    def resolved_modules(self) -> ResolvedModules | None:
        """The modules of the workspace; None where it has no MODULE.bazel, or that does not count."""
        return self.names.modules

    @property
    def why_without_modules(self) -> str:
        """Why the MODULE.bazel that is there does not count; "" where it does, or is not there."""
        if self.extensions is not None or not self.repositories.main.tree.source.is_file(MODULE_FILE):
            return ""
        if self.options.enable_bzlmod is False:
            return "--noenable_bzlmod switches modules off"
        return f"Bazel {self.reading.version} ({self.reading.reason}) reads it only with --enable_bzlmod"


def open_workspace(
    folder: str | os.PathLike[str], options: Options | None = None, source: Source | None = None
) -> Workspace:
    """Open the workspace that ``folder`` lies in and evaluate its WORKSPACE and MODULE.bazel.

    Raises UsageProblem when there is none, and for an override whose folder does not exist.
    """
    options = options or Options()
    root = find_root(Path(folder), options.of_any_build) if source is None else Path(folder)
    source = source or _disk(root, options)
    _refuse_absent_folders(options)
    cached = checked_folder(options.cache_folder, root)
    options = replace(options, cache_folder=cached.path)
    inside: dict[str, Source] = {}
    while True:
        workspace = _opened(root, source, options, inside)
        workspace.cache = cached
        if workspace.extensions is None:
            return workspace
        found = _overridden_modules(workspace.extensions, inside)
        if not found:
            return workspace
        inside |= found


def _overridden_modules(extensions: ExtensionRunner, known: Mapping[str, Source]) -> dict[str, Source]:
    from bzlgraph.workspace.bzlmod.read import overridden_modules

    return dict(overridden_modules(extensions, known))


def _opened(root: Path, source: Source, options: Options, inside: Mapping[str, Source]) -> Workspace:
    read_as = reading(source, options.bazel_version)
    facts = _facts(read_as, options)
    context = WorkspaceContext("", "", facts=facts)
    mapping = context.mapping = RepositoryMapping(context, facts.own_workspace_name_is_main)
    main = Repository("", _own_tree(root, source, options))
    repositories = _repositories(root, main, options, context)
    programs, names = open_program_cache(options.cache_folder), bzl_environment(facts)
    bzl_loader = BzlLoader(repositories, programs, names, facts, mapping, options.print, options.budget)
    context.loaded = bzl_loader.contexts
    rules = cache(partial(_rule_runner, root, repositories, bzl_loader, context, options))
    repositories.evaluate = lambda name, call: rules().provide(name, call)
    repositories.repo_file = partial(read_repo_file, bzl_loader)
    has_module, workspace_file = files_in_force(
        source, facts, modules_count=options.enable_bzlmod, workspace_counts=options.enable_workspace
    )
    extensions: ExtensionRunner | None = None
    diagnostics: list[Diagnostic] = []
    refused: tuple[Diagnostic, ...] = ()
    if has_module:
        from bzlgraph.workspace.bzlmod.read import read_modules
        from bzlgraph.workspace.running.run_extension import ExtensionRunner

        extensions = ExtensionRunner(mapping, bzl_loader, rules())
        diagnostics, refused = read_modules(root, source, options, extensions, inside)
    elif not facts.workspace_file_maps_own_name:
        context.mapping = RepositoryMapping(context, maps_own_name=False)
    before = len(context.gaps)
    if workspace_file is not None:
        names = workspace_environment(facts) | names_of_the_machine(os.path.abspath(root))
        diagnostics += _with_guess(read_as, evaluate_workspace_file(source, workspace_file, context, bzl_loader, names))
    mapping.complete = not diagnostics and len(context.gaps) == before
    diagnostics += [*refused, *_read_own_repo_file(bzl_loader)]
    local = repositories.local_folders(context.repositories)
    if local:
        main.tree = replace(main.tree, foreign=local)
    return Workspace(
        *(root, options, read_as, facts, context, repositories, bzl_loader, build_environment(facts)),
        *(diagnostics, mapping, extensions),
    )


def _with_guess(read_as: Reading, problems: list[Diagnostic]) -> list[Diagnostic]:
    """Problems; those that may come of a Bazel that nothing names, with how to name another."""
    how = "--bazel_version or a .bazelversion file names another"
    hint = f"read as Bazel {read_as.version}, since no file of the checkout names one: {how}"
    return [
        replace(each, hint=hint) if read_as.guessed and not each.hint and _OF_VERSION.search(each.message) else each
        for each in problems
    ]


_OF_VERSION = re.compile(r"bazel\b.*\bversion|version\b.*\bbazel", re.IGNORECASE)
"""A message of what checks which Bazel runs."""


def _vendor_folder(root: Path, options: Options) -> frozenset[str]:
    """The folder of ``--vendor_dir``, where it lies in the checkout: its packages are not those of the main repository.

    https://bazel.build/external/vendor
    """
    folder = options.repositories.vendor_dir
    inside = folder is not None and folder.is_relative_to(root) and folder != root
    return frozenset({folder.relative_to(root).as_posix()} if folder is not None and inside else ())


def _read_own_repo_file(loader: BzlLoader) -> tuple[Diagnostic, ...]:
    """Let REPO.bazel count in the main repository; what is wrong with it is returned."""
    main = loader.repositories.main
    own = read_repo_file(loader, main.tree.source, "", "")
    main.defaults = own.defaults
    main.tree = replace(main.tree, ignored_patterns=own.ignored)
    return own.problems


def _refuse_absent_folders(options: Options) -> None:
    """Raises UsageProblem for a folder that was typed and is not there."""
    folders = [(f"--override_repository={name}", path) for name, path in options.overrides.items()]
    folders += [("--repository_folder", path) for path in options.repositories.repository_folders]
    for option, path in folders:
        if not looks.is_folder(str(path)):
            raise UsageProblem(f"{option}={path}: no such folder")
    base = options.repositories.output_base
    if base is not None and not looks.is_folder(str(base / "external")):
        hint = "'bazel info output_base' shows it"
        raise UsageProblem(
            Diagnostic(f"--output_base={base}: not an output base, it has no folder 'external'", hint=hint)
        )


def _own_tree(root: Path, source: Source, options: Options) -> RepositoryTree:
    ignored = ignored_folders(source) | _vendor_folder(root, options)
    return RepositoryTree(source, ignored=ignored, deleted=options.deleted_in(""), skipped_links=bazels_links(source))


def _repositories(root: Path, main: Repository, options: Options, context: WorkspaceContext) -> Repositories:
    return Repositories(
        root,
        main,
        options.overrides,
        ChainMap(context.module_repositories, context.repositories),
        context.mapping,
        lambda: context.workspace_name,
        options.deleted_in,
        options.repositories,
        recorded=partial(recorded, context.facts, options.repositories),
        store=Store(options.cache_folder, READINGS),
    )


def _rule_runner(
    root: Path, table: Repositories, bzl_loader: BzlLoader, home: WorkspaceContext, options: Options
) -> RuleRunner:
    from bzlgraph.workspace.repositories.on_disk import checksum
    from bzlgraph.workspace.running.rule_cache import RunKeeper
    from bzlgraph.workspace.running.run_rule import RuleRunner, budget_of_runs

    disk, budget = table.disk, budget_of_runs(bzl_loader.budget)
    return RuleRunner(
        os.path.abspath(root),
        table.get,
        table.options,
        home,
        lambda host: bzl_loader.thread(host, [], [], budget),
        lambda path, strip_prefix: disk.archives.open(path, strip_prefix),
        lambda wanted: disk.download(wanted.urls, checksum(wanted.sha256, wanted.integrity)),
        bzl_loader.print,
        RunKeeper(table.store, partial(_state_of_runs, root, bzl_loader, home, options), bzl_loader.content),
    )


def _state_of_runs(root: Path, bzl_loader: BzlLoader, home: WorkspaceContext, options: Options) -> str:
    """All that repository rules are given beside their own call, as text."""
    facts, mapping = bzl_loader.facts, home.mapping
    meant_by = mapping.signature() if isinstance(mapping, RepositoryMapping) else ""
    said = (facts.version, facts.tolerant, options.switches, options.autoloads, options.without_autoloads)
    meant = sorted((name, sorted(call.repo_mapping.items())) for name, call in home.repositories.items())
    names = (home.workspace_name, meant, meant_by, options.enable_bzlmod, options.enable_workspace)
    return repr((os.path.abspath(root), said, names, options.repositories, bzl_loader.budget))


def _disk(root: Path, options: Options) -> DiskSource:
    return DiskSource(root, reach(root, options.repositories, options.overrides.values()))


def facts_of(root: Path, options: Options) -> Facts:
    """The Bazel that a checkout is read as, by the options or by its own files."""
    return _facts(reading(_disk(root, options), options.bazel_version), options)


def _facts(read_as: Reading, options: Options) -> Facts:
    facts = for_version(read_as.version, tolerant=not read_as.chosen)
    facts = with_switches(facts, dict(options.switches)) if options.switches else facts
    if options.autoloads is not None:
        facts = with_autoloads(facts, options.autoloads)
    if options.without_autoloads:
        facts = replace(facts, without_autoloads=(*facts.without_autoloads, *options.without_autoloads))
    off = options.enable_bzlmod is False and facts.workspace_file != "never"
    return replace(facts, bzlmod=False) if off else facts
