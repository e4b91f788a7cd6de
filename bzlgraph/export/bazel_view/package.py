"""What Bazel prints of a package with its BUILD file (.bzl files loaded, errors), and of a package_group."""

from __future__ import annotations

from collections.abc import Iterable

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, PackageGroup, Rule, Target

_NOT_GROUPS = ("__pkg__", "__subpackages__")


def bzl_files(package: Package) -> Iterable[Label]:
    """The .bzl files loaded, directly or not."""
    return package.bzl_files


def contains_errors(package: Package) -> bool:
    """Whether Bazel would report an error in the package itself."""
    return package.broken or bool(package.diagnostics)


def group_packages(group: PackageGroup, patterns_first: bool) -> list[str]:
    """Package specifications as Bazel prints them: without ``//`` (``//...`` aside), as written or patterns first."""
    texts = [text if text.endswith("//...") else text.replace("//", "", 1) for text in group.packages]
    if not patterns_first:
        return texts
    return sorted(texts, key=lambda text: not (text.startswith("-") or text.endswith("...")))


def is_environment_group(target: Target) -> bool:
    """``environment_group`` looks like a rule, but Bazel has a kind of target for it."""
    return isinstance(target, Rule) and target.rule_class.native and target.rule_class.name == "environment_group"


def kind_words(target: Target) -> str:
    """``cc_library rule``, ``source file`` ... as ``--output=label_kind`` says it."""
    return "environment group" if is_environment_group(target) else target.kind


def visibility_groups(declared: Iterable[str]) -> list[str]:
    """The package groups among the labels of a visibility."""
    return [
        text for text in declared if not text.startswith("//visibility:") and text.rpartition(":")[2] not in _NOT_GROUPS
    ]
