"""Where a text says several ways (``dtypes``, ``value_classes``): which of them parameters leave open.

``a = f(a) if way else a`` makes "{&way}bb:*f;{~way}bb:a" of what each way makes: needs of parameters in braces, and
what is so where they may be. Only those are told that ask whether a parameter is given, or true.

>>> ways = guarded(["bb:*f", "bb:a"], [("&way",), ("~way", "mode=edge")])
>>> ways, opened(";".join(ways), {}), opened(";".join(ways), {"way": frozenset("0")})
(['{&way}bb:*f', '{~way}bb:a'], ['bb:*f', 'bb:a'], ['bb:a'])
>>> guarded(["{a}ff;ii", "bb"], [("!b",), ("b",)]), guarded(["ff", "ff"], [("a",), ("!a",)])
(['{!b,a}ff;{!b}ii', '{b}bb'], ['ff', 'ff'])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.ops.python.summary import (
    ASSUMED,
    EITHER,
    FALSE,
    FALSEHOOD,
    NAME,
    NOT,
    NOTHING,
    PYTHON,
    TRUE,
    TRULY,
    UNSURE,
)

GUARD = "{"
"""What the needs of a way begin with."""
_PLAIN = re.compile(rf"[{NOT}{FALSE}{TRULY}]?\w+")
_ANYTHING = frozenset([UNSURE, ASSUMED, PYTHON])


def guarded(texts: Sequence[str], needs: Sequence[Sequence[str]]) -> list[str]:
    """Texts of which each is so where some things are needed; as they are where all say the same."""
    if len(set(texts)) == 1:
        return list(texts)
    found = []
    for text, needed in zip(texts, needs, strict=True):
        guard = [each for each in needed if _PLAIN.fullmatch(each)]
        found.append(EITHER.join(_behind(each, guard) for each in text.split(EITHER)))
    return found


def opened(text: str, given: Mapping[str, frozenset[str]]) -> list[str]:
    """The ways of a text that may be with what parameters are given, without what they need; all where none may."""
    ways = [_parted(each) for each in text.split(EITHER)]
    kept = [rest for needs, rest in ways if all(_may_be(each, given) for each in needs)]
    return kept or [rest for _, rest in ways]


def needed_ways(ways: Iterable[str]) -> list[str]:
    """Ways without those that need a parameter to be given and not to be, or more than another one that says the same.

    >>> needed_ways(["{a,b}x", "{a}x", "{a,!a}y", "{b}x"])
    ['{a}x', '{b}x']
    """
    parted = [_parted(each) for each in dict.fromkeys(ways)]
    possible = [(frozenset(needs), rest) for needs, rest in parted if not any(NOT + each in needs for each in needs)]
    kept = [one for one in possible if not any(one[1] == other[1] and other[0] < one[0] for other in possible)]
    return [_behind(rest, sorted(needs)) for needs, rest in kept]


def _behind(way: str, guard: Sequence[str]) -> str:
    needs, rest = _parted(way)
    together = ",".join(dict.fromkeys([*guard, *needs]))
    return f"{{{together}}}{rest}" if together else rest


def _parted(way: str) -> tuple[list[str], str]:
    if not way.startswith(GUARD):
        return [], way
    guard, _, rest = way[1:].partition("}")
    return guard.split(","), rest


def _may_be(need: str, given: Mapping[str, frozenset[str]]) -> bool:
    values = given.get(need.lstrip(NOT + FALSE + TRULY), _ANYTHING)
    if not values.isdisjoint(_ANYTHING):
        return True
    if need.startswith(NOT):
        return NOTHING in values
    if need.startswith(FALSE):
        return any(not (value == TRUE or value.startswith(NAME)) for value in values)
    return not values <= ({NOTHING, FALSEHOOD} if need.startswith(TRULY) else {NOTHING})
