"""Processes of this machine: packages are loaded so, and C++ files are read so.

Workers are forked (where the platform has fork), so they start with everything this process knows; what they make
travels back as plain data, best as bytes. This process works, too, while nothing of theirs has come: one worker less,
and its memory. It does first what was asked for first, and what somebody here waits for; workers begin with the
heaviest.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from bzlgraph.cache import looks
from bzlgraph.loading.executors.executor import Executor

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
AHEAD = 4
"""How much a worker is given at a time, so that it need not wait for this process, which works meanwhile."""
PROCESSES_PER_CORE = 4
"""At most. Evaluating needs nothing but a processor, so more gain nothing, and each takes memory: ``--jobs=200``, which
is usual for Bazel, would be 200 processes."""


class LocalExecutor(Executor[K, V]):
    """Worker processes, by the connection to each, with what each has been given and not yet sent back; and ``work``,
    which this process does as well."""

    __slots__ = ("_work", "_workers")

    def __init__(self, workers: dict[Connection, set[K]], work: Callable[[K], V], weight: Callable[[K], int]) -> None:
        super().__init__(weight)
        self._workers = workers
        self._work = work

    def close(self) -> None:
        for connection in self._workers:
            connection.close()
        self._workers.clear()

    def _works(self) -> bool:
        return bool(self._workers)

    def _give(self) -> None:
        for depth in range(1, AHEAD + 1):
            for connection, keys in self._workers.items():
                share = 1 + len(self._waiting) // (len(self._workers) + 1)  # so that something is left for all
                if len(keys) < min(depth, share) and (key := self._waiting.take_heaviest()) is not None:
                    keys.add(key)
                    with suppress(OSError):  # it is dead: reading from it will tell
                        connection.send(key)

    def _arrived(self) -> Iterator[tuple[K, V | None]]:
        from multiprocessing.connection import Connection, wait

        arrived = wait(list(self._workers), 0 if self._waiting else None)
        if not arrived and (key := self._waiting.take_first()) is not None:
            yield key, self._work(key)
        for connection in arrived:
            assert isinstance(connection, Connection), "these are all we wait for"
            try:
                key, made, looked, broken = connection.recv()
            except (EOFError, OSError):
                yield from ((key, None) for key in self._workers.pop(connection))
            else:
                looks.merge(looked)
                self._workers[connection].remove(key)
                looks.count_broken(broken)
                yield key, made


def start_local(
    work: Callable[[K], V], jobs: int, weight: Callable[[K], int] = lambda _key: 0
) -> LocalExecutor[K, V] | None:
    """Processes that run ``work``, this one among them; None where it is all there is (or fork is missing, refused, or
    not safe). ``weight``: how long the work of a key may take, in any unit."""
    jobs = min(jobs or available_cores(), PROCESSES_PER_CORE * available_cores())
    context = _forking(jobs)
    if context is None:
        return None
    workers: dict[Connection, set[K]] = {}
    for _ in range(jobs - 1):
        try:
            ours, theirs = context.Pipe()
            with theirs:
                context.Process(target=_serve, args=(work, ours, theirs), daemon=True).start()
        except OSError:  # no more processes or open files for this user: those there are do the work
            break
        workers[ours] = set()
    return LocalExecutor(workers, work, weight) if workers else None


def in_parallel(work: Callable[[K], V], keys: Sequence[K], jobs: int) -> list[V]:
    """``work`` of each key, in order; what no worker could do, or all, is done in this process."""
    workers = start_local(work, jobs)
    if workers is None:
        return [work(key) for key in keys]
    done = dict(workers.results(list(keys)))
    workers.close()
    return [work(key) if (made := done[key]) is None else made for key in keys]


def start_apart(work: Callable[[], object], jobs: int) -> Callable[[], bool] | None:
    """Run ``work`` in a process of its own, with everything that this one knows. What waits for its end, and says
    whether it was reached; None where one process is all there is."""
    context = _forking(jobs or available_cores())
    if context is None:
        return None

    def quietly() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(Exception):  # whoever waits can do it again, and tell
            work()
            return
        os._exit(1)

    process = context.Process(target=quietly, daemon=True)
    try:
        process.start()
    except OSError:
        return None

    def ended() -> bool:
        process.join()
        return process.exitcode == 0

    return ended


def _forking(jobs: int) -> ForkContext | None:
    """What forks processes; None where it cannot, must not, or shall not."""
    import multiprocessing  # one package is read without it

    if jobs < 2 or "fork" not in multiprocessing.get_all_start_methods() or _on_a_cluster():
        return None
    return multiprocessing.get_context("fork")


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _on_a_cluster() -> bool:
    """Whether Dask's client runs here: a forked process would wait for ever for locks that its threads hold."""
    return any(thread.name == "IO loop" for thread in threading.enumerate())


def _serve(work: Callable[[K], V], parents: Connection, connection: Connection) -> None:
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
