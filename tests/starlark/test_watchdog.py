"""Limits of time and memory: kept by the kernel, lifted when the evaluation ends, its own for what is apart."""

from __future__ import annotations

import resource
import signal
import sys
import threading

import pytest

from bzlgraph.base.errors import EvalProblem
from bzlgraph.starlark.evaluation.budget import STEPS, Budget, OverBudget, breached, charge
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.evaluation.watchdog import apart, watched
from tests.starlark.bare import module_of

SOON = Budget(seconds=0.1)
LITTLE = Budget(megabytes=32)
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit on data")


def _work(count: int = 200_000_000) -> None:
    for _ in range(count):
        pass


def _pay_without_end() -> None:
    while True:
        charge(0)


def _break() -> None:
    while not breached():
        pass


def _fill() -> object:
    return [bytearray(1 << 20) for _ in range(1000)]


def test_what_pays_ends_where_it_pays() -> None:
    with pytest.raises(OverBudget, match=r"more than 0\.1 s of processor time"), watched(SOON):
        _pay_without_end()


def test_what_does_not_pay_ends_all_the_same() -> None:
    with pytest.raises(OverBudget, match="processor time"), watched(SOON):
        _work()


def test_nothing_stays_behind() -> None:
    before = (resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF), STEPS[0])
    with pytest.raises(OverBudget), watched(SOON):
        _work()
    with pytest.raises(OverBudget), watched(LITTLE):
        _fill()
    assert (resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF), STEPS[0]) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert not breached()


@linux
def test_memory() -> None:
    with pytest.raises(OverBudget, match="more than 32 MB"), watched(LITTLE):
        _fill()


@linux
def test_memory_of_a_program() -> None:
    module = module_of("x = []\ndef f():\n    for i in range(1000):\n        x.append('a' * 1000000 + str(i))\nf()\n")
    with pytest.raises(EvalProblem, match=r"case.bzl:4:\d+: error: the evaluation runs out of memory"):
        module.run(Thread(budget=LITTLE))


def test_a_limit_is_that_of_the_outermost() -> None:
    with pytest.raises(OverBudget, match=r"0\.1 s"), watched(SOON), watched(Budget(seconds=60)):
        _work()


def test_what_is_apart_does_not_count() -> None:
    with watched(SOON):
        with apart():
            assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
            _work(5_000_000)
        charge(0)
    with watched(SOON):
        with pytest.raises(OverBudget, match=r"0\.2 s"), apart(), watched(Budget(seconds=0.2)):
            _work()
        charge(0)


def test_a_breach_outlives_what_is_apart() -> None:
    with watched(SOON):
        _break()
        with apart():
            charge(1)
        with pytest.raises(OverBudget, match=r"0\.1 s"):
            charge(1)


def test_another_thread_is_not_watched() -> None:
    ended: list[object] = []

    def work() -> None:
        with watched(SOON):
            _work(10_000_000)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended
