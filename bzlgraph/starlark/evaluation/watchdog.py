"""The watchdog: an evaluation under a limit of processor time and of data memory, for what no budget foresaw.

Theory of operation. The kernel keeps both limits, so an evaluation that stays within them pays nothing.
* Time: a timer of the process's own processor time (``ITIMER_PROF``). Its first signal leaves the evaluation no steps,
  which ends it where it pays next; each later one raises ``OverBudget`` wherever the process stands.
* Memory: a limit on data (``RLIMIT_DATA``; mapped files do not count) that lies ``megabytes`` above what the process
  has when the evaluation begins. Beyond it Python raises MemoryError, and the limit is lifted before anything else is
  done. Systems that do not enforce it have the budget of steps alone.
Signals reach the main thread only: in other threads, and where there are no such timers, the budget of steps holds.

>>> with watched(Budget(seconds=1)):
...     breached()
False
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType

from bzlgraph.cache.looks import count_broken
from bzlgraph.starlark.evaluation.budget import (
    STEPS,
    UNLIMITED,
    Budget,
    OverBudget,
    breached,
    exhausted,
    forget_breach,
    spend_all,
)

if sys.platform != "win32":
    import resource

EVALUATION = "the evaluation"
READING = Budget(seconds=3.0, megabytes=512)
"""What reading one file that is no Starlark may take, or searching with one regular expression."""
GRACE = 0.05
"""The part of the time after which an evaluation that has not ended by itself is ended, again and again."""
FRESH = 0.02
"""Seconds for which a look at the memory in use is good enough: small packages take less than the look."""
_HINT = "simplify or split the file, or raise the limit with "
_watching: list[Watch] = []


@contextmanager
def watched(budget: Budget, what: str = EVALUATION) -> Iterator[None]:
    """Watch what runs inside, unless it is watched already. Raises OverBudget for MemoryError; what else ends by a
    limit raises it where it stands. ``what`` it is called: readers of C++ and Python and searches are watched, too."""
    if _watching:
        yield
        return
    watch, steps = Watch(budget, what), STEPS[0]
    _watching.append(watch)
    watch.begin()
    try:
        yield
    except MemoryError:
        out_of_memory()
        raise exhausted() from None
    finally:
        _watching.clear()
        watch.end()
        count_broken(len(forget_breach()))
        STEPS[0] = steps


@contextmanager
def reading(what: str = "reading it") -> Iterator[None]:
    """One file that is no Starlark is read, or one expression searches: under limits of its own (``READING``), also in
    the middle of something else that is watched. Raises OverBudget.

    >>> with reading():
    ...     len("text")
    4
    """
    with apart() if _watching else nullcontext(), watched(READING, what):
        yield


@contextmanager
def apart() -> Iterator[None]:
    """What runs inside is no part of the evaluation that is running, and has limits of its own: an evaluation asks for
    a repository, and all who come later have it, too."""
    outer, steps, breach = list(_watching), STEPS[0], forget_breach()
    for watch in outer:
        watch.pause()
    _watching.clear()
    STEPS[0] = UNLIMITED
    try:
        yield
    finally:
        STEPS[0] = steps
        _watching.extend(outer)
        for watch in outer:
            watch.begin()
        for error in breach:
            spend_all(error)


def out_of_memory() -> None:
    """The running evaluation has got no more memory: lift the limit, and leave it no steps."""
    for watch in _watching:
        watch.lift_memory()
        megabytes = watch.budget.megabytes
        what = f"{watch.what} runs out of memory: more than {megabytes} MB"
        spend_all(OverBudget(what, watch.hint("--max_megabytes")))


@dataclass(slots=True)
class _Look:
    """A look at the memory in use."""

    until: float = 0.0
    process: int = 0
    used: int | None = None


_looked = _Look()


class Watch:
    """The limits of one evaluation, and what was there before it."""

    def __init__(self, budget: Budget, what: str = EVALUATION) -> None:
        self.budget = budget
        self.what = what
        self._handler: object = None
        self._timer = (0.0, 0.0)
        self._memory: tuple[int, int] | None = None
        self._limit: int | None = None
        self._seconds = budget.seconds
        self._bytes = budget.megabytes << 20

    def hint(self, option: str) -> str | None:
        """What helps; only an evaluation has options."""
        return f"{_HINT}{option}" if self.what == EVALUATION else None

    def begin(self) -> None:
        """Set both limits, for what is left of them."""
        if sys.platform == "win32":
            return
        self._limit_memory()
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGPROF, self._on_time)
            interval = max(self.budget.seconds * GRACE, 0.01)
            self._timer = signal.setitimer(signal.ITIMER_PROF, self._seconds, interval)

    def end(self) -> None:
        """Put back what was there."""
        if sys.platform == "win32":
            return
        self.lift_memory()
        if self._handler is not None:
            self._seconds = max(signal.setitimer(signal.ITIMER_PROF, *self._timer)[0], 0.01)
            signal.signal(signal.SIGPROF, self._handler)  # type: ignore[arg-type]

    def pause(self) -> None:
        """Like ``end``, and remember what is left of both limits."""
        limit = self._limit
        self.end()
        _looked.until = 0.0
        used = _data_in_use()
        if limit is not None and used is not None:
            self._bytes = max(limit - used, 1 << 20)

    def lift_memory(self) -> None:
        """Give back what the limit keeps."""
        if self._memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, self._memory)
            self._memory = None

    def _limit_memory(self) -> None:
        used = _data_in_use()
        if used is None:
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = used + self._bytes
        if all(limit == resource.RLIM_INFINITY or wanted < limit for limit in (soft, hard)):
            self._memory, self._limit = (soft, hard), wanted
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))

    def _on_time(self, _signal: int, _frame: FrameType | None) -> None:
        if self not in _watching:
            return
        again = breached()
        if not again:
            what = f"{self.what} takes more than {self.budget.seconds:g} s of processor time"
            spend_all(OverBudget(what, self.hint("--max_seconds")))
            return
        spend_all(exhausted())
        raise exhausted()


def _data_in_use() -> int | None:
    """The bytes that count for the limit, looked up now or just before; None where the system does not tell."""
    now = time.monotonic()
    if now < _looked.until and _looked.process == os.getpid():
        return _looked.used
    _looked.until, _looked.process = now + FRESH, os.getpid()
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            _looked.used = int(file.read(200).split()[5]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        _looked.used = None
    return _looked.used
