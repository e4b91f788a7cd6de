"""Unknown values in text: a repository rule that writes what a command printed still writes the rest of the file.

``"-l%s" % unknown`` -> ``-lbzlgraph_unknown_x..._``: a name in the place of what is unknown, which holds its
description. In a file that is evaluated later it is an ``Unknown`` value again; so is a string literal around it.

>>> name = placeholder('execute(["uname"]).stdout', "@host")
>>> name.isidentifier(), readable(f"-l{name}")
(True, '-lexecute(["uname"]).stdout')
"""

from __future__ import annotations

import re

from bzlgraph.bazel.values.unknown import Unknown

MARK = "bzlgraph_unknown_x"
PLACEHOLDER = re.compile(rf"{MARK}([0-9a-f]+)_")
_SEPARATOR = "\0"
MAX_TEXT = 120
"""Descriptions are cut here: a command line may be long, and so may what is made of its output."""


def placeholder(text: str, source: str) -> str:
    """The name that stands for the unknown value ``text`` of ``source``."""
    shown = readable(text)
    shown = shown if len(shown) <= MAX_TEXT else f"{shown[: MAX_TEXT - 3]}..."
    return f"{MARK}{f'{shown}{_SEPARATOR}{source}'.encode().hex()}_"


def readable(text: str) -> str:
    """The text with descriptions in place of placeholders."""
    return PLACEHOLDER.sub(lambda found: _described(found)[0], text) if MARK in text else text


def unknown_values(data: bytes) -> dict[str, Unknown]:
    """The placeholders in a file, and the value that each stands for."""
    if MARK.encode() not in data:
        return {}
    found = PLACEHOLDER.finditer(data.decode("utf-8", "replace"))
    return {each.group(): Unknown(*_described(each)) for each in found}


def _described(found: re.Match[str]) -> tuple[str, str]:
    text, _, source = bytes.fromhex(found.group(1)).decode("utf-8", "replace").partition(_SEPARATOR)
    return text, source
