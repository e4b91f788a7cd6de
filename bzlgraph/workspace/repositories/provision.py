"""What a way of finding a repository gives, and what it may look at; and the BUILD files that a rule lays over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.words import utf8
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.facts.native import WORKSPACE_RULES
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.on_disk import Disk
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.sources.virtual_tree import VirtualTree
from bzlgraph.workspace.tree import BOUNDARY_FILES, BUILD_FILES, Overlay

ADDITIONAL_FILES_ATTRIBUTES = ("additional_build_files", "link_files")
"""Attributes of repository rules in the wild that map labels to places in the repository (either way round)."""
WORKSPACE = BOUNDARY_FILES[-1]


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
    place: str = ""
    """Where it lies, and by what it was found there, for people."""
    rules: tuple[str, ...] = ()
    """Names in its BUILD files that are rules of which no more is known."""
    call: RepositoryCall | None = None
    """What defines it, where the way tells that better."""
    lacks: str = ""
    """Why files of it may be missing, for people: what its rule downloads or runs."""
    refused: str = ""
    """Why the folder that its rule names is not looked into, for people."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the ways may look at. ``overlay`` reads the file that a ``build_file`` names, None when it is not there;
    ``evaluate`` runs a rule, None when its code is not there; ``recorded`` has what Bazel itself writes."""

    root: Path
    overrides: Mapping[str, Path]
    options: RepositoryOptions
    overlay: Callable[[object], Overlay | None]
    evaluate: Callable[[str, RepositoryCall], Provision | None]
    recorded: Callable[[str, RepositoryCall | None], Provision | None]
    disk: Disk


@dataclass(frozen=True, slots=True)
class Definition:
    """What defines a repository, and what is said of how it was found."""

    call: RepositoryCall | None
    gaps: tuple[Gap, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class RepoFile:
    """What REPO.bazel says: ``defaults`` are arguments of ``package()``; ``ignored`` folders, or patterns of folders,
    that do not exist.
    """

    defaults: Mapping[str, object] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


Way = Callable[[Surroundings, str, RepositoryCall | None], Provision | None]


def placed_files(around: Surroundings, call: RepositoryCall | None) -> dict[str, Overlay]:
    """Files that the repository rule puts into the repository, by their place there."""
    if call is None:
        return {}
    read = ((place, around.overlay(label)) for label, place in _labels_of_files(call.attributes))
    placed = {place: file for place, file in read if file is not None}
    content = call.attributes.get("build_file_content")
    native = call.bzl is None and call.rule in WORKSPACE_RULES
    if isinstance(content, str) and (content or native):  # rules of .bzl files ask whether there is any text
        placed[BUILD_FILES[0]] = Overlay(utf8(content), f"external/{call.name}/{BUILD_FILES[0]}")
    return placed


def _labels_of_files(attributes: Mapping[str, object]) -> list[tuple[object, str]]:
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


def build_files(placed: Mapping[str, Overlay]) -> dict[str, Overlay]:
    """The BUILD files among them, by package."""
    return {path.rpartition("/")[0]: file for path, file in placed.items() if is_build_file(path)}


def mark_root(tree: VirtualTree, marks: Sequence[str], text: str = "") -> None:
    """Write what Bazel adds to a repository that has no file of that kind; ``text`` is for a WORKSPACE of Bazels that
    add nothing else. Raises OSError for what is no folder."""
    if not any(tree.is_file(each) for each in BOUNDARY_FILES):
        for mark in marks:
            tree.write(mark, utf8(text) if mark == WORKSPACE == marks[0] else b"")


def repository_marks(call: RepositoryCall) -> Sequence[str]:
    """The files that make a folder a repository, in the Bazel that a call is for."""
    return call.home.facts.repository_marks if call.home is not None else (WORKSPACE,)


def workspace_text(rule: str, name: str) -> str:
    """The WORKSPACE that Bazel writes into a repository that a rule makes."""
    comment = f"# DO NOT EDIT: automatically generated WORKSPACE file for {rule} rule"
    return f'{comment}\nworkspace(name = "{name}")\n'


def is_build_file(path: str) -> bool:
    return path.rpartition("/")[2] in BUILD_FILES


def _looks_like_label(value: object) -> bool:
    return not isinstance(value, str) or value.startswith(("@", "//", ":"))
