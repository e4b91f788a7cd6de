"""Work in parallel: a function of a key, run by worker processes. Packages are loaded so, and C++ files are read so.

Workers are forked (where the platform has fork), so they start with everything this process knows; what they make
travels back as plain data, best as bytes.

A question goes from package to package, and one large package may be all that a step waits for. So that the others
have work meanwhile, packages that an evaluated one mentions are guesses: begun when nothing that was asked for is left,
and kept until somebody asks. (``concurrent.futures`` serves first come, first served, and ends only when all that was
begun has ended: half a second more of four for the dependencies of TensorFlow's pip package.)
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from bzlgraph.cache import looks

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

AHEAD = 2
"""Keys that a worker is given at a time, so that it need not wait for this process."""


@dataclass(slots=True)
class Workers(Generic[K, V]):
    """Worker processes, by the connection to each, with what each has been given and not yet sent back."""

    _given: dict[Connection, set[K]]
    _guesses: dict[K, None] = field(default_factory=dict)
    _seen: set[K] = field(default_factory=set)
    """All that was ever asked for or guessed."""
    _unasked: dict[K, V] = field(default_factory=dict)
    """Guesses that are done."""

    def results(self, wanted: Sequence[K]) -> Iterator[tuple[K, V]]:
        """What was made of ``wanted``, as it is done; without the keys that a worker died of."""
        given = {key for keys in self._given.values() for key in keys}
        waiting = dict.fromkeys(key for key in wanted if key not in given and key not in self._unasked)
        missing = given.intersection(wanted).union(waiting)
        self._seen.update(wanted)
        for key in wanted:
            self._guesses.pop(key, None)
            if key in self._unasked:
                yield key, self._unasked.pop(key)
        while missing and self._given:
            self._give(waiting)
            for key, made in self._arrived():
                if made is not None and key in missing:
                    yield key, made
                elif made is not None:
                    self._unasked[key] = made
                missing.discard(key)

    def close(self) -> None:
        """End the workers."""
        for connection in self._given:
            connection.close()
        self._given.clear()

    def guess(self, keys: Iterable[K], is_work: Callable[[K], bool] = lambda _key: True) -> None:
        """Keys that will probably be asked for. Those that are no work are left out: each is looked at once."""
        fresh = [key for key in keys if key not in self._seen]
        self._seen.update(fresh)
        self._guesses.update((key, None) for key in fresh if is_work(key))

    def _give(self, waiting: dict[K, None]) -> None:
        """Give every worker as much as it may have, what is waited for first."""
        for depth in range(1, AHEAD + 1):
            for connection, keys in self._given.items():
                if len(keys) < depth and (queue := waiting or self._guesses):
                    key = next(iter(queue))
                    del queue[key]
                    keys.add(key)
                    with suppress(OSError):  # it is dead: reading from it will tell
                        connection.send(key)

    def _arrived(self) -> Iterator[tuple[K, V | None]]:
        """Wait for workers; what they send, None for all that one had when it died."""
        from multiprocessing.connection import Connection, wait

        for connection in wait(list(self._given)):
            assert isinstance(connection, Connection), "these are all we wait for"
            try:
                key, made, looked, broken = connection.recv()
            except (EOFError, OSError):
                yield from ((key, None) for key in self._given.pop(connection))
            else:
                looks.merge(looked)
                self._given[connection].remove(key)
                looks.count_broken(broken)
                yield key, made


def start_workers(work: Callable[[K], V], jobs: int) -> Workers[K, V] | None:
    """Workers that run ``work``; None where one process is all there is (or fork is missing, or refused)."""
    import multiprocessing  # one package is read without it

    jobs = jobs or available_cores()
    if jobs < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return None
    context = multiprocessing.get_context("fork")
    given: dict[Connection, set[K]] = {}
    for _ in range(jobs):
        try:
            ours, theirs = context.Pipe()
            with theirs:
                context.Process(target=_work, args=(work, ours, theirs), daemon=True).start()
        except OSError:  # no more processes or open files for this user: those there are do the work
            break
        given[ours] = set()
    return Workers(given) if given else None


def in_parallel(work: Callable[[K], V], keys: Sequence[K], jobs: int) -> list[V]:
    """``work`` of each key, in order; what no worker could do, or all, is done in this process."""
    workers = start_workers(work, jobs)
    if workers is None:
        return [work(key) for key in keys]
    done = dict(workers.results(keys))
    workers.close()
    return [done[key] if key in done else work(key) for key in keys]


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(work: Callable[[K], V], parents: Connection, connection: Connection) -> None:
    """What a worker does until its parent is gone, or has closed the connection, which ends it too.

    It dies quietly of whatever nobody foresaw: its parent does the work again, and can tell.
    """
    parents.close()
    looks.fresh()  # what its parent saw before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(Exception):
        while True:
            key, before = connection.recv(), looks.limits_broken()
            made = work(key)
            connection.send((key, made, looks.fresh(), looks.limits_broken() - before))
