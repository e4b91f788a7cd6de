"""Suggestions: a mistyped name and the names that exist -> the nearest one, as Bazel's ``did you mean``.

>>> did_you_mean("fucntion", ["function", "other"])
" (did you mean 'function'?)"
>>> did_you_mean("x", ["function"])
''
"""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` or nothing."""
    best = nearest(name, names)
    return f" (did you mean '{best}'?)" if best else ""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name with the smallest edit distance, None when nothing is near (Bazel: below 5, and half of the length)."""
    limit = min(5, (len(name) + 1) // 2)
    best = None
    for candidate in names:
        if candidate == name or abs(len(candidate) - len(name)) >= limit:
            continue
        distance = edit_distance(name.lower(), candidate.lower(), limit)
        if distance < limit:
            best, limit = candidate, distance
    return best


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
