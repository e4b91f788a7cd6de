"""The loader: packages on demand, each evaluated once, and all of them (in parallel) when a question needs them.

It is the ``GraphSource`` that graphs grow from. The loader and the graph builder are the only holders of mutable state
above the workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, Target
from bzlgraph.cache import counters
from bzlgraph.loading.codec import Decoder, Encoder
from bzlgraph.loading.evaluate import EvaluationResult, evaluate_package, is_refused_link, refused_link
from bzlgraph.loading.executors import Executor, start_local
from bzlgraph.loading.external import PACKAGE, external_package
from bzlgraph.loading.missing import MissingPackages
from bzlgraph.loading.own_repositories import build_file_name, stand_in
from bzlgraph.loading.package_cache import Digests, PackageCache, open_package_cache
from bzlgraph.loading.stored_package import EncodedPackage, PackageId, StoredPackage
from bzlgraph.workspace.options import LOCAL
from bzlgraph.workspace.program_cache import import_compiler
from bzlgraph.workspace.workspace import Workspace

if TYPE_CHECKING:
    from bzlgraph.loading.executors.cluster import Cluster
    from bzlgraph.workspace.written_names import WrittenNames

WORTH_A_POOL = 24
"""Fewer packages than this are evaluated here: starting processes costs more."""
WRITTEN_AT_ONCE = 64
"""Packages that wait in memory to be written to the cache."""
MADE_BY_BAZEL = frozenset({("", "tools/defaults")})
"""Packages that old Bazels make up while running, whatever is on disk: their targets are options of a command line."""


@dataclass(slots=True)
class Loader:
    """Packages of a workspace."""

    workspace: Workspace
    cache: PackageCache | None = None
    cluster: Cluster | None = None
    listed: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The packages at or below folders that were asked for, by repository and folder."""
    versions: dict[PackageId, bytes] = field(default_factory=dict)
    """Those of the packages that are kept on disk."""
    progress: Callable[[int, int], None] = lambda _done, _total: None
    """Told of packages that were not loaded before: how many of those asked for are there."""
    _packages: dict[PackageId, Package | None] = field(default_factory=dict)
    _encoder: Encoder = field(default_factory=Encoder)
    _decoder: Decoder = field(default_factory=Decoder)
    _workers: Executor[PackageId, EncodedPackage] | None = None
    _missing: MissingPackages | None = None
    _wanted: list[PackageId] = field(default_factory=list)
    """What was asked for and is not begun."""
    _left: set[PackageId] = field(default_factory=set)
    """What was asked for and is not there."""
    _coming: Iterator[PackageId] | None = None
    """What was asked for, as it comes; None when all is there."""

    def __post_init__(self) -> None:
        if self.workspace.repositories.main.tree.build_file(PACKAGE) is None:
            counts = self.workspace.options.enable_workspace is not False
            self._packages["", PACKAGE] = external_package(self.workspace.context, self.workspace.facts, counts)

    def package(self, repo: str, name: str) -> Package | None:
        """The package, evaluated on first use; None when its repository is not on disk.

        Raises LoadProblem when the folder is no package.
        """
        package = self.find(repo, name)
        if package is None and self.workspace.repository(repo).present and (repo, name) not in MADE_BY_BAZEL:
            raise LoadProblem(self.missing(repo, name))
        return package

    def find(self, repo: str, name: str) -> Package | None:
        """The package, None when there is no such package for whatever reason."""
        key = (repo, name)
        if key not in self._packages:
            self._want([key])
            if self._workers is not None:
                self._workers.hurry(key, self._wanted)  # whoever asks works on others that are there after this one
            self._wait_for(key)
        return self._packages[key]

    def close(self) -> None:
        """End the worker processes; a question that needs some starts them again."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def state(self, key: PackageId) -> bytes:
        """A key for what is made of a package that was loaded; "" of one that is not kept on disk."""
        version = self.versions.get(key)
        return self.cache.place(key) + version if self.cache is not None and version is not None else b""

    def in_turn(self, keys: Iterable[PackageId]) -> Iterator[PackageId]:
        """Load many packages: from the cache, else evaluated, in parallel where that pays. The keys in order, each once
        its package is there: whoever asks works on it while others are evaluated. A list may grow meanwhile."""
        ordered = keys if isinstance(keys, list) else list(keys)
        seen: dict[PackageId, None] = {}
        asked = 0
        for key in ordered:
            if asked < len(ordered):
                self._want(ordered[asked:])
                asked = len(ordered)
            if key not in seen:
                seen[key] = None
                self._wait_for(key)
                yield key

    def _want(self, keys: Iterable[PackageId]) -> None:
        """Ask for packages."""
        for key in keys:
            if key not in self._packages and key not in self._left and not self._from_cache(key):
                self._left.add(key)
                self._wanted.append(key)
        if self._left and self._coming is None:
            self._coming = self._load()

    def _wait_for(self, key: PackageId) -> None:
        """Wait until a package is there that was asked for; with the last one, until it is kept."""
        while self._coming is not None and (key not in self._packages or not self._left):
            next(self._coming, None)

    def _load(self) -> Iterator[PackageId]:
        """Load what was asked for, and will be meanwhile: each, as it comes."""
        try:
            yield from self._keep(self._evaluated())
            if self._workers is not None and self.cluster is None and self._has_the_checkout():
                self.close()  # what may still come is of other repositories: the graph needs their memory more
        finally:
            self._coming = None
            self._left.clear()
            self._wanted.clear()

    def _evaluated(self) -> Iterator[tuple[PackageId, Package | EncodedPackage]]:
        """The packages that are wanted, as they are evaluated."""
        while self._wanted:
            # Once there are workers they get everything: they know the .bzl files, this process does not.
            worth = self._workers is not None or len(self._wanted) >= WORTH_A_POOL
            if worth and (workers := self._start_workers()) is not None:
                for key, encoded in workers.results(self._wanted):
                    yield key, self.encoded(key) if encoded is None else encoded
            else:
                key = self._wanted.pop(0)
                yield key, self._evaluate(key)

    def _has_the_checkout(self) -> bool:
        """Whether somebody has asked for all packages of the checkout, and all are there."""
        names = self.listed.get("", {}).get("")
        return names is not None and all(("", name) in self._packages for name in names)

    def target(self, label: Label) -> Target | None:
        """The target of a label, None when it does not exist."""
        package = self.find(label.repo, label.package)
        return package.targets.get(label.name) if package is not None else None

    def packages_below(self, repo: str, prefix: str) -> list[str]:
        """Names of all packages at or below a folder of a repository, sorted."""
        known = self.listed.setdefault(repo, {})
        if prefix not in known:
            known[prefix] = list(self.workspace.repository(repo).tree.packages_below(prefix))
        return known[prefix]

    def written_names(self) -> WrittenNames:
        """The names in the checkout, as its folders and the texts of its BUILD files tell."""
        from bzlgraph.workspace.written_names import written_names  # asked where a name is in doubt only

        return written_names(self.workspace.repository("").tree)

    def build_file(self, repo: str, package: str) -> str | None:
        """The name of a package's BUILD file, None when the folder is no package."""
        known = self._packages.get((repo, package))
        if known is not None:
            return known.build_file.name
        repository = self.workspace.repository(repo)
        if repository.present:
            return repository.tree.build_file(package)
        return repository.tree.build_file(package) or build_file_name(
            repo, package, self.workspace.facts, self.workspace.bzl_loader.mapping
        )

    def is_file(self, label: Label) -> bool:
        """Whether there is a file where a label would be one."""
        repository = self.workspace.repository(label.repo)
        return repository.present and repository.tree.source.is_file(label.path)

    def repositories(self) -> Collection[str]:
        """The repositories that WORKSPACE, a module, an option or Bazel itself defines, as labels name them."""
        from bzlgraph.facts.modules import module_facts  # asked where a name is in doubt only

        workspace = self.workspace
        built_in = module_facts(workspace.facts.version).workspace_names if workspace.names.workspace_counts else ()
        return workspace.names.defined().union(workspace.options.overrides, built_in)

    def loaded(self) -> list[Package]:
        """Every package evaluated so far, by repository and name."""
        return [package for _, package in sorted(self._packages.items()) if package is not None]

    def refused_links(self) -> list[Gap]:
        """The links out of the checkout in what was asked for: in the folders of packages, in what packages listed of
        their own, and where packages were looked for.

        Others were met only if this very process evaluated: no answer may depend on which one did.
        """
        main = self.workspace.repositories.main
        folders = {name for repo, name in self._packages if not repo}
        walked = tuple(f"{prefix}/" if prefix else "" for prefix in self.listed.get("", {}))
        met = (
            refused_link(main, link, target)
            for link, target in main.tree.refused()
            if link.rpartition("/")[0] in folders or link.startswith(walked)
        )
        listed = (gap for package in self.loaded() if not package.repo for gap in package.gaps)
        return sorted({*met, *filter(is_refused_link, listed)}, key=lambda gap: gap.what)

    def has_build_file(self, package: Package) -> bool:
        """Whether a BUILD file stands behind a package: not so for //external and what is built into Bazel."""
        return self.workspace.repository(package.repo).tree.build_file(package.name) is not None

    def missing(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package, and what may have been meant."""
        return self._missing_packages().why(repo, name)

    def absent(self, repo: str, name: str) -> Gap:
        """What is not known where a package is asked for whose repository is not on disk."""
        return self._missing_packages().gap(repo, name)

    def _missing_packages(self) -> MissingPackages:
        if self._missing is None:
            self._missing = MissingPackages(self.workspace, self.packages_below)
        return self._missing

    def _from_cache(self, key: PackageId) -> bool:
        """Take a package from the cache, or note that there is none of that name."""
        repo, name = key
        repository = self.workspace.repository(repo)
        absent = repository.tree.build_file(name) is None
        if absent or key in MADE_BY_BAZEL:
            brought = not repository.present or key in MADE_BY_BAZEL
            made = stand_in(repo, name, self.workspace.facts, self.workspace.bzl_loader.mapping) if brought else None
            if absent or made is not None:
                self._packages[key] = made
                return True
        stored = self.cache.read(key) if self.cache is not None else None
        if stored is None:
            return False
        counters.count(counters.UNPACKED)
        self.versions[key] = stored.version()
        self._packages[key] = self._decoder.package(stored.data)
        return True

    def _keep(self, results: Iterable[tuple[PackageId, Package | EncodedPackage]]) -> Iterator[PackageId]:
        """Remember packages as they come, and write those that are new to the cache."""
        rows: list[tuple[PackageId, StoredPackage]] = []
        done = 0
        for key, result in results:
            self.progress(done, done + len(self._left))
            done += 1
            counters.count(counters.EVALUATED)
            if isinstance(result, Package):
                self._packages[key] = result
            else:
                self._packages[key] = self._decoder.package(result.stored.data)
                self.workspace.bzl_loader.programs.give(result.compiled)
                if result.lasting:
                    self.versions[key] = result.stored.version()
                    rows.append((key, result.stored))
            if len(rows) >= WRITTEN_AT_ONCE:
                self._write(rows)
                rows.clear()
            self._left.discard(key)
            yield key
        self._write(rows)
        self.progress(done, done)

    def _write(self, rows: Sequence[tuple[PackageId, StoredPackage]]) -> None:
        """Write packages to the cache, and the programs that were made for them."""
        if self.cache is not None and rows:
            self.cache.write(rows)
        self.workspace.bzl_loader.programs.flush()

    def _evaluate(self, key: PackageId) -> Package | EncodedPackage:
        """Evaluate a package in this process; encoded when a cache wants it."""
        return self.encoded(key) if self.cache is not None else self._fresh(key).package

    def _evaluate_apart(self, key: PackageId) -> EncodedPackage:
        """Evaluate and encode a package: what is done by several processes."""
        encoded = self.encoded(key)
        return encoded._replace(compiled=self.workspace.bzl_loader.programs.take())

    def _weight(self, key: PackageId) -> int:
        """How long evaluating a package may take, compared with others."""
        repo, name = key
        return self.workspace.repository(repo).tree.build_file_size(name)

    def encoded(self, key: PackageId) -> EncodedPackage:
        """Evaluate a package and encode it."""
        fresh = self._fresh(key)
        inputs = self.cache.digests.inputs(fresh.package, fresh.listing_used) if self.cache is not None else ()
        stored = StoredPackage(inputs, self._encoder.encode(fresh.package))
        return EncodedPackage(stored, not fresh.over_budget)

    def _fresh(self, key: PackageId) -> EvaluationResult:
        repo, name = key
        return evaluate_package(self.workspace, self.workspace.repository(repo), name)

    def _start_workers(self) -> Executor[PackageId, EncodedPackage] | None:
        if self._workers is None:
            if self.cluster is None:
                import_compiler()
                self._workers = start_local(self._evaluate_apart, self.workspace.options.jobs, self._weight)
            else:
                from bzlgraph.loading.executors.dask import join  # most questions are asked on one machine

                digests = self.cache.digests if self.cache is not None else Digests(self.workspace)
                self._workers = join(self.cluster, digests)
        return self._workers


def open_loader(workspace: Workspace) -> Loader:
    """A loader with the package cache and the executor that the workspace's options name. Raises UsageProblem for a
    cluster that cannot be used."""
    cluster = None
    if workspace.options.executor != LOCAL:
        from bzlgraph.loading.executors.cluster import checked_cluster

        cluster = checked_cluster(workspace.options)
    return Loader(workspace, open_package_cache(workspace), cluster)
