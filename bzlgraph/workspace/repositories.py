"""Which folder, if any, stands behind a repository name.

The first that applies wins: ``--override_repository``; a ``local_repository``/``new_local_repository`` whose folder
exists; what an earlier Bazel fetched (``bazel-<checkout>/external/NAME``) or vendored (``vendor/NAME``); otherwise the
sources are not on disk, and the repository has only the BUILD files that its rule lays over it (``build_file``,
``build_file_content``), which is enough for ``@swig//:swig`` to have its rules.
Nothing is ever downloaded. Rules: https://bazel.build/rules/lib/repo/http, /repo/local
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.label import Label, LabelError, RepoMapping, parse
from bzlgraph.bazel.files.context import RepositoryCall
from bzlgraph.workspace.source import DiskSource, MemorySource, Source
from bzlgraph.workspace.tree import BUILD_FILES, Overlay, RepositoryTree, ignored_folders

LOCAL_RULES = ("local_repository", "new_local_repository", "local_path_override")
ADDITIONAL_FILES_ATTRIBUTES = ("additional_build_files", "link_files")
"""Attributes of repository rules in the wild that map labels to places in the repository (either way round)."""


@dataclass(slots=True)
class Repository:
    """A repository: its files, and whether its sources are on disk. ``call`` is the rule that defines it."""

    name: str
    tree: RepositoryTree
    call: RepositoryCall | None = None

    @property
    def present(self) -> bool:
        """Whether the sources are on disk."""
        return self.tree.known

    def path_of(self, package: str, name: str) -> str:
        """The path people know a file under: workspace-relative, ``external/REPO/...`` for other repositories."""
        inside = f"{package}/{name}" if package else name
        return f"external/{self.name}/{inside}" if self.name else inside


@dataclass(slots=True)
class Repositories:
    """All repositories of a workspace, made when first asked for."""

    root: Path
    main: Repository
    overrides: Mapping[str, Path]
    calls: Mapping[str, RepositoryCall]
    mapping: RepoMapping
    own_name: Callable[[], str] = lambda: ""
    """The name WORKSPACE gives itself: in Bazel 0.x not the main repository, but one with the same files."""
    deleted_in: Callable[[str], frozenset[str]] = lambda _name: frozenset()
    """The packages of a repository that count as deleted."""
    _made: dict[str, Repository] = field(default_factory=dict)

    def get(self, name: str) -> Repository:
        """The repository of a canonical name; one that nobody defines is absent and empty."""
        if not name:
            return self.main
        if name == self.own_name() and name not in self.overrides:
            return self._made.setdefault(name, Repository(name, self.main.tree))
        made = self._made.get(name)
        call = self.calls.get(name)
        # WORKSPACE may ask for a repository before the line that defines it: look again once there is a definition.
        if made is None or (made.call is None and call is not None):
            made = self._made[name] = self._make(name, call)
        return made

    def known_names(self) -> list[str]:
        """Names that are defined or overridden, sorted."""
        return sorted({*self.calls, *self.overrides})

    def local_folders(self) -> frozenset[str]:
        """Folders inside the workspace that are repositories of their own: Bazel's ``//...`` leaves them out."""
        inside = set()
        for call in self.calls.values():
            if call.rule == "local_repository" and (folder := self._local_folder(call)) is not None:
                relative = os.path.relpath(folder, self.root)
                if not relative.startswith("..") and relative != ".":
                    inside.add(relative.replace(os.sep, "/"))
        return frozenset(inside)

    def _make(self, name: str, call: RepositoryCall | None) -> Repository:
        folder = self._folder(name, call)
        placed = self._placed(call) if call is not None and name not in self.overrides else {}
        overlays = {path.rpartition("/")[0]: file for path, file in placed.items() if _is_build_file(path)}
        others = {path: file.data for path, file in placed.items() if not _is_build_file(path)}
        source: Source = DiskSource(folder) if folder is not None else MemorySource(others)
        ignored = ignored_folders(source) if folder is not None else frozenset()
        deleted = self.deleted_in(name)
        tree = RepositoryTree(source, known=folder is not None, overlays=overlays, ignored=ignored, deleted=deleted)
        return Repository(name, tree, call)

    def _folder(self, name: str, call: RepositoryCall | None) -> Path | None:
        """Where the sources are on disk, None when they are not."""
        if name in self.overrides:
            return self.overrides[name]
        candidates = [
            self._local_folder(call) if call is not None else None,
            self.root / f"bazel-{self.root.name}" / "external" / name,
            self.root / "vendor" / name,
        ]
        return next((folder for folder in candidates if folder is not None and _has_files(folder)), None)

    def _local_folder(self, call: RepositoryCall) -> Path | None:
        path = call.attributes.get("path")
        if call.rule not in LOCAL_RULES or not isinstance(path, str):
            return None
        return Path(os.path.normpath(self.root / path))

    def _placed(self, call: RepositoryCall) -> dict[str, Overlay]:
        """Files that the repository rule puts into the repository, by their place there."""
        read = ((place, self._read_overlay(label)) for label, place in _placed_files(call.attributes))
        placed = {place: file for place, file in read if file is not None}
        content = call.attributes.get("build_file_content")
        if isinstance(content, str) and content:
            placed[BUILD_FILES[0]] = Overlay(content.encode(), f"external/{call.name}/{BUILD_FILES[0]}")
        return placed

    def _read_overlay(self, value: object) -> Overlay | None:
        """The file a ``build_file`` names, by label or, as old native rules allowed, by path."""
        text = value if isinstance(value, str) else str(value)
        try:
            label = self._overlay_label(text)
            home = self.get(label.repo)
            path = f"{label.package}/{label.name}" if label.package else label.name
            return Overlay(home.tree.source.read(path), home.path_of(label.package, label.name))
        except (LabelError, OSError):
            return None

    def _overlay_label(self, text: str) -> Label:
        if text.startswith(("@", "/", ":")):
            return parse(text, "", "", self.mapping)
        package = self.main.tree.package_of(text) or ""
        return Label("", package, text[len(package) + 1 :] if package else text)


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
