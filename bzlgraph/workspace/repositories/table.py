"""All repositories of a workspace by canonical name; the content of each is found when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import UNKNOWN_REPOSITORY, Label, LabelError, RepoMapping, is_modular, parse
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.starlark.evaluation.watchdog import apart
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.on_disk import Disk, fetch_of_submodule
from bzlgraph.workspace.repositories.provision import Definition, Provision, RepoFile, Surroundings
from bzlgraph.workspace.repositories.ways import local_folder, provide
from bzlgraph.workspace.sources.source import MemorySource, Source
from bzlgraph.workspace.tree import Overlay, RepositoryTree, ignored_folders


@dataclass(slots=True)
class Repository:
    """A repository: its files, and whether its sources are on disk. ``call`` is the rule that defines it.

    ``way``: how the content was found (``ways.WAYS``). ``gaps`` and ``problems`` are those of its rule.
    """

    name: str
    tree: RepositoryTree
    call: RepositoryCall | None = None
    way: str = ""
    gaps: tuple[Gap, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    assumptions: tuple[str, ...] = ()
    place: str = ""
    """Where it lies, and by what it was found there, for people."""
    canonical: str = ""
    defaults: Mapping[str, object] = field(default_factory=dict)
    """What REPO.bazel says: arguments of ``package()`` for each package that has none of its own."""

    rules: tuple[str, ...] = ()
    """Names in its BUILD files that are rules of which no more is known."""
    lacks: str = ""
    """Why files of it may be missing, for people."""
    refused: str = ""
    """Why its folder is not looked into, for people."""

    def __post_init__(self) -> None:
        self.canonical = self.canonical or self.name

    @property
    def present(self) -> bool:
        """Whether the sources are on disk."""
        return self.tree.known

    @property
    def guessed(self) -> bool:
        """Whether its rule asked something unknown which way to go: what it wrote may be wrong, and fail."""
        return any(gap.kind == GapKind.CHOICE.value for gap in self.gaps)

    def path_of(self, inside: str) -> str:
        """The path people know a file under: workspace-relative, ``external/REPO/...`` for other repositories."""
        return f"external/{self.canonical}/{inside}" if self.name else inside


@dataclass(slots=True)
class Repositories:
    """All repositories of a workspace, made when first asked for."""

    root: Path
    main: Repository
    overrides: Mapping[str, Path]
    """By canonical name, as Bazel takes them."""
    calls: Mapping[str, RepositoryCall]
    mapping: RepoMapping
    own_name: Callable[[], str] = lambda: ""
    """The name WORKSPACE gives itself: in Bazel 0.x not the main repository, but one with the same files."""
    deleted_in: Callable[[str], frozenset[str]] = lambda _name: frozenset()
    """The packages of a repository that count as deleted."""
    options: RepositoryOptions = field(default_factory=RepositoryOptions)
    evaluate: Callable[[str, RepositoryCall], Provision | None] = lambda _name, _call: None
    """Runs the rule that a call names; None when its code is not there."""
    recorded: Callable[[str, RepositoryCall | None], Provision | None] = lambda _name, _call: None
    """What Bazel itself writes for every workspace."""
    store: Store = field(default_factory=lambda: Store(None, READINGS))
    """Where it is kept what was read of archives."""
    repo_file: Callable[[Source, str, str], RepoFile] = lambda _source, _name, _canonical: RepoFile()
    """Reads the REPO.bazel of a repository, given by name and canonical name."""
    define: Callable[[str, RepositoryCall | None], Definition] = lambda _name, call: Definition(call)
    """What defines a repository of a module extension, which is run for that; other calls stay as they are."""
    _made: dict[str, Repository] = field(default_factory=dict)
    _disk: Disk | None = None

    @property
    def disk(self) -> Disk:
        """What lies on the user's disk for this checkout."""
        if self._disk is None:
            self._disk = Disk(self.root, self.options, self.store)
        return self._disk

    def get(self, name: str) -> Repository:
        """The repository of a canonical name; one that nobody defines is absent and empty."""
        if not name:
            return self.main
        if name == self.own_name() and name not in self.overrides:
            return self._made.setdefault(name, Repository(name, self.main.tree))
        if name.startswith(UNKNOWN_REPOSITORY):
            return self._made.setdefault(name, Repository(name, RepositoryTree(MemorySource({}))))
        made = self._made.get(name)
        call = self.calls.get(name)
        # WORKSPACE may ask for a repository before the line that defines it: look again once there is a definition.
        if made is None or (made.call is None and call is not None):
            made = self._made[name] = self._make(name, call)
        return made

    def trees(self, canonical: str) -> Provision | None:
        """What is on disk under the canonical name of a repository that nothing is known of; None for nothing."""
        _, found = provide(self._around(canonical), canonical, None)
        return found if found.known else None

    def made(self) -> list[Repository]:
        """The repositories that were asked for so far, by name."""
        return [repository for _, repository in sorted(self._made.items())]

    def overrides_of_nothing(self) -> Iterator[tuple[str, str]]:
        """(name, canonical name) where an override names what the main repository calls so, which Bazel ignores."""
        meant = {name: self.mapping("", name) for name in sorted(self.overrides)}
        seen = {name: repo for name, repo in meant.items() if not repo.startswith(UNKNOWN_REPOSITORY)}
        known = ((name, self.mapping.canonical(repo)) for name, repo in seen.items())
        return ((name, canonical) for name, canonical in known if name != canonical and is_modular(canonical))

    def local_folders(self, calls: Mapping[str, RepositoryCall]) -> dict[str, str]:
        """Folders inside the workspace that are repositories of WORKSPACE, with their names: no packages of ours."""
        inside: dict[str, str] = {}
        for name, call in calls.items():
            if call.rule == "local_repository" and (folder := local_folder(self.root, call)) is not None:
                relative = os.path.relpath(folder, self.root)
                if not relative.startswith("..") and relative != ".":
                    inside.setdefault(relative.replace(os.sep, "/"), name)
        return inside

    def fetch_of_submodule(self, repository: Repository) -> str:
        """The command that fetches the folder of a repository if git has it in a submodule, "" if not."""
        folder = local_folder(self.root, repository.call)
        relative = os.path.relpath(folder, self.root) if folder is not None else ""
        return fetch_of_submodule(self.main.tree.source, relative) if relative else ""

    def definition(self, name: str) -> Definition:
        """What defines a repository; its extension is run for that."""
        return self.define(name, self.calls.get(name))

    def _make(self, name: str, call: RepositoryCall | None) -> Repository:
        with apart():
            return self._provided(name, call)

    def _provided(self, name: str, call: RepositoryCall | None) -> Repository:
        defined, canonical = self.define(name, call), self.mapping.canonical(name)
        if defined.problems:
            tree = RepositoryTree(MemorySource({}))
            return Repository(name, tree, defined.call, "", defined.gaps, defined.problems, canonical=canonical)
        way, found = provide(self._around(name), canonical, defined.call)
        ignored = ignored_folders(found.source) if found.known else frozenset()
        tree = RepositoryTree(
            found.source, known=found.known, overlays=found.overlays, ignored=ignored, deleted=self.deleted_in(name)
        )
        own = self.repo_file(found.source, name, canonical)
        tree.ignored_patterns = own.ignored
        # A hub that is known by its lock file needs no reasons why its extension could not be run.
        told = found.gaps if way == "pinned" else (*defined.gaps, *found.gaps)
        gaps = tuple(replace(gap, repository=gap.repository or name) for gap in told)
        call = found.call or defined.call
        return Repository(
            *(name, tree, call, way, gaps, (*found.problems, *own.problems)),
            *(found.assumptions, found.place, canonical, own.defaults, found.rules, found.lacks),
            refused=found.refused,
        )

    def _around(self, name: str) -> Surroundings:
        """What the ways may look at."""

        def evaluate(_canonical: str, call: RepositoryCall) -> Provision | None:
            return self.evaluate(name, call)

        return Surroundings(
            self.root, self.overrides, self.options, self._read_overlay, evaluate, self.recorded, self.disk
        )

    def _read_overlay(self, value: object) -> Overlay | None:
        """The file a ``build_file`` names, by label or, as old native rules allowed, by path."""
        text = value if isinstance(value, str) else str(value)
        try:
            label = self._overlay_label(text)
            home = self.get(label.repo)
            return Overlay(home.tree.source.read(label.path), home.path_of(label.path))
        except (LabelError, OSError):
            return None

    def _overlay_label(self, text: str) -> Label:
        if text.startswith(("@", "/", ":")):
            return parse(text, "", "", self.mapping)
        package = self.main.tree.package_of(text) or ""
        return Label("", package, text[len(package) + 1 :] if package else text)
