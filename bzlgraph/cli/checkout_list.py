"""``--checkouts LIST``: the checkouts that one command is about, each as a command line of its own would name it.

A line is ``NAME PATH [OPTION]...``, quoted as in a shell, ``#`` begins a comment; a file that begins with ``[`` is a
list of ``{"name": ..., "path": ..., "options": [...]}`` instead.

>>> list(read('tf-1.12  ../tf112 --bazel_version=0.19.1  # old\\n'))
[ListedCheckout(name='tf-1.12', path='../tf112', options=('--bazel_version=0.19.1',))]
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.export.dataset.folder import NAME

_LINE_HINT = "a line is NAME PATH [OPTION]..."
_ENTRY_HINT = '{"name": "NAME", "path": "PATH", "options": ["OPTION", ...]}'


class ListedCheckout(NamedTuple):
    """A checkout: the name it gets, its folder, and options as on the command line."""

    name: str
    path: str
    options: tuple[str, ...] = ()


def read_list(path: Path) -> tuple[ListedCheckout, ...]:
    """The checkouts of a file. Raises UsageProblem for what is no list of them, or names one twice."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"--checkouts={path}: {error}") from None
    found = tuple(read(text, str(path)))
    if not found:
        raise UsageProblem(Diagnostic(f"{path}: lists no checkout", hint=_LINE_HINT))
    return found


def read(text: str, path: str = "") -> Iterator[ListedCheckout]:
    """The same from its text."""
    lines = _entries(text, path) if text.lstrip().startswith("[") else _lines(text, path)
    names: set[str] = set()
    for location, words in lines:
        if len(words) < 2:
            raise UsageProblem(Diagnostic("a checkout has a name and a path", location, hint=_LINE_HINT))
        name, folder, *options = words
        if not NAME.fullmatch(name):
            hint = "use letters, digits, '.', '_', '+' and '-', and do not start with '.', '+' or '-'"
            raise UsageProblem(Diagnostic(f"'{name}' is not a valid name for a checkout", location, hint=hint))
        if name.lower() in names:  # some file systems take two spellings of a folder for one
            raise UsageProblem(Diagnostic(f"two checkouts are named '{name}'", location))
        names.add(name.lower())
        yield ListedCheckout(name, folder, tuple(options))


def _lines(text: str, path: str) -> Iterator[tuple[Location, Sequence[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        location = Location(path, number, 0)
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageProblem(Diagnostic(str(error).lower(), location, hint=_LINE_HINT)) from None
        if words:
            yield location, words


def _entries(text: str, path: str) -> Iterator[tuple[Location, Sequence[str]]]:
    try:
        listed = json.loads(text)
    except ValueError as error:
        raise UsageProblem(Diagnostic(f"invalid JSON: {error}", Location(path, 0, 0))) from None
    for number, entry in enumerate(listed, 1):
        words = _words(entry)
        if words is None:
            message = f"entry {number} is not a checkout: {json.dumps(entry)}"
            raise UsageProblem(Diagnostic(message, Location(path, 0, 0), hint=_ENTRY_HINT))
        yield Location(path, 0, 0), words


def _words(entry: object) -> list[str] | None:
    """Name, path and options of an entry; None for what is none."""
    if not isinstance(entry, dict) or not {"name", "path"} <= set(entry) <= {"name", "path", "options"}:
        return None
    options = entry.get("options", [])
    words = [entry["name"], entry["path"], *(options if isinstance(options, list) else [None])]
    return words if all(isinstance(word, str) for word in words) else None
