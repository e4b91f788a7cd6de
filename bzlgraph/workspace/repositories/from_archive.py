"""Repositories whose sources are an archive: (``http_archive`` and its attributes, the disk) -> their content.

What Bazel's own rule does after the download, in its order: the BUILD file is laid over, other files are downloaded
into the tree, patches are applied, those from URLs first. Commands (``patch_cmds``) are never run: they are a gap.
https://bazel.build/rules/lib/repo/http#http_archive
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.words import counted
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.bazel.values.select import is_uncertain
from bzlgraph.workspace.repositories.on_disk import checksum
from bzlgraph.workspace.repositories.provision import (
    Provision,
    Surroundings,
    build_files,
    mark_root,
    placed_files,
    repository_marks,
)
from bzlgraph.workspace.sources.patch import MAX_STEPS, apply_patch
from bzlgraph.workspace.sources.source import DiskSource, MemorySource, Source, joined
from bzlgraph.workspace.sources.virtual_tree import VirtualTree
from bzlgraph.workspace.tree import BUILD_FILES, Overlay

if TYPE_CHECKING:
    from bzlgraph.workspace.sources.archive import ArchiveSource

TOOLS = "bazel_tools"


def archived(around: Surroundings, call: RepositoryCall) -> Provision | None:
    """The archive of ``http_archive``; None where it is not on disk, and for another rule of that name."""
    if call.bzl is not None and call.bzl.repo != TOOLS:
        return None
    written = call.attributes
    if {"strip_prefix", "sha256", "integrity"} & _unknown_attributes(call).keys():
        return None
    path = around.disk.download(urls(written), checksum(written.get("sha256"), written.get("integrity")))
    if path is None:
        return None
    try:
        around.disk.archives.get(path)
    except LoadProblem as error:
        # The bytes are those that Bazel reads: that we cannot is no fault of the tree.
        return _unread(around, call, path, error.diagnostic.message, ())
    try:
        source = around.disk.archives.open(path, _text(written, "strip_prefix"))
    except LoadProblem as error:
        problems = tuple(replace(each, location=call.location) for each in error.diagnostics)
        return _unread(around, call, path, error.diagnostic.message, problems)
    found = replace(assembled(around, call, source), place=_told(path))
    return replace(found, gaps=(*found.gaps, *_lost_links(source, call)))


def _unread(
    around: Surroundings, call: RepositoryCall, path: Path, why: str, problems: tuple[Diagnostic, ...]
) -> Provision:
    """What is known of a repository whose archive cannot be used."""
    gap = Gap(GapKind.REPOSITORY.value, f"the archive of @{call.name}: {why}", "its files are unknown", call.location)
    overlays = build_files(placed_files(around, call))
    return Provision(MemorySource({}), False, overlays, (gap,), problems, place=_told(path))


def _told(path: Path) -> str:
    """Where an archive lies, for people: a file of the repository cache has no name but its digest."""
    return str(path.parents[3]) if path.parts[-4:-3] == ("content_addressable",) else str(path)


def urls(written: Mapping[str, object]) -> list[str]:
    """The URLs among a rule's attributes."""
    several = written.get("urls")
    found = [written.get("url"), *(several if isinstance(several, (list, tuple)) else ())]
    return [each for each in found if isinstance(each, str) and each]


def assembled(around: Surroundings, call: RepositoryCall, source: Source) -> Provision:
    """The files of a source with all that the rule adds to them and changes in them."""
    overlays = build_files(placed_files(around, call))
    work = _Assembly(around, call, _as_tree(source, _text(call.attributes, "add_prefix")))
    work.write({joined(package, BUILD_FILES[0]): file.data for package, file in overlays.items()})
    for name, text in _unknown_attributes(call).items():
        work.note(f"its {name} is unknown: {text}", "what it adds or changes is unknown")
    mark_root(work.tree, repository_marks(call))
    work.download_files()
    work.patch()
    work.download_module_file()
    kept = {package: file for package, file in overlays.items() if work.is_unchanged(package, file)}
    return Provision(work.tree, not work.gaps, kept, tuple(work.gaps), tuple(work.problems))


@dataclass(slots=True)
class _Assembly:
    """The tree of one repository while its rule's attributes are applied to it."""

    around: Surroundings
    call: RepositoryCall
    tree: VirtualTree
    gaps: list[Gap] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def write(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            self.tree.write(path, data)

    def download_files(self) -> None:
        """The files of ``remote_file_urls``; what is in one that is not on disk is unknown."""
        integrity = _mapping(self.call.attributes, "remote_file_integrity")
        for path, sources in _mapping(self.call.attributes, "remote_file_urls").items():
            self._download(path, sources, integrity.get(path))

    def download_module_file(self) -> None:
        """The MODULE.bazel of a registry counts, whatever is in the archive."""
        sources = self.call.attributes.get("remote_module_file_urls")
        if sources:
            self._download("MODULE.bazel", sources, self.call.attributes.get("remote_module_file_integrity"))

    def _download(self, path: str, sources: object, integrity: object) -> None:
        found = self.around.disk.download(urls({"urls": sources}), checksum("", integrity))
        inside = _inside(path)
        if inside is None:
            self.note(f"a file of remote_file_urls is outside the repository: '{path}'", "it is left out")
        elif found is None:
            self.note(f"{path}, which the rule downloads, is not on disk", "its content is unknown")
            self.tree.put_opaque(inside, "it was not downloaded")
        else:
            self.tree.delete(inside)
            self.tree.link(inside, DiskSource(found.parent), found.name)

    def patch(self) -> None:
        """The patches; one that is not there is a gap, one that does not fit is a problem, as in Bazel."""
        written = self.call.attributes
        own = _PatchArguments.of(written)
        budget = MAX_STEPS
        for label, data, path, how in chain(self._remote_patches(), self._patches(own)):
            if data is None:
                self.note(f"its patch {label} is not on disk", "what it changes is unknown")
                continue
            try:
                budget = apply_patch(data, self.tree, how.strip, gnu=how.gnu, path=path, budget=budget)
            except LoadProblem as error:
                self.problems += error.diagnostics
                self.note(f"its patch {label} does not apply", "what it and later patches change is unknown")
                return
        if written.get("patch_cmds"):
            self.note("its patch_cmds are not run", "what they change is unknown")

    def is_unchanged(self, package: str, file: Overlay) -> bool:
        """Whether a BUILD file that was laid over is as it was."""
        try:
            return self.tree.read(joined(package, BUILD_FILES[0])) == file.data
        except OSError:
            return False

    def _remote_patches(self) -> Iterator[tuple[str, bytes | None, str, _PatchArguments]]:
        strip = self.call.attributes.get("remote_patch_strip")
        how = _PatchArguments(strip if isinstance(strip, int) else 0, gnu=False)
        for url, integrity in _mapping(self.call.attributes, "remote_patches").items():
            found = self.around.disk.download([url], checksum("", integrity))
            yield url, _bytes(found) if found is not None else None, str(found), how

    def _patches(self, how: _PatchArguments) -> Iterator[tuple[str, bytes | None, str, _PatchArguments]]:
        written = self.call.attributes.get("patches")
        for label in written if isinstance(written, (list, tuple)) else ():
            file = self.around.overlay(label)
            yield str(label), file.data if file is not None else None, file.path if file is not None else "", how

    def note(self, what: str, hides: str) -> None:
        """Note a gap of the repository."""
        name = self.call.name
        self.gaps.append(Gap(GapKind.REPOSITORY.value, f"@{name}: {what}", hides, self.call.location, name))


@dataclass(frozen=True, slots=True)
class _PatchArguments:
    """How patches are applied: by Bazel's own patcher, or as GNU ``patch`` does."""

    strip: int
    gnu: bool

    @classmethod
    def of(cls, written: Mapping[str, object]) -> _PatchArguments:
        """What ``patch_args``, ``patch_strip`` and ``patch_tool`` say. Bazel's own knows nothing but ``-pN``."""
        given = written.get("patch_args")
        arguments = [str(each) for each in given] if isinstance(given, (list, tuple)) else []
        strips = [each[2:] for each in arguments if each.startswith("-p") and each[2:].isdecimal()]
        named = written.get("patch_strip")
        strip = int(strips[-1]) if strips else named if isinstance(named, int) else 0
        return cls(strip, gnu=bool(written.get("patch_tool")) or len(strips) < len(arguments))


def _unknown_attributes(call: RepositoryCall) -> dict[str, str]:
    """The attributes that are unknown, or hold something unknown, by name, in words."""
    return {name: str(value) for name, value in call.arguments.items() if _holds_unknown(value)}


def _holds_unknown(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_unknown(each) for pair in value.items() for each in pair)
    if isinstance(value, list | tuple):
        return any(map(_holds_unknown, value))
    return is_uncertain(value)


def _as_tree(source: Source, prefix: str) -> VirtualTree:
    tree = VirtualTree()
    tree.link(_inside(prefix) or "", source, "")
    return tree


def _inside(path: str) -> str | None:
    """A path in the repository, None for one that leads out of it."""
    parts = [each for each in path.split("/") if each not in ("", ".")]
    return "/".join(parts) if ".." not in parts and not path.startswith("/") else None


def _bytes(path: Path) -> bytes | None:
    try:
        return DiskSource(path.parent).read(path.name)
    except OSError:
        return None


def _lost_links(source: ArchiveSource, call: RepositoryCall) -> Iterator[Gap]:
    if source.lost_links:
        number, first = counted(len(source.lost_links), "link"), source.lost_links[0]
        what = f"@{call.name}: {number} in its archive cannot be resolved inside it, such as '{first[:100]}'"
        yield Gap(GapKind.FILE.value, what, "the files they lead to are unknown", call.location, call.name)


def _mapping(written: Mapping[str, object], name: str) -> dict[str, object]:
    value = written.get(name)
    return {str(key): each for key, each in value.items()} if isinstance(value, dict) else {}


def _text(written: Mapping[str, object], name: str) -> str:
    value = written.get(name)
    return value if isinstance(value, str) else ""
