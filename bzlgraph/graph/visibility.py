"""Who may depend on a target: its visibility, or its package's default -> the item that lets a package in, and how.

Rules
- ``public``, ``private``, ``//a:__pkg__``, ``//a:__subpackages__``, or a package group: its specifications (``//a``,
  ``//a/...``, ``-//a/b``), or what it includes.
- A group whose repository is not on disk admits nobody for certain.

Mirrors PackageGroupConfiguredTarget and PackageSpecificationProvider of Bazel's source.
"""

from __future__ import annotations

from bzlgraph.base.record import Record

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from bzlgraph.base.label import RepoMapping
    from bzlgraph.base.resolved_label import Label

    Item = Label | str

    class Written(Protocol):
        """What is known of targets and of who may see them: of a graph (``graph.seen``), or of one that is kept."""

        def visibility(self, node: int) -> tuple[tuple[Item, ...], bool] | None:
            """The items of a target's visibility, and whether they are those of its package's default; None of what
            nobody is asked about: of no target, of a package group, of a file that nothing exports."""

        def in_macro(self, node: int) -> bool:
            """Whether a symbolic macro made a target."""

        def group(self, label: Label) -> Group | None:
            """A package group; None for a label that is none."""

        def is_hidden(self, label: Label) -> bool:
            """Whether it is not known what a label stands for."""


class Group(Record):
    """A package group: its specifications, and the groups that it includes."""

    packages: tuple[str, ...]
    includes: tuple[Label, ...]


class Admission(Record):
    """Whether a package may depend on a target. ``chain``: the item of the visibility that lets it in, the groups that
    this includes, the specification; () where none does. ``known`` is False where a group that is not on disk may."""

    admitted: bool
    chain: tuple[str, ...] = ()
    known: bool = True


class Visibilities:
    """Asks what is written. ``root_is_everything``: ``//...`` names the packages of every repository, as before Bazel
    6."""

    def __init__(self, written: Written, mapping: RepoMapping, root_is_everything: bool) -> None:
        self.written = written
        self._mapping = mapping
        self._root_is_everything = root_is_everything

    def admission(self, items: Iterable[Item], package: tuple[str, str]) -> Admission:
        """How items of a visibility let a package in."""
        doubtful = False
        for item in items:
            found = self._by_item(item, package, frozenset())
            if found.admitted:
                return found
            doubtful |= not found.known
        return Admission(False, known=not doubtful)

    def _by_item(self, item: Item, package: tuple[str, str], seen: frozenset[Label]) -> Admission:
        label = self._label(item)
        if label is None or label.package == "visibility":
            open_to_all = label is not None and label.name in ("public", "legacy_public")
            return Admission(True, (str(item),)) if open_to_all else Admission(False)
        if label.name == "__pkg__":
            return Admission(package == (label.repo, label.package), (str(label),))
        if label.name == "__subpackages__":
            return Admission(package[0] == label.repo and _is_below(package[1], label.package), (str(label),))
        return self._by_group(label, package, seen | {label}) if label not in seen else Admission(False)

    def _label(self, item: Item) -> Label | None:
        """An item as a label; None for one that is none."""
        if not isinstance(item, str):
            return item
        from bzlgraph.base.label import LabelError, parse  # most are labels

        try:
            return parse(item, "", "", self._mapping)
        except LabelError:
            return None

    def _by_group(self, label: Label, package: tuple[str, str], seen: frozenset[Label]) -> Admission:
        group = self.written.group(label)
        if group is None:
            return Admission(False, known=not self.written.is_hidden(label))
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

    def _naming(self, specifications: Iterable[str], package: tuple[str, str], repo: str) -> str | None:
        """The first of these specifications (``//a``, ``//a/...``, ``public``) that names the package."""
        for text in specifications:
            if text == "public" or (text == "//..." and self._root_is_everything):
                return text
            if text in ("private", "//..."):
                if text == "//..." and package[0] == repo:
                    return text
                continue
            home, _, path = text.rpartition("//")
            below = text.endswith("/...")  # //a... is one package of that name
            path = path.removesuffix("...").rstrip("/") if below else path
            named = _is_below(package[1], path) if below else package[1] == path
            if named and package[0] == (home.lstrip("@") or repo):
                return text
        return None


def _is_below(name: str, folder: str) -> bool:
    return not folder or name == folder or name.startswith(f"{folder}/")
