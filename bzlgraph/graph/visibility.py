"""Who may depend on a target: its visibility, or its package's default -> the item that lets a package in, and how.

Rules
- ``public``, ``private``, ``//a:__pkg__``, ``//a:__subpackages__``, or a package group: its specifications (``//a``,
  ``//a/...``, ``-//a/b``), or what it includes.
- A group whose repository is not on disk admits nobody for certain.

Mirrors PackageGroupConfiguredTarget and PackageSpecificationProvider of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.base.label import Label, LabelError, RepoMapping, parse
from bzlgraph.bazel.model import OutputFile, PackageGroup, Rule, SourceFile, Target
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView, PackageKey


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a package may depend on a target. ``chain``: the item of the visibility that lets it in, the groups that
    this includes, the specification; () where none does. ``known`` is False where a group that is not on disk may."""

    admitted: bool
    chain: tuple[str, ...] = ()
    known: bool = True


def visibility_of(target: Target, graph: GraphView) -> tuple[tuple[Label | str, ...], bool]:
    """The items of a target's visibility, and whether they are those of its package's default."""
    home = graph.packages[target.label.repo, target.label.package]
    written: tuple[Label | str, ...] | None = None
    if isinstance(target, OutputFile):
        rule = home.targets.get(target.rule.name)
        written = rule.visibility if isinstance(rule, Rule) else None
    elif isinstance(target, Rule | SourceFile):
        written = target.visibility
    return (home.default_visibility, True) if written is None else (written, False)


@dataclass(frozen=True, slots=True)
class Visibilities:
    """Asks a graph. ``root_is_everything``: ``//...`` names the packages of every repository, as before Bazel 6."""

    graph: GraphView
    mapping: RepoMapping
    root_is_everything: bool

    def admission(self, items: Iterable[Label | str], package: PackageKey) -> Admission:
        """How items of a visibility let a package in."""
        doubtful = False
        for item in items:
            found = self._by_item(item, package, frozenset())
            if found.admitted:
                return found
            doubtful |= not found.known
        return Admission(False, known=not doubtful)

    def _by_item(self, item: Label | str, package: PackageKey, seen: frozenset[Label]) -> Admission:
        label = self._label(item)
        if label is None or label.package == "visibility":
            open_to_all = label is not None and label.name in ("public", "legacy_public")
            return Admission(True, (str(item),)) if open_to_all else Admission(False)
        if label.name == "__pkg__":
            return Admission(package == (label.repo, label.package), (str(label),))
        if label.name == "__subpackages__":
            return Admission(package[0] == label.repo and _is_below(package[1], label.package), (str(label),))
        return self._by_group(label, package, seen | {label}) if label not in seen else Admission(False)

    def _label(self, item: Label | str) -> Label | None:
        """An item as a label; None for one that is none."""
        if isinstance(item, Label):
            return item
        try:
            return parse(item, "", "", self.mapping)
        except LabelError:
            return None

    def _by_group(self, label: Label, package: PackageKey, seen: frozenset[Label]) -> Admission:
        node = self.graph.resolve(label)
        group = self.graph.target(node)
        if not isinstance(group, PackageGroup):
            return Admission(False, known=self.graph.kinds[node] != NodeKind.UNLOADED)
        taken_away = [text[1:] for text in group.packages if text.startswith("-")]
        given = [text for text in group.packages if not text.startswith("-")]
        named = self._naming(given, package, label.repo)
        if named is not None and self._naming(taken_away, package, label.repo) is None:
            return Admission(True, (str(label), named))
        doubtful = False
        for each in group.includes:
            found = self._by_item(each, package, seen)
            if found.admitted:
                return Admission(True, (str(label), *found.chain))
            doubtful |= not found.known
        return Admission(False, known=not doubtful)

    def _naming(self, specifications: Iterable[str], package: PackageKey, repo: str) -> str | None:
        """The first of these specifications (``//a``, ``//a/...``, ``public``) that names the package."""
        for text in specifications:
            if text == "public" or (text == "//..." and self.root_is_everything):
                return text
            if text in ("private", "//..."):
                if text == "//..." and package[0] == repo:
                    return text
                continue
            home, _, path = text.rpartition("//")
            below = path.endswith("...")
            path = path.removesuffix("...").rstrip("/") if below else path
            named = _is_below(package[1], path) if below else package[1] == path
            if named and package[0] == (home.lstrip("@") or repo):
                return text
        return None


def _is_below(name: str, folder: str) -> bool:
    return not folder or name == folder or name.startswith(f"{folder}/")
