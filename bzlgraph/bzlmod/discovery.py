"""Every version of every module that anybody asks for: breadth-first from the root, overrides applied.

``discover(root, get, overrides, built_in)`` -> ``{ModuleKey: Candidate}``, the root first. ``get`` finds the
MODULE.bazel of a module and version. Versions that lose later are among them: Bazel reads their files, too.

A ``bazel_dep`` with ``repo_name = None`` asks for a version only if something else brings the module in: such
candidates are looked for in further rounds, until nothing new is found.
Rules: ``Discovery.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.bzlmod.module import (
    ROOT,
    Dependency,
    ModuleFile,
    ModuleKey,
    Override,
    RepositoryOverride,
    SingleVersionOverride,
)


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """What is known about a module of some version. ``file`` None: its MODULE.bazel was not found."""

    file: ModuleFile | None
    registry: str = ""
    """The registry that has it, as it was given."""
    yanked: str = ""
    """Why it must not be used any more."""
    problem: str = ""
    """What Bazel says where the file is missing or broken."""
    hint: str = ""
    """What to do about the problem."""
    diagnostics: tuple[Diagnostic, ...] = ()
    gap: Gap | None = None


Get = Callable[[ModuleKey], ModuleSource]


@dataclass(frozen=True, slots=True)
class Request:
    """A dependency as written, and the module it asks for once overrides are applied."""

    written: Dependency
    key: ModuleKey


@dataclass(frozen=True, slots=True)
class Candidate:
    """A module of some version, before selection."""

    key: ModuleKey
    source: ModuleSource
    requests: tuple[Request, ...] = ()
    """What it depends on, built-in modules last."""
    wishes: tuple[Request, ...] = ()
    """What it asks for without depending on it (``repo_name = None``)."""
    chain: tuple[ModuleKey, ...] = ()
    """A way that leads to it from the root, itself at the end."""

    @property
    def compatibility_level(self) -> int | None:
        """Its level; None when its file is not known."""
        return self.source.file.compatibility_level if self.source.file is not None else None


@dataclass(slots=True)
class _Discovery:
    get: Get
    root_name: str
    overrides: Mapping[str, Override]
    built_in: Collection[str]
    locked: Collection[ModuleKey]
    sources: dict[ModuleKey, ModuleSource]
    """Kept over the rounds, so that no file is asked for twice."""

    def round(self, known_names: Collection[str]) -> tuple[dict[ModuleKey, Candidate], set[str]]:
        """The candidates when wishes count for modules of these names; and the names of the wishes that did not."""
        candidates: dict[ModuleKey, Candidate] = {}
        open_wishes: set[str] = set()
        horizon: dict[ModuleKey, tuple[ModuleKey, ...]] = {ROOT: ()}
        while horizon:
            for key, chain in horizon.items():
                candidates[key] = self._candidate(key, (*chain, key))
            ahead: dict[ModuleKey, tuple[ModuleKey, ...]] = {}
            for candidate in [candidates[key] for key in horizon]:
                granted = [wish for wish in candidate.wishes if wish.key.name in known_names]
                open_wishes |= {wish.key.name for wish in candidate.wishes} - {wish.key.name for wish in granted}
                wanted = [request.key for request in (*candidate.requests, *granted)]
                for key in (*wanted, *(self.locked if candidate.key == ROOT else ())):
                    if key not in candidates:
                        ahead.setdefault(key, candidate.chain)
            horizon = ahead
        return candidates, open_wishes

    def _candidate(self, key: ModuleKey, chain: tuple[ModuleKey, ...]) -> Candidate:
        if key not in self.sources:
            self.sources[key] = self.get(key)
        source = self.sources[key]
        written = source.file.dependencies if source.file is not None else ()
        own = (Dependency(name, "", name) for name in self.built_in if name != key.name)
        visible = (*(each for each in written if each.repo_name is not None), *own)
        return Candidate(
            key,
            source,
            self._requests(visible),
            self._requests(each for each in written if each.repo_name is None),
            chain,
        )

    def _requests(self, written: Iterable[Dependency]) -> tuple[Request, ...]:
        return tuple(Request(each, self._overridden(each)) for each in written)

    def _overridden(self, dependency: Dependency) -> ModuleKey:
        if dependency.name == self.root_name:
            return ROOT
        override = self.overrides.get(dependency.name)
        if isinstance(override, RepositoryOverride) or dependency.name in self.built_in:
            return ModuleKey(dependency.name, "")
        if isinstance(override, SingleVersionOverride) and override.version:
            return ModuleKey(dependency.name, override.version)
        return dependency.key


def discover(
    root: ModuleFile,
    get: Get,
    overrides: Mapping[str, Override],
    built_in: Collection[str],
    locked: Collection[ModuleKey] = (),
) -> dict[ModuleKey, Candidate]:
    """All candidates, breadth-first, ``locked`` ones among them whoever asks for them."""
    discovery = _Discovery(get, root.name, overrides, built_in, locked, {ROOT: ModuleSource(root)})
    names: set[str] = {root.name}
    while True:
        candidates, open_wishes = discovery.round(names)
        names = {key.name for key in candidates}
        if not open_wishes & names:
            return candidates
