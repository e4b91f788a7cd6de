"""Which files of a tree are C, C++ or CUDA: found by name, folder by folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

SOURCES = (".cc", ".cpp", ".cxx", ".c", ".cu", ".mm", ".m")
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".cuh", ".inc", ".inl", ".impl")
_ENDINGS = SOURCES + HEADERS


def cpp_files(entries: Callable[[str], tuple[list[str], list[str]]], folder: str = "") -> Iterator[str]:
    """The paths of all C++ files at or below a folder. ``entries(folder)`` gives its (files, folders)."""
    stack = [folder]
    while stack:
        here = stack.pop()
        files, folders = entries(here)
        lead = f"{here}/" if here else ""
        for name in files:
            if name.endswith(_ENDINGS):
                yield lead + name
        stack += [lead + name for name in reversed(folders) if not name.startswith(".")]


def is_test_file(path: str) -> bool:
    """Whether a file's name says that it is a test or a benchmark, whose flags and ops nobody ships."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return stem.endswith(("_test", "_benchmark", "_benchmarks", "_tests", "-test"))
