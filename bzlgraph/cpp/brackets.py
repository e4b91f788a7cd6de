"""Pairs of brackets in a list of tokens, and the arguments between them.

>>> from bzlgraph.cpp.tokens import tokenize
>>> tokens = tokenize("f(a, {b, c}, g(d, e))")
>>> [[token.text for token in part] for part in arguments(tokens, 1)]
[['a'], ['{', 'b', ',', 'c', '}'], ['g', '(', 'd', ',', 'e', ')']]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bzlgraph.cpp.tokens import Lexeme

T = TypeVar("T", bound=Lexeme)
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


def closing(tokens: Sequence[Lexeme], opening: int, limit: int = 1 << 30) -> int:
    """The index of the bracket that closes the one at ``opening``; the last token's when none does."""
    depth = 0
    for index in range(opening, min(len(tokens), opening + limit)):
        text = tokens[index].text
        if text in _OPEN:
            depth += 1
        elif text in _CLOSE:
            depth -= 1
            if depth <= 0:
                return index
    return min(len(tokens), opening + limit) - 1


def closings(tokens: Sequence[Lexeme]) -> list[int]:
    """What ``closing`` gives, for all tokens at once (their own index for those that are no opening bracket)."""
    ends = list(range(len(tokens)))
    waiting: list[int] = []
    for index, token in enumerate(tokens):
        if token.text in _OPEN:
            waiting.append(index)
        elif token.text in _CLOSE and waiting:
            ends[waiting.pop()] = index
    for index in waiting:
        ends[index] = len(tokens) - 1
    return ends


def split_arguments(tokens: Sequence[T]) -> list[list[T]]:
    """What stands between the commas that no bracket holds; no tokens at all are no arguments."""
    if not tokens:
        return []
    parts: list[list[T]] = [[]]
    depth = 0
    for token in tokens:
        text = token.text
        if text == "," and depth == 0:
            parts.append([])
            continue
        if text in _OPEN:
            depth += 1
        elif text in _CLOSE:
            depth -= 1
        parts[-1].append(token)
    return parts


def arguments(tokens: Sequence[T], opening: int) -> list[list[T]]:
    """The arguments of the call whose opening bracket stands at ``opening``."""
    return split_arguments(tokens[opening + 1 : closing(tokens, opening)])
