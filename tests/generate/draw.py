"""Choices: what a generator asks for, answered by a seed or by hypothesis, which can shrink them.

A generator never asks for randomness in another way: the same seed makes the same workspace on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """A source of choices."""

    source: random.Random

    def number(self, least: int, most: int) -> int:
        """A number of this range, both ends included."""
        return self.source.randint(least, most)

    def chance(self, percent: int) -> bool:
        """Yes in so many cases of a hundred."""
        return self.source.randint(1, 100) <= percent

    def one(self, options: Sequence[T]) -> T:
        """One of them."""
        return options[self.source.randint(0, len(options) - 1)]

    def some(self, options: Sequence[T], most: int) -> list[T]:
        """Up to so many of them, in any order."""
        left: list[T] = list(options)
        found: list[T] = []
        for _ in range(self.number(0, most)):
            if left:
                found.append(left.pop(self.source.randint(0, len(left) - 1)))
        return found

    def several(self, make: Callable[[], T], least: int, most: int) -> list[T]:
        """Things made one after the other."""
        return [make() for _ in range(self.number(least, most))]
