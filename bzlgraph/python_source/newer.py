"""Python of a newer version than the running one -> the same without what only newer ones can read.

Rules
- Type parameters of functions, classes and ``type`` statements (3.12) are left out; ``type A = x`` is ``A = x``.
- An f-string with its own quotes inside of a replacement field (3.12) gets other quotes; a field that no quotes help
  (a backslash or a comment in it) becomes ``{0}``. A t-string (3.14) is an f-string.
- Lines stay where they are.

A scanner of strings and brackets is enough for that, and depends on nothing: parso 0.8.7 reads neither ``type``
statements nor such f-strings.

>>> older("def f[T: int](x: T): pass")
'def f(x: T): pass'
>>> older('type A[T] = list[T]')
'A = list[T]'
>>> older('x = f"{d["a"]} and {y}"')
'x = f\\'\\'\\'{d["a"]} and {y}\\'\\'\\''
>>> older("type = type(x)[f'{y}']")
"type = type(x)[f'{y}']"
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PIECE = re.compile(
    r"""(?P<comment>\#[^\n]*)"""
    r"""|(?P<string>(?:(?<!\w)(?P<prefix>[A-Za-z]{1,2}))?(?P<quotes>'''|\"\"\"|'|"))"""
    r"""|(?P<named>\b(?:def|class)[ \t]+\w+[ \t]*(?=\[))"""
    r"""|(?P<alias>(?<![^\n;:])(?P<indent>[ \t]*)type[ \t]+(?P<name>[^\W\d]\w*)[ \t]*(?=[=\[]))"""
)
_SPACES = re.compile(r"[ \t]*")
_QUOTES = ("'''", '"""')
_MAX_DEPTH = 20


def older(text: str) -> str:
    """The text as an older Python can read it; the same text where nothing in it is new."""
    pieces: list[str] = []
    place = 0
    while (found := _PIECE.search(text, place)) is not None:
        pieces.append(text[place : found.start()])
        if found["string"] is not None:
            written, place = _string(text, found)
        else:
            written, place = found[0], found.end()
            if found["alias"] is not None:
                written = f"{found['indent']}{found['name']} "
            if found["comment"] is None and text[place : place + 1] == "[":
                end = _end_of_brackets(text, place)
                written, place = written.rstrip(" ") + _lines_of(text[place:end]), end
                if found["alias"] is not None:
                    written, place = f"{written} ", _SPACES.match(text, place).end()  # type: ignore[union-attr]
        pieces.append(written)
    return "".join((*pieces, text[place:]))


def _lines_of(text: str) -> str:
    """As many lines, with nothing in them."""
    return "\\\n" * text.count("\n")


def _end_of_brackets(text: str, place: int) -> int:
    """Behind the bracket that closes the one at ``place``."""
    depth = 0
    while place < len(text):
        found = _PIECE.match(text, place)
        if found is not None and found["string"] is not None:
            place = _string(text, found)[1]
            continue
        if found is not None and found["comment"] is not None:
            place = found.end()
            continue
        depth += (text[place] in "([{") - (text[place] in ")]}")
        place += 1
        if depth == 0:
            break
    return place


class _Field(NamedTuple):
    """A replacement field of an f-string: where it ends, and its text as an older Python can read it."""

    end: int
    text: str
    plain: bool
    """Whether any quotes do: it has neither quotes nor lines nor backslashes in it."""


def _string(text: str, found: re.Match[str], depth: int = 0) -> tuple[str, int]:
    """(a string literal as an older Python can read it, where it ends)."""
    prefix, quotes = found["prefix"] or "", found["quotes"]
    formatted, raw = bool({"f", "t"} & set(prefix.lower())), "r" in prefix.lower()
    place, body, plain = found.end(), list[str](), True
    while place < len(text) and not text.startswith(quotes, place):
        here = text[place]
        if here == "\\":
            before_brace = formatted and text[place + 1 : place + 2] in ("{", "}")  # which is no part of an escape
            step = here if before_brace else text[place : place + 2]
            body.append(step)
            if formatted and not raw and text.startswith("N{", place + 1):
                end = text.find("}", place)
                step = text[place : end + 1] if end >= 0 else step
                body[-1] = step
            place += len(step)
        elif here == "\n" and len(quotes) == 1:
            break  # not a string after all
        elif formatted and text.startswith(("{{", "}}"), place):
            body.append(text[place : place + 2])
            place += 2
        elif formatted and here == "{" and depth < _MAX_DEPTH:
            field = _field(text, place, quotes, depth)
            body.append(field.text)
            plain &= field.plain
            place = field.end
        else:
            body.append(here)
            place += 1
    end = min(place + len(quotes), len(text))
    prefix = prefix.replace("t", "f").replace("T", "F") if formatted else prefix
    if plain or not formatted:
        return f"{prefix}{quotes}{''.join(body)}{text[place:end]}", end
    return _requoted(prefix, body), end


def _requoted(prefix: str, body: list[str]) -> str:
    """An f-string in quotes that are not inside of it; where both are, its fields hold nothing."""
    whole = "".join(body)
    for quotes in _QUOTES:
        if quotes not in whole and not whole.endswith(quotes[0]):
            return f"{prefix}{quotes}{whole}{quotes}"
    empty = "".join("{0}" + _lines_of(each) if len(each) > 2 and each[0] == "{" else each for each in body)
    return f'{prefix}"""{empty}"""' if '"""' not in empty and not empty.endswith('"') else '""' + _lines_of(whole)


def _field(text: str, place: int, quotes: str, depth: int) -> _Field:
    """The replacement field at ``place``."""
    pieces, start, plain, level = list[str](), place, True, 0
    while place < len(text):
        found = _PIECE.match(text, place)
        if found is not None and found["string"] is not None:
            plain &= found["quotes"] not in (quotes, *_QUOTES) or (len(quotes) == 3 and found["quotes"] != quotes)
            inner, place = _string(text, found, depth + 1)
            pieces.append(inner)
            continue
        here = text[place]
        level += (here in "([{") - (here in ")]}")
        plain &= here != "\n" or len(quotes) == 3
        pieces.append(here)
        place += 1
        if level == 0:
            break
    written = "".join(pieces)
    if "\\" in written or ("#" in written and not plain):
        return _Field(place, "{0}" + "\n" * text.count("\n", start, place), False)
    return _Field(place, written, plain)
