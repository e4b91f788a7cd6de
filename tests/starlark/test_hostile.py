"""Hostile programs end soon, with a clear error, without eating memory."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bzlgraph.base.errors import BzlgraphError
from tests.starlark.bare import run
from tests.starlark.chunks import Case, cases_of

SECONDS = 5.0
"""What 35 million steps take, and as much again."""
MEGABYTES = 1200
HOSTILE = cases_of("hostile.star")


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_ends_in_time_with_a_clear_error(case: Case) -> None:
    gc.disable()  # as a process of bzlgraph does: the tests' own objects are not to be looked at again and again
    started = time.process_time()
    try:
        with pytest.raises(BzlgraphError) as raised:
            run(case.text)
    finally:
        gc.enable()
    took = time.process_time() - started
    diagnostic = raised.value.diagnostic
    assert re.search(case.errors[0][1], diagnostic.message)
    assert diagnostic.location is not None
    assert "Traceback" not in diagnostic.render()
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
        "from tests.starlark.test_hostile import HOSTILE, BzlgraphError, run\n"
        "for case in HOSTILE:\n"
        "    try: run(case.text)\n"
        "    except BzlgraphError: pass\n"
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1])\n"
    )
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert int(done.stdout) // 1024 < MEGABYTES
