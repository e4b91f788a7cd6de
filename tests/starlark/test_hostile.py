"""Hostile programs end soon, with a clear error, without eating memory."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.starlark.chunks import Case, cases_of

SECONDS = 10.0
"""More than the slowest takes; the watchdog ends each after eight."""
MEGABYTES = 1200
HOSTILE = cases_of("hostile.star")
# A part of the steps that are the default: what ends by its count does so sooner, and before memory is short.
# VmHWM is the peak of this process; ru_maxrss would be that of the tests' own where it is greater: exec() hands it on.
_RUN = """
import gc, json, re, sys, time
from pathlib import Path
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.evaluation.thread import Thread
from tests.starlark.bare import module_of
gc.disable()
started = time.process_time()
try:
    module_of(sys.stdin.read()).run(Thread(budget=Budget(steps=20_000_000)))
except BzlgraphError as error:
    said = error.diagnostic
    peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) >> 10
    print(json.dumps([time.process_time() - started, peak, said.message, said.location is not None, said.render()]))
"""


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_ends_in_time_and_memory_with_a_clear_error(case: Case) -> None:
    """Each in a process of its own: limits of memory and time count what a process has and does."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", _RUN], cwd=root, input=case.text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    took, megabytes, message, has_location, text = json.loads(done.stdout)
    wanted = case.errors[0][1]
    # What is counted ends by its count, but on a machine with other work the watchdog may be first.
    assert re.search(f"{wanted}|processor time" if "too many steps" in wanted else wanted, message)
    assert has_location
    assert "Traceback" not in text
    assert took < SECONDS
    assert megabytes < MEGABYTES


def test_there_are_many() -> None:
    assert len(HOSTILE) >= 50
