"""Work done elsewhere: a function of a key, run by whoever there is. One bookkeeping, whoever works.

A question goes from package to package, and one large package may be all that a step waits for. So that the others
have work meanwhile, packages that an evaluated one mentions are guesses: begun when nothing that was asked for is left,
and kept until somebody asks. (``concurrent.futures`` serves first come, first served, and ends only when all that was
begun has ended: half a second more of four for the dependencies of TensorFlow's pip package.)

``LocalExecutor`` (local.py) works in processes of this machine, ``DaskExecutor`` (dask.py) on a cluster. What none of
them could do they leave out: whoever asked does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Executor(ABC, Generic[K, V]):
    """What was asked for, what was guessed, and what is done of both."""

    __slots__ = ("_guesses", "_seen", "_unasked", "_waiting")

    def __init__(self) -> None:
        self._waiting: dict[K, None] = {}
        """What was asked for and not yet given to anybody."""
        self._guesses: dict[K, None] = {}
        self._seen: set[K] = set()
        """All that was ever asked for or guessed."""
        self._unasked: dict[K, V] = {}
        """Guesses that are done."""

    def results(self, wanted: Sequence[K]) -> Iterator[tuple[K, V]]:
        """What was made of ``wanted``, as it is done; without the keys that nobody could do."""
        given = set(self._given())
        self._waiting = dict.fromkeys(key for key in wanted if key not in given and key not in self._unasked)
        missing = given.intersection(wanted).union(self._waiting)
        self._seen.update(wanted)
        for key in wanted:
            self._guesses.pop(key, None)
            if key in self._unasked:
                yield key, self._unasked.pop(key)
        while missing and self._works():
            self._give()
            for key, made in self._arrived():
                if made is not None and key in missing:
                    yield key, made
                elif made is not None:
                    self._unasked[key] = made
                missing.discard(key)

    def guess(self, keys: Iterable[K], is_work: Callable[[K], bool] = lambda _key: True) -> None:
        """Keys that will probably be asked for. Those that are no work are left out: each is looked at once."""
        fresh = [key for key in keys if key not in self._seen]
        self._seen.update(fresh)
        self._guesses.update((key, None) for key in fresh if is_work(key))

    @abstractmethod
    def close(self) -> None:
        """End the work, and what was started for it."""

    def _queue(self) -> dict[K, None]:
        """Where the next work is taken from: guesses come last."""
        return self._waiting or self._guesses

    def _take(self, most: int) -> list[K]:
        """The next work, up to ``most`` keys."""
        queue = self._queue()
        taken = [key for key, _ in zip(queue, range(most), strict=False)]
        for key in taken:
            del queue[key]
        return taken

    @abstractmethod
    def _given(self) -> Collection[K]:
        """What workers have been given and not yet sent back."""

    @abstractmethod
    def _works(self) -> bool:
        """Whether there is anybody to work."""

    @abstractmethod
    def _give(self) -> None:
        """Give every worker as much as it may have."""

    @abstractmethod
    def _arrived(self) -> Iterator[tuple[K, V | None]]:
        """Wait for workers; what they send, None for all that was given to one in vain."""
