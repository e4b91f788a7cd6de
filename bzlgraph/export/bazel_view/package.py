"""What Bazel prints of a package with its BUILD file (.bzl files loaded, errors), and of a package_group."""

from __future__ import annotations

from collections.abc import Iterable

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, PackageGroup

_NOT_GROUPS = ("__pkg__", "__subpackages__")


def bzl_files(package: Package) -> Iterable[Label]:
    """The .bzl files loaded, directly or not."""
    return package.bzl_files


def contains_errors(package: Package) -> bool:
    """Whether Bazel would report an error in the package itself."""
    return package.broken or bool(package.diagnostics)


def group_packages(group: PackageGroup, singles_first: bool) -> list[str]:
    """Package specifications as Bazel prints them: without ``//``; packages stand apart from patterns."""
    texts = [text.replace("//", "", 1) for text in group.packages]
    return sorted(texts, key=lambda text: (text.startswith("-") or text.endswith("...")) == singles_first)


def visibility_groups(declared: Iterable[str]) -> list[str]:
    """The package groups among the labels of a visibility."""
    return [
        text for text in declared if not text.startswith("//visibility:") and text.rpartition(":")[2] not in _NOT_GROUPS
    ]
