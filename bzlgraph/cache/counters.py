"""What a run has done, in numbers, for ``--profile``: which way the answer came, and what had to be read for it.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os

EVALUATED, UNPACKED = "packages evaluated", "packages taken from the cache"
READ, LOOKED_AT = "files read", "paths looked at"
_NAMES = (EVALUATED, UNPACKED, READ, LOOKED_AT)
_counts = dict.fromkeys(_NAMES, 0)


def count(name: str, more: int = 1) -> None:
    """Add to a number."""
    _counts[name] += more


def counted(name: str) -> int:
    """A number so far."""
    return _counts[name]


def start() -> None:
    """Begin again with nothing."""
    _counts.update(dict.fromkeys(_NAMES, 0))


def lines(way: str) -> list[str]:
    """The profile of this process. What worker processes have read is not counted, what they evaluated is.

    >>> start(); count(EVALUATED, 2); lines("loaded")[:2]
    ['profile: loaded', 'profile: packages evaluated: 2']
    """
    used = os.times()
    numbers = [f"profile: {name}: {number:,}" for name, number in _counts.items()]
    return [f"profile: {way}", *numbers, f"profile: processor time: {used.user + used.system:.3f} s"]
