"""Why a folder is no package: (tree of its repository, folder) -> ``NoPackage``, the words of an error and of its hint.

Mirrors the order in which Bazel looks: what is deleted or ignored, whose folder it is, then for a BUILD file.
Doc: https://bazel.build/concepts/build-ref#packages, https://bazel.build/run/bazelrc#bazelignore
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from bzlgraph.workspace.sources.source import LONGEST, DiskSource, joined
from bzlgraph.workspace.tree import BUILD_FILES, EXTERNAL, RepositoryTree, ignored_folders


@dataclass(frozen=True, slots=True)
class NoPackage:
    """``what`` follows "no such package ...: "; ``hint`` says which line or thing on disk decides that."""

    what: str
    hint: str | None = None


def why_no_package(tree: RepositoryTree, folder: str) -> NoPackage:
    """The first reason that holds of a folder that is no package."""
    if len(folder) > LONGEST:
        return NoPackage("no folder can have a name so long")
    above = _with_parents(folder)
    if folder in tree.deleted:
        return NoPackage("deleted by --deleted_packages", "a command line or an rc file names it in --deleted_packages")
    ignored = next((each for each in above if each in tree.ignored), None)
    if ignored is not None:
        listed = ignored in ignored_folders(tree.source)
        by = f".bazelignore names '{ignored}'" if listed else f"--vendor_dir leads to '{ignored}'"
        return NoPackage("the folder is ignored", by)
    pattern = next((found for each in above if (found := tree.ignoring_pattern(each))), None)
    if pattern is not None:
        return NoPackage("the folder is ignored", f"ignore_directories() of REPO.bazel has '{pattern}'")
    foreign = next((each for each in above if each in tree.foreign), None)
    if foreign is not None:
        owner, below = tree.foreign[foreign], folder.removeprefix(foreign).lstrip("/")
        return NoPackage(f"the folder belongs to @{owner}", f"did you mean @{owner}//{below or ':all'}?")
    return NoPackage(f"BUILD file not found in '{folder or '.'}'", _on_disk(tree, folder, above))


def _on_disk(tree: RepositoryTree, folder: str, above: list[str]) -> str | None:
    """What is in the place of a BUILD file, or of a folder on the way to it; None when nothing is there."""
    source = tree.source
    if above[0] in tree.skipped_links and _is_link(tree, above[0]):
        made_for = "what Bazel has fetched" if above[0] == EXTERNAL else "the outputs of a build"
        return f"'{above[0]}' is a link to {made_for}, which is not entered"
    for each in above:
        if source.is_file(each):
            return f"'{each}' is a file"
        if _is_link(tree, each) and not source.is_folder(each):
            out = isinstance(source, DiskSource) and not source.reaches(each)
            return f"'{each}' is a link that leads {'out of the checkout' if out else 'nowhere'}"
    for name in BUILD_FILES:
        path = joined(folder, name)
        if source.is_folder(path):
            return f"'{path}' is a folder"
        if _is_link(tree, path):
            return f"'{path}' is a link that leads nowhere"
    if not source.is_folder(folder):
        return None
    package = tree.package_of(f"{folder}/{BUILD_FILES[0]}")
    return "the folder has no BUILD file" + ("" if package is None else f", its files belong to //{package}")


def _is_link(tree: RepositoryTree, path: str) -> bool:
    return isinstance(tree.source, DiskSource) and os.path.islink(tree.source.root / path)


def _with_parents(folder: str) -> list[str]:
    """``a``, ``a/b``, ``a/b/c``."""
    parts = folder.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
