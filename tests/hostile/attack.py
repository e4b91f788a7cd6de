"""Attacks: a checkout that wants more than an answer, and bzlgraph in a process of its own, limited from outside."""

from __future__ import annotations

import ast
import math
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SECONDS = 10
"""Of processor time on the machine that the limit was set on, where ``_slowness`` is 1."""
_TEXT, _PARSED = "made = [call(each, by=1) for each in given if each.member]\n" * 2000, 0.05
"""A text, and the seconds of processor time in which ``ast.parse`` reads it on that machine."""
MEGABYTES = 1024
PATIENCE = 120
"""Seconds after which a process that waits instead of working is ended."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code (negative: a signal), what it said, and what it took with its children.
    ``seconds`` are those of ``SECONDS``."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: int


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files of a checkout, which has a WORKSPACE."""
    for name, text in {"WORKSPACE": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)
    return root


def run(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command on a checkout, with nothing kept but in a ``--cache_dir``. It held if it ended by itself, in time,
    without a traceback and without a bug of ours; what it said is for the test to check."""
    said, wrong, slowness = root.parent / "stdout", root.parent / "stderr", _slowness()
    kept = [] if any(each.startswith("--cache_dir=") for each in arguments) else ["--no_cache"]
    command = [sys.executable, "-m", "bzlgraph", *kept, "-v", "-C", str(root), *arguments]  # -v: every gap is told
    with said.open("wb") as out, wrong.open("wb") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, preexec_fn=_limit, env={**os.environ, **(environment or {})}
        )
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    texts = (path.read_text(encoding="utf-8", errors="backslashreplace") for path in (said, wrong))
    seconds = (used.ru_utime + used.ru_stime) / slowness
    return Ended(process.returncode, *texts, seconds, used.ru_maxrss >> 10)


def assert_held(ended: Ended) -> None:
    """An attack must not get through, whatever it wanted."""
    assert ended.code in (0, 1, 2, 3, 7), ended
    assert "Traceback" not in ended.err, ended.err
    assert "internal error" not in ended.err, ended.err
    assert ended.seconds < SECONDS
    assert ended.megabytes < MEGABYTES


@cache
def _slowness() -> float:
    """How many times slower than there this machine works now, at least 1: shared cores take twice the time."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        ast.parse(_TEXT)
        taken.append(time.process_time() - began)
    return max(1.0, min(taken) / _PARSED)


def _limit() -> None:
    seconds = math.ceil(SECONDS * _slowness())
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
