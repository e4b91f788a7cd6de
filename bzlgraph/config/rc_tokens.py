r"""The text of an rc file -> lines of words, each with its place: Bazel's own quoting, as its client does it.

Rules (``src/main/cpp/rc_file.cc``, ``util/strings.cc`` of Bazel):

* a backslash at the end of a line joins the next one to it, also behind a comment;
* words end at a space, a tab, a carriage return; ``'`` and ``"`` quote, anywhere in a word; a missing end is no error;
* a backslash takes the next character as it is, within quotes of both kinds too;
* ``#`` ends the line, also within a word, but not within quotes; an empty word (``''``) is dropped.

>>> [word.text for line in rc_lines('build --copt="-a b" --x=1#y \n', ".bazelrc") for word in line]
['build', '--copt=-a b', '--x=1']
>>> print(quote("-a 'b'"))
"-a 'b'"
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bzlgraph.base.span import Location

MAX_WORDS = 50_000
"""The most words of rc files, far more than anybody writes: an untrusted checkout may be read."""
SEPARATORS = " \t\r"
_STRIPPED = " \t\r\n\v\f"
_RUN = re.compile(rf"""[^{SEPARATORS}'"\\#]+""")
"""Characters of a word that mean nothing but themselves, quoted or not."""


class RcToken(NamedTuple):
    """One word of a line: its text and where it begins."""

    text: str
    location: Location


def rc_lines(text: str, path: str) -> Iterator[list[RcToken]]:
    """The lines that have words, of the file ``path``; of more than MAX_WORDS in one, no more than one too many."""
    for logical, starts, first in _logical_lines(text):
        found = islice(_words(logical), MAX_WORDS + 1)
        words = [RcToken(word, Location(path, *_place(at, starts, first))) for word, at in found]
        if words:
            yield words


def _logical_lines(text: str) -> Iterator[tuple[str, list[int], int]]:
    """Lines with the continued ones joined, where in them each of those begins, and the number of the first."""
    joined: list[str] = []
    starts, first = [0], 1
    for number, physical in enumerate(text.split("\n"), 1):
        continued = physical.endswith(("\\", "\\\r"))
        kept = physical.rstrip("\r")[:-1] if physical.endswith("\\\r") else physical[:-1] if continued else physical
        joined.append(kept)
        if continued:
            starts.append(starts[-1] + len(kept))
        else:
            yield "".join(joined), starts, first
            joined, starts, first = [], [0], number + 1
    if joined:
        yield "".join(joined), starts, first


def _place(at: int, starts: Sequence[int], first: int) -> tuple[int, int]:
    """The line and the column of a character of a joined line."""
    index = bisect_right(starts, at) - 1
    return first + index, at - starts[index] + 1


def _words(line: str) -> Iterator[tuple[str, int]]:
    """The words of a line, and where each begins."""
    at, end = 0, len(line.rstrip(_STRIPPED))
    while at < end and line[at] in _STRIPPED:
        at += 1
    while at < end:
        while at < end and line[at] in SEPARATORS:
            at += 1
        if at >= end or line[at] == "#":
            return
        start = at
        word, at = _word(line, at, end)
        if word:
            yield word, start


def _word(line: str, at: int, end: int) -> tuple[str, int]:
    """One word that begins at ``at``, and where it ends."""
    found: list[str] = []
    quoted = ""
    while at < end and (quoted or line[at] not in SEPARATORS):
        if run := _RUN.match(line, at, end):
            found.append(run.group())
            at = run.end()
            continue
        char = line[at]
        if char == "\\":
            found.append(line[at + 1 : min(at + 2, end)])
            at += 2
            continue
        if char == quoted:
            quoted = ""
        elif not quoted and char in "'\"":
            quoted = char
        elif not quoted and char == "#":
            return "".join(found), end
        else:
            found.append(char)
        at += 1
    return "".join(found), at


_PLAIN = re.compile(r"[^\s'\"\\#]+")


def quote(word: str) -> str:
    """A word as it may be written in an rc file; it may not be empty, nor have line ends."""
    if _PLAIN.fullmatch(word):
        return word
    inner = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


def as_typed(option: str) -> str:
    """An option as one would type it in an rc file: on one word, quoted where it needs to be.

    >>> as_typed("--copt=-O2"), as_typed("--status=make it"), as_typed("--define a=b c")
    ('--copt=-O2', '--status="make it"', '--define "a=b c"')
    """
    name, equals, value = option.partition("=")
    if " " in name:
        return " ".join(map(quote, option.split(" ", 1)))
    return f"{name}={quote(value) if value else ''}" if equals else name
