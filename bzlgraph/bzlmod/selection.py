"""Which version of each module holds: minimal version selection, as Bazel does it.

``select(candidates, overrides)`` -> ``Selection``: the modules that are reached from the root with the versions that
hold, breadth-first, where each request leads, and what Bazel refuses.

Rules
- The highest version that anybody asks for holds, one for each module and compatibility level.
- ``multiple_version_override`` splits further: a request goes to the nearest allowed version that is not lower.
- ``max_compatibility_level`` lets a request be met by a higher level: all combinations are tried, lowest levels first,
  until one has no conflict.
- Two levels of one module, or a version that is not allowed, that can be reached from the root are errors.
``Selection.java`` of Bazel's package ``bazel.bzlmod``. Where Bazel ends with an error we keep the first combination
and say the error. The level of a module whose file is not known is taken for that of its nearest version.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.bzlmod.discovery import Candidate, Request
from bzlgraph.bzlmod.module import ROOT, ModuleKey, MultipleVersionOverride, Override
from bzlgraph.bzlmod.version import highest, version_key

MOST_COMBINATIONS = 1_000
"""Of ``max_compatibility_level``; each costs a walk over the graph, and a file can ask for any number of them."""


class _Group(NamedTuple):
    """Modules of which one version holds. ``allowed`` "" with an override: no version is allowed that is this high."""

    name: str
    level: int
    allowed: str


class _Spec(NamedTuple):
    """A request as it is met: equal ones lead to the same version."""

    key: ModuleKey
    max_level: int


Strategy = Mapping[_Spec, ModuleKey]


@dataclass(frozen=True, slots=True)
class Selection:
    """The outcome. ``order`` holds the modules that are used, the root first."""

    order: tuple[ModuleKey, ...]
    targets: Mapping[_Spec, ModuleKey]
    problems: tuple[Diagnostic, ...] = ()

    def target(self, request: Request) -> ModuleKey:
        """The module that a request leads to."""
        return self.targets[_spec(request)]


def select(
    candidates: Mapping[ModuleKey, Candidate],
    overrides: Mapping[str, Override],
    *,
    levels_count: bool = True,
    locked: Iterable[ModuleKey] = (),
) -> Selection:
    """The versions that hold among the candidates; newer Bazels do not ask for compatibility levels.

    A module of ``locked`` is used even if nobody is known to ask for it.
    """
    levels = _levels(candidates) if levels_count else dict.fromkeys(candidates, 0)
    return _Selector(candidates, overrides, levels, tuple(locked)).select()


def _spec(request: Request) -> _Spec:
    return _Spec(request.key, request.written.max_compatibility_level)


@dataclass(slots=True)
class _Selector:
    candidates: Mapping[ModuleKey, Candidate]
    overrides: Mapping[str, Override]
    levels: Mapping[ModuleKey, int]
    locked: tuple[ModuleKey, ...]
    groups: dict[ModuleKey, _Group] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def select(self) -> Selection:
        allowed = self._allowed_versions()
        self.groups = {key: self._group(key, allowed) for key in self.candidates}
        held: dict[_Group, str] = {}
        for key, group in self.groups.items():
            held[group] = highest((key.version, held[group])) if group in held else key.version
        choices = self._choices(held)
        first: Selection | None = None
        for strategy in _strategies(choices):
            order, problems = self._walk(strategy)
            outcome = Selection(order, strategy, (*self.problems, *problems))
            if not problems:
                return outcome
            first = first or outcome
        assert first is not None  # there is at least one strategy
        return first

    def _allowed_versions(self) -> dict[tuple[str, int], list[str]]:
        """(name, level) -> the versions that a multiple_version_override allows, lowest first."""
        allowed: dict[tuple[str, int], list[str]] = {}
        for name, override in self.overrides.items():
            for version in override.versions if isinstance(override, MultipleVersionOverride) else ():
                level = self.levels.get(ModuleKey(name, version))
                if level is None:
                    message = (
                        f"multiple_version_override for module {name} contains version {version}, but it doesn't exist "
                        "in the dependency graph"
                    )
                    self.problems.append(Diagnostic(message, override.location))
                else:
                    allowed.setdefault((name, level), []).append(version)
        return {key: sorted(versions, key=version_key) for key, versions in allowed.items()}

    def _group(self, key: ModuleKey, allowed: Mapping[tuple[str, int], Sequence[str]]) -> _Group:
        level = self.levels[key]
        versions = allowed.get((key.name, level), ())
        own = version_key(key.version)
        return _Group(key.name, level, next((each for each in versions if version_key(each) >= own), ""))

    def _choices(self, held: Mapping[_Group, str]) -> dict[_Spec, list[ModuleKey]]:
        """What each request can be met by, lowest level first."""
        choices: dict[_Spec, list[ModuleKey]] = {}
        by_name: dict[str, list[_Group]] = {}
        for group in held:
            by_name.setdefault(group.name, []).append(group)
        for candidate in self.candidates.values():
            for request in candidate.requests:
                spec = _spec(request)
                if spec not in choices:
                    choices[spec] = self._versions(spec, by_name[spec.key.name], held)
        return choices

    def _versions(self, spec: _Spec, groups: Sequence[_Group], held: Mapping[_Group, str]) -> list[ModuleKey]:
        own = self.groups[spec.key]
        most = own.level if spec.max_level < 0 else spec.max_level
        asked = version_key(spec.key.version)
        lowest: dict[int, str] = {}
        for group in groups:
            if own.level <= group.level <= most and version_key(group.allowed) >= asked:
                versions = [each for each in (lowest.get(group.level), held[group]) if each is not None]
                lowest[group.level] = min(versions, key=version_key)
        return [ModuleKey(spec.key.name, lowest[level]) for level in sorted(lowest)] or [spec.key]

    def _walk(self, strategy: Strategy) -> tuple[tuple[ModuleKey, ...], list[Diagnostic]]:
        """What is reached from the root, and the conflicts met on the way."""
        problems: list[Diagnostic] = []
        reached: dict[ModuleKey, tuple[ModuleKey, Request] | None] = {ROOT: None}
        by_name: dict[str, ModuleKey] = {}
        queue, locked = deque([ROOT]), deque(self.locked)
        while queue or locked:
            if not queue:
                extra = locked.popleft()
                if extra in self.candidates and all(extra.name != key.name for key in reached):
                    reached[extra] = None
                    queue.append(extra)
                continue
            key = queue.popleft()
            problems += self._conflicts(key, reached, by_name)
            problems += self._twice(key, strategy)
            for request in self.candidates[key].requests:
                target = strategy[_spec(request)]
                if target not in reached:
                    reached[target] = (key, request)
                    queue.append(target)
        return tuple(reached), problems

    def _conflicts(
        self,
        key: ModuleKey,
        reached: Mapping[ModuleKey, tuple[ModuleKey, Request] | None],
        by_name: dict[str, ModuleKey],
    ) -> Iterator[Diagnostic]:
        asker = reached[key]
        if asker is None:
            return
        override = self.overrides.get(key.name)
        if isinstance(override, MultipleVersionOverride):
            if not self.groups[key].allowed:
                allowed = ", ".join(override.versions)
                message = (
                    f"{asker[0]} depends on {key} which is not allowed by the multiple_version_override on {key.name}, "
                    f"which allows only [{allowed}]"
                )
                yield Diagnostic(message, asker[1].written.location, notes=(Note("the override", override.location),))
            return
        other = by_name.setdefault(key.name, key)
        other_asker = reached[other]
        if other != key and other_asker is not None:
            message = (
                f"{asker[0]} depends on {key} with compatibility level {self.levels[key]}, but {other_asker[0]} "
                f"depends on {other} with compatibility level {self.levels[other]} which is different"
            )
            yield Diagnostic(
                message, asker[1].written.location, notes=(Note("the other one", other_asker[1].written.location),)
            )

    def _twice(self, key: ModuleKey, strategy: Strategy) -> Iterator[Diagnostic]:
        """A module must not see one version of another under two names."""
        seen: dict[ModuleKey, Request] = {}
        for request in self.candidates[key].requests:
            target = strategy[_spec(request)]
            before = seen.setdefault(target, request)
            if before is not request:
                names = f"{request.written.repo_name} and {before.written.repo_name}"
                message = (
                    f"{key} depends on {target} at least twice (with repo names {names}). Consider adding a "
                    f"multiple_version_override if you want to depend on multiple versions of {target.name} "
                    "simultaneously"
                )
                yield Diagnostic(message, request.written.location, notes=(Note("the first", before.written.location),))


def _strategies(choices: Mapping[_Spec, Sequence[ModuleKey]]) -> Iterator[Strategy]:
    """The combinations of choices, the last request's choice changing fastest."""
    specs = list(choices)
    for combination in islice(product(*choices.values()), MOST_COMBINATIONS):
        yield dict(zip(specs, combination, strict=True))


def _levels(candidates: Mapping[ModuleKey, Candidate]) -> dict[ModuleKey, int]:
    """The compatibility level of every candidate."""
    known: dict[str, dict[str, int]] = {}
    for key, candidate in candidates.items():
        if candidate.compatibility_level is not None:
            known.setdefault(key.name, {})[key.version] = candidate.compatibility_level
    return {key: _nearest_level(key, known.get(key.name, {})) for key in candidates}


def _nearest_level(key: ModuleKey, levels: Mapping[str, int]) -> int:
    if key.version in levels:
        return levels[key.version]
    own = version_key(key.version)
    higher = sorted((each for each in levels if version_key(each) > own), key=version_key)
    lower = sorted((each for each in levels if version_key(each) < own), key=version_key)
    return levels[higher[0]] if higher else levels[lower[-1]] if lower else 0
