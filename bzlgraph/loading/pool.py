"""Packages in parallel: worker processes evaluate, this process decodes.

Workers are forked (where the platform has fork) after WORKSPACE was evaluated, so they start with everything this
process knows; each keeps its own .bzl files. Packages travel as the bytes of codec.py.

A question goes from package to package, and one large package may be all that a step waits for. So that the others
have work meanwhile, packages that an evaluated one mentions are guesses: begun when nothing that was asked for is left,
and kept until somebody asks. (``concurrent.futures`` serves first come, first served, and ends only when all that was
begun has ended: half a second more of four for the dependencies of TensorFlow's pip package.)
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

PackageId = tuple[str, str]

WORTH_A_POOL = 24
"""Fewer packages than this are evaluated here: starting processes costs more."""
AHEAD = 2
"""Packages that a worker is given at a time, so that it need not wait for this process."""


class Encoded(NamedTuple):
    """A package as it travels: what it was made from (package_cache.py) and itself (codec.py) as bytes, and the
    packages that its labels are in."""

    inputs: bytes
    data: bytes
    mentions: tuple[PackageId, ...]


Evaluate = Callable[[PackageId], Encoded]


@dataclass(slots=True)
class Workers:
    """Worker processes, by the connection to each, with what each has been given and not yet sent back."""

    _given: dict[Connection, set[PackageId]]
    _guesses: dict[PackageId, None] = field(default_factory=dict)
    _seen: set[PackageId] = field(default_factory=set)
    """All that was ever asked for or guessed."""
    _unasked: dict[PackageId, Encoded] = field(default_factory=dict)
    """Guesses that are done."""

    def results(self, wanted: Sequence[PackageId]) -> Iterator[tuple[PackageId, Encoded]]:
        """The encoded packages of ``wanted``, as they are done; without those that a worker died of."""
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
            for key, encoded in self._arrived():
                if encoded is not None and key in missing:
                    yield key, encoded
                elif encoded is not None:
                    self._unasked[key] = encoded
                missing.discard(key)

    def guess(self, keys: Iterable[PackageId]) -> None:
        """Packages that will probably be asked for."""
        fresh = [key for key in keys if key not in self._seen]
        self._seen.update(fresh)
        self._guesses.update(dict.fromkeys(fresh))

    def _give(self, waiting: dict[PackageId, None]) -> None:
        """Give every worker as much as it may have, what is waited for first."""
        for depth in range(1, AHEAD + 1):
            for connection, keys in self._given.items():
                if len(keys) < depth and (queue := waiting or self._guesses):
                    key = next(iter(queue))
                    del queue[key]
                    keys.add(key)
                    with suppress(OSError):  # it is dead: reading from it will tell
                        connection.send(key)

    def _arrived(self) -> Iterator[tuple[PackageId, Encoded | None]]:
        """Wait for workers; what they send, None for all that one had when it died."""
        for connection in wait(list(self._given)):
            assert isinstance(connection, Connection), "these are all we wait for"
            try:
                key, encoded = connection.recv()
            except (EOFError, OSError):
                yield from ((key, None) for key in self._given.pop(connection))
            else:
                self._given[connection].remove(key)
                yield key, encoded


def start_workers(evaluate: Evaluate, jobs: int) -> Workers | None:
    """Workers that run ``evaluate``; None where one process is all there is (or fork is missing)."""
    jobs = jobs or available_cores()
    if jobs < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return None
    context = multiprocessing.get_context("fork")
    given: dict[Connection, set[PackageId]] = {}
    for _ in range(jobs):
        ours, theirs = context.Pipe()
        context.Process(target=_work, args=(evaluate, ours, theirs), daemon=True).start()
        theirs.close()
        given[ours] = set()
    return Workers(given)


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(evaluate: Evaluate, parents: Connection, connection: Connection) -> None:
    """What a worker does until its parent is gone, which ends it too.

    It dies quietly of whatever nobody foresaw: its parent evaluates the package again, and can tell.
    """
    parents.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(Exception):
        while True:
            key = connection.recv()
            connection.send((key, evaluate(key)))
