"""Runs a target over many inputs in a process of its own, and tells what went wrong by how that process ends.

The kernel keeps both limits: ``ITIMER_VIRTUAL`` ends the process even inside C code, ``RLIMIT_DATA`` refuses memory.
The process says which input it begins, so that the one that ended it is known; the next process goes on after it.
"""

from __future__ import annotations

import hashlib
import mmap
import multiprocessing
import os
import resource
import signal
import struct
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NoReturn

from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import TARGETS, forget_scratch

SECONDS = 5.0
MEGABYTES = 1024
AGAIN = 25
"""One input in so many is read twice, and once more by a process whose sets have another order."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An input that brought out a bug."""

    target: str
    number: int
    what: str
    data: bytes


@dataclass(slots=True)
class Figures:
    """What one run of a target took."""

    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    megabytes: int = 0
    faults: list[Fault] = field(default_factory=list)

    def add(self, inputs: int, slowest: float, megabytes: int) -> None:
        """Count what a process has read."""
        self.inputs += inputs
        self.slowest, self.megabytes = max(self.slowest, slowest), max(self.megabytes, megabytes)


def input_of(target: str, seed: int, number: int) -> bytes:
    """The input of that number: the same in every process."""
    return mutator_of(target).draw(Random(f"{seed} {target} {number}"))


@cache
def mutator_of(target: str) -> Mutator:
    """What makes the inputs of a target: its corpus is read once."""
    return TARGETS[target].mutator()


def fuzz(target: str, seed: int, first: int, last: int, until: float = float("inf")) -> Figures:
    """Read the inputs ``first`` to ``last``, or those that there is time for (``time.monotonic()``)."""
    figures = Figures()
    began = time.monotonic()
    number = first
    while number < last and time.monotonic() < until:
        number = _part(target, seed, number, last, until, figures)
    figures.seconds = time.monotonic() - began
    return figures


def _part(target: str, seed: int, first: int, last: int, until: float, figures: Figures) -> int:
    """Let a process read inputs until it ends; the number of the next one."""
    board = mmap.mmap(-1, 8)
    board.write(struct.pack("q", first - 1))
    said, says = multiprocessing.Pipe(duplex=False)
    process = os.fork()
    if not process:
        _child(target, seed, first, last, until, board, says)
    says.close()
    while True:
        try:
            word = said.recv()
        except EOFError:
            break
        if isinstance(word, Fault):
            figures.faults.append(word)
        else:
            figures.add(*word)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    (reached,) = struct.unpack_from("q", board)
    if code == 0:
        return int(reached) + 1
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    what = f"more than {SECONDS} s" if code == -signal.SIGVTALRM else f"the process ended: {name}"
    figures.faults.append(Fault(target, reached, what, input_of(target, seed, reached)))
    figures.add(1, 0.0, 0)
    return int(reached) + 1


def _child(target: str, seed: int, first: int, last: int, until: float, board: mmap.mmap, says: Connection) -> NoReturn:
    code = 1
    try:
        limit = _data_in_use() + (MEGABYTES << 20)  # whoever asked has memory of its own
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        silence = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            os.dup2(silence, descriptor)
        count, slowest = 0, 0.0
        for number in range(first, last):
            if time.monotonic() > until:
                break
            struct.pack_into("q", board, 0, number)
            data = input_of(target, seed, number)
            began = time.process_time()
            what = _wrong(target, data, twice=number % AGAIN == 0)
            slowest = max(slowest, time.process_time() - began)
            count += 1
            if what:
                says.send(Fault(target, number, what, data))
        says.send((count, slowest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10))
        forget_scratch()
        code = 0
    finally:
        os._exit(code)


def _data_in_use() -> int:
    """Bytes of data memory, as ``RLIMIT_DATA`` counts them; 0 where the kernel does not tell."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:")), 0)


def _wrong(target: str, data: bytes, *, twice: bool) -> str:
    """What is wrong with how an input is read; "" for nothing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        outcome = TARGETS[target].outcome(data)
        if twice and outcome != (other := TARGETS[target].outcome(data)):
            return f"another outcome when it is read again:\n{outcome[:500]}\n{other[:500]}"
    except BaseException:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def digests(target: str, seed: int, numbers: range) -> Iterator[str]:
    """What comes of inputs, for another process to compare."""
    for number in numbers:
        yield hashlib.sha256(TARGETS[target].outcome(input_of(target, seed, number)).encode()).hexdigest()[:16]
