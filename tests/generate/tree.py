"""A generated workspace: its files as paragraphs of lines, so that it can be written, joined to others and shrunk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Generated:
    """One workspace. ``files``: path -> paragraphs; ``options`` are those of the command lines it is asked with."""

    seed: int
    files: Mapping[str, tuple[str, ...]]
    options: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        """The lines of all files."""
        return sum(paragraph.count("\n") + 1 for paragraphs in self.files.values() for paragraph in paragraphs)


def write(workspaces: Iterable[Generated], folder: Path) -> None:
    """Writes workspaces into one tree. The paragraphs of a file that several have (WORKSPACE) follow one another, each
    once.

    The folder stays, and files that are right already are not touched: a server of Bazel may be at work on them.
    """
    joined: dict[str, list[str]] = {}
    for workspace in workspaces:
        for path, paragraphs in workspace.files.items():
            known = joined.setdefault(path, [])
            known += [each for each in paragraphs if each not in known]
    for path, paragraphs in joined.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join(paragraphs)
        text += "\n" if text else ""
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def clear(folder: Path, kept: Iterable[str]) -> None:
    """Takes away the files and folders of a tree that no path of these needs."""
    needed = {folder / path for path in kept}
    needed |= {parent for path in needed for parent in path.parents}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path not in needed:
            path.unlink() if path.is_symlink() or path.is_file() else path.rmdir()
