"""What was asked for and not yet given to anybody: who takes next takes what."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(slots=True)
class Waiting(Generic[K]):
    """Keys, each once. Whoever asked needs them in order; whoever helps begins with the heaviest, so that nobody is
    left with one while all others have nothing to do."""

    weight: Callable[[K], int]
    """How long the work of a key may take, in any unit."""
    _there: set[K] = field(default_factory=set)
    _in_order: deque[K] = field(default_factory=deque)
    """With keys that were taken by weight."""
    _by_weight: list[tuple[int, int, K]] = field(default_factory=list)
    """(minus the weight, how many were asked for before, key): a heap, with keys that were taken from the front."""
    _asked: int = 0

    def __len__(self) -> int:
        return len(self._there)

    def __contains__(self, key: K) -> bool:
        return key in self._there

    def add(self, keys: Iterable[K]) -> None:
        """Let more keys wait."""
        for key in keys:
            self._there.add(key)
            self._in_order.append(key)
            heappush(self._by_weight, (-self.weight(key), self._asked, key))
            self._asked += 1

    def hurry(self, key: K) -> None:
        """Let a key be the first, one that waits or is about to."""
        self._in_order.appendleft(key)

    def take_first(self) -> K | None:
        """The key that was asked for first, or is in a hurry; None when none waits."""
        while self._there:
            key = self._in_order.popleft()
            if key in self._there:
                self._there.remove(key)
                return key
        return None

    def take_heaviest(self) -> K | None:
        """The heaviest key, of the same weight the first; None when none waits."""
        while self._there:
            key = heappop(self._by_weight)[2]
            if key in self._there:
                self._there.remove(key)
                return key
        return None

    def clear(self) -> None:
        """Let none wait any more."""
        self._there.clear()
        self._in_order.clear()
        self._by_weight.clear()
