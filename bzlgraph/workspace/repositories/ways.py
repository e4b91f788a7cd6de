"""The ways in which the content of a repository is found, in the order in which they are tried: the first that gives
something wins.

(a repository's name, the rule that defines it, what there is around) -> ``Provision``. ``WAYS`` is the decision table
of docs/repositories.md. Nothing is ever downloaded.
Rules: https://bazel.build/rules/lib/repo/http, /repo/local
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.words import override_option, utf8
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.cache import looks
from bzlgraph.workspace.repositories.on_disk import Folder, has_files, name_in_any_bazel
from bzlgraph.workspace.repositories.provision import (
    WORKSPACE,
    Provision,
    Surroundings,
    Way,
    build_files,
    is_build_file,
    mark_root,
    placed_files,
    repository_marks,
    workspace_text,
)
from bzlgraph.workspace.sources.source import MemorySource, Source, joined
from bzlgraph.workspace.sources.virtual_tree import VirtualTree
from bzlgraph.workspace.tree import BOUNDARY_FILES, BUILD_FILES, Overlay

ARCHIVE_RULES = ("http_archive", "new_http_archive")
NEW_RULES = ("new_local_repository",)
LOCAL_RULES = ("local_repository", "local_path_override", *NEW_RULES)
PATCHES = ("patches", "patch_file", "patch_cmds", "remote_patches")
"""Attributes by which rules change what they have fetched, the BUILD files that they lay over it too."""


def overridden(around: Surroundings, name: str, _call: RepositoryCall | None) -> Provision | None:
    """The folder that ``--override_repository`` gives."""
    folder = around.overrides.get(name)
    return Provision(around.disk.source(folder), known=True, place=str(folder)) if folder is not None else None


def local(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """The folder that a ``local_repository`` or ``new_local_repository`` names, when it holds anything.

    Outside of the workspace it must be one itself, as Bazel asks of a ``local_repository``, in the same checkout
    (examples name the workspace around them): no other folder is looked into because a checkout says so.
    """
    folder = local_folder(around.root, call)
    if folder is None or call is None:
        return None
    is_workspace = call.rule not in NEW_RULES and any(looks.is_file(str(folder / each)) for each in BOUNDARY_FILES)
    if around.disk.allows(folder) or (is_workspace and around.disk.is_beside(folder)):
        found = _folder(around, Folder(folder, str(folder)), call)
        return _marked(around, found, call) if found is not None and call.rule in NEW_RULES else found
    if not looks.is_folder(str(folder)):
        return None
    refused = f"{folder} is outside the checkout and is not read"
    gap = Gap(
        GapKind.REPOSITORY.value,
        f"@{name}: {refused}",
        f"its files are unknown (give {override_option(name)})",
        call.location,
    )
    return replace(laid_over(around, name, call), gaps=(gap,), refused=refused)


def _marked(around: Surroundings, found: Provision, call: RepositoryCall) -> Provision:
    """The folder of a ``new_local_repository`` with the files that glob() finds in it beside its own: the BUILD file,
    and the marks that make it a repository. The rule inside Bazel writes a WORKSPACE whatever there is."""
    tree = VirtualTree(found.place)
    tree.link("", found.source, "")
    for package, file in found.overlays.items():
        tree.write(joined(package, file.name), file.data)
    if call.bzl is not None:
        mark_root(tree, repository_marks(call))
    else:
        given = around.overlay(call.attributes["workspace_file"]) if call.attributes.get("workspace_file") else None
        content = call.attributes.get("workspace_file_content")
        text = str(content) if content else workspace_text(call.rule, call.name)
        tree.write(WORKSPACE, given.data if given is not None else utf8(text))
    return replace(found, source=tree)


def checked_out(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """A checkout in a folder that ``--repository_folder`` gives, with what the rule lays over it and patches in it."""
    found = around.disk.checkouts((name, name_in_any_bazel(name)))
    if len(found) > 1:
        what = f"@{name} may be {' or '.join(each.place for each in found)}"
        location = call.location if call is not None else None
        gap = Gap(
            GapKind.REPOSITORY.value,
            what,
            f"which files it has is unknown ({override_option(name)} decides)",
            location,
            name,
        )
        return replace(laid_over(around, name, call), gaps=(gap,))
    for folder in found:
        from bzlgraph.workspace.repositories.from_archive import assembled

        source = around.disk.source(folder.path)
        given = Provision(source, known=True) if call is None else assembled(around, call, source)
        # A patch that does not fit may have been applied by whoever checked it out.
        return replace(given, known=True, problems=(), place=folder.place)
    return None


def fetched(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What an earlier Bazel fetched: ``external/NAME``, ``bazel-<checkout>/external/NAME``, or in the output base."""
    return _folder(around, around.disk.fetched(name), call)


def kept_in_vendor(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What VENDOR.bazel in ``--vendor_dir`` pins: it counts as it lies there, whatever its rule says."""
    return _folder(around, around.disk.vendored(name) if around.disk.keeps(name) else None, call)


def vendored(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What ``bazel vendor`` left: ``vendor/NAME``, or in ``--vendor_dir``."""
    return _folder(around, around.disk.vendored(name), call)


def archived(around: Surroundings, _name: str, call: RepositoryCall | None) -> Provision | None:
    """An archive of the repository cache, a ``--distdir`` or a ``file:`` URL, read where it lies."""
    if call is None or call.rule not in ARCHIVE_RULES:
        return None
    from bzlgraph.workspace.repositories import from_archive

    return from_archive.archived(around, call)


def evaluated(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What the rule of the repository writes when it is run in memory, with the BUILD files that it names."""
    found = around.evaluate(name, call) if call is not None else None
    if found is None:
        return None
    placed = placed_files(around, call)
    if not found.known and isinstance(found.source, VirtualTree):
        for path, file in placed.items():
            if not is_build_file(path) and not found.source.is_file(path):
                found.source.write(path, file.data)
    made = ((package, _as_made(found, package, file)) for package, file in build_files(placed).items())
    return replace(found, overlays={package: file for package, file in made if file is not None})


def _as_made(found: Provision, package: str, file: Overlay) -> Overlay | None:
    """A BUILD file that the rule names under the name that it has in the repository; None where the rule puts another
    there. Where it is not known how the rule goes on it has the usual name."""
    for name in BUILD_FILES:
        path = joined(package, name)
        if found.source.is_file(path):
            return replace(file, name=name) if _holds(found.source, path, file.data) else None
    return None if found.known else file


def _holds(source: Source, path: str, data: bytes) -> bool:
    try:
        return source.read(path) == data
    except OSError:
        return False


def pinned(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """The packages that the lock file of a hub pins, each a target."""
    if call is None:
        return None
    from bzlgraph.workspace.repositories.hubs import pinned as hubs

    return hubs.pinned(around, name, call)


def recorded(around: Surroundings, name: str, call: RepositoryCall | None) -> Provision | None:
    """What Bazel itself writes on the nominal host."""
    return around.recorded(name, call)


def laid_over(around: Surroundings, _name: str, call: RepositoryCall | None) -> Provision:
    """The BUILD files that the rule lays over sources that are not on disk: ``@swig//:swig`` has its rules by them."""
    placed = placed_files(around, call)
    others = {path: file.data for path, file in placed.items() if not is_build_file(path)}
    return Provision(MemorySource(others), known=False, overlays=build_files(placed))


WAYS: Mapping[str, Way] = {
    "overridden": overridden,
    "local": local,
    "checked out": checked_out,
    "kept in vendor": kept_in_vendor,
    "archived": archived,
    "evaluated": evaluated,
    "fetched": fetched,
    "vendored": vendored,
    "pinned": pinned,
    "recorded": recorded,
    "laid over": laid_over,
}
"""By the name that ``doctor`` and docs/repositories.md tell, in order. The last gives something for all of them."""


FROM_RULE, FROM_EARLIER_RUN = ("archived", "evaluated"), ("fetched", "vendored")
"""What follows from the rule as it is written now, and what an earlier run left, which may be out of date: so the first
win where they know all, else the second."""


def provide(around: Surroundings, name: str, call: RepositoryCall | None) -> tuple[str, Provision]:
    """(the name of the way, the content) of a repository; ``call`` None for one that nobody defines."""
    partial: tuple[str, Provision] | None = None
    for way, find in WAYS.items():
        if partial is not None and way not in (*FROM_RULE, *FROM_EARLIER_RUN):
            return partial
        found = find(around, name, call)
        if found is not None and way in FROM_RULE and not _complete(found):
            partial = partial or (way, found)
        elif found is not None:
            return way, found
    raise AssertionError("the last way gives something for every repository")


def _complete(found: Provision) -> bool:
    """Whether it is all that Bazel would make, on any host."""
    return found.known and not (found.gaps or found.problems or found.assumptions)


def local_folder(root: Path, call: RepositoryCall | None) -> Path | None:
    """The folder that a rule for local repositories names, None for other rules."""
    path = call.attributes.get("path") if call is not None and call.rule in LOCAL_RULES else None
    return Path(os.path.normpath(root / path)) if isinstance(path, str) else None


def _folder(around: Surroundings, folder: Folder | None, call: RepositoryCall | None) -> Provision | None:
    """A folder with what the rule lays over it; None when it is not there or empty."""
    if folder is None or not has_files(folder.path):
        return None
    source = around.disk.source(folder.path)
    overlays = build_files(placed_files(around, call))
    if call is not None and any(call.attributes.get(each) for each in PATCHES):
        overlays = {package: file for package, file in overlays.items() if not _differs(source, package, file)}
    return Provision(source, known=True, overlays=overlays, place=folder.place)


def _differs(source: Source, package: str, file: Overlay) -> bool:
    """Whether another BUILD file lies where the rule puts this one: it was patched."""
    path = joined(package, file.name)
    return source.is_file(path) and not _holds(source, path, file.data)
