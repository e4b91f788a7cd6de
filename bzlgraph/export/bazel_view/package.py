"""What Bazel prints of a package with its BUILD file (.bzl files loaded, errors), and of a package_group."""

from __future__ import annotations

from collections.abc import Container, Iterable

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, PackageGroup, Rule, Target
from bzlgraph.facts import Facts

_NOT_GROUPS = ("__pkg__", "__subpackages__")


def contains_errors(package: Package) -> bool:
    """Whether Bazel would report an error in the package itself."""
    return package.broken or bool(package.diagnostics)


_OLD_NAME = "no_layering_check"


def default_features(package: Package, facts: Facts) -> list[str]:
    """``features`` of ``package()`` as Bazel keeps them: each once, sorted. A Bazel that tells those switched off apart
    has them last, and none of them among the others; an old name of ``-layering_check`` is that one for it."""
    written = {str(feature) for feature in package.defaults.get("features") or ()}
    if not facts.features_off_last:
        return sorted(written)
    off = {feature[1:] for feature in written if feature.startswith("-")}
    if _OLD_NAME in written:
        off.add(_OLD_NAME.removeprefix("no_"))
    on = {feature for feature in written if not feature.startswith("-")} - off - {_OLD_NAME}
    return [*sorted(on), *(f"-{feature}" for feature in sorted(off))]


_EACH_ONCE = frozenset({"package", "negative package", "public", "private"})


def group_packages(group: PackageGroup, facts: Facts) -> list[str]:
    """Package specifications as Bazel prints them: all as written, or by sort (``facts.group_order``), some sorts with
    each once then; without ``//`` (that of ``//...`` aside) before Bazel 7."""
    texts = group.packages
    if facts.group_order:
        by_sort: dict[str, list[str]] = {sort: [] for sort in facts.group_order}
        for text in texts:
            sort = _sort_of_specification(text, facts.group_order)
            if sort not in _EACH_ONCE or text not in by_sort[sort]:
                by_sort[sort].append(text)
        texts = tuple(text for sort in facts.group_order for text in by_sort[sort])
    if facts.group_slashes:
        return list(texts)
    return [text if text.endswith("//...") else text.replace("//", "", 1) for text in texts]


def _sort_of_specification(text: str, known: Container[str]) -> str:
    """One of the known sorts: Bazels that do not tell negative ones apart have one for them, and take `public` and
    `private` for patterns."""
    if text in ("public", "private"):
        return text if text in known else "pattern"
    plain = "pattern" if text.endswith("/...") else "package"
    if not text.startswith("-"):
        return plain
    return f"negative {plain}" if f"negative {plain}" in known else "negative"


def kind_words(target: Target) -> str:
    """``cc_library rule``, ``source file`` ... as ``--output=label_kind`` says it."""
    return f"{target.rule_class.name} rule" if isinstance(target, Rule) else target.kind


def visibility_groups(declared: Iterable[Label | str]) -> list[Label | str]:
    """The package groups among the labels of a visibility."""
    return [each for each in declared if _is_group(str(each))]


def _is_group(text: str) -> bool:
    return not text.startswith("//visibility:") and text.rpartition(":")[2] not in _NOT_GROUPS
