"""Unknown values in text: a repository rule that writes what a command printed still writes the rest of the file.

``"-l%s" % unknown`` -> ``-lbzlgraph_unknown_x..._``: a name in the place of what is unknown, which holds its
description. In a file that is evaluated later it is an ``Unknown`` value again; so is a string literal around it.

>>> name = placeholder('execute(["uname"]).stdout', "@host")
>>> name.isidentifier(), readable(f"-l{name}")
(True, '-lexecute(["uname"]).stdout')
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bzlgraph.base.words import utf8
from bzlgraph.bazel.files.unknown import Unknown

MARK = "bzlgraph_unknown_x"
_PLACEHOLDER = re.compile(rf"{MARK}([0-9a-f]+)_")
_SEPARATOR = "\0"
MAX_TEXT = 120
"""Descriptions are cut here: a command line may be long, and so may what is made of its output."""


def placeholder(text: str, source: str) -> str:
    """The name that stands for the unknown value ``text`` of ``source``."""
    shown = readable(text)
    shown = shown if len(shown) <= MAX_TEXT else f"{shown[: MAX_TEXT - 3]}..."
    return f"{MARK}{utf8(f'{shown}{_SEPARATOR}{source}').hex()}_"


def readable(text: str) -> str:
    """The text with descriptions in place of placeholders."""
    return _PLACEHOLDER.sub(lambda found: _described(found)[0], text) if MARK in text else text


def is_placeholder(name: str) -> bool:
    """Whether a name begins with one that stands for an unknown value."""
    return _PLACEHOLDER.match(name) is not None


def names_in(text: str) -> Iterator[str]:
    """The placeholders in a text."""
    return (found.group() for found in _PLACEHOLDER.finditer(text)) if MARK in text else iter(())


def holds_any(data: bytes) -> bool:
    """Whether there may be a placeholder in a file."""
    return MARK.encode() in data


def unknown_values(data: bytes) -> dict[str, Unknown]:
    """The placeholders in a file, and the value that each stands for."""
    if not holds_any(data):
        return {}
    found = _PLACEHOLDER.finditer(data.decode("utf-8", "replace"))
    return {each.group(): Unknown(*_described(each)) for each in found}


def _described(found: re.Match[str]) -> tuple[str, str]:
    text, _, source = bytes.fromhex(found.group(1)).decode("utf-8", "replace").partition(_SEPARATOR)
    return text, source
