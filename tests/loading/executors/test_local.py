"""Processes that work: each package once, whenever it was asked for; what a worker dies of is left to the caller."""

from __future__ import annotations

import errno
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pytest

from bzlgraph.loading.executors import LocalExecutor, in_parallel, start_apart, start_local
from bzlgraph.loading.executors.local import AHEAD, available_cores

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="workers are forked")


class Evaluated:
    """Processes that note in a file what they evaluate; of some packages workers die."""

    def __init__(
        self,
        folder: Path,
        jobs: int = 2,
        fatal: Iterable[str] = (),
        unforeseen: Iterable[str] = (),
        weight: Callable[[str], int] = lambda _key: 0,
    ) -> None:
        self.notes = folder / "notes"
        self.notes.touch()
        self.here = os.getpid()
        self.fatal, self.unforeseen = set(fatal), set(unforeseen)
        workers = start_local(self.evaluate, jobs, weight)
        assert workers is not None
        self.workers: LocalExecutor[str, bytes] = workers

    def evaluate(self, key: str) -> bytes:
        with self.notes.open("a") as file:
            file.write(f"{os.getpid()} {key}\n")
        if os.getpid() == self.here:
            return key.encode()
        if key in self.fatal:
            os._exit(1)
        if key in self.unforeseen:
            raise ValueError("nobody foresaw this")
        return key.encode()

    def results(self, *names: str) -> list[str]:
        """The names that something was made of."""
        found = list(self.workers.results(list(names)))
        assert sorted(key for key, _ in found) == sorted(names)
        assert all(made in (None, key.encode()) for key, made in found)
        return sorted(key for key, made in found if made is not None)

    def evaluations(self) -> list[str]:
        return sorted(line.split()[1] for line in self.notes.read_text().splitlines())

    def by_process(self) -> dict[str, list[str]]:
        """What each process evaluated, in order."""
        found: dict[str, list[str]] = {}
        for line in self.notes.read_text().splitlines():
            worker, name = line.split()
            found.setdefault(worker, []).append(name)
        return found


def test_every_package_that_was_asked_for_is_evaluated_once(tmp_path: Path) -> None:
    names = [f"p{number:03}" for number in range(200)]
    evaluated = Evaluated(tmp_path, jobs=3)
    assert evaluated.results(*names) == names
    assert evaluated.evaluations() == names


def test_what_is_asked_for_may_grow_while_it_is_done(tmp_path: Path) -> None:
    evaluated = Evaluated(tmp_path)
    wanted = ["a"]
    for key, _ in evaluated.workers.results(wanted):
        wanted += [f"{key}a", f"{key}b"] if len(key) < 4 else []
    behind = ["a" + "".join(letters) for length in range(4) for letters in product("ab", repeat=length)]
    assert evaluated.evaluations() == sorted(behind)


def test_this_process_works_too_in_the_order_asked_for(tmp_path: Path) -> None:
    """What it makes is used at once. Others begin with the heaviest: nobody shall be left with much at the end."""
    evaluated = Evaluated(tmp_path, weight=int)
    names = [f"{number:03}" for number in range(100)]
    assert evaluated.results(*names) == names
    found = evaluated.by_process()
    here = found.pop(str(os.getpid()))
    (there,) = found.values()
    assert here == sorted(here)
    assert there == sorted(there, reverse=True)
    assert here
    assert there


def test_of_little_work_there_is_some_for_every_process(tmp_path: Path) -> None:
    here, begun = os.getpid(), tmp_path / "begun"

    def work(_number: int) -> bool:
        if os.getpid() == here:
            begun.touch()
        for _ in range(400):
            if begun.exists():
                return True
            time.sleep(0.05)
        return False

    assert in_parallel(work, range(4), 2) == [True] * 4


@pytest.mark.parametrize("new", [False, True])
def test_what_is_in_a_hurry_is_done_next(tmp_path: Path, new: bool) -> None:
    """Next of the worker that it is given to: the other may do all the rest while that one gets no processor."""
    evaluated = Evaluated(tmp_path)
    wanted = [f"p{number:02}" for number in range(50)]
    urgent = "urgent" if new else wanted[-1]
    found = list[str]()
    for key, _ in evaluated.workers.results(wanted):
        if not found:
            wanted += [urgent] if new else []
            evaluated.workers.hurry(urgent, wanted)
        found.append(key)
    assert len(found) == len(set(found)) == 50 + new
    assert [names.index(urgent) <= AHEAD for names in evaluated.by_process().values() if urgent in names] == [True]


@pytest.mark.parametrize("how", ["fatal", "unforeseen"])
def test_what_a_worker_dies_of_is_left_out_and_the_others_go_on(tmp_path: Path, how: str) -> None:
    evaluated = Evaluated(tmp_path, jobs=3, **{how: ["bad"]})
    found = evaluated.results("a", "bad", *"bcdefghijkl")
    assert "bad" not in found
    # What the dead worker had been given besides is left out too.
    assert len(found) >= 13 - AHEAD
    assert evaluated.results("x", "y") == ["x", "y"]


def test_without_any_worker_left_nothing_is_found(tmp_path: Path) -> None:
    evaluated = Evaluated(tmp_path, jobs=3, fatal=["bad1", "bad2"])
    assert set(evaluated.results("bad1", "bad2", "a", "b")) <= {"a", "b"}
    assert evaluated.results("x", "y") == []


def test_one_job_needs_no_workers() -> None:
    assert start_local(lambda key: b"", 1) is None


@pytest.mark.parametrize("jobs", [1, 3])
def test_all_of_it_comes_in_order_whatever_a_worker_dies_of(jobs: int) -> None:
    here = os.getpid()

    def work(number: int) -> tuple[int, bool]:
        if number == 5 and os.getpid() != here:
            os._exit(1)
        return number * number, os.getpid() == here

    found = in_parallel(work, range(20), jobs)
    assert [square for square, _ in found] == [number * number for number in range(20)]
    assert found[5][1]
    assert all(in_this_process for _, in_this_process in found) is (jobs == 1)


@pytest.mark.parametrize("ends", [True, False])
def test_who_waits_for_a_process_of_its_own_learns_how_it_ended(tmp_path: Path, ends: bool) -> None:
    here = os.getpid()

    def work() -> None:
        (tmp_path / "begun").write_text(str(os.getpid()))
        if not ends:
            raise ValueError(here)

    ended = start_apart(work, 2)
    assert ended is not None
    assert ended() is ends
    assert (tmp_path / "begun").read_text() != str(here)
    assert start_apart(work, 1) is None


def test_closed_workers_end(tmp_path: Path) -> None:
    others = set(multiprocessing.active_children())
    evaluated = Evaluated(tmp_path, jobs=3)
    evaluated.results("a", "b")
    processes = set(multiprocessing.active_children()) - others
    assert processes
    evaluated.workers.close()
    for process in processes:
        process.join(10)
    assert not any(process.is_alive() for process in processes)


@pytest.mark.parametrize("forks", [0, 1])
def test_a_refused_fork_leaves_the_work_to_who_there_is(monkeypatch: pytest.MonkeyPatch, forks: int) -> None:
    left, fork = [None] * forks, os.fork

    def refuse() -> int:
        if not left:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        left.pop()
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    assert in_parallel(lambda number: number * 2, range(20), 3) == [number * 2 for number in range(20)]


def test_a_process_with_the_threads_of_a_cluster_is_not_forked() -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait, name="IO loop")
    thread.start()
    try:
        assert start_local(lambda key: b"", 2) is None
    finally:
        ended.set()
        thread.join()


def test_there_are_at_most_four_processes_per_core() -> None:
    """``--jobs=200`` is usual for Bazel, where it counts actions."""
    workers = start_local(lambda key: b"", 10_000)
    assert workers is not None
    try:
        assert len(workers._workers) == 4 * available_cores() - 1, "this process is one of them"
    finally:
        workers.close()
