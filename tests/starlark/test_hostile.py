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
_RUN = """
import gc, json, sys, time
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.evaluation.thread import Thread
from tests.starlark.bare import module_of
gc.disable()
started = time.process_time()
try:
    module_of(sys.stdin.read()).run(Thread(budget=Budget(steps=30_000_000)))
except BzlgraphError as error:
    said = error.diagnostic
    print(json.dumps([time.process_time() - started, said.message, said.location is not None, said.render()]))
"""


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_ends_in_time_with_a_clear_error(case: Case) -> None:
    """Each in a process of its own: limits of memory and time count what a process has and does."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", _RUN], cwd=root, input=case.text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    took, message, has_location, text = json.loads(done.stdout)
    wanted = case.errors[0][1]
    # What is counted ends by its count, but on a machine with other work the watchdog may be first.
    assert re.search(f"{wanted}|processor time" if "too many steps" in wanted else wanted, message)
    assert has_location
    assert "Traceback" not in text
    assert took < SECONDS


def test_there_are_many() -> None:
    assert len(HOSTILE) >= 50


@pytest.mark.slow
def test_memory_stays_small() -> None:
    """All of them in one process: the peak is that of the worst."""
    # ru_maxrss would be the peak of the tests' own process where that is greater: exec() hands it on.
    code = (
        "import re\n"
        "from pathlib import Path\n"
        "from bzlgraph.base.errors import BzlgraphError\n"
        "from tests.starlark.bare import run\n"
        "from tests.starlark.test_hostile import HOSTILE\n"
        "for case in HOSTILE:\n"
        "    try: run(case.text)\n"
        "    except BzlgraphError: pass\n"
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1])\n"
    )
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert int(done.stdout) // 1024 < MEGABYTES
