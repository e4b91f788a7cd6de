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
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.base.span import Location

SEPARATORS = " \t\r"
_STRIPPED = " \t\r\n\v\f"
_ENDS = re.compile(r"\\\r?\n")


class RcToken(NamedTuple):
    """One word of a line: its text and where it begins."""

    text: str
    location: Location


def rc_lines(text: str, path: str) -> Iterator[list[RcToken]]:
    """The lines that have words, of the file ``path``."""
    for logical, places in _logical_lines(text):
        words = [RcToken(word, Location(path, *place)) for word, place in _words(logical, places)]
        if words:
            yield words


def _logical_lines(text: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Lines with the continued ones joined, and the place of each character."""
    number = 1
    joined: list[str] = []
    places: list[tuple[int, int]] = []
    for physical in text.split("\n"):
        continued = physical.endswith(("\\", "\\\r"))
        kept = physical.rstrip("\r")[:-1] if physical.endswith("\\\r") else physical[:-1] if continued else physical
        joined.append(kept)
        places += [(number, column) for column in range(1, len(kept) + 1)]
        number += 1
        if not continued:
            yield "".join(joined), places
            joined, places = [], []
    if joined:
        yield "".join(joined), places


def _words(line: str, places: list[tuple[int, int]]) -> Iterator[tuple[str, tuple[int, int]]]:
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
            yield word, places[start]


def _word(line: str, at: int, end: int) -> tuple[str, int]:
    """One word that begins at ``at``, and where it ends."""
    found: list[str] = []
    quoted = ""
    while at < end and (quoted or line[at] not in SEPARATORS):
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
