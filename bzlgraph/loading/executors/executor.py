"""Work done elsewhere: a function of a key, run by whoever there is. One bookkeeping, whoever works.

A question goes from package to package, and one large package may be all that a step waits for. So that the others
have work meanwhile, what is asked for may grow while it is done: what is behind the packages that have come is asked
for at once. (Beginning with all that a package mentions, before anybody asks, was a fifth of the work for the
dependencies of TensorFlow's pip package, and nobody ever asked for it.)

``LocalExecutor`` (local.py) works in processes of this machine, ``DaskExecutor`` (dask.py) on a cluster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

from bzlgraph.loading.executors.waiting import Waiting

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Executor(ABC, Generic[K, V]):
    """What was asked for."""

    __slots__ = ("_waiting",)

    def __init__(self, weight: Callable[[K], int] = lambda _key: 0) -> None:
        self._waiting = Waiting(weight)

    def results(self, wanted: list[K]) -> Iterator[tuple[K, V | None]]:
        """What was made of ``wanted``, as it is done; None where nobody could do it: whoever asked does it.

        Keys are taken out of ``wanted``; those that are put into it meanwhile are done as well.
        """
        missing: dict[K, None] = {}
        while True:
            fresh = dict.fromkeys(wanted)
            wanted.clear()
            missing |= fresh
            self._waiting.add(fresh)
            if not missing or not self._works():
                break
            self._give()
            for key, made in self._arrived():
                if key in missing:
                    del missing[key]
                    yield key, made
        self._waiting.clear()
        yield from ((key, None) for key in missing)

    def hurry(self, key: K, wanted: list[K]) -> None:
        """Give a key next that waits, or is in ``wanted``."""
        if key in self._waiting or key in wanted:
            self._waiting.hurry(key)

    @abstractmethod
    def close(self) -> None:
        """End the work, and what was started for it."""

    @abstractmethod
    def _works(self) -> bool:
        """Whether there is anybody to work."""

    @abstractmethod
    def _give(self) -> None:
        """Give every worker as much as it may have."""

    @abstractmethod
    def _arrived(self) -> Iterator[tuple[K, V | None]]:
        """Wait for workers, or work here; what they send, None for all that was given to one in vain."""
