"""Inputs made of a corpus: pieces of its texts, spliced, repeated, broken.

A mutation of text breaks one thing and leaves the rest right, so it gets deeper than noise would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

MOST = 4000
"""Bytes of an input, before something in it is repeated."""
_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
ODD = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\t", b"\x0c", b"\x1b[31m", b"\xe2\x80\xae"),
    *(b"\xe2\x80\xa8", b"\xc2\x85", b"\\", b"\\\n", b'"""', b"'", b'"', b"%s", b"{}", b"..", b"/", b"//", b"@", b"*"),
    *(b"-1", b"0", b"1", b"65536", b"2147483648", b"9223372036854775808", b"1e309", b"1" * 400, b"nan"),
)
"""What readers stumble over: odd characters, brackets that stay open, numbers at a limit."""
_BRACKETS = (b"(", b"[", b"{", b"((", b")", b"]", b"}")


@dataclass(frozen=True, slots=True)
class Mutator:
    """Makes inputs of ``corpus``; ``words`` of the language are put in where tokens stand."""

    corpus: Sequence[bytes]
    words: Sequence[bytes] = ()

    def draw(self, random: Random) -> bytes:
        """An input; the same for the same state of ``random``."""
        data = self._piece(random)
        for _ in range(random.choice((0, 1, 1, 2, 3, 5, 8))):
            data = random.choice(_CHANGES)(self, random, data)
        return data

    def _piece(self, random: Random) -> bytes:
        text = random.choice(self.corpus)
        if len(text) <= MOST:
            return text
        lines = text.splitlines(keepends=True)
        start = random.randrange(len(lines))
        return b"".join(lines[start : start + random.randrange(1, 60)])[:MOST]

    def _word(self, random: Random) -> bytes:
        return random.choice(random.choice((self.words or ODD, ODD, _BRACKETS)))


def _flip(_by: Mutator, random: Random, data: bytes) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _insert(by: Mutator, random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + by._word(random) + data[at:]


def _remove(_by: Mutator, random: Random, data: bytes) -> bytes:
    start, end = _slice(random, data)
    return data[:start] + data[end:]


def _replace_token(by: Mutator, random: Random, data: bytes) -> bytes:
    tokens = _TOKEN.findall(data)
    if tokens:
        other = random.choice((by._word(random), random.choice(tokens)))
        tokens[random.randrange(len(tokens))] = other
    return b"".join(tokens)


def _repeat(_by: Mutator, random: Random, data: bytes) -> bytes:
    start, end = _slice(random, data)
    count = random.choice((2, 2, 3, 10, 100, 1000))
    return data[:end] + data[start:end] * min(count, 20_000 // max(end - start, 1)) + data[end:]


def _splice(by: Mutator, random: Random, data: bytes) -> bytes:
    other = by._piece(random)
    start, end = _slice(random, other)
    at = random.randrange(len(data) + 1)
    return data[:at] + other[start:end] + data[at:]


def _move_line(_by: Mutator, random: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        lines.insert(random.randrange(len(lines)), lines.pop(random.randrange(len(lines))))
    return b"".join(lines)


def _nest(_by: Mutator, random: Random, data: bytes) -> bytes:
    start, end = _slice(random, data)
    opening, closing = random.choice(((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"not ", b""), (b"-", b"")))
    depth = random.choice((1, 2, 20, 300))
    return data[:start] + opening * depth + data[start:end] + closing * depth + data[end:]


def _slice(random: Random, data: bytes) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice((1, 2, 5, 20, 100)))


_CHANGES: Sequence[Callable[[Mutator, Random, bytes], bytes]] = (
    *(_flip, _insert, _insert, _remove, _replace_token, _replace_token, _repeat, _splice, _move_line, _nest),
)
