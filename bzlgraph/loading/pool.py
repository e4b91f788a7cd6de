"""Packages in parallel: worker processes evaluate, this process decodes.

Workers are forked (where the platform has fork) after WORKSPACE was evaluated, so they start with everything this
process knows; each keeps its own .bzl files. Packages travel as the bytes of codec.py.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor

PackageId = tuple[str, str]
Encoded = tuple[bytes, bytes]
"""What a package was made from (package_cache.py) and the package itself (codec.py), as bytes."""

WORTH_A_POOL = 24
"""Fewer packages than this are evaluated here: starting processes costs more."""
CHUNK = 6
"""Packages that a worker gets at a time, of many; fewer of few, so that no worker waits for another's large ones."""
CHUNKS_AT_LEAST = 16

EvaluateMany = Callable[[Sequence[PackageId]], list[tuple[PackageId, Encoded]]]

_evaluate_many: EvaluateMany | None = None
"""What worker processes run: set just before they are forked, never read in this process."""


def start_pool(evaluate_many: EvaluateMany, jobs: int) -> Executor | None:
    """A pool whose workers run ``evaluate_many``; None where one process is all there is (or fork is missing)."""
    global _evaluate_many
    jobs = jobs or available_cores()
    if jobs < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return None
    _evaluate_many = evaluate_many
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork"))


def run(pool: Executor, keys: Sequence[PackageId]) -> Iterator[tuple[PackageId, Encoded]]:
    """The encoded packages of ``keys``, as they are done."""
    size = max(1, min(CHUNK, len(keys) // CHUNKS_AT_LEAST))
    chunks = [keys[start : start + size] for start in range(0, len(keys), size)]
    for result in pool.map(_run_chunk, chunks):
        yield from result


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run_chunk(chunk: Sequence[PackageId]) -> list[tuple[PackageId, Encoded]]:
    assert _evaluate_many is not None, "workers are forked by start_pool"
    return _evaluate_many(chunk)
