"""The patches of a ``single_version_override``, applied to the MODULE.bazel that a registry has before it is read.

``patched(data, override, checkout)`` -> the file's bytes, changed. Only patches of the main repository count, and of
them only what changes MODULE.bazel itself. Bazel's pull requests 23536 and 23757; 7.7.1 was asked.
"""

from __future__ import annotations

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.label import Label, parse
from bzlgraph.bzlmod.module import SingleVersionOverride
from bzlgraph.workspace.sources.patch import apply_patch
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.sources.virtual_tree import VirtualTree
from bzlgraph.workspace.tree import BUILD_FILES


class PatchRefused(Exception):
    """A patch cannot be read or applied; the text is Bazel's."""


def patched(data: bytes, name: str, override: SingleVersionOverride, checkout: Source) -> bytes:
    """The MODULE.bazel called ``name`` with what the patches, files of ``checkout``, make of it.

    Raises PatchRefused.
    """
    tree = VirtualTree()
    tree.write(name, data)
    for text in override.patches:
        if text.startswith("@@"):  # the canonical name of some repository: its patches are for the tree alone
            continue
        label = parse(text, "", "")
        path = _path(label, text, checkout)
        try:
            apply_patch(checkout.read(path), tree, override.patch_strip, path=path, single=name)
        except OSError as error:
            raise PatchRefused(f"error reading single_version_override patch {path}: {error.strerror}") from None
        except BzlgraphError as error:
            (problem, *_) = error.diagnostics
            what = f"error applying single_version_override patch {path} to module file"
            raise PatchRefused(f"{what}: {problem.message}") from None
    return tree.read(name) if tree.is_file(name) else b""


def _path(label: Label, text: str, checkout: Source) -> str:
    """Where a patch is in the checkout."""
    folder = f"{label.package}/" if label.package else ""
    if not any(checkout.is_file(folder + each) for each in BUILD_FILES):
        where = f"BUILD file not found in '{label.package}'"
        raise PatchRefused(f"unable to load package for single_version_override patch {text}: {where}")
    if not checkout.is_file(folder + label.name):
        raise PatchRefused(f"error reading single_version_override patch {folder}{label.name}: not a regular file")
    return folder + label.name
