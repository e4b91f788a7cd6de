"""Which files of a tree are C, C++ or CUDA, and the text of one as the tokenizer sees it: joined lines.

bytes -> ``CppText``. The bytes are read as Latin-1, so that an offset is a byte and nothing can fail to decode;
``string_value`` turns what a literal holds into real text. Joining is the compiler's phase 2 (backslash, line end).

>>> text = read_cpp(b"int a;\\n#define M(x) \\\\\\n  f(x)\\nint b;\\n", "a.cc")
>>> text.text
'int a;\\n#define M(x)   f(x)\\nint b;\\n'
>>> text.line(text.text.index("f(x)")), text.line(text.text.index("int b"))
(3, 4)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

MAX_BYTES = 16 << 20
"""Larger files are data in a C++ coat (tables, embedded models); no person's question is about one."""

_SPLICE = re.compile(r"\\[ \t]*\r?\n")


SOURCES = (".cc", ".cpp", ".cxx", ".c", ".cu", ".mm", ".m")
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".cuh", ".inc", ".inl", ".impl")
_ENDINGS = SOURCES + HEADERS


class NotCppText(ValueError):
    """A file that is no C++ text: binary, or much too large. Its message says which."""


@dataclass(slots=True)
class CppText:
    """``text`` is the file with continued lines joined; ``path`` is as the reader of the answer knows it."""

    path: str
    text: str
    splices: tuple[int, ...] = ()
    """Where, in the joined text, a line end was taken out."""
    _starts: list[int] = field(default_factory=list)

    def line(self, offset: int) -> int:
        """The line, from 1, of a place in ``text``: the line of the file as it is on disk."""
        if not self._starts:
            starts = [found.end() for found in re.finditer("\n", self.text)]
            self._starts = sorted([0, *starts, *self.splices])
        return bisect_right(self._starts, offset)


def read_cpp(data: bytes, path: str) -> CppText:
    """The text of a file's bytes. Raises NotCppText for a file that cannot be one."""
    if len(data) > MAX_BYTES:
        raise NotCppText(f"larger than {MAX_BYTES >> 20} MB")
    if b"\0" in data[: 1 << 16] or b"\0" in data:
        raise NotCppText("not a text file (it holds NUL bytes)")
    text = data.decode("latin-1")
    if "\\\n" not in text and _SPLICE.search(text) is None:
        return CppText(path, text)
    return _joined(path, text)


def _joined(path: str, text: str) -> CppText:
    """Join continued lines; a raw string that held one is not the literal it was, which no question notices."""
    pieces: list[str] = []
    splices: list[int] = []
    last = length = 0
    for found in _SPLICE.finditer(text):
        pieces.append(text[last : found.start()])
        length += found.start() - last
        splices.append(length)
        last = found.end()
    pieces.append(text[last:])
    return CppText(path, "".join(pieces), tuple(splices))


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
