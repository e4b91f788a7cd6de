"""The parser as the loader uses it: start-up cost, and that nothing of the process is left changed."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest

from bzlgraph.syntax import parse


@pytest.mark.skipif("UPDATE_GOLDEN" in os.environ, reason="the generated file may be about to be written")
def test_lark_is_not_imported() -> None:
    """The tables come from the generated file: a cold start does not pay for Lark."""
    code = "import sys; from bzlgraph.syntax import parse; parse('f(x = [1])', 'BUILD'); print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_collector_runs_again() -> None:
    assert gc.isenabled()
    parse("x = 1", "BUILD")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("x = 1", "BUILD")
        assert not gc.isenabled()
    finally:
        gc.enable()
