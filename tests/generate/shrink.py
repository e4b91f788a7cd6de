"""A workspace that makes a difference -> a small one that makes the same: files, paragraphs and lines are left out as
long as it stays.

A part that something else needs may go as well: then Bazel says an error, the difference is gone, and the part stays.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.differential.facts.compare import Difference
from tests.generate.compare import Pair, root
from tests.generate.tree import Generated
from tests.generate.workspace import seeded

Files = Mapping[str, tuple[str, ...]]
Unit = tuple[str, int, int, int]
"""A path, a paragraph of it, its first line and its last line; -1 stands for all of them."""


@dataclass(frozen=True, slots=True)
class Small:
    """The outcome: what differs in it."""

    workspace: Generated
    question: str
    difference: Difference


def shrink(version: str, seed: int, folder: Path) -> Small | None:
    """The first difference of a seed in as few lines as are found; None when there is none."""
    workspace = seeded(seed, version, root(seed))
    with Pair(version, folder) as pair:
        pair.fill([workspace])
        first = next(pair.differences(), None)
        if first is None:
            return None
        question, difference = first

        def stays(candidate: Files) -> bool:
            pair.fill([replace(workspace, files=candidate)])
            try:
                return any(_alike(difference, each) for _, each in pair.differences([question]))
            except RuntimeError:  # Bazel has no answer
                return False

        small = minimal(workspace.files, stays)
        pair.fill([replace(workspace, files=small)])
        left = next(each for _, each in pair.differences([question]) if _alike(difference, each))
    return Small(replace(workspace, files=small), question, left)


def _alike(one: Difference, other: Difference) -> bool:
    return (one.cause, one.subject, one.what) == (other.cause, other.subject, other.what)


def minimal(files: Files, stays: Callable[[Files], bool]) -> Files:
    """What is left when no part can go: large parts are tried before small ones, halves of all parts before each."""
    before = -1
    while before != (before := _size(files)):
        for units in (_files, _paragraphs, _blocks, _lines):
            files = _without_most(files, units, stays)
    return files


def _size(files: Files) -> int:
    return sum(len(text) + 1 for paragraphs in files.values() for text in (*paragraphs, ""))


def _without_most(files: Files, units: Callable[[Files], Iterator[Unit]], stays: Callable[[Files], bool]) -> Files:
    """Leaves out runs of units, half of them at first, from the end."""
    length = len(list(units(files)))
    while length:
        length = (length + 1) // 2
        left = list(units(files))
        for end in range(len(left), 0, -length):
            candidate = _without(files, left[max(0, end - length) : end])
            if candidate != files and stays(candidate):
                files, left = candidate, left[: max(0, end - length)]
        if length == 1:
            break
    return files


def _without(files: Files, run: list[Unit]) -> Files:
    gone = {(path, at, number) for path, at, first, last in run for number in range(first, last + 1)}
    kept: dict[str, tuple[str, ...]] = {}
    for path, paragraphs in files.items():
        if (path, -1, -1) in gone:
            continue
        texts = (_text_without(text, path, at, gone) for at, text in enumerate(paragraphs))
        kept[path] = tuple(text for text in texts if text)
    return kept


def _text_without(text: str, path: str, at: int, gone: Container[tuple[str, int, int]]) -> str:
    if (path, at, -1) in gone:
        return ""
    return "\n".join(line for number, line in enumerate(text.split("\n")) if (path, at, number) not in gone)


def _files(files: Files) -> Iterator[Unit]:
    yield from ((path, -1, -1, -1) for path in files if path != "WORKSPACE")


def _paragraphs(files: Files) -> Iterator[Unit]:
    yield from ((path, at, -1, -1) for path, texts in files.items() for at in range(len(texts)))


def _blocks(files: Files) -> Iterator[Unit]:
    """From a line that opens a bracket to the one that closes it."""
    for path, at, lines in _texts(files):
        for number, line in enumerate(lines):
            if line.endswith(("(", "[", "{", ":")):
                depth = _depth(line)
                ends = (end for end in range(number + 1, len(lines)) if _depth(lines[end]) <= depth)
                yield path, at, number, next(ends, len(lines) - 1)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _lines(files: Files) -> Iterator[Unit]:
    for path, at, lines in _texts(files):
        yield from ((path, at, number, number) for number in range(len(lines)))


def _texts(files: Files) -> Iterator[tuple[str, int, list[str]]]:
    for path, texts in files.items():
        yield from ((path, at, text.split("\n")) for at, text in enumerate(texts))
