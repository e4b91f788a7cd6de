"""Suggestions: a mistyped name and the names that exist -> the nearest ones, as Bazel's ``did you mean``.

An edit is a character too many, too few, another one, or two neighbours that have changed places; a letter in the other
case is less than one. What a slip of the hand makes is one or two edits away: farther names are only looked at
where none is as near, and names that hold the whole of what was typed where none is near at all.

>>> did_you_mean("fucntion", ["function", "other"])
" (did you mean 'function'?)"
>>> did_you_mean("x", ["function"])
''
>>> nearest_names("conv_op", ["conv_grad", "conv_ops", "cond_op", "matmul"])
('conv_ops', 'cond_op')
>>> nearest_names("lookup", ["MyTableLookup", "MyTableSize"])
('MyTableLookup',)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nsmallest

SLIP = 2
"""The edits of a mistyped name."""
PART = 4
"""The letters of the shortest text that is looked for inside of names."""
SHOWN = 3
"""How many names are suggested."""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` or nothing."""
    best = nearest(name, names)
    return f" (did you mean '{best}'?)" if best else ""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The other name with the smallest edit distance, the first of several; None when nothing is near.

    As Bazel counts: fewer than 5 edits, and fewer than half of the length.
    """
    return _nearest(name, tuple(names))


@lru_cache(maxsize=256)
def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    """One mistake may be made in a thousand rules of one class."""
    others = (each for each in names if each != name)
    return next(iter(nearest_names(name, others, 1, min(5, (len(name) + 1) // 2))), None)


def suggested(name: str, names: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` or nothing, where Bazel's answers have it: letter for letter what Bazel suggests, for
    whom two neighbours that have changed places are two edits.

    >>> suggested("abseil-py", ["abseil-cpp"]), suggested("ab", ["ba"]), suggested("abc", ["acb"])
    (" (did you mean 'abseil-cpp'?)", '', '')
    """
    lowered, limit, best = name.lower(), min(5, (len(name) + 1) // 2), ""
    for candidate in names:
        distance = _distances(lowered, candidate.lower(), limit, swaps=False)[-1]
        if distance < limit:
            limit, best = distance, candidate
    return f" (did you mean '{best}'?)" if best else ""


def nearest_names(name: str, names: Iterable[str], count: int = SHOWN, limit: int = 0) -> tuple[str, ...]:
    """Up to ``count`` names with fewer than ``limit`` edits, the nearest first.

    Without a limit those that are a slip away, else those with up to ``farthest`` edits, else those that hold the name.
    """
    listed = list(dict.fromkeys(names))
    if limit:
        return _within(name, listed, count, limit - 1)
    return slips(name, listed, count) or _within(name, listed, count, farthest(name)) or holding(name, listed, count)


def nearest_words(word: str, words: Iterable[str]) -> tuple[str, ...]:
    """Those of a short list (commands, values of an option) that may have been meant, the nearest first. One edit more
    than usual is looked at, as few others can be meant; one letter at least has to be right.

    >>> nearest_words("budi", ["label", "build", "xml"]), nearest_words("ywh", ["why"]), nearest_words("xyz", ["op"])
    (('build',), ('why',), ())
    """
    listed = tuple(words)
    found = nearest_names(word, listed) or nearest_names(word, listed, limit=SLIP + 2)
    return tuple(each for each in found if edit_distance(word, each, SLIP + 1) < max(len(word), len(each)))


def farthest(name: str) -> int:
    """The most edits that are worth a suggestion. Two edits that meet count as three: a letter in a pair that has
    changed places."""
    return max(len(name) // 2, SLIP + 1 if len(name) > 2 * SLIP else SLIP)


def slips(name: str, names: Iterable[str], count: int = SHOWN) -> tuple[str, ...]:
    """Up to ``count`` names that a slip of the hand makes of ``name``, the nearest first."""
    return _within(name, list(dict.fromkeys(names)), count, SLIP)


def _within(name: str, names: Sequence[str], count: int, most: int) -> tuple[str, ...]:
    near: list[tuple[int, int, int, str]] = []
    lowered = name.lower()
    for number, candidate in enumerate(close_texts(lowered, names, most)):
        alike = edit_distance(lowered, candidate.lower(), most)
        if alike <= most:
            exact = edit_distance(name, candidate, alike + 1) if candidate != candidate.lower() else alike
            near.append((min(exact, alike + 1), alike, number, candidate))
    return tuple(candidate for *_, candidate in nsmallest(count, near))


def holding(name: str, names: Iterable[str], count: int = SHOWN) -> tuple[str, ...]:
    """The shortest names that have the whole of a name inside: what is added before or behind may be long."""
    lowered = name.lower()
    found = (each for each in names if lowered in each.lower()) if len(name) >= PART else ()
    return tuple(nsmallest(count, found, key=lambda each: (len(each), each)))


def close_texts(lowered: str, texts: Iterable[str], most: int) -> Iterable[str]:
    """Those of many texts that can be within so many edits of a text in lower case: quick, and lets others through.

    Each edit spoils at most two of the pieces of a text, so of one more than twice as many pieces one is left whole.
    """
    size, parts = len(lowered), _pieces(lowered, most)
    for text in texts:
        if abs(len(text) - size) <= most:
            other = text.lower()
            if any(part in other for part in parts):
                yield text


def may_begin(start: str, text: str, most: int) -> bool:
    """Whether a text may begin with something within so many edits of ``start``: quick, and True too often."""
    return any(part in text for part in _pieces(start, most))


def _pieces(text: str, most: int) -> list[str]:
    size, count = len(text), 2 * most + 1
    return [text[size * i // count : size * (i + 1) // count] for i in range(count)]


def edit_distance(left: str, right: str, limit: int) -> int:
    """Edits between two texts (each letter takes part in one), or some number over ``limit`` when that is known."""
    return _distances(left, right, limit)[-1]


def prefix_distance(left: str, right: str, limit: int) -> int:
    """Edits between a text and the beginning of another one that is nearest to it."""
    return min(_distances(left, right, limit))


def _distances(left: str, right: str, limit: int, *, swaps: bool = True) -> list[int]:
    """The edits between a text and each beginning of another, as far as they are within the limit. ``swaps``: two
    neighbours that have changed places are one edit."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if swaps and i > 1 and j > 1 and a != b and a == right[j - 2] and left[i - 2] == b:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
        if min(row) > limit and min(before) > limit:
            return [limit + 1]
    return row
