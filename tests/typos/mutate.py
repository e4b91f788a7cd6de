"""Names -> typos of one or two edits, and the plain measure of how far apart two names are."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from random import Random

import numpy

ALPHABET = string.ascii_lowercase + string.digits + "_"


def _insert(name: str, random: Random) -> str:
    at = random.randrange(len(name) + 1)
    return name[:at] + random.choice(ALPHABET) + name[at:]


def _delete(name: str, random: Random) -> str:
    at = random.randrange(len(name))
    return name[:at] + name[at + 1 :]


def _replace(name: str, random: Random) -> str:
    at = random.randrange(len(name))
    return name[:at] + random.choice(ALPHABET) + name[at + 1 :]


def _swap(name: str, random: Random) -> str:
    at = random.randrange(len(name) - 1)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


EDITS: tuple[Callable[[str, Random], str], ...] = (_insert, _delete, _replace, _swap)


def typo(name: str, random: Random) -> str:
    """The name after one or two edits."""
    for _ in range(random.choice((1, 2))):
        name = random.choice(EDITS)(name, random) if len(name) > 2 else _insert(name, random)
    return name


def distance(left: str, right: str) -> int:
    """The fewest insertions, deletions, replacements and exchanges of neighbours between two texts, by the textbook."""
    rows = [list(range(len(right) + 1))]
    for i in range(1, len(left) + 1):
        row = [i]
        for j in range(1, len(right) + 1):
            best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] != right[j - 1]))
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                best = min(best, rows[i - 2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


class Neighbourhood:
    """All real names of a kind: which of them are near to a typo. An edit changes at most two counts of letters."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.known = set(names)
        self._counts = numpy.array([_counts(name) for name in names], dtype=numpy.int16)

    def others_as_near(self, typed: str, meant: str) -> bool:
        """Whether another name is as near to what was typed as the one that was meant, or nearer."""
        far = distance(typed, meant)
        apart = numpy.abs(self._counts - _counts(typed)).sum(axis=1)
        close = (self.names[at] for at in numpy.flatnonzero(apart <= 2 * far))
        return any(name != meant and distance(typed, name) <= far for name in close)


def _counts(name: str) -> numpy.ndarray:
    return numpy.bincount(numpy.frombuffer(name.encode("latin-1", "replace"), dtype=numpy.uint8), minlength=256)
