"""How to open a workspace: what the global options of the command line and the rc files say, as frozen data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.span import Location
from bzlgraph.cache import looks
from bzlgraph.starlark.evaluation.budget import DEFAULT, Budget
from bzlgraph.workspace.sources.source import real_path

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class RepositoryOptions:
    """Where the content of repositories may come from, and what repository rules may know. Hashable.

    The names are Bazel's (https://bazel.build/reference/command-line-reference), but ``host_os``, ``host_arch``
    (the nominal host), ``repository_folders`` (folders of checkouts) and ``stay_inside`` (nothing outside the
    checkout is looked for).
    """

    repo_env: tuple[tuple[str, str], ...] = ()
    """The environment of repository rules, --action_env included; later pairs win."""
    host_os: str = "linux"
    host_arch: str = "x86_64"
    distdirs: tuple[Path, ...] = ()
    repository_cache: Path | None = None
    output_base: Path | None = None
    vendor_dir: Path | None = None
    repository_folders: tuple[Path, ...] = ()
    stay_inside: bool = False
    allow_outside: tuple[Path, ...] = ()
    """More folders that paths of the checkout may lead to."""
    registries: tuple[str, ...] = ()
    """URLs of module registries, as given; only ``file:`` ones can be read."""
    override_modules: tuple[tuple[str, Path], ...] = ()
    inject_repositories: tuple[tuple[str, Path], ...] = ()
    ignore_dev_dependency: bool = False
    lockfile_mode: str = "update"
    allow_yanked_versions: tuple[str, ...] = ()
    check_direct_dependencies: str = "warning"
    check_bazel_compatibility: str = "error"
    isolated_extension_usages: bool = False
    use_plus_in_repo_names: bool = False

    def with_places_of(self, other: RepositoryOptions) -> RepositoryOptions:
        """These, with the nominal host and the places that ``other`` names: our own options, which Bazel lacks."""
        return replace(
            self,
            host_os=other.host_os,
            host_arch=other.host_arch,
            output_base=other.output_base,
            repository_folders=other.repository_folders,
            stay_inside=other.stay_inside,
            allow_outside=other.allow_outside,
        )

    @property
    def environment(self) -> dict[str, str]:
        """``repo_env`` by name."""
        return dict(self.repo_env)


@dataclass(frozen=True, slots=True)
class Options:
    """How to open a workspace.

    ``bazel_version`` "" reads a tree as its own files say (``bazel_version.reading``), and tolerantly: what any Bazel
    accepts is accepted.
    ``cache_folder`` None keeps nothing on disk.
    """

    overrides: Mapping[str, Path] = field(default_factory=dict)
    bazel_version: str = ""
    cache_folder: Path | None = None
    jobs: int = 0
    print: Callable[[str, Location], None] = lambda _text, _location: None
    deleted_packages: frozenset[tuple[str, str]] = frozenset()
    """(repository, package) of folders that count as no package: Bazel's --deleted_packages."""
    enable_bzlmod: bool | None = None
    """Whether MODULE.bazel counts (Bazel's --[no]enable_bzlmod); None: if it is there."""
    enable_workspace: bool | None = None
    """Whether WORKSPACE counts (Bazel's --[no]enable_workspace); None: if it is there."""
    repositories: RepositoryOptions = RepositoryOptions()
    autoloads: tuple[str, ...] | None = None
    """What the tree has loaded by itself (``facts.autoloads``); None leaves it to the Bazel."""
    without_autoloads: tuple[str, ...] = ()
    """More repositories in which nothing is loaded by itself: Bazel's --repositories_without_autoloads."""
    budget: Budget = DEFAULT
    """What evaluating one package may take."""
    executor: str = LOCAL
    """Who evaluates packages: processes of this machine, or a cluster (``loading.executors.cluster``)."""
    note: Callable[[str], None] = lambda _text: None
    """Tells what whoever asks should know of the work, which changes no answer."""
    switches: tuple[tuple[str, bool], ...] = ()
    """Options by which the tree chooses what another Bazel does (``facts.switches``), and whether they are on."""
    of_any_build: bool = False
    """Whether sources in no workspace are taken for one that has no packages."""

    def deleted_in(self, repo: str) -> frozenset[str]:
        """The deleted packages of one repository."""
        return frozenset(package for home, package in self.deleted_packages if home == repo)


VERSION_CONTROL = (".git", ".hg")


def checkout_around(root: Path) -> Path | None:
    """The real folder above a workspace that version control made; None when there is none, or it is a home."""
    home = Path(real_path(os.path.expanduser("~")))
    for folder in Path(real_path(root)).parents:
        if any(looks.exists(str(folder / each)) for each in VERSION_CONTROL):
            return folder if folder != home and folder not in home.parents else None
    return None


def reach(root: Path, options: RepositoryOptions, overrides: Iterable[Path] = ()) -> tuple[str, ...]:
    """Where a checkout may be read: the real folders that its links, and paths in its files, may lead to. Whoever wrote
    it chooses those, so they are itself, the folder that version control made around it, and what the user named."""
    named = [root, *overrides, *options.allow_outside]
    named += [folder for _, folder in (*options.override_modules, *options.inject_repositories)]
    if not options.stay_inside:
        around = checkout_around(root)
        named += [*options.repository_folders, *options.distdirs, *filter(None, (options.vendor_dir, around))]
    return tuple(dict.fromkeys(real_path(folder) for folder in named))
