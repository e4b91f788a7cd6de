"""Suggestions: a mistyped name and the names that exist -> the nearest ones, as Bazel's ``did you mean``.

>>> did_you_mean("fucntion", ["function", "other"])
" (did you mean 'function'?)"
>>> did_you_mean("x", ["function"])
''
>>> nearest_names("conv_op", ["conv_grad", "conv_ops", "cond_op", "matmul"])
('conv_ops', 'cond_op')
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` or nothing."""
    best = nearest(name, names)
    return f" (did you mean '{best}'?)" if best else ""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The other name with the smallest edit distance, the first of several; None when nothing is near.

    As Bazel counts: fewer than 5 edits, and fewer than half of the length.
    """
    others = (each for each in names if each != name)
    return next(iter(nearest_names(name, others, 1, min(5, (len(name) + 1) // 2))), None)


def nearest_names(name: str, names: Iterable[str], count: int = 3, limit: int = 0) -> tuple[str, ...]:
    """Up to ``count`` names with fewer than ``limit`` edits (by default half of the length and one more), the
    nearest first."""
    limit = limit or len(name) // 2 + 1
    lowered = name.lower()
    near: list[tuple[int, int, str]] = []
    for candidate in dict.fromkeys(names):
        if abs(len(candidate) - len(name)) < limit:
            distance = edit_distance(lowered, candidate.lower(), limit)
            if distance < limit:
                near.append((distance, len(near), candidate))
    return tuple(candidate for _, _, candidate in nsmallest(count, near))


def edit_distance(left: str, right: str, limit: int) -> int:
    """Levenshtein distance, or some number over ``limit`` as soon as it is known to be larger."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
        if min(row) > limit:
            return limit + 1
    return row[-1]
