"""Source text: bytes -> str, or one problem that says why it is no text.

UTF-8, with or without a byte order mark; line ends stay as they are. (Bazel itself reads Latin-1 and never notices.)
"""

from __future__ import annotations

import re

from bzlgraph.syntax.problem import Problem

_MARK = "\ufeff"
"""What Windows writes before UTF-8."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(source: bytes | str) -> tuple[str, Problem | None]:
    """The text of a file. With a problem, the text is what could be read, for the message to point at."""
    problem: Problem | None = None
    if isinstance(source, str):
        text = source
        if not text.isascii() and (surrogate := _SURROGATE.search(text)):
            before = len(text[: surrogate.start()].removeprefix(_MARK))
            problem = Problem(before, before + 1, f"unpaired surrogate U+{ord(surrogate[0]):04X} is not a character")
            text = _SURROGATE.sub("\ufffd", text)
    else:
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError as error:
            text = source[: error.start].decode("utf-8")
            problem = _not_text(source, error.start, len(text.removeprefix(_MARK)))
            text = source.decode("utf-8", "replace")
    return text.removeprefix(_MARK), problem


def _not_text(source: bytes, offset: int, at: int) -> Problem:
    byte = source[offset]
    if source[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Problem(at, at, "this is UTF-16 text; Bazel's files are UTF-8", "convert it to UTF-8")
    if b"\x00" in source[:8192]:
        return Problem(at, at, "this is a binary file, not text")
    return Problem(at, at + 1, f"invalid UTF-8: byte 0x{byte:02x}", "convert the file to UTF-8")
