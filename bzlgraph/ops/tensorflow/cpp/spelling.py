"""Pieces of C++ written down as one text, and the texts and types that registrations name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bzlgraph.cpp import Kind
from bzlgraph.cpp.expand import Piece
from bzlgraph.cpp.literals import string_value


def spelled(given: Iterable[Piece]) -> str:
    """Code as people write it: ``A < B , C >`` gives ``A<B, C>``."""
    text = ""
    for piece in given:
        if piece.text == ",":
            text += ", "
        elif text[-1:].isalnum() and (piece.text[:1].isalnum() or piece.text[:1] == "_"):
            text += " " + piece.text
        else:
            text += piece.text
    return text.strip()


def text_of(given: Sequence[Piece]) -> str | None:
    """The text of adjacent literals, None for anything else."""
    inner = unwrapped(given)
    if not inner or any(piece.kind != Kind.STRING for piece in inner):
        return None
    return "".join(string_value(piece.text) for piece in inner)


def unwrapped(given: Sequence[Piece]) -> Sequence[Piece]:
    """Code without brackets around all of it."""
    while len(given) > 2 and given[0].text == "(" and given[-1].text == ")" and _pair(given):
        given = given[1:-1]
    return given


def _pair(given: Sequence[Piece]) -> bool:
    depth = 0
    for index, piece in enumerate(given):
        depth += {"(": 1, ")": -1}.get(piece.text, 0)
        if depth == 0:
            return index == len(given) - 1
    return False
