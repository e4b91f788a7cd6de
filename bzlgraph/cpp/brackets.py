"""Pairs of brackets in a list of tokens, and the arguments between them.

``closing`` and ``arguments`` look from one bracket on; who asks about many brackets of one list asks ``Brackets``,
which walks it once, however they are nested.

>>> from bzlgraph.cpp.tokens import tokenize
>>> tokens = tokenize("f(a, {b, c}, g(d, e))")
>>> [[token.text for token in part] for part in arguments(tokens, 1)]
[['a'], ['{', 'b', ',', 'c', '}'], ['g', '(', 'd', ',', 'e', ')']]
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from bzlgraph.cpp.tokens import Lexeme

T = TypeVar("T", bound=Lexeme)
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())
SHORT, UNCLOSED = 200, 50
"""Tokens of a call that is worth no table of all brackets; and those that are read of one that is never closed."""
MAX_LEFT_OPEN = 20
"""Brackets that are looked through for the one that another kind of bracket closes."""
MAX_CALL_TOKENS = 20_000
"""Tokens that are looked at behind a bracket: no call that a person writes is longer."""


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


@dataclass(slots=True)
class Brackets(Generic[T]):
    """The pairs of brackets of a list of tokens. A short call is looked at by itself, all else found in one pass."""

    tokens: list[T]
    _ends: list[int] | None = None
    _openings: dict[int, int] | None = None
    _unclosed: frozenset[int] = frozenset()
    _commas: dict[int, list[int]] | None = None

    @property
    def ends(self) -> list[int]:
        """What ``closing`` gives for each token, its own index for one that is no opening bracket."""
        if self._ends is None:
            ends = self._ends = list(range(len(self.tokens)))
            waiting: list[int] = []
            for index, token in enumerate(self.tokens):
                text = token.text
                if text in _OPEN:
                    waiting.append(index)
                elif text in _CLOSE and waiting:
                    if _OPEN[self.tokens[waiting[-1]].text] != text:
                        for each in self._left_open(waiting, text):
                            ends[each] = index
                    ends[waiting.pop()] = index
            for index in waiting:
                ends[index] = len(self.tokens) - 1
            self._unclosed = frozenset(waiting)
        return self._ends

    def _left_open(self, waiting: list[int], text: str) -> list[int]:
        """The brackets that nothing closes of ``({{a)``, taken out of those that wait."""
        near = range(len(waiting) - 1, max(len(waiting) - MAX_LEFT_OPEN, -1), -1)
        at = next((at for at in near if _OPEN[self.tokens[waiting[at]].text] == text), len(waiting) - 1)
        left = waiting[at + 1 :]
        del waiting[at + 1 :]
        return left

    @property
    def openings(self) -> dict[int, int]:
        """The bracket that each closing one closes."""
        if self._openings is None:
            self._openings = {end: at for at, end in enumerate(self.ends) if end != at}
        return self._openings

    def end(self, opening: int, limit: int = MAX_CALL_TOKENS) -> int:
        """What ``closing`` gives for an opening bracket, at most ``limit`` tokens on."""
        if self._ends is None:
            near = closing(self.tokens, opening, SHORT)
            if near < opening + SHORT - 1 and near < len(self.tokens) - 1:
                return near
        return min(self.ends[opening], opening + limit - 1)

    def is_open(self, opening: int) -> bool:
        """Whether nothing closes an opening bracket."""
        return self.end(opening, 1 << 30) == len(self.tokens) - 1 and bool(self.ends) and opening in self._unclosed

    def arguments(self, opening: int) -> list[list[T]]:
        """The arguments of the call whose opening bracket stands at ``opening``."""
        end = self.end(opening) if not self.is_open(opening) else self.end(opening, UNCLOSED)
        if end < opening + SHORT:
            return split_arguments(self.tokens[opening + 1 : end])
        commas = self._all_commas().get(opening, [])
        cuts = [opening, *commas[: bisect_left(commas, end)], end]
        return [self.tokens[start + 1 : stop] for start, stop in pairwise(cuts)]

    def _all_commas(self) -> dict[int, list[int]]:
        """The commas that stand in each bracket, and in none inside of it."""
        if self._commas is None:
            self._commas = {}
            around: list[int] = []
            for index, token in enumerate(self.tokens):
                if token.text in _OPEN:
                    around.append(index)
                elif token.text in _CLOSE and around:
                    around.pop()
                elif token.text == "," and around:
                    self._commas.setdefault(around[-1], []).append(index)
        return self._commas
