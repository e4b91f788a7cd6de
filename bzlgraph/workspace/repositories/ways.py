"""The ways in which the content of a repository is found, in the order in which they are tried: the first that gives
something wins.

(a repository's name, the rule that defines it, what there is around) -> ``Provision``. ``WAYS`` is the decision table
of docs/repositories.md. Nothing is ever downloaded.
Rules: https://bazel.build/rules/lib/repo/http, /repo/local
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.bazel.files.context import RepositoryCall
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.sources.source import DiskSource, MemorySource, Source
from bzlgraph.workspace.tree import BUILD_FILES, Overlay

LOCAL_RULES = ("local_repository", "new_local_repository", "local_path_override")
ADDITIONAL_FILES_ATTRIBUTES = ("additional_build_files", "link_files")
"""Attributes of repository rules in the wild that map labels to places in the repository (either way round)."""


@dataclass(frozen=True, slots=True)
class Provision:
    """The content of a repository, as one of the ways found it.

    ``known``: whether all its files are known; else what is not there is a gap. ``overlays``: BUILD files put into it,
    by package. ``gaps``, ``problems`` and ``assumptions`` (about the nominal host) belong to whatever comes from it.
    """

    source: Source
    known: bool
    overlays: Mapping[str, Overlay] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the ways may look at. ``overlay`` reads the file that a ``build_file`` names, None when it is not there;
    ``evaluate`` runs a rule, None when its code is not there."""

    root: Path
    overrides: Mapping[str, Path]
    options: RepositoryOptions
    overlay: Callable[[object], Overlay | None]
    evaluate: Callable[[str, RepositoryCall], Provision | None]


Way = Callable[[Surroundings, str, RepositoryCall | None], Provision | None]


def overridden(around: Surroundings, name: str, _call: RepositoryCall | None) -> Provision | None:
    """The folder that ``--override_repository`` gives."""
    folder = around.overrides.get(name)
    return Provision(DiskSource(folder), known=True) if folder is not None else None


def local(around: Surroundings, _name: str, call: RepositoryCall | None) -> Provision | None:
    """The folder that a ``local_repository`` or ``new_local_repository`` names, when it holds anything."""
    return _folder(around, local_folder(around.root, call), call) if call is not None else None


def fetched(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What an earlier Bazel fetched for this checkout: ``bazel-<checkout>/external/NAME``."""
    return _folder(around, around.root / f"bazel-{around.root.name}" / "external" / name, call)


def vendored(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What ``bazel vendor`` left in the checkout: ``vendor/NAME``."""
    return _folder(around, around.root / "vendor" / name, call)


def evaluated(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What the rule of the repository writes when it is run in memory, with the BUILD files that it names."""
    found = around.evaluate(name, call) if call is not None else None
    if found is None:
        return None
    placed = (
        (package, _as_made(found, package, file)) for package, file in _build_files(_placed(around, call)).items()
    )
    return replace(found, overlays={package: file for package, file in placed if file is not None})


def _as_made(found: Provision, package: str, file: Overlay) -> Overlay | None:
    """A BUILD file that the rule names under the name that it has in the repository; None where the rule puts another
    there. Where it is not known how the rule goes on it has the usual name."""
    for name in BUILD_FILES:
        path = f"{package}/{name}" if package else name
        if found.source.is_file(path):
            return replace(file, name=name) if _holds(found.source, path, file.data) else None
    return None if found.known else file


def _holds(source: Source, path: str, data: bytes) -> bool:
    try:
        return source.read(path) == data
    except OSError:
        return False


def laid_over(around: Surroundings, _name: str, call: RepositoryCall | None) -> Provision:
    """The BUILD files that the rule lays over sources that are not on disk: ``@swig//:swig`` has its rules by them."""
    placed = _placed(around, call)
    others = {path: file.data for path, file in placed.items() if not _is_build_file(path)}
    return Provision(MemorySource(others), known=False, overlays=_build_files(placed))


WAYS: Mapping[str, Way] = {
    "overridden": overridden,
    "local": local,
    "fetched": fetched,
    "vendored": vendored,
    "evaluated": evaluated,
    "laid over": laid_over,
}
"""By the name that ``doctor`` and docs/repositories.md tell, in order. The last gives something for all of them."""


def provide(around: Surroundings, name: str, call: RepositoryCall | None) -> tuple[str, Provision]:
    """(the name of the way, the content) of a repository; ``call`` None for one that nobody defines."""
    for way, find in WAYS.items():
        found = find(around, name, call)
        if found is not None:
            return way, found
    raise AssertionError("the last way gives something for every repository")


def local_folder(root: Path, call: RepositoryCall | None) -> Path | None:
    """The folder that a rule for local repositories names, None for other rules."""
    path = call.attributes.get("path") if call is not None and call.rule in LOCAL_RULES else None
    return Path(os.path.normpath(root / path)) if isinstance(path, str) else None


def _folder(around: Surroundings, folder: Path | None, call: RepositoryCall | None) -> Provision | None:
    """A folder with what the rule lays over it; None when it is not there or empty."""
    if folder is None or not _has_files(folder):
        return None
    return Provision(DiskSource(folder), known=True, overlays=_build_files(_placed(around, call)))


def _placed(around: Surroundings, call: RepositoryCall | None) -> dict[str, Overlay]:
    """Files that the repository rule puts into the repository, by their place there."""
    if call is None:
        return {}
    read = ((place, around.overlay(label)) for label, place in _placed_files(call.attributes))
    placed = {place: file for place, file in read if file is not None}
    content = call.attributes.get("build_file_content")
    if isinstance(content, str) and content:
        placed[BUILD_FILES[0]] = Overlay(content.encode(), f"external/{call.name}/{BUILD_FILES[0]}")
    return placed


def _placed_files(attributes: Mapping[str, object]) -> list[tuple[object, str]]:
    """(label, place in the repository) of every file that the rule's attributes put there."""
    placed: list[tuple[object, str]] = []
    for name in ADDITIONAL_FILES_ATTRIBUTES:
        value = attributes.get(name)
        for key, other in value.items() if isinstance(value, dict) else ():
            label, place = (key, other) if _looks_like_label(key) else (other, key)
            placed.append((label, str(place)))
    if attributes.get("build_file"):
        placed.append((attributes["build_file"], BUILD_FILES[0]))
    return placed


def _build_files(placed: Mapping[str, Overlay]) -> dict[str, Overlay]:
    """The BUILD files among them, by package."""
    return {path.rpartition("/")[0]: file for path, file in placed.items() if _is_build_file(path)}


def _has_files(folder: Path) -> bool:
    """Whether a folder is there and holds anything: that of a git submodule nobody fetched is empty."""
    try:
        with os.scandir(folder) as entries:
            return any(True for _ in entries)
    except OSError:
        return False


def _is_build_file(path: str) -> bool:
    return path.rpartition("/")[2] in BUILD_FILES


def _looks_like_label(value: object) -> bool:
    return not isinstance(value, str) or value.startswith(("@", "//", ":"))
